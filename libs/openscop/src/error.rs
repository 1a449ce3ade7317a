//! Why a text is not taken as OpenScop.

use crate::position::Position;
use scop::GIVEN_UP;

/// What is wrong with a text in OpenScop's format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct OpenScopError {
    /// What kind of fault it is.
    pub kind: OpenScopFault,
    /// What is wrong.
    pub message: String,
    /// The line of the fault, from 1; 0 if it is that of the text as a whole.
    pub line: usize,
    /// The column of the fault in bytes, from 1.
    pub column: usize,
}

/// The kinds of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenScopFault {
    /// The text violates the grammar of OpenScop.
    Syntax,
    /// Its relations do not make a program: sizes differ, or something is missing.
    Meaning,
    /// It is larger or more complicated than is taken.
    Limit,
    /// The relations and what c2cuda wrote beside them do not belong together.
    Stale,
    /// It is not of the program whose order it is to give.
    Unrelated,
}

/// The result of reading OpenScop.
pub type Result<T> = std::result::Result<T, OpenScopError>;

impl OpenScopError {
    /// A fault at a position.
    pub fn new(kind: OpenScopFault, at: Position, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), line: at.line, column: at.column }
    }

    /// A violation of the grammar.
    pub fn syntax(at: Position, message: impl Into<String>) -> Self {
        Self::new(OpenScopFault::Syntax, at, message)
    }

    /// Relations that make no sense.
    pub fn meaning(at: Position, message: impl Into<String>) -> Self {
        Self::new(OpenScopFault::Meaning, at, message)
    }

    /// Something that is too large.
    pub fn limit(at: Position, message: impl Into<String>) -> Self {
        Self::new(OpenScopFault::Limit, at, message)
    }

    /// Parts that do not belong together.
    pub fn stale(at: Position, message: impl Into<String>) -> Self {
        Self::new(OpenScopFault::Stale, at, message)
    }

    /// What isl says of a relation that starts at a position.
    pub fn isl(at: Position, error: &polyhedra::Error) -> Self {
        if error.is_limit() {
            Self::limit(at, format!("this is too complicated: {GIVEN_UP}"))
        } else {
            Self::meaning(at, error.to_string())
        }
    }
}
