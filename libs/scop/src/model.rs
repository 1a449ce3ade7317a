//! What clan-rs extracts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Array, CType, Claim, Extension, IslSchedule, IslSet, Loop, Statement, Wish};

/// What clan-rs extracts of a region.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Model {
    /// A name for generated code, unique in the program: that of the function and the number of the region in it.
    pub name: String,
    /// The integers that the region does not change and its loops, conditions and subscripts use.
    pub parameters: Vec<Parameter>,
    /// What is known and assumed of the parameters: `[n] -> { : n >= -2147483648 }`.
    pub context: IslSet,
    /// The part of the context that the translation assumes: the generated program checks it first, and where it does
    /// not hold the original region runs. Absent if nothing is assumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumptions: Option<IslSet>,
    /// The loops of the source, each after those around it, in the order of the text.
    pub loops: Vec<Loop>,
    /// The loops whose iterations are independent of each other, as the program says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub independent: Vec<Claim>,
    /// What is asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wishes: Vec<Wish>,
    /// The arrays and scalars.
    pub arrays: Vec<Array>,
    /// The statements, in the order of the text.
    pub statements: Vec<Statement>,
    /// The execution order of the source.
    pub order: IslSchedule,
    /// What a document that was read from OpenScop keeps for other tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extensions: Vec<Extension>,
}

/// An integer that is constant throughout the region.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Parameter {
    /// The name, in isl's notation and in generated code.
    pub name: String,
    /// The C expression of its value at the region's place.
    pub expression: String,
    /// Its C type.
    #[serde(rename = "type")]
    pub ctype: CType,
}
