//! The command line of scheduler; see the library.

use std::process::ExitCode;

use scheduler::CommandLine;

fn main() -> ExitCode {
    let command_line: CommandLine = match tool::command_line() {
        Ok(command_line) => command_line,
        Err(code) => return code,
    };
    let format = command_line.format();
    let (io, options) = command_line.into_options();
    tool::transform_as("scheduler", &io, format, |program| {
        scheduler::run(program, options.as_ref().map_err(Clone::clone)?)
    })
}
