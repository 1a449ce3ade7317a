//! The one error type of this crate.

use isl_rs::LibISLError;

use crate::context;
use crate::context::is_time_over;

/// What isl said when a call failed.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    message: String,
    kind: Kind,
}

/// What an error means to those who have another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The bound on operations is reached: the same on every machine.
    Operations,
    /// The time is over, which may be otherwise on another machine.
    Time,
    /// What is not isl's depends on the machine, or took too long.
    Late,
    /// A number that does not fit.
    TooLarge,
    /// isl's scheduler found nothing under the options that it was given.
    Unschedulable,
    /// What no verified document causes.
    Bug,
    /// Anything else.
    Failure,
}

/// The result of a call into isl.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of our own, in the same clothes.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), kind: Kind::Failure }
    }

    /// An error that no document causes which was verified: the tool is wrong.
    pub fn bug(message: impl Into<String>) -> Self {
        Self { message: message.into(), kind: Kind::Bug }
    }

    /// True for [`Error::bug`].
    pub fn is_bug(&self) -> bool {
        self.kind == Kind::Bug
    }

    /// What was given up, or not begun, because of the machine or of the time: on another one it may be otherwise.
    pub fn late(message: impl Into<String>) -> Self {
        Self { message: message.into(), kind: Kind::Late }
    }

    /// True for [`Error::late`].
    pub fn is_late(&self) -> bool {
        self.kind == Kind::Late
    }

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

    /// A number of isl's that no integer of 64 bits holds.
    pub fn too_large(number: &str) -> Self {
        Self { message: format!("the constant {number} does not fit 64 bits"), kind: Kind::TooLarge }
    }

    /// True for [`Error::too_large`], and for what isl says if such a number is asked for as an integer.
    pub fn is_too_large(&self) -> bool {
        self.kind == Kind::TooLarge
    }

    /// True if isl's scheduler found no schedule under the options that it was given. With others it may.
    pub fn is_unschedulable(&self) -> bool {
        self.kind == Kind::Unschedulable
    }

    /// True if isl gave up because a limit of [`crate::limit_work`] or [`crate::within`] was reached, and for
    /// [`Error::late`].
    pub fn is_limit(&self) -> bool {
        matches!(self.kind, Kind::Operations | Kind::Time | Kind::Late)
    }

    /// True if that was the limit of operations. A choice may depend on that, and not on time: the same input gives
    /// the same output.
    pub fn is_out_of_operations(&self) -> bool {
        self.kind == Kind::Operations
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
