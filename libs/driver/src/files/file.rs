//! A file to be installed.

use std::ffi::OsString;
use std::path::PathBuf;

/// A finished file, and its name at the destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The current path.
    pub path: PathBuf,
    /// The name at the destination.
    pub name: OsString,
    /// The name of the source, if the file was generated from one.
    pub source: Option<OsString>,
}

impl File {
    /// Returns a file that gets this name and was not generated from a source.
    pub fn new(path: PathBuf, name: impl Into<OsString>) -> Self {
        Self { path, name: name.into(), source: None }
    }
}
