//! OpenScop extensions of other tools.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::StatementId;

/// An OpenScop extension that the document has no section for. It is kept unchanged for the tools that
/// understand it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Extension {
    /// The name in its tags.
    pub tag: String,
    /// The text between the tags.
    pub text: String,
    /// The statement that the extension is about; absent if it is about the scop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statement: Option<StatementId>,
}
