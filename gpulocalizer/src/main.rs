//! The command line of gpulocalizer; see the library.

use std::process::ExitCode;

use clap::Parser;
use gpulocalizer::CommandLine;

fn main() -> ExitCode {
    let (io, options) = CommandLine::parse().into_options();
    tool::transform("gpulocalizer", &io, |program| gpulocalizer::run(program, &options?))
}
