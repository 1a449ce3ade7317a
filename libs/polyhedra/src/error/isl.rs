//! Errors that isl reports.

use isl_rs::LibISLError;

use super::{Error, Kind};
use crate::context::{context, is_time_over};

impl Error {
    /// Converts isl's error as isl-rs prints it: the kind of the error in brackets, and the message.
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

/// Returns the error of an isl function that returned nothing, and resets it in isl.
pub(crate) fn last_error() -> Error {
    let kind = context().last_error();
    if kind == isl_rs::Error::None_ {
        return Error::new("isl returned nothing and gave no reason");
    }
    let error = Error::of_isl(format!("[{kind:?}] {}", context().last_error_msg()));
    context().reset_error();
    error
}

/// Resets isl's last error if it has this message, and returns whether it has. For callers that do without the
/// failed result.
pub fn forget_error(said: &str) -> bool {
    let found = context().last_error() != isl_rs::Error::None_ && context().last_error_msg() == said;
    if found {
        context().reset_error();
    }
    found
}

impl From<LibISLError> for Error {
    fn from(error: LibISLError) -> Self {
        // For a failed query, isl-rs reports only the failure and leaves the reason in isl's context.
        if context().last_error() != isl_rs::Error::None_ {
            return last_error();
        }
        Self::of_isl(error.to_string())
    }
}
