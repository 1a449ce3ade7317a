//! The properties of a tool that this crate depends on.

use crate::exit::{UNDECIDED, USER_IS_WRONG};
use crate::messages::Messages;
use crate::options::{Io, Verification};

/// The properties of a tool that this crate depends on.
#[derive(Debug, Clone, Copy)]
pub struct Tool<'a> {
    /// The name, for messages.
    pub name: &'a str,
    /// Whether the tool verifies documents at all.
    pub verifies: bool,
    /// Whether the tool only checks a document: giving up then has an exit code of its own.
    pub checks: bool,
    /// The form of the tool's messages.
    pub messages: Messages,
}

impl Tool<'_> {
    /// Returns the tool with the given options for verification.
    #[must_use]
    pub fn told(self, verification: Verification) -> Self {
        Self { verifies: self.verifies && !verification.no_verify, ..self }
    }

    /// Returns the tool with messages of the given form.
    #[must_use]
    pub fn talking(self, messages: Messages) -> Self {
        Self { messages, ..self }
    }

    /// Returns the tool with the verification and the form of messages that the command line asks for.
    #[must_use]
    pub(crate) fn by(self, io: &Io) -> Self {
        self.told(io.verification).talking(io.messages)
    }

    /// Returns the tool as one that only checks a document.
    #[must_use]
    pub(crate) fn that_checks(self) -> Self {
        Self { checks: true, ..self }
    }

    /// Returns the exit code for input that is too complicated; for a tool that checks, it means that nothing is
    /// known.
    pub(crate) fn given_up(&self) -> u8 {
        if self.checks { UNDECIDED } else { USER_IS_WRONG }
    }
}

impl<'a> From<&'a str> for Tool<'a> {
    /// Returns a tool that verifies documents.
    fn from(name: &'a str) -> Self {
        Self { name, verifies: true, checks: false, messages: Messages::default() }
    }
}
