//! Progress of long operations on the terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// The time before progress is shown, and between updates.
const LONG: Duration = Duration::from_secs(1);

/// A line on the terminal that names what is running and for how long, shown after the first second.
///
/// The cursor stays at the start of the line, so that messages of a tool overwrite it.
pub struct Progress<'a> {
    /// The name to show; `None` if nothing is to be shown.
    what: Option<&'a str>,
    begin: Instant,
    shown: bool,
}

impl<'a> Progress<'a> {
    /// Starts an operation. Its progress is shown only if the standard error is a terminal.
    pub fn of(what: Option<&'a str>) -> Self {
        let what = what.filter(|_| io::stderr().is_terminal());
        Self { what, begin: Instant::now(), shown: false }
    }

    /// Returns the time until the next update, if there is to be one.
    pub fn next(&self) -> Option<Duration> {
        self.what?;
        let gone = self.begin.elapsed();
        Some(if gone < LONG { LONG - gone } else { LONG })
    }

    /// Shows how long the operation has taken.
    pub fn tell(&mut self) {
        let gone = self.begin.elapsed();
        if let Some(what) = self.what
            && gone >= LONG
        {
            self.shown = true;
            self.write(&format!("{what}, {} s", gone.as_secs()));
        }
    }

    /// Replaces the line. A failure to do so cannot be reported.
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
