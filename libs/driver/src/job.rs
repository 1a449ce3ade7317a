//! A job for the driver, and the state of each translation.

use std::fs;
use std::path::{Path, PathBuf};

use crate::files::File;
use crate::plan::{Plan, Source};
use crate::process::Processes;
use crate::stages::Stage;
use crate::stop::{Or, Stop};
use crate::tools::Tools;

/// What is to be done, and with which tools and processes.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The tools.
    pub tools: &'a Tools,
    /// The processes.
    pub processes: &'a Processes,
    /// The folder for temporary files.
    pub work: &'a Path,
}

/// The state of the translation of a source file.
#[derive(Debug)]
pub struct Translated<'a> {
    /// The file.
    pub source: &'a Source,
    /// The temporary folder of this translation.
    pub folder: PathBuf,
    /// The documents of the stages that have run.
    pub documents: Vec<(Stage, PathBuf)>,
    /// Why no further stage ran, if what there is can be reported on.
    pub ended: Option<Stop>,
    /// What is known of the other files, if files are translated together.
    pub others: Option<Others>,
    /// True if the file is compiled as it is.
    pub is_plain: bool,
}

/// What the other files of a program do.
#[derive(Debug, Clone)]
pub struct Others {
    /// The files with the effects of their functions, as clan-rs writes them.
    pub effects: Vec<PathBuf>,
    /// True if some of these functions share memory on the device with their callers.
    pub share: bool,
}

impl<'a> Translated<'a> {
    /// Creates the folder for the source with this number; no stage has run yet.
    pub fn new(job: Job<'_>, number: usize, source: &'a Source) -> Or<Self> {
        let translated = Self {
            source,
            folder: job.work.join((number + 1).to_string()),
            documents: Vec::new(),
            ended: None,
            others: None,
            is_plain: false,
        };
        fs::create_dir_all(translated.program()).map_err(no_room)?;
        Ok(translated)
    }

    /// Returns the folder of the generated program.
    pub fn program(&self) -> PathBuf {
        self.folder.join("program")
    }

    /// Returns the path of the rule for make that clan-rs writes.
    pub fn rule(&self) -> PathBuf {
        self.folder.join("dependencies.d")
    }

    /// Returns the path of the effects that clan-rs writes.
    pub fn effects(&self) -> PathBuf {
        self.folder.join("effects.txt")
    }

    /// True if there is a document with dependences.
    pub fn is_analysed(&self) -> bool {
        self.documents.last().is_some_and(|(stage, _)| *stage >= Stage::Candl)
    }

    /// Returns the document of the last stage.
    ///
    /// # Errors
    /// Fails with a bug if no stage has run.
    pub fn last_document(&self) -> Or<&Path> {
        let last = self.documents.last().map(|(_, path)| path.as_path());
        last.ok_or_else(|| Stop::bug("no stage ran: this is a bug in c2cuda"))
    }

    /// Returns the files of the generated program, sorted by name; none if the file is compiled as it is.
    pub fn generated(&self) -> Or<Vec<File>> {
        if self.is_plain {
            return Ok(Vec::new());
        }
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

/// Returns the failure to write temporary files.
pub fn no_room(error: std::io::Error) -> Stop {
    Stop::failed(format!("temporary files cannot be written: {error}"))
}
