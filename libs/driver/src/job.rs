//! What is done, by what, and what has come of it so far.

use std::fs;
use std::path::{Path, PathBuf};

use crate::files::File;
use crate::plan::{Plan, Source};
use crate::process::Processes;
use crate::stages::Stage;
use crate::stop::{Or, Stop};
use crate::tools::Tools;

/// What is done, and by what.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// What is to be done.
    pub plan: &'a Plan,
    /// By these tools.
    pub tools: &'a Tools,
    /// In these processes.
    pub processes: &'a Processes,
    /// With temporary files in this folder.
    pub work: &'a Path,
}

/// What has become of a source file.
#[derive(Debug)]
pub struct Translated<'a> {
    /// The file.
    pub source: &'a Source,
    /// The folder of all that belongs to it alone.
    pub folder: PathBuf,
    /// The documents of the stages that ran.
    pub documents: Vec<(Stage, PathBuf)>,
}

impl<'a> Translated<'a> {
    /// A file of which nothing has become yet: the source of this number.
    pub fn new(job: Job<'_>, number: usize, source: &'a Source) -> Or<Self> {
        let translated =
            Self { source, folder: job.work.join((number + 1).to_string()), documents: Vec::new() };
        fs::create_dir_all(translated.program()).map_err(no_room)?;
        Ok(translated)
    }

    /// The folder of the generated program.
    pub fn program(&self) -> PathBuf {
        self.folder.join("program")
    }

    /// The rule for make that clan-rs writes.
    pub fn rule(&self) -> PathBuf {
        self.folder.join("dependencies.d")
    }

    /// The document of the last stage.
    ///
    /// # Errors
    /// A bug, if no stage ran.
    pub fn last_document(&self) -> Or<&Path> {
        let last = self.documents.last().map(|(_, path)| path.as_path());
        last.ok_or_else(|| Stop::bug("no stage ran: this is a bug in c2cuda"))
    }

    /// The files of the generated program, by their names.
    pub fn generated(&self) -> Or<Vec<File>> {
        let failed = |error| Stop::failed(format!("the generated files cannot be read: {error}"));
        let input = &self.source.input;
        let mut files = Vec::new();
        for entry in fs::read_dir(self.program()).map_err(failed)? {
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
}

/// Temporary files cannot be written.
pub fn no_room(error: std::io::Error) -> Stop {
    Stop::failed(format!("temporary files cannot be written: {error}"))
}
