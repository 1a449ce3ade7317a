//! The command line of cudagen; see the library.

use std::process::ExitCode;

use clap::Parser;
use cudagen::CommandLine;
use tool::Tool;

fn main() -> ExitCode {
    if let Some(code) = tool::explain_if_asked() {
        return code;
    }
    let command_line = CommandLine::parse();
    tool::consume(
        Tool::from("cudagen").told(command_line.verification),
        command_line.input.as_deref(),
        |program| command_line.files(program),
    )
}
