//! What is to be done, decided before anything is done.

mod check;
mod conflicts;
mod extraction;
pub mod rules;
mod sources;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use crate::command_line::{Compiler, CompilerFlags, Compilers, Language, Machine};
use crate::stages::Stage;
use crate::talk::Talk;

pub use check::plan;

/// A checked command line.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What is translated: one file or several.
    pub sources: Vec<Source>,
    /// How it is translated.
    pub chain: Chain,
    /// What becomes of the result.
    pub goal: Goal,
    /// The folder that keeps all documents.
    pub keep: Option<PathBuf>,
    /// The compilers of the host.
    pub compilers: Compilers,
    /// What is said.
    pub talk: Talk,
}

/// A file to be translated.
#[derive(Debug, Clone)]
pub struct Source {
    /// The C file, or the document, with which it begins.
    pub input: PathBuf,
    /// Where the C file is, if it is known.
    pub c_file: Option<PathBuf>,
    /// Where the C file is if a document says something else.
    pub moved: Option<PathBuf>,
    /// What compiles it; nothing for a file that no compiler knows.
    pub compiler: Option<Compiler>,
    /// The flags with which it is compiled.
    pub flags: CompilerFlags,
    /// The rule for make.
    pub rule: Option<Rule>,
}

/// A rule for make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// What clan-rs is told of it.
    pub flags: Vec<OsString>,
    /// Where it goes.
    pub file: PathBuf,
}

/// The stages that run, and what they are told.
#[derive(Debug, Clone)]
pub struct Chain {
    /// The first stage.
    pub first: Stage,
    /// The last stage.
    pub last: Stage,
    /// Commands of the user's in the place of stages.
    pub swapped: BTreeMap<Stage, OsString>,
    /// Whether they may change what is not theirs.
    pub trusting: bool,
    /// More arguments for tools.
    pub more: BTreeMap<Stage, Vec<OsString>>,
    /// The language of the program.
    pub language: Language,
    /// What clan-rs is told besides.
    pub extraction: Vec<OsString>,
    /// Whether the generated loops are proved to be right.
    pub proving: bool,
    /// Whether they are taken if the proof was given up.
    pub allowing_unproved: bool,
    /// Whether regions may be left as they are.
    pub keep_going: bool,
}

/// What becomes of the result.
#[derive(Debug, Clone)]
pub enum Goal {
    /// The document of the last stage: to a file, or to the standard output.
    Document(Option<PathBuf>),
    /// The documents of several files, in a folder.
    Documents(PathBuf),
    /// What the loops allow: to a file, or to the standard output.
    Report(Option<PathBuf>),
    /// What came of wishes: to a file, or to the standard output.
    Answers(Option<PathBuf>),
    /// The program, on the standard output.
    Print,
    /// The program, in a folder.
    Program(PathBuf),
    /// The program runs.
    Run(Box<Run>),
}

/// How a program runs.
#[derive(Debug, Clone)]
pub struct Run {
    /// The folder for its files, if they are kept.
    pub folder: Option<PathBuf>,
    /// Where it runs; nothing leaves it to what there is.
    pub machine: Option<Target>,
    /// How far numbers may differ.
    pub tolerance: Option<String>,
    /// Its other parts.
    pub others: Vec<PathBuf>,
    /// The flags with which they are compiled.
    pub flags: CompilerFlags,
    /// What it is called with.
    pub arguments: Vec<OsString>,
}

/// Where a program runs, and how it is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Unwatched.
    On(Machine),
    /// On the CPU, with everything counted.
    Profile,
}

impl Chain {
    /// True if the chain begins with a C file.
    pub fn begins_with_c(&self) -> bool {
        self.first == Stage::Clan
    }

    /// True if the chain ends with a program.
    pub fn ends_with_program(&self) -> bool {
        self.last == Stage::LAST
    }

    /// The stages that run.
    pub fn stages(&self) -> impl Iterator<Item = Stage> + use<> {
        let (first, last) = (self.first, self.last);
        Stage::all().filter(move |stage| (first..=last).contains(stage))
    }

    /// True if the generated loops are proved to be right.
    pub fn proves(&self) -> bool {
        self.proving && self.last >= Stage::Cloog
    }

    /// True if regions stay C whose proof is given up.
    pub fn leaves_unproved(&self) -> bool {
        self.keep_going && !self.allowing_unproved
    }

    /// True if what a command of the user's writes for a stage is compared with what it read.
    pub fn compares(&self, stage: Stage) -> bool {
        !self.trusting && stage.changes_a_document()
    }
}

impl Goal {
    /// The folder for the files of a program, if there is one.
    pub fn folder(&self) -> Option<&PathBuf> {
        match self {
            Self::Program(folder) => Some(folder),
            Self::Run(run) => run.folder.as_ref(),
            _ => None,
        }
    }
}
