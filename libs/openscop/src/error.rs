//! Faults of OpenScop texts.

use crate::position::Position;
use scop::GIVEN_UP;

/// A fault of an OpenScop text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct OpenScopError {
    /// The kind of fault.
    pub kind: OpenScopFault,
    /// What is wrong.
    pub message: String,
    /// The line of the fault, from 1; 0 for a fault of the text as a whole.
    pub line: usize,
    /// The column of the fault in bytes, from 1.
    pub column: usize,
}

/// The kinds of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenScopFault {
    /// The text violates the grammar of OpenScop.
    Syntax,
    /// The relations do not form a program: sizes differ, or something is missing.
    Meaning,
    /// The text is larger or more complicated than allowed.
    Limit,
    /// The relations and c2cuda's extension do not belong together.
    Stale,
    /// The text is not of the program whose order it should give.
    Unrelated,
}

/// The result of reading OpenScop.
pub type Result<T> = std::result::Result<T, OpenScopError>;

impl OpenScopError {
    /// Creates a fault at a position.
    pub fn new(kind: OpenScopFault, at: Position, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), line: at.line, column: at.column }
    }

    /// Creates a violation of the grammar.
    pub fn syntax(at: Position, message: impl Into<String>) -> Self {
        Self::new(OpenScopFault::Syntax, at, message)
    }

    /// Creates a fault of relations that make no sense.
    pub fn meaning(at: Position, message: impl Into<String>) -> Self {
        Self::new(OpenScopFault::Meaning, at, message)
    }

    /// Creates a fault of something that is too large.
    pub fn limit(at: Position, message: impl Into<String>) -> Self {
        Self::new(OpenScopFault::Limit, at, message)
    }

    /// Creates a fault of parts that do not belong together.
    pub fn stale(at: Position, message: impl Into<String>) -> Self {
        Self::new(OpenScopFault::Stale, at, message)
    }

    /// Translates isl's error for a relation that starts at a position.
    pub fn isl(at: Position, error: &polyhedra::Error) -> Self {
        if error.is_limit() {
            Self::limit(at, format!("this is too complicated: {GIVEN_UP}"))
        } else {
            Self::meaning(at, error.to_string())
        }
    }
}
