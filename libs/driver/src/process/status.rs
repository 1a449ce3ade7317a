//! How a process ended.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use super::system::memory_is_limited;

/// The exit status of a process, or 128 plus the number of the signal that killed it, as in shells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status(pub i32);

/// The exit status of a check that was given up.
pub const GAVE_UP: i32 = 4;

impl From<ExitStatus> for Status {
    fn from(status: ExitStatus) -> Self {
        let signal = status.signal().map(|signal| 128 + signal);
        Self(status.code().or(signal).unwrap_or(1))
    }
}

impl Status {
    /// The status of a command that cannot be found.
    pub const NOT_FOUND: Self = Self(127);

    /// The status of a command that cannot be run.
    pub const NOT_RUN: Self = Self(126);

    /// True if the process succeeded.
    pub fn is_success(self) -> bool {
        self.0 == 0
    }

    /// Returns the signal that killed the process, if one did.
    pub fn signal(self) -> Option<i32> {
        self.0.checked_sub(128).filter(|signal| name(*signal).is_some())
    }

    /// True if the process was killed from outside. If memory is limited, this includes SIGABRT and SIGSEGV: a tool
    /// that cannot get memory aborts or crashes.
    pub fn was_killed(self) -> bool {
        use libc::{
            SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGKILL, SIGPIPE, SIGPROF, SIGQUIT, SIGSEGV, SIGTERM, SIGUSR1,
            SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
        };
        match self.signal() {
            Some(
                SIGKILL | SIGTERM | SIGHUP | SIGINT | SIGQUIT | SIGXCPU | SIGXFSZ | SIGALRM | SIGVTALRM
                | SIGPROF | SIGUSR1 | SIGUSR2 | SIGPIPE,
            ) => true,
            Some(SIGABRT | SIGSEGV) => memory_is_limited(),
            _ => false,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.signal().and_then(name) {
            Some(name) => write!(f, "signal {name}"),
            None => write!(f, "status {}", self.0),
        }
    }
}

/// The names of Linux's signals, starting with signal 1.
const NAMES: [&str; 31] = [
    "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
    "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ",
    "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
];

fn name(signal: i32) -> Option<&'static str> {
    let index = usize::try_from(signal).ok()?.checked_sub(1)?;
    NAMES.get(index).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_said_as_shells_have_them() {
        for (status, words, killed) in [
            (0, "status 0", false),
            (77, "status 77", false),
            (128, "status 128", false),
            (137, "signal KILL", true),
            (143, "signal TERM", true),
            (152, "signal XCPU", true),
            (132, "signal ILL", false),
            (200, "status 200", false),
        ] {
            assert_eq!((Status(status).to_string().as_str(), Status(status).was_killed()), (words, killed));
        }
    }
}
