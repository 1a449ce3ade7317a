//! What isl complains of.

use isl_rs::LibISLError;

use super::{Error, Kind};
use crate::context::{context, is_time_over};

impl Error {
    /// What isl says, in the words of isl-rs: the kind of the error in brackets, and the message.
    fn of_isl(said: String) -> Self {
        let kind = match (said.contains("[Quota]"), is_time_over()) {
            (true, true) => Kind::Time,
            (true, false) => Kind::Operations,
            (false, _) if said.ends_with("numerator too large") => Kind::TooLarge,
            (false, _) if said.ends_with("unable to carry dependences") => Kind::Unschedulable,
            (false, _) => Kind::Failure,
        };
        Self { message: format!("isl: {said}"), kind }
    }
}

/// What a function of isl that gave nothing complained of; isl forgets it.
pub(crate) fn last_error() -> Error {
    let kind = context().last_error();
    if kind == isl_rs::Error::None_ {
        return Error::new("isl gave nothing and does not say why");
    }
    let error = Error::of_isl(format!("[{kind:?}] {}", context().last_error_msg()));
    context().reset_error();
    error
}

/// Forgets what isl complained of last, if it said this: true if it did. For those who go on without what failed.
pub fn forget_error(said: &str) -> bool {
    let found = context().last_error() != isl_rs::Error::None_ && context().last_error_msg() == said;
    if found {
        context().reset_error();
    }
    found
}

impl From<LibISLError> for Error {
    fn from(error: LibISLError) -> Self {
        // Of a question that isl does not answer isl-rs says only that, and leaves the reason standing.
        if context().last_error() != isl_rs::Error::None_ {
            return last_error();
        }
        Self::of_isl(error.to_string())
    }
}
