//! What candl-rs finds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AccessId, IslMap, IslSet};

/// The dependences of a scop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dependences {
    /// Write before read, value-based: from the last write of an element to the read that takes its value.
    pub flow: Vec<Dependence>,
    /// Read before write: from a read to the next writes of the element, memory-based.
    pub anti: Vec<Dependence>,
    /// Write before write: memory-based.
    pub output: Vec<Dependence>,
    /// The reads that may take a value from before the region.
    pub live_in: Vec<LiveAccess>,
    /// The writes whose value may still be there after the region, to arrays visible outside of it.
    pub live_out: Vec<LiveAccess>,
}

/// Instances of one access that must stay before instances of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dependence {
    /// The access that comes first.
    pub source: AccessId,
    /// The access that comes second.
    pub sink: AccessId,
    /// From instances of the first statement to instances of the second: `{ S0[i] -> S1[i, j] }`.
    pub relation: IslMap,
}

/// The instances of an access whose value crosses the border of the region.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LiveAccess {
    /// The access.
    pub access: AccessId,
    /// From instances to elements, a part of the access's relation.
    pub relation: IslMap,
    /// The elements.
    pub elements: IslSet,
}
