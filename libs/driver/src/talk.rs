//! The driver's messages, for people and for programs that read them.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;

use clap::ValueEnum;
use serde_json::json;

use crate::stop::{Stop, WE_ARE_WRONG};

/// The form of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum MessageFormat {
    /// For people, with the lines of the source.
    #[default]
    Human,
    /// A line for each.
    Short,
    /// A JSON object on a line for each.
    Json,
}

impl MessageFormat {
    /// Its name on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Short => "short",
            Self::Json => "json",
        }
    }
}

/// Which messages are shown, and in which form.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Talk {
    /// The form of messages.
    pub format: MessageFormat,
    /// Whether the list of written files is omitted.
    pub quiet: bool,
    /// Whether each command is shown before it runs.
    pub verbose: bool,
}

impl Talk {
    /// Shows a note on the standard error. A failure to do so cannot be reported.
    pub fn say(&self, words: impl Display) {
        self.message("note", &words.to_string());
    }

    /// Shows why a run ends.
    pub fn say_why(&self, stop: &Stop) {
        let severity = if stop.status == WE_ARE_WRONG { "bug" } else { "error" };
        for line in &stop.words {
            self.message(severity, line);
        }
    }

    fn message(&self, severity: &str, words: &str) {
        let line = match self.format {
            MessageFormat::Json => {
                json!({ "tool": "c2cuda", "severity": severity, "message": words }).to_string()
            }
            MessageFormat::Human | MessageFormat::Short => format!("c2cuda: {words}"),
        };
        self.write(format!("{line}\n").as_bytes());
    }

    /// Shows a command before it runs.
    pub fn show(&self, command: &OsStr) {
        self.write(&[b"+ ", command.as_bytes(), b"\n"].concat());
    }

    /// Passes on the messages of a tool.
    pub fn hand_on(&self, said: &[u8]) {
        self.write(said);
    }

    /// True if the progress of long operations is to be shown.
    pub fn tells_progress(&self) -> bool {
        self.format == MessageFormat::Human && !self.quiet && !self.verbose
    }

    fn write(&self, bytes: &[u8]) {
        let _ = io::stderr().lock().write_all(bytes);
    }
}
