//! Why the driver ends before its work is done.

use std::fmt::Display;
use std::io;

/// The end of a run: its exit status, and what is still to be said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// The exit status.
    pub status: u8,
    /// A line each.
    pub words: Vec<String>,
}

/// The result of what may end the run.
pub type Or<T> = Result<T, Stop>;

/// The exit status where the input is wrong, or the machine.
pub const INPUT_IS_WRONG: u8 = 1;

/// The exit status where the command line is wrong.
pub const USAGE_IS_WRONG: u8 = 2;

/// The exit status where c2cuda is wrong.
pub const WE_ARE_WRONG: u8 = 3;

impl Stop {
    /// The end after everything has been said.
    pub fn silent(status: u8) -> Self {
        Self { status, words: Vec::new() }
    }

    /// The input is wrong or not supported, or a file cannot be read or written.
    pub fn failed(words: impl Display) -> Self {
        Self { status: INPUT_IS_WRONG, words: vec![words.to_string()] }
    }

    /// The command line is wrong.
    pub fn misused(words: impl Display) -> Self {
        Self { status: USAGE_IS_WRONG, words: vec![format!("{words} (see c2cuda --help)")] }
    }

    /// c2cuda is wrong.
    pub fn bug(words: impl Display) -> Self {
        Self { status: WE_ARE_WRONG, words: vec![words.to_string()] }
    }

    /// True for the end that a signal wants.
    pub fn is_signal(&self) -> bool {
        self.status > 128 && self.words.is_empty()
    }

    /// The same, with the place where the words stand that are wrong.
    #[must_use]
    pub fn blaming(self, place: &str) -> Self {
        let words = self.words.into_iter().map(|words| format!("in {place}: {words}")).collect();
        Self { words, ..self }
    }

    /// The same with what the system says before.
    #[must_use]
    pub fn because(self, error: &io::Error) -> Self {
        self.after(reason(error))
    }

    /// The same with a line before.
    #[must_use]
    pub fn after(mut self, line: impl Display) -> Self {
        self.words.insert(0, line.to_string());
        self
    }
}

/// The system's words, without the error number that Rust appends.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}
