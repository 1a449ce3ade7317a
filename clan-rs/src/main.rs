//! `clan-rs`: the C front end.

use std::process::ExitCode;

use clan_rs::Options;

fn main() -> ExitCode {
    let options = Options::from_command_line();
    tool::produce("clan-rs", options.output.as_deref(), || clan_rs::run(&options))
}
