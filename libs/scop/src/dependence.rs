//! What candl-rs finds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AccessId, IslMap, IslSet, LoopId, StatementId};

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
    /// The updates that may be done in any order, as far as their operator is concerned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reductions: Vec<Reduction>,
    /// The statements that have no effect: nothing that they write is ever used. The schedule leaves them out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dead: Vec<StatementId>,
    /// The dependences that are none because the program says so ([`crate::Claim`]). Those above are without them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waived: Vec<Waived>,
}

impl Dependences {
    /// The reduction that an access belongs to, if its instances may be executed in any order.
    pub fn relaxed_by(&self, access: AccessId) -> Option<&Reduction> {
        self.relaxed().find(|reduction| [reduction.read, reduction.write].contains(&access))
    }

    /// The reductions of which the instances may be executed in any order.
    pub fn relaxed(&self) -> impl Iterator<Item = &Reduction> {
        self.reductions.iter().filter(|reduction| reduction.relaxed)
    }
}

/// A dependence between iterations of a loop that are independent of each other by the program's own word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Waived {
    /// The loop.
    #[serde(rename = "loop")]
    pub around: LoopId,
    /// Of which kind it is.
    pub kind: DependenceKind,
    /// The accesses and the instances.
    #[serde(flatten)]
    pub dependence: Dependence,
}

/// The kinds of dependences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DependenceKind {
    /// Write before read.
    Flow,
    /// Read before write.
    Anti,
    /// Write before write.
    Output,
}

/// A statement that updates an element by an associative and commutative operator: `s += e`, `if (e > m) m = e`.
///
/// Integer operators are exactly so; sums and products of floating point only but for rounding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reduction {
    /// The statement.
    pub statement: StatementId,
    /// The access that reads the accumulator.
    pub read: AccessId,
    /// The access that writes it.
    pub write: AccessId,
    /// The operator.
    pub operator: ReductionOp,
    /// From instances to later instances that update the same element: the order that the operator leaves free.
    pub relation: IslMap,
    /// True if the dependences of the scop leave this order free: none goes from one of its instances to another by
    /// these two accesses. Then each other access of the element is ordered with each of the instances, and in a
    /// kernel each update is one atomic operation ([`crate::contribution()`]).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub relaxed: bool,
}

/// The operators of reductions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum ReductionOp {
    /// Sum; differences `s -= e` count as well.
    #[serde(rename = "+")]
    Sum,
    /// Product.
    #[serde(rename = "*")]
    Product,
    /// Smallest value.
    #[serde(rename = "min")]
    Min,
    /// Largest value.
    #[serde(rename = "max")]
    Max,
    /// Bitwise and.
    #[serde(rename = "&")]
    BitAnd,
    /// Bitwise or.
    #[serde(rename = "|")]
    BitOr,
    /// Bitwise exclusive or.
    #[serde(rename = "^")]
    BitXor,
    /// Logical and.
    #[serde(rename = "&&")]
    And,
    /// Logical or.
    #[serde(rename = "||")]
    Or,
}

impl ReductionOp {
    /// The C spelling; `min` and `max`, which have none, by name.
    pub fn c_name(self) -> &'static str {
        match self {
            Self::Sum => "+",
            Self::Product => "*",
            Self::Min => "min",
            Self::Max => "max",
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::And => "&&",
            Self::Or => "||",
        }
    }
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
