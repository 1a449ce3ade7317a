//! The command line of gpu-time; see the library.

use std::process::ExitCode;

use clap::Parser;
use gpu::command::{CommandLine, print};

fn main() -> ExitCode {
    match CommandLine::parse().report() {
        Ok(report) => print(&report),
        Err(failure) => failure.exit(),
    }
}
