//! Documents that use what they do not define.

use scop::{Diagnostic, Diagnostics};

/// The verifier rejects such documents, so this is never the user's fault.
pub fn undefined(what: &str) -> Diagnostics {
    Diagnostic::bug("cudagen", format!("the loop program cannot be spelled: {what}")).into()
}
