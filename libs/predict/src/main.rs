//! The command line of gpu-predict; see the library.

use std::process::ExitCode;

use predict::{CommandLine, NAME};

fn main() -> ExitCode {
    let command_line: CommandLine = match tool::command_line() {
        Ok(command_line) => command_line,
        Err(code) => return code,
    };
    tool::print(NAME, &command_line.io, |program| command_line.run(&program))
}
