//! The relations and the body of a statement in a text.

use crate::error::{OpenScopError, Result};
use crate::extension::{Body, ExtendedBody};
use crate::file::{BlockStatement, Relation, RelationKind, tagged};

/// Returns the only relation of a kind.
pub fn one(statement: &BlockStatement, kind: RelationKind) -> Result<&Relation> {
    match statement.of_kind(&[kind])[..] {
        [relation] => Ok(relation),
        [] => Err(OpenScopError::meaning(statement.at, format!("this statement has no {}", kind.name()))),
        [_, second, ..] => {
            Err(OpenScopError::meaning(second.at, format!("this statement has a second {}", kind.name())))
        }
    }
}

/// Returns the body of a statement, from either extension for bodies.
pub fn body(statement: &BlockStatement) -> Result<Option<Body>> {
    let extensions = &statement.extensions;
    if let Some(found) = tagged(extensions, "body") {
        return Body::read(found).map(Some);
    }
    let extended = tagged(extensions, "extbody").map(ExtendedBody::read).transpose()?;
    Ok(extended.map(|extended| extended.body))
}
