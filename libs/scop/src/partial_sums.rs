//! Sums whose updates go to several partial sums first.
//!
//! ```c
//!                                          for (int p = 0; p < P; p++)
//!                                              partial[p] = 0;
//! for (int i = 0; i < n; i++)              for (int i = 0; i < n; i++)
//!     s += a[i];                      →        partial[i / 32 % P] += a[i];
//!                                          for (int p = 0; p < P; p++)
//!                                              s += partial[p];
//! ```
//!
//! If there is a loop of the sum inside the divided one, each iteration of the divided loop has a partial sum:
//! `partial[i]`.
//!
//! Threads in different blocks cannot share one sum, but each partial sum may have a warp of its own. Where the order
//! of updates is free, candl-rs describes the region in this form as well (a [`crate::Variant`]). Results do not change
//! from run to run: which update goes where does not depend on the order in which blocks run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    AccessId, BinaryOp, CType, Expr, ExprKind, Loop, ReductionOp, Statement, StatementId, Step, UnaryOp,
};

/// Statements that candl-rs adds to a region for partial sums.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PartialSums {
    /// The loops around these statements that are not in the source, numbered after all others. Loops of the source may
    /// be around them.
    pub loops: Vec<Loop>,
    /// The sums.
    pub sums: Vec<PartialSum>,
}

/// A sum whose updates go to partial sums. The accesses of the update are expanded: the first subscript is the number
/// of the partial sum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PartialSum {
    /// The statement that makes the updates.
    pub statement: StatementId,
    /// The access by which it writes the element.
    pub write: AccessId,
    /// The number of loops of the source around the sum, which are the outermost ones of its statement. Each of their
    /// iterations begins and ends all partial sums.
    pub depth: u32,
    /// Which of the statement's loops the partial sums divide among themselves.
    pub divided: u32,
    /// How many partial sums there are for each element; absent if each iteration of the divided loop has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// The number of consecutive iterations of the divided loop that belong to one partial sum, before those of the
    /// next one follow.
    pub run: u32,
    /// The statement that begins them, `partial[p] = 0`, numbered after all others. Its coordinates are the iterators
    /// of the loops around the sum, the number of the partial sum, and the element.
    pub start: Statement,
    /// The statement that combines them with the element, `s = s + partial[p]`, with the same coordinates.
    pub finish: Statement,
}

impl PartialSums {
    /// Returns the added statements, in the order of their numbers.
    pub fn statements(&self) -> impl Iterator<Item = &Statement> {
        self.sums.iter().flat_map(|sum| [&sum.start, &sum.finish])
    }
}

/// Returns the value with which a partial sum begins: combining it with a number gives that number.
pub fn neutral_value(operator: ReductionOp, ctype: CType) -> Option<Expr> {
    use ReductionOp::{BitAnd, BitOr, BitXor, Max, Min, Product, Sum};
    let integer = |value: String| ExprKind::Integer { value };
    let floating = |value: &str| ExprKind::Floating { value: value.to_owned() };
    let is_floating = matches!(ctype, CType::Float | CType::Double);
    let kind = match operator {
        // Minus zero leaves both zeros as they are.
        Sum if is_floating => floating("-0.0"),
        Product if is_floating => floating("1.0"),
        Min if is_floating => floating("inf"),
        Max if is_floating => floating("-inf"),
        Sum | BitOr | BitXor if ctype.is_integer() => integer("0".to_owned()),
        Product if ctype.is_integer() => integer("1".to_owned()),
        BitAnd if ctype.is_integer() => return Some(all_bits(ctype)),
        Min | Max if ctype.is_integer() => integer(extreme(operator == Min, ctype)?),
        _ => return None,
    };
    Some(Expr { ctype, kind })
}

/// Returns an integer in which all bits are set.
fn all_bits(ctype: CType) -> Expr {
    let zero = Expr { ctype, kind: ExprKind::Integer { value: "0".to_owned() } };
    Expr { ctype, kind: ExprKind::Unary { operator: UnaryOp::Complement, operand: zero.into() } }
}

/// Returns the largest or the smallest integer of a type, in decimal.
pub(crate) fn extreme(largest: bool, ctype: CType) -> Option<String> {
    let bits = 8 * ctype.size();
    let is_unsigned = matches!(ctype, CType::UInt | CType::ULong | CType::ULongLong);
    let is_signed = matches!(ctype, CType::Int | CType::Long | CType::LongLong);
    match (is_unsigned, is_signed, largest) {
        (true, _, true) => Some(((1i128 << bits) - 1).to_string()),
        (true, _, false) => Some("0".to_owned()),
        (_, true, true) => Some(((1i128 << (bits - 1)) - 1).to_string()),
        (_, true, false) => Some((-(1i128 << (bits - 1))).to_string()),
        _ => None,
    }
}

/// Returns the step that combines an element with a partial sum.
pub fn combination(
    operator: ReductionOp,
    ctype: CType,
    [write, read, partial]: [AccessId; 3],
) -> Option<Step> {
    let of = |access| Expr { ctype, kind: ExprKind::Read { access, subscripts: Vec::new() } };
    let (own, other) = (of(read), of(partial));
    let infix = |operator, ctype, left: Expr, right: Expr| Expr {
        ctype,
        kind: ExprKind::Binary { operator, left: left.into(), right: right.into() },
    };
    let (value, compound) = match operator {
        ReductionOp::Min | ReductionOp::Max => {
            let comparison = if operator == ReductionOp::Min { BinaryOp::Lt } else { BinaryOp::Gt };
            let condition = infix(comparison, CType::Int, other.clone(), own.clone());
            let kind = ExprKind::Conditional {
                condition: condition.into(),
                then: other.into(),
                otherwise: own.into(),
            };
            (Expr { ctype, kind }, None)
        }
        ReductionOp::And | ReductionOp::Or => return None,
        _ => {
            let operator = crate::contribution::operator(operator)?;
            (infix(operator, ctype, own, other), Some(operator))
        }
    };
    Some(Step::Assign { access: write, subscripts: Vec::new(), value, compound })
}
