//! The command line of gpulocalizer; see the library.

use std::process::ExitCode;

use gpulocalizer::CommandLine;

fn main() -> ExitCode {
    let command_line: CommandLine = match tool::command_line() {
        Ok(command_line) => command_line,
        Err(code) => return code,
    };
    let report = command_line.report();
    let (io, options) = command_line.into_options();
    match report {
        None => tool::transform("gpulocalizer", &io, |program| {
            gpulocalizer::run(program, options.as_ref().map_err(Clone::clone)?)
        }),
        Some(format) => {
            tool::print("gpulocalizer", &io, |program| gpulocalizer::report(program, &options?, format))
        }
    }
}
