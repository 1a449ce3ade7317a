//! Errors for documents that use something that they do not define.

use scop::c_text::Undefined;
use scop::{Diagnostic, Diagnostics};

/// Reports a bug, never a fault of the user: the verifier rejects such documents.
pub fn undefined(what: &str) -> Diagnostics {
    Diagnostic::bug("cudagen", format!("the loop program cannot be written in C: {what}")).into()
}

/// The reason why the body of a statement cannot be spelled.
pub struct Unspellable(pub Diagnostics);

impl From<Undefined> for Unspellable {
    fn from(what: Undefined) -> Self {
        Self(undefined(&what.to_string()))
    }
}
