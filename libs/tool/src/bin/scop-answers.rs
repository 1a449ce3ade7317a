//! Prints the answers to the wishes of a document; the code is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    tool::scop_answers()
}
