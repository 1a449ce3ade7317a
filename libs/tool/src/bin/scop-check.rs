//! Compares a document with the one that a stage made from it; the code is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    tool::scop_check()
}
