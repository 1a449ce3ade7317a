//! The error type of this crate.

mod isl;

pub use isl::forget_error;
pub(crate) use isl::last_error;

/// The reason why a call failed, in most cases a call of isl.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    message: String,
    kind: Kind,
}

/// What an error means to callers that have an alternative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The bound on operations is reached, at the same step on every machine.
    Operations,
    /// The time is over, which may differ on another machine.
    Time,
    /// Work outside isl failed because of the machine, or took too long.
    Late,
    /// A number does not fit 64 bits.
    TooLarge,
    /// isl's scheduler found no schedule under the given options.
    Unschedulable,
    /// An error that no verified document causes.
    Bug,
    /// Anything else.
    Failure,
}

/// The result of a call into isl.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Creates an error of our own.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), kind: Kind::Failure }
    }

    /// Creates an error that no verified document causes: the tool is wrong.
    pub fn bug(message: impl Into<String>) -> Self {
        Self { message: message.into(), kind: Kind::Bug }
    }

    /// True for [`Error::bug`].
    pub fn is_bug(&self) -> bool {
        self.kind == Kind::Bug
    }

    /// Creates an error for work that was given up, or not begun, because of the machine or the time. The work may
    /// succeed on another machine.
    pub fn late(message: impl Into<String>) -> Self {
        Self { message: message.into(), kind: Kind::Late }
    }

    /// True for [`Error::late`].
    pub fn is_late(&self) -> bool {
        self.kind == Kind::Late
    }

    /// Creates an error for a number from isl that does not fit 64 bits.
    pub fn too_large(number: &str) -> Self {
        Self { message: format!("the constant {number} does not fit into 64 bits"), kind: Kind::TooLarge }
    }

    /// True for [`Error::too_large`], and for isl's error if such a number is requested as an integer.
    pub fn is_too_large(&self) -> bool {
        self.kind == Kind::TooLarge
    }

    /// True if isl's scheduler found no schedule under the given options. It may find one under others.
    pub fn is_unschedulable(&self) -> bool {
        self.kind == Kind::Unschedulable
    }

    /// True if isl gave up because a limit of [`crate::limit_work`] or [`crate::within`] was reached, and for
    /// [`Error::late`].
    pub fn is_limit(&self) -> bool {
        matches!(self.kind, Kind::Operations | Kind::Time | Kind::Late)
    }

    /// True if that limit was the one on operations. A choice may depend on this limit, but not on time: the same
    /// input gives the same output.
    pub fn is_out_of_operations(&self) -> bool {
        self.kind == Kind::Operations
    }
}
