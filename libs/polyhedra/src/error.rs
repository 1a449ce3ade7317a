//! The one error type of this crate.

mod isl;

pub use isl::forget_error;
pub(crate) use isl::last_error;

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
