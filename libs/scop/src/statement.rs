//! Statements and accesses.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AccessId, ArrayId, BinaryOp, CType, Expr, IslMap, IslSet, LocalId, SourceRange, StatementId};

/// Straight-line C, executed once for every point of its domain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Statement {
    /// The id, which is the tuple name of its instances.
    pub id: StatementId,
    /// The loops around it, outermost first; as many as the domain has dimensions.
    pub iterators: Vec<Iterator>,
    /// The instances: `[n] -> { S0[i, j] : 0 <= i < n and 0 <= j <= i }`.
    pub domain: IslSet,
    /// Every reference to memory in the body.
    pub accesses: Vec<Access>,
    /// What it does, in order.
    pub body: Vec<Step>,
    /// Where it stands in the source.
    pub range: SourceRange,
    /// The C text at that place.
    pub text: String,
}

impl Statement {
    /// The access with this id, if it belongs to the statement.
    pub fn access(&self, id: AccessId) -> Option<&Access> {
        self.accesses.iter().find(|access| access.id == id)
    }
}

/// A loop iterator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Iterator {
    /// The user's name.
    pub name: String,
    /// Its C type.
    #[serde(rename = "type")]
    pub ctype: CType,
}

/// One textual reference to an array or scalar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Access {
    /// The id.
    pub id: AccessId,
    /// The array.
    pub array: ArrayId,
    /// Whether it reads or writes; `x += 1` has one access of each kind.
    pub kind: AccessKind,
    /// Whether it touches all of the relation.
    #[serde(default, skip_serializing_if = "Certainty::is_must")]
    pub certainty: Certainty,
    /// From instances to elements: `{ S0[i, j] -> A1[i, j - 1] }`.
    pub relation: IslMap,
}

/// Whether an access reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AccessKind {
    /// It takes the element's value.
    Read,
    /// It gives the element a value.
    Write,
}

/// Whether an access certainly happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// It touches exactly the elements of its relation.
    #[default]
    Must,
    /// It touches some of the elements of its relation.
    May,
}

impl Certainty {
    /// True for an access that certainly happens.
    pub fn is_must(&self) -> bool {
        *self == Self::Must
    }
}

/// One step of a statement's body. The reads of a step come before its effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "step")]
pub enum Step {
    /// `const type name = value;`, or without `const` if a later step sets it again.
    Define {
        /// The temporary, numbered within the statement.
        local: LocalId,
        /// A name for generated code, unique among the names of the scop.
        name: String,
        /// Its type, that of the value.
        #[serde(rename = "type")]
        ctype: CType,
        /// Its first value; absent if the declaration gives none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<Expr>,
    },
    /// `local = value;`
    Set {
        /// A temporary that an earlier step defines.
        local: LocalId,
        /// Its new value, of its type.
        value: Expr,
    },
    /// `element = value;`
    Assign {
        /// The write access of the element.
        access: AccessId,
        /// The complete new value, of the element's type. For `x += e` it is `(type)(x + e)` with C's conversions.
        value: Expr,
        /// How the source wrote it, if as `x op= e`: then `value`, without the cast around it, is a binary node with this
        /// operator whose left operand, without casts, reads the same element. Only for readable output.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        compound: Option<BinaryOp>,
    },
}

impl Step {
    /// The expression that this step evaluates.
    pub fn value(&self) -> Option<&Expr> {
        match self {
            Self::Define { value, .. } => value.as_ref(),
            Self::Set { value, .. } | Self::Assign { value, .. } => Some(value),
        }
    }
}
