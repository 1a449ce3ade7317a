//! Messages to the user, as data; `libs/tool` renders them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::SourceRange;

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// A stable code such as `E0012`, which the documentation explains.
    pub code: String,
    /// What is wrong, in one line.
    pub message: String,
    /// The place.
    pub place: Option<Place>,
    /// A few words beside the caret.
    pub label: String,
    /// What the user can do.
    pub help: Option<String>,
}

/// The severity of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// For information only.
    Note,
    /// The output is right, but may not be what the user hoped for.
    Warning,
    /// The user's input is wrong or not supported; there is no output.
    Error,
    /// A bug in c2cuda.
    Bug,
}

/// A place in a text file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The file.
    pub path: String,
    /// The part of the file.
    pub range: SourceRange,
}

/// The label for a region that was given up.
pub const GIVEN_UP: &str = "given up after a bounded number of steps";

impl Diagnostic {
    /// Creates a message without place, label or help.
    pub fn new(severity: Severity, code: &str, message: impl Into<String>) -> Self {
        Self {
            severity,
            code: code.to_owned(),
            message: message.into(),
            place: None,
            label: String::new(),
            help: None,
        }
    }

    /// Creates an error of the user.
    pub fn error(code: &str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// Creates a warning.
    pub fn warning(code: &str, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// Creates the message of a bug in `tool`.
    pub fn bug(tool: &str, message: impl Into<String>) -> Self {
        Self::new(Severity::Bug, "B0000", format!("this is a bug in {tool}: {}", message.into()))
            .with_help("please report it with the input that caused it")
    }

    /// Creates the message for work that a tool gives up because it would take too many steps or too long.
    pub fn given_up(code: &str, message: impl Into<String>) -> Self {
        Self::error(code, message)
            .with_help("split the region into smaller ones, or simplify conditions: those with `%` cost most")
    }

    /// Adds a place, if one is known, and a few words beside the caret.
    pub fn perhaps_at(self, path: &str, range: Option<SourceRange>, label: impl Into<String>) -> Self {
        match range {
            Some(range) => self.at(path, range, label),
            None => self,
        }
    }

    /// Adds a place and a few words beside the caret.
    pub fn at(mut self, path: &str, range: SourceRange, label: impl Into<String>) -> Self {
        self.place = Some(Place { path: path.to_owned(), range });
        self.label = label.into();
        self
    }

    /// Adds what the user can do.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// One or more messages, at least one of them an error or a bug: the reason why a tool has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self(vec![diagnostic])
    }
}

/// The results of a check of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Findings {
    /// The faults.
    pub refuted: Vec<Diagnostic>,
    /// The scops that could be neither proved nor refuted, and why.
    pub undecided: BTreeMap<usize, Diagnostic>,
}

/// The result of a tool that succeeds: a value and perhaps messages.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome<T> {
    /// The value.
    pub value: T,
    /// Warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Outcome<T> {
    /// Creates an outcome without messages.
    pub fn new(value: T) -> Self {
        Self { value, diagnostics: Vec::new() }
    }
}
