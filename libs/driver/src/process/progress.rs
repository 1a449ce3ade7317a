//! A word on the terminal about what takes long.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// What takes less is not worth a word.
const LONG: Duration = Duration::from_secs(1);

/// A line on the terminal that says what is running and for how long, from the second second on.
///
/// The cursor stays at its start, so that messages of a tool stand in its place.
pub struct Progress<'a> {
    /// Nothing if nobody would see it.
    what: Option<&'a str>,
    begin: Instant,
    shown: bool,
}

impl<'a> Progress<'a> {
    /// Something begins. It is told if the standard error is a terminal.
    pub fn of(what: Option<&'a str>) -> Self {
        let what = what.filter(|_| io::stderr().is_terminal());
        Self { what, begin: Instant::now(), shown: false }
    }

    /// The time until there is something to say.
    pub fn next(&self) -> Option<Duration> {
        self.what?;
        let gone = self.begin.elapsed();
        Some(if gone < LONG { LONG - gone } else { LONG })
    }

    /// Says how long it has taken.
    pub fn tell(&mut self) {
        let gone = self.begin.elapsed();
        if let Some(what) = self.what
            && gone >= LONG
        {
            self.shown = true;
            self.write(&format!("{what}, {} s", gone.as_secs()));
        }
    }

    /// Nobody can be told if this fails.
    fn write(&self, text: &str) {
        let mut stderr = io::stderr().lock();
        let _ = write!(stderr, "\r\x1b[K{text}\r").and_then(|()| stderr.flush());
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if self.shown {
            self.write("");
        }
    }
}
