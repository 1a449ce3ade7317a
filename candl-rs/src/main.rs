//! The executable; everything is in the library and in the shell that all tools share.

use std::process::ExitCode;

use candl_rs::{Mode, NAME, Options};
use clap::Parser;

fn main() -> ExitCode {
    let options = Options::parse();
    match options.mode() {
        Mode::Analyse => tool::transform(NAME, options.io(), candl_rs::run),
        Mode::Check => tool::print(NAME, options.io(), candl_rs::check),
        Mode::Dot => tool::print(NAME, options.io(), candl_rs::dot),
    }
}
