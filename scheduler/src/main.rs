//! The command line of scheduler; see the library.

use std::process::ExitCode;

use clap::Parser;
use scheduler::CommandLine;

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    let (io, options) = command_line.into_options();
    tool::transform("scheduler", &io, |program| scheduler::run(program, &options?))
}
