//! The command line of a tool, and the texts that it can print: `--help`, `--version`, `--explain CODE`.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use crate::explain::explain_if_asked;
use crate::output;

/// Reads the options of the command line.
///
/// # Errors
/// Returns the exit code if nothing else is to be done: a text was printed, or the command line is wrong.
pub fn command_line<T: CommandFactory + FromArgMatches>() -> Result<T, ExitCode> {
    command_line_from(&std::env::args_os().collect::<Vec<_>>())
}

/// Reads options from other arguments, the first of which is the name of the program.
///
/// # Errors
/// Fails as [`command_line`] does.
pub fn command_line_from<T: CommandFactory + FromArgMatches>(arguments: &[OsString]) -> Result<T, ExitCode> {
    let command = T::command();
    let explains = command.get_arguments().any(|argument| argument.get_long() == Some("explain"));
    if let Some(code) = explain_if_asked(arguments, explains) {
        return Err(code);
    }
    let matches = command.try_get_matches_from(arguments);
    matches.and_then(|matches| T::from_arg_matches(&matches)).map_err(|error| {
        if error.use_stderr() { misused(&error) } else { output::print(&error.render().to_string()) }
    })
}

/// Shows what is wrong with the command line, and returns the exit code for it.
pub fn misused(error: &clap::Error) -> ExitCode {
    // A failure to write to the standard error cannot be reported.
    let _ = error.print();
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}
