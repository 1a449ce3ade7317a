//! The executable. All its work is done in libraries and in the frame that all tools share.

use std::process::ExitCode;

use candl_rs::{Mode, NAME, Options};
use proof::Checkable;
use scop::Program;

fn main() -> ExitCode {
    let options: Options = match tool::command_line() {
        Ok(options) => options,
        Err(code) => return code,
    };
    match options.mode() {
        Mode::Analyse(reductions) => {
            let analyse = |program| candl_rs::run_with(program, reductions, &options.permissions()?);
            tool::transform_as(NAME, options.io(), options.format(), analyse)
        }
        Mode::Check => {
            let prove = |program: &Program<Checkable>| proof::check(NAME, program);
            tool::check(NAME, options.io(), options.verdict(), prove)
        }
        Mode::CheckParallel => tool::print(NAME, options.io(), candl_rs::check_parallel),
        Mode::Report => tool::print(NAME, options.io(), candl_rs::report),
        Mode::Order(order) => {
            let take = |program| proof::check_order(NAME, program);
            tool::reorder(NAME, options.io(), options.format(), &order, take)
        }
        Mode::Dot => tool::print(NAME, options.io(), candl_rs::dot),
    }
}
