//! What takes its place.

use std::ffi::OsString;
use std::path::PathBuf;

/// A file that is ready, and the name that it gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Where it is.
    pub path: PathBuf,
    /// What it is called where it goes.
    pub name: OsString,
    /// The name of the source from which it was generated, if it was.
    pub source: Option<OsString>,
}

impl File {
    /// A file that gets this name.
    pub fn new(path: PathBuf, name: impl Into<OsString>) -> Self {
        Self { path, name: name.into(), source: None }
    }
}
