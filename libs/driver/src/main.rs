//! The executable of the driver; the code is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(driver::run(std::env::args_os().skip(1).collect()))
}
