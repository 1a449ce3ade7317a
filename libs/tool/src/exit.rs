//! The exit codes, and the end of a process.

use std::io::{self, Write};

/// The exit code of a run with a result.
pub const SUCCESS: u8 = 0;

/// The exit code for an error of the user.
pub const USER_IS_WRONG: u8 = 1;

/// The exit code of a check that was given up.
pub const UNDECIDED: u8 = 4;

/// The exit code for a bug in c2cuda.
pub const WE_ARE_WRONG: u8 = 3;

/// Ends the process without giving back its memory piece by piece, which the system does at once: what isl still has,
/// the tables of libclang and LLVM, and the pages of the allocator would take several milliseconds.
pub fn at_once(code: u8) -> ! {
    // As at any other end of a process, a reader that has gone is no error.
    io::stdout().flush().ok();
    // SAFETY: the function has no requirements. Nobody waits for the other threads, and what was to be written was.
    unsafe { libc::_exit(code.into()) }
}
