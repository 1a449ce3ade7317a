//! What the shell knows of a tool.

use crate::exit::{UNDECIDED, USER_IS_WRONG};
use crate::messages::Messages;
use crate::options::{Io, Verification};

/// What the shell knows of a tool.
#[derive(Debug, Clone, Copy)]
pub struct Tool<'a> {
    /// Its name, for messages.
    pub name: &'a str,
    /// Whether it verifies documents at all.
    pub verifies: bool,
    /// Whether all that it does is to check a document: what it gives up then has an exit code of its own.
    pub checks: bool,
    /// The form of its messages.
    pub messages: Messages,
}

impl Tool<'_> {
    /// The same tool, if it is told whether to verify documents.
    #[must_use]
    pub fn told(self, verification: Verification) -> Self {
        Self { verifies: self.verifies && !verification.no_verify, ..self }
    }

    /// The same tool with messages of another form.
    #[must_use]
    pub fn talking(self, messages: Messages) -> Self {
        Self { messages, ..self }
    }

    /// The same tool, as the command line wants it.
    #[must_use]
    pub(crate) fn by(self, io: &Io) -> Self {
        self.told(io.verification).talking(io.messages)
    }

    /// The same tool, if all that it does is to check a document.
    #[must_use]
    pub(crate) fn that_checks(self) -> Self {
        Self { checks: true, ..self }
    }

    /// The exit code for what is too complicated: of a check, that nothing is known.
    pub(crate) fn given_up(&self) -> u8 {
        if self.checks { UNDECIDED } else { USER_IS_WRONG }
    }
}

impl<'a> From<&'a str> for Tool<'a> {
    /// A tool that verifies documents.
    fn from(name: &'a str) -> Self {
        Self { name, verifies: true, checks: false, messages: Messages::default() }
    }
}
