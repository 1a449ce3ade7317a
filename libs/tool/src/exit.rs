//! The exit codes.

/// The exit code for an error of the user.
pub const USER_IS_WRONG: u8 = 1;

/// The exit code of a check that was given up.
pub const UNDECIDED: u8 = 4;

/// The exit code for a bug in c2cuda.
pub const WE_ARE_WRONG: u8 = 3;
