//! The early end of a run, and its reason.

use std::fmt::Display;
use std::io;

/// The early end of a run: its exit status, and the messages that are still to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// The exit status.
    pub status: u8,
    /// The messages, one line each.
    pub words: Vec<String>,
}

/// The result of an operation that may end the run.
pub type Or<T> = Result<T, Stop>;

/// The exit status if the input or the environment is wrong.
pub const INPUT_IS_WRONG: u8 = 1;

/// The exit status if the command line is wrong.
pub const USAGE_IS_WRONG: u8 = 2;

/// The exit status for a bug in c2cuda.
pub const WE_ARE_WRONG: u8 = 3;

impl Stop {
    /// Returns a stop without a message: everything has been reported.
    pub fn silent(status: u8) -> Self {
        Self { status, words: Vec::new() }
    }

    /// Returns a stop for input that is wrong or not supported, or a file that cannot be read or written.
    pub fn failed(words: impl Display) -> Self {
        Self { status: INPUT_IS_WRONG, words: vec![words.to_string()] }
    }

    /// Returns a stop for a wrong command line.
    pub fn misused(words: impl Display) -> Self {
        Self { status: USAGE_IS_WRONG, words: vec![format!("{words} (see c2cuda --help)")] }
    }

    /// Returns a stop for a bug in c2cuda.
    pub fn bug(words: impl Display) -> Self {
        Self { status: WE_ARE_WRONG, words: vec![words.to_string()] }
    }

    /// True if a signal ended the run.
    pub fn is_signal(&self) -> bool {
        self.status > 128 && self.words.is_empty()
    }

    /// Prepends to each line the place that contains what is wrong.
    #[must_use]
    pub fn blaming(self, place: &str) -> Self {
        let words = self.words.into_iter().map(|words| format!("in {place}: {words}")).collect();
        Self { words, ..self }
    }

    /// Adds the system's description of an error as the first line.
    #[must_use]
    pub fn because(self, error: &io::Error) -> Self {
        self.after(reason(error))
    }

    /// Adds a first line.
    #[must_use]
    pub fn after(mut self, line: impl Display) -> Self {
        self.words.insert(0, line.to_string());
        self
    }
}

/// Returns the system's description of an error, without the error number that Rust appends.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}
