//! The loops of the source.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CType, LoopId, SourceRange, Statement};

/// A loop around statements. A loop whose number of iterations depends on data is a step of a statement instead
/// ([`crate::Step`]).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Loop {
    /// The id.
    pub id: LoopId,
    /// The user's name for the iterator.
    pub iterator: String,
    /// The iterator's C type.
    #[serde(rename = "type")]
    pub ctype: CType,
    /// The loop directly around this one, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<LoopId>,
    /// The place of the loop in the source, including its body; OpenScop does not contain it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<SourceRange>,
}

/// A claim that no iteration of a loop depends on another one, so that they may run at the same time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Claim {
    /// The loop.
    #[serde(rename = "loop")]
    pub around: LoopId,
    /// The origin of the claim: `#pragma c2cuda independent`.
    pub origin: String,
    /// The place of the claim in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<SourceRange>,
}

/// Returns the number of outermost loops that two statements have in common.
pub fn shared_loops(one: &Statement, other: &Statement) -> usize {
    one.loops.iter().zip(&other.loops).take_while(|(one, other)| one == other).count()
}
