//! What a tool has to say to the user, as data; `libs/tool` renders it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::SourceRange;

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable code such as `E0012`, under which documentation explains it.
    pub code: String,
    /// What is wrong, in one line.
    pub message: String,
    /// Where.
    pub place: Option<Place>,
    /// A few words to stand beside the caret.
    pub label: String,
    /// What the user can do.
    pub help: Option<String>,
}

/// How bad a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// For the curious.
    Note,
    /// The output is right, but perhaps not what the user hoped for.
    Warning,
    /// The user's input is wrong or not supported; there is no output.
    Error,
    /// We are wrong.
    Bug,
}

/// A place in a text file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The file.
    pub path: String,
    /// The part of it.
    pub range: SourceRange,
}

/// Beside the caret of what was given up.
pub const GIVEN_UP: &str = "given up after a bounded number of steps";

impl Diagnostic {
    /// A message without place, label and help.
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

    /// An error of the user's.
    pub fn error(code: &str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning.
    pub fn warning(code: &str, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// An error of ours: `tool` is named as the place where the fault is.
    pub fn bug(tool: &str, message: impl Into<String>) -> Self {
        Self::new(Severity::Bug, "B0000", format!("this is a bug in {tool}: {}", message.into()))
            .with_help("please report it with the input that caused it")
    }

    /// Work that a tool gives up, because it would take too many steps or too long.
    pub fn given_up(code: &str, message: impl Into<String>) -> Self {
        Self::error(code, message)
            .with_help("split the region into smaller ones, or simplify conditions: those with `%` cost most")
    }

    /// The same message at a place, if one is known, with a few words beside the caret.
    pub fn perhaps_at(self, path: &str, range: Option<SourceRange>, label: impl Into<String>) -> Self {
        match range {
            Some(range) => self.at(path, range, label),
            None => self,
        }
    }

    /// The same message at a place, with a few words beside the caret.
    pub fn at(mut self, path: &str, range: SourceRange, label: impl Into<String>) -> Self {
        self.place = Some(Place { path: path.to_owned(), range });
        self.label = label.into();
        self
    }

    /// The same message with a way out.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// One or more messages, of which at least one is an error or a bug: why a tool gave no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self(vec![diagnostic])
    }
}

/// What a check finds out about a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Findings {
    /// What is wrong.
    pub refuted: Vec<Diagnostic>,
    /// The scops of which it is not known whether they are right, and why.
    pub undecided: BTreeMap<usize, Diagnostic>,
}

/// What a tool gives when it succeeds: a value, and perhaps something to say about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome<T> {
    /// The value.
    pub value: T,
    /// Warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Outcome<T> {
    /// A value and nothing to say.
    pub fn new(value: T) -> Self {
        Self { value, diagnostics: Vec::new() }
    }
}
