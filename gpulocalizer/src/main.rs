//! The command line of gpulocalizer; see the library.

use std::process::ExitCode;

use clap::Parser;
use gpulocalizer::CommandLine;

fn main() -> ExitCode {
    if let Some(code) = tool::explain_if_asked() {
        return code;
    }
    let command_line = CommandLine::parse();
    let report = command_line.report();
    let (io, options) = command_line.into_options();
    match report {
        None => tool::transform("gpulocalizer", &io, |program| gpulocalizer::run(program, &options?)),
        Some(format) => {
            tool::print("gpulocalizer", &io, |program| gpulocalizer::report(program, &options?, format))
        }
    }
}
