//! The command line of cudagen; see the library.

use std::process::ExitCode;

use clap::Parser;
use cudagen::CommandLine;

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    tool::consume("cudagen", command_line.input.as_deref(), |program| command_line.files(program))
}
