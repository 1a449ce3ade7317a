//! The command line of gpulocalizer; see the library.

use std::process::ExitCode;

use clap::Parser;
use gpulocalizer::CommandLine;

fn main() -> ExitCode {
    if let Some(code) = tool::explain_if_asked() {
        return code;
    }
    let (io, options) = CommandLine::parse().into_options();
    tool::transform("gpulocalizer", &io, |program| gpulocalizer::run(program, &options?))
}
