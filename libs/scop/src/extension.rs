//! What other tools say of a scop in OpenScop.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::StatementId;

/// An extension of OpenScop for which the document has no words: it is kept as it is, for the tools that understand it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Extension {
    /// The name in its tags.
    pub tag: String,
    /// The text between them.
    pub text: String,
    /// The statement that it is about; none if it is about the scop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statement: Option<StatementId>,
}
