//! The section that candl-rs writes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AccessId, IslMap, IslSet, LoopId, StatementId};

/// The dependences of a scop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dependences {
    /// Write before read, value-based: from the last write of an element to the read of its value.
    pub flow: Vec<Dependence>,
    /// Read before write: from a read to the next writes of the element, memory-based.
    pub anti: Vec<Dependence>,
    /// Write before write, memory-based.
    pub output: Vec<Dependence>,
    /// The reads that may use a value from before the region.
    pub live_in: Vec<LiveAccess>,
    /// The writes to arrays visible outside the region whose value may still exist after it.
    pub live_out: Vec<LiveAccess>,
    /// The updates whose operator permits any order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reductions: Vec<Reduction>,
    /// The statements without effect: nothing that they write is ever used. The schedule omits them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dead: Vec<StatementId>,
    /// The dependences that are ignored because of a claim of the user ([`crate::Claim`]). The lists above omit
    /// them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waived: Vec<Waived>,
}

impl Dependences {
    /// Returns the relaxed reduction that an access belongs to, if any.
    pub fn relaxed_by(&self, access: AccessId) -> Option<&Reduction> {
        self.relaxed().find(|reduction| [reduction.read, reduction.write].contains(&access))
    }

    /// Returns the reductions whose instances may be executed in any order.
    pub fn relaxed(&self) -> impl Iterator<Item = &Reduction> {
        self.reductions.iter().filter(|reduction| reduction.relaxed)
    }
}

/// A dependence between iterations of a loop whose iterations the user claims to be independent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Waived {
    /// The loop.
    #[serde(rename = "loop")]
    pub around: LoopId,
    /// The kind of the dependence.
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

/// A statement that updates an element by an associative and commutative operator: `s += e`, `if (e > m) m =
/// e`.
///
/// Integer operators have these properties exactly; sums and products of floating-point numbers have them
/// except for rounding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reduction {
    /// The statement.
    pub statement: StatementId,
    /// The access that reads the accumulator.
    pub read: AccessId,
    /// The access that writes it.
    pub write: AccessId,
    /// The accesses that read it as well, if the same step compares it before it chooses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compared: Vec<AccessId>,
    /// The operator.
    pub operator: ReductionOp,
    /// From instances to later instances that update the same element, which the operator permits in any order.
    pub relation: IslMap,
    /// True if the dependences of the scop do not order the instances: there is none between two of them by
    /// these two accesses. Every other access to the element is then ordered with each of the instances, and in
    /// a kernel each update is one atomic operation ([`crate::contribution()`]).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub relaxed: bool,
    /// The reason why the instances of `relation` may run in another order, if they may. Kernels can then share
    /// them among threads ([`crate::Kernel::shared_sums`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free: Option<Freedom>,
}

impl Reduction {
    /// True if an access is one by which the updates read or write the element.
    pub fn updates_by(&self, access: AccessId) -> bool {
        self.read == access || self.write == access || self.compared.contains(&access)
    }

    /// Returns the accesses by which the updates read and write the element.
    pub fn accesses(&self) -> impl Iterator<Item = AccessId> {
        [self.read, self.write].into_iter().chain(self.compared.iter().copied())
    }
}

/// Why updates may run in another order than that of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Freedom {
    /// Every order gives the same bits ([`crate::is_exact`]).
    Exact,
    /// The user permits another order, although it may round differently.
    Permitted,
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
    /// Returns the C spelling; the name for `min` and `max`, which C does not have as operators.
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

/// The instances of an access whose values enter or leave the region.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LiveAccess {
    /// The access.
    pub access: AccessId,
    /// From instances to elements, a part of the access's relation.
    pub relation: IslMap,
    /// The elements.
    pub elements: IslSet,
}
