//! The command line of cloog-rs; see the library.

use std::process::ExitCode;

use clap::Parser;
use cloog_rs::CommandLine;

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    tool::transform("cloog-rs", &command_line.io, cloog_rs::run)
}
