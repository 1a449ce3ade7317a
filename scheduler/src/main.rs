//! The command line of scheduler; see the library.

use std::process::ExitCode;

use clap::Parser;
use scheduler::CommandLine;

fn main() -> ExitCode {
    if let Some(code) = tool::explain_if_asked() {
        return code;
    }
    let command_line = CommandLine::parse();
    let format = command_line.format();
    let (io, options) = command_line.into_options();
    tool::transform_as("scheduler", &io, format, |program| scheduler::run(program, &options?))
}
