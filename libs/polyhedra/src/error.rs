//! The one error type of this crate.

use isl_rs::LibISLError;

use crate::context;

/// What isl said when a call failed.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    message: String,
    is_bug: bool,
}

const TOO_LARGE: &str = "does not fit 64 bits";

/// The result of a call into isl.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of our own, in the same clothes.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_bug: false }
    }

    /// An error that no document causes which was verified: the tool is wrong.
    pub fn bug(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_bug: true }
    }

    /// True for [`Error::bug`].
    pub fn is_bug(&self) -> bool {
        self.is_bug
    }

    /// A number of isl's that no integer of 64 bits holds.
    pub fn too_large(number: &str) -> Self {
        Self::new(format!("the constant {number} {TOO_LARGE}"))
    }

    /// True for [`Error::too_large`], and for what isl says if such a number is asked for as an integer.
    pub fn is_too_large(&self) -> bool {
        self.message.ends_with(TOO_LARGE) || self.message.ends_with("numerator too large")
    }

    /// True if isl gave up because a limit of [`crate::limit_work`] was reached.
    pub fn is_limit(&self) -> bool {
        self.message.contains("Quota")
    }
}

/// What a function of isl that gave nothing complained of; isl forgets it.
pub(crate) fn last_error() -> Error {
    let kind = context().last_error();
    if kind == isl_rs::Error::None_ {
        return Error::new("isl gave nothing and does not say why");
    }
    let error = Error::new(format!("isl: [{kind:?}] {}", context().last_error_msg()));
    context().reset_error();
    error
}

impl From<LibISLError> for Error {
    fn from(error: LibISLError) -> Self {
        // Of a question that isl does not answer isl-rs says only that, and leaves the reason standing.
        if context().last_error() != isl_rs::Error::None_ {
            return last_error();
        }
        Self::new(format!("isl: {error}"))
    }
}
