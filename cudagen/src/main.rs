//! The command line of cudagen; see the library.

use std::process::ExitCode;

use cudagen::CommandLine;
use tool::Tool;

fn main() -> ExitCode {
    let command_line: CommandLine = match tool::command_line() {
        Ok(command_line) => command_line,
        Err(code) => return code,
    };
    tool::consume(
        Tool::from("cudagen").told(command_line.verification).talking(command_line.messages),
        command_line.input.as_deref(),
        command_line.keep_going,
        |program| command_line.files(program),
    )
}
