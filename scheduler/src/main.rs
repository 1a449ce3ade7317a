//! The command line of scheduler; see the library.

use std::process::ExitCode;

use scheduler::{CommandLine, NAME, Part};

fn main() -> ExitCode {
    let command_line: CommandLine = match tool::command_line() {
        Ok(command_line) => command_line,
        Err(code) => return code,
    };
    let (format, only, instead) = (command_line.format(), command_line.only(), command_line.instead());
    let (io, options) = command_line.into_options();
    let options = || options.as_ref().map_err(Clone::clone);
    if let Some(instead) = instead {
        return tool::print(NAME, &io, |program| scheduler::instead(&program, options()?, instead));
    }
    match only {
        None => tool::transform_as(NAME, &io, format, |program| scheduler::run(program, options()?)),
        Some(Part::Order) => {
            tool::transform_as(NAME, &io, format, |program| scheduler::order(program, options()?))
        }
        Some(Part::Map) => {
            tool::transform_as(NAME, &io, format, |program| scheduler::map(program, options()?))
        }
    }
}
