//! Documents that use what they do not define.

use scop::c_text::Undefined;
use scop::{Diagnostic, Diagnostics};

/// The verifier rejects such documents, so this is never the user's fault.
pub fn undefined(what: &str) -> Diagnostics {
    Diagnostic::bug("cudagen", format!("the loop program cannot be spelled: {what}")).into()
}

/// Why the body of a statement cannot be spelled.
pub struct Unspellable(pub Diagnostics);

impl From<Undefined> for Unspellable {
    fn from(what: Undefined) -> Self {
        Self(undefined(&what.to_string()))
    }
}
