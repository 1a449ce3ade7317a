//! The command line of cloog-rs; see the library.

use std::process::ExitCode;

use cloog_rs::{CommandLine, Emit};

fn main() -> ExitCode {
    let command_line: CommandLine = match tool::command_line() {
        Ok(command_line) => command_line,
        Err(code) => return code,
    };
    match command_line.emit {
        Emit::Document => tool::transform("cloog-rs", &command_line.io, cloog_rs::run),
        Emit::C => tool::print("cloog-rs", &command_line.io, |program| cloog_rs::emit_c(&program)),
    }
}
