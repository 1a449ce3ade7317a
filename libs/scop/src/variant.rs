//! Other forms of a region, which compute the same with other arrays.
//!
//! Some copies of arrays cost time and free parallelism, so that only a price tells whether they pay off. candl-rs then
//! describes the region with and without them: each variant has expansions and dependences of its own, in place of
//! those of the region. scheduler prices the variants and names the one that it takes ([`crate::Ordered::variant`]);
//! later stages see only this one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Array, ArrayId, Dependences, Expansions, Model};

/// A form of a region with other arrays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Variant {
    /// What it does.
    pub kind: VariantKind,
    /// The arrays of the source that it is about.
    pub of: Vec<ArrayId>,
    /// The accesses that use other arrays than in the source.
    pub expansions: Expansions,
    /// The dependences, live values and reductions that follow.
    pub dependences: Dependences,
}

/// What a variant does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VariantKind {
    /// Old values of an array are read from a copy, so that overwriting them need not wait.
    OldValues,
    /// Two halves of one array take turns with each iteration of a loop, instead of a copy of one array to another.
    Turns,
    /// Values of a temporary go to the element of an array that they become.
    InPlace,
    /// The updates of a sum go to partial sums, which are combined afterwards.
    PartialSums,
}

impl Variant {
    /// Describes the variant for people, given the region that clan-rs extracted.
    pub fn described(&self, extracted: &Model) -> String {
        let named = |id: &ArrayId| extracted.arrays.get(id.index());
        let name = |array: &Array| match array.expression.is_empty() {
            true => array.name.clone(),
            false => array.expression.clone(),
        };
        let names: Vec<String> = self.of.iter().filter_map(named).map(name).collect();
        self.kind.described(&names)
    }
}

impl VariantKind {
    fn described(self, arrays: &[String]) -> String {
        let names: Vec<String> = arrays.iter().map(|name| format!("`{name}`")).collect();
        let names = names.join(" and ");
        match self {
            Self::OldValues => format!("old values of {names} in a copy"),
            Self::Turns => format!("{names} taking turns"),
            Self::InPlace => format!("values of {names} in the elements that they become"),
            Self::PartialSums => format!("partial sums for {names}"),
        }
    }
}
