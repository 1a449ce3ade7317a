//! The command line of cloog-rs; see the library.

use std::process::ExitCode;

use clap::Parser;
use cloog_rs::{CommandLine, Emit};

fn main() -> ExitCode {
    if let Some(code) = tool::explain_if_asked() {
        return code;
    }
    let command_line = CommandLine::parse();
    match command_line.emit {
        Emit::Document => tool::transform("cloog-rs", &command_line.io, cloog_rs::run),
        Emit::C => tool::print("cloog-rs", &command_line.io, |program| cloog_rs::emit_c(&program)),
    }
}
