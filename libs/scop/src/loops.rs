//! The loops of the source.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CType, LoopId, SourceRange, Statement};

/// A loop around statements. One whose trips depend on data is a step of a statement instead ([`crate::Step`]).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Loop {
    /// The id.
    pub id: LoopId,
    /// The user's name of its iterator.
    pub iterator: String,
    /// The iterator's C type.
    #[serde(rename = "type")]
    pub ctype: CType,
    /// The loop that it is directly in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<LoopId>,
    /// Where it stands in the source, body included. OpenScop does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<SourceRange>,
}

/// Somebody's word that no iteration of a loop needs another one: they may run at the same time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Claim {
    /// The loop.
    #[serde(rename = "loop")]
    pub around: LoopId,
    /// Whose word it is: `#pragma c2cuda independent`.
    pub origin: String,
    /// Where it stands in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<SourceRange>,
}

/// How many of the outermost loops around two statements are the same.
pub fn shared_loops(one: &Statement, other: &Statement) -> usize {
    one.loops.iter().zip(&other.loops).take_while(|(one, other)| one == other).count()
}
