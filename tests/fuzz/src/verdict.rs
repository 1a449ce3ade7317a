//! What became of a program.

use std::fmt;

/// What became of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The translation computes what the source computes.
    Equal(Work),
    /// A tool refused it, with this message code and message.
    Refused(String, String),
    Failed(Failure),
}

/// Where a program that is equal did its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// In kernels, at every size.
    Kernels,
    /// In kernels, but at some sizes an assumption did not hold.
    KernelsAtTimes,
    /// The translation has no kernel.
    Host,
}

/// A failure and what was seen of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub kind: Kind,
    /// What the process that failed said.
    pub detail: String,
}

/// The kinds of failure; while a program is made smaller the kind stays.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A tool ended by a signal, or with a status that no refusal has.
    Crash(String),
    /// A tool or the translated program did not end.
    TooLate(String),
    /// The generated program does not compile.
    NotBuilt,
    /// The checking simulator found something.
    Finding(String),
    /// The proof of the loop program says that it is wrong, and the bytes do not differ.
    Refuted,
    /// The bytes differ.
    Differs,
    /// The translated program ended early.
    Died,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crash(stage) => write!(f, "{stage} ended with a bug"),
            Self::TooLate(stage) => write!(f, "{stage} did not end"),
            Self::NotBuilt => f.write_str("the generated program does not compile"),
            Self::Finding(what) => write!(f, "a finding of cudasim: {what}"),
            Self::Refuted => f.write_str("the proof says that the loops are wrong"),
            Self::Differs => f.write_str("the results differ"),
            Self::Died => f.write_str("the translated program ended early"),
        }
    }
}
