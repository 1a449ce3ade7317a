//! Errors of target files.

use thiserror::Error;

/// What is wrong with a target file.
#[derive(Debug, Error)]
pub enum TargetError {
    /// The text is not a target's.
    #[error("{0}")]
    Format(#[from] serde_path_to_error::Error<serde_json::Error>),
    /// A number that must be positive and finite is not.
    #[error("`{0}` must be a positive number")]
    NotPositive(&'static str),
    /// A number that must be finite and not negative is not.
    #[error("`{0}` must be a number, at least 0")]
    Negative(&'static str),
}
