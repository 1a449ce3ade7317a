//! The command line of cudagen; see the library.

use std::process::ExitCode;

use clap::Parser;
use cudagen::CommandLine;
use scop::verify::Part;
use tool::Tool;

const TOOL: Tool<'_> =
    Tool { name: "cudagen", unread: &[Part::Order, Part::Dependences, Part::Schedule], verifies: true };

fn main() -> ExitCode {
    if let Some(code) = tool::explain_if_asked() {
        return code;
    }
    let command_line = CommandLine::parse();
    tool::consume(TOOL.told(command_line.verification), command_line.input.as_deref(), |program| {
        command_line.files(program)
    })
}
