//! How results come to where the user wants them: all of them or none.

mod earlier;
mod goal;
mod install;
mod report;
mod staging;
mod whereabouts;

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use crate::stop::{Or, Stop};
use crate::translate::Translated;

pub use goal::deliver;
pub use install::install;
pub use staging::new_folder;
pub use whereabouts::{is_same_file, is_same_place};

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

/// The files of a generated program, by their names.
pub fn generated(translated: &Translated<'_>) -> Or<Vec<File>> {
    let failed = |error| Stop::failed(format!("the generated files cannot be read: {error}"));
    let input = &translated.source.input;
    let mut files = Vec::new();
    for entry in fs::read_dir(&translated.program).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let source = Some(input.file_name().unwrap_or(input.as_os_str()).to_owned());
        files.push(File { source, ..File::new(entry.path(), entry.file_name()) });
    }
    if files.is_empty() {
        return Err(Stop::bug("stage cudagen wrote no file: this is a bug in cudagen"));
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(files)
}
