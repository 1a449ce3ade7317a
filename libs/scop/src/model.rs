//! The section that clan-rs writes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Array, CType, Claim, Extension, IslSchedule, IslSet, Loop, Statement, Wish};

/// What clan-rs extracts from a region.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Model {
    /// A name for generated code, unique in the program: the name of the function and the number of the region
    /// in it.
    pub name: String,
    /// The integers that the region does not change and that its loops, conditions and subscripts use.
    pub parameters: Vec<Parameter>,
    /// What is known or assumed about the parameters: `[n] -> { : n >= -2147483648 }`.
    pub context: IslSet,
    /// The part of the context that is only assumed. The generated program checks it first, and runs the
    /// original region if it does not hold. Absent if nothing is assumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumptions: Option<IslSet>,
    /// The loops of the source in the order of the text, each after those around it.
    pub loops: Vec<Loop>,
    /// The loops whose iterations the user claims to be independent of each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub independent: Vec<Claim>,
    /// The user's wishes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wishes: Vec<Wish>,
    /// The arrays and scalars.
    pub arrays: Vec<Array>,
    /// The statements, in the order of the text.
    pub statements: Vec<Statement>,
    /// The execution order of the source.
    pub order: IslSchedule,
    /// OpenScop extensions, kept for other tools, of a document that was read from OpenScop.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extensions: Vec<Extension>,
}

/// An integer that is constant throughout the region.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Parameter {
    /// The name, in isl's notation and in generated code.
    pub name: String,
    /// The C expression that has its value at the region's place.
    pub expression: String,
    /// The C type.
    #[serde(rename = "type")]
    pub ctype: CType,
}

impl Parameter {
    /// Returns the user's text for the parameter, with parentheses if it is more than a name, a member or an element.
    pub fn shown(&self) -> String {
        let plain = self.expression.replace("->", ".");
        let is_operand = |letter: char| letter.is_alphanumeric() || "_.:[]".contains(letter);
        match plain.chars().all(is_operand) {
            true => self.expression.clone(),
            false => format!("({})", self.expression),
        }
    }
}
