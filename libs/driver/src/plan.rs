//! The plan of a run: every decision about what is to be done, taken before anything is done.

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
    /// The files that are translated: one or several.
    pub sources: Vec<Source>,
    /// The stages that translate them.
    pub chain: Chain,
    /// What happens with the result.
    pub goal: Goal,
    /// The folder in which all documents are kept (`--keep`).
    pub keep: Option<PathBuf>,
    /// The host compilers.
    pub compilers: Compilers,
    /// The form and the amount of messages.
    pub talk: Talk,
}

/// A file to be translated.
#[derive(Debug, Clone)]
pub struct Source {
    /// The C file or document that the first stage reads.
    pub input: PathBuf,
    /// The path of the C file, if it is known.
    pub c_file: Option<PathBuf>,
    /// The path of the C file if it is not the one in the document (`--source`).
    pub moved: Option<PathBuf>,
    /// The compiler; `None` for a file that no compiler takes.
    pub compiler: Option<Compiler>,
    /// The compiler flags.
    pub flags: CompilerFlags,
    /// The rule for make, if one is to be written.
    pub rule: Option<Rule>,
}

/// A rule for make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The flags for clan-rs.
    pub flags: Vec<OsString>,
    /// The file that the rule is written to.
    pub file: PathBuf,
}

/// The stages that run, and their arguments.
#[derive(Debug, Clone)]
pub struct Chain {
    /// The first stage.
    pub first: Stage,
    /// The last stage.
    pub last: Stage,
    /// The user's commands that replace stages.
    pub swapped: BTreeMap<Stage, OsString>,
    /// Whether these commands may change sections of other stages.
    pub trusting: bool,
    /// Further arguments for tools.
    pub more: BTreeMap<Stage, Vec<OsString>>,
    /// The language of the generated program.
    pub language: Language,
    /// Arguments for options that only clan-rs has.
    pub extraction: Vec<OsString>,
    /// Whether the generated loops are to be proved correct.
    pub proving: bool,
    /// Whether they are delivered if the proof was given up.
    pub allowing_unproved: bool,
    /// Whether regions that cannot be translated stay C.
    pub keep_going: bool,
}

/// What happens with the result.
#[derive(Debug, Clone)]
pub enum Goal {
    /// Write the document of the last stage to a file, or to the standard output.
    Document(Option<PathBuf>),
    /// Write the documents of several files to a folder.
    Documents(PathBuf),
    /// Write the report on loops and transfers to a file, or to the standard output.
    Report(Option<PathBuf>),
    /// Write the answers to wishes to a file, or to the standard output.
    Answers(Option<PathBuf>),
    /// Print the program on the standard output.
    Print,
    /// Write the program to a folder.
    Program(PathBuf),
    /// Run the program.
    Run(Box<Run>),
}

/// How the program is run.
#[derive(Debug, Clone)]
pub struct Run {
    /// The folder for the program's files, if they are kept.
    pub folder: Option<PathBuf>,
    /// Where the program runs; `None` means the GPU if there is one.
    pub machine: Option<Target>,
    /// How far floating-point numbers may differ.
    pub tolerance: Option<String>,
    /// The other files of the program (`--with`).
    pub others: Vec<PathBuf>,
    /// The flags with which these files are compiled.
    pub flags: CompilerFlags,
    /// The program's arguments.
    pub arguments: Vec<OsString>,
}

/// Where a program runs, and whether it is profiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// On this machine, without a profile.
    On(Machine),
    /// On the CPU, with a profile of memory traffic.
    Profile,
}

impl Chain {
    /// True if the chain starts with a C file.
    pub fn begins_with_c(&self) -> bool {
        self.first == Stage::Clan
    }

    /// True if the chain generates a program.
    pub fn ends_with_program(&self) -> bool {
        self.last == Stage::LAST
    }

    /// Returns the stages that run.
    pub fn stages(&self) -> impl Iterator<Item = Stage> + use<> {
        let (first, last) = (self.first, self.last);
        Stage::all().filter(move |stage| (first..=last).contains(stage))
    }

    /// True if the generated loops are to be proved correct.
    pub fn proves(&self) -> bool {
        self.proving && self.last >= Stage::Cloog
    }

    /// True if a region stays C when its proof is given up.
    pub fn leaves_unproved(&self) -> bool {
        self.keep_going && !self.allowing_unproved
    }

    /// True if the document that the user's command for a stage writes is compared with the one that it read.
    pub fn compares(&self, stage: Stage) -> bool {
        !self.trusting && stage.changes_a_document()
    }
}

impl Goal {
    /// Returns the folder for the files of a program, if there is one.
    pub fn folder(&self) -> Option<&PathBuf> {
        match self {
            Self::Program(folder) => Some(folder),
            Self::Run(run) => run.folder.as_ref(),
            _ => None,
        }
    }
}
