//! Words for what may run when a program ends early.

use crate::c::clang::Unit;

const OF_SIGNALS: [&str; 7] =
    ["SIGABRT", "bsd_signal", "sigaction", "signal", "sigset", "ssignal", "sysv_signal"];

const OF_EXCEPTIONS: [&str; 6] =
    ["catch", "future", "promise", "set_terminate", "set_unexpected", "uncaught_exceptions"];

/// True if the user's files name a function that sets handlers of signals.
pub fn handles_signals(unit: &Unit) -> bool {
    unit.has_word_of_user(&OF_SIGNALS)
}

/// True if the user's files name what may run when an exception is thrown.
pub fn catches(unit: &Unit) -> bool {
    unit.has_word_of_user(&OF_EXCEPTIONS)
}
