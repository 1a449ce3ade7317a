//! Random programs through the whole chain; `scripts/fuzz --help`.
//!
//! Each program is drawn (`generate.rs`), printed (`source.rs`), translated, built and run (`workshop.rs`). One that
//! fails is made smaller (`shrink.rs`) and kept (`report.rs`). Whole programs are drawn, printed and made smaller in
//! `residency.rs`.

mod affine;
mod command_line;
mod defined;
mod generate;
mod host;
mod instances;
mod options;
mod pack;
mod process;
mod program;
mod random;
mod reduce;
mod regions;
mod render;
mod report;
mod residency;
mod sample;
mod scopes;
mod setting;
mod shrink;
mod source;
mod summary;
mod types;
mod value;
mod verdict;
mod visit;
mod work;
mod workshop;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let arguments = command_line::Arguments::parse();
    let outcome = match arguments.only {
        Some(number) if arguments.print => work::print(&arguments, number),
        _ => work::work(&arguments),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("fuzz: {error}");
            ExitCode::from(2)
        }
    }
}
