//! Prints what came of the wishes of a document; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    tool::scop_answers()
}
