//! C text of the integer expressions of the loop program.

use std::collections::BTreeSet;

use super::fragment::precedence;
use super::{Fragment, literal};
use crate::ast::{AstExpr, AstOp};
use crate::{BinaryOp, CType};

/// A function that C lacks and that the text of an index expression may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Helper {
    /// `floord(a, b)`: the quotient rounded towards minus infinity, for a positive divisor.
    Floord,
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
}

/// Returns the functions that the text of an expression calls.
pub fn helpers(expr: &AstExpr) -> BTreeSet<Helper> {
    let AstExpr::Op(operator, operands) = expr else { return BTreeSet::new() };
    let mut found: BTreeSet<Helper> = operands.iter().flat_map(helpers).collect();
    found.extend(match operator {
        AstOp::Min => Some(Helper::Min),
        AstOp::Max => Some(Helper::Max),
        AstOp::FloorDiv if shift_of(operands).is_none() => Some(Helper::Floord),
        _ => None,
    });
    found
}

/// Returns the text of an index expression whose names are variables of type `index` (`int` or `long`).
///
/// A division that rounds towards minus infinity is a shift if the divisor is a power of two. If an operator
/// has too few operands, which the document's verifier rejects, those that it has are printed.
pub fn index_text(expr: &AstExpr, index: CType) -> Fragment {
    match expr {
        AstExpr::Int(value) => constant(*value),
        AstExpr::Name(name) => Fragment::atom(name, index),
        AstExpr::Op(operator, operands) => operation(*operator, operands, index),
    }
}

/// Prints a constant, as an `int` if it fits.
fn constant(value: i64) -> Fragment {
    let ctype = if i32::try_from(value).is_ok() { CType::Int } else { CType::Long };
    literal::integer(&value.to_string(), ctype, super::Dialect::Cxx)
}

fn operation(operator: AstOp, operands: &[AstExpr], index: CType) -> Fragment {
    match operator {
        AstOp::Max => calls("max", operands, index),
        AstOp::Min => calls("min", operands, index),
        AstOp::FloorDiv => floor_division(operands, index),
        AstOp::Minus => Fragment::prefix("-", &operand(operands, 0, index), index),
        AstOp::Select => Fragment::conditional(
            &operand(operands, 0, index),
            &operand(operands, 1, index),
            &operand(operands, 2, index),
            index,
        ),
        AstOp::Add => sum(operands, index),
        _ => chain(operator, operands, index),
    }
}

fn operand(operands: &[AstExpr], position: usize, index: CType) -> Fragment {
    operands
        .get(position)
        .map_or_else(|| Fragment::atom("0", CType::Int), |operand| index_text(operand, index))
}

/// Prints a sum: `a + -1` as `a - 1`, and `a + -b` as `a - b`.
fn sum(operands: &[AstExpr], index: CType) -> Fragment {
    let negated = match operands {
        [_, AstExpr::Int(value)] if *value < 0 && *value != i64::MIN => Some(AstExpr::Int(-value)),
        [_, AstExpr::Op(AstOp::Minus, inner)] => inner.first().cloned(),
        _ => None,
    };
    match negated {
        Some(subtrahend) => chain(AstOp::Sub, &[operands[0].clone(), subtrahend], index),
        None => chain(AstOp::Add, operands, index),
    }
}

fn chain(operator: AstOp, operands: &[AstExpr], index: CType) -> Fragment {
    let Some(binary) = binary_operator(operator) else { return operand(operands, 0, index) };
    let ctype = if binary.precedence() <= BinaryOp::Lt.precedence() { CType::Int } else { index };
    let texts = operands.iter().map(|operand| index_text(operand, index));
    texts
        .reduce(|left, right| Fragment::infix(binary, &left, &right, ctype))
        .unwrap_or_else(|| operand(operands, 0, index))
}

fn binary_operator(operator: AstOp) -> Option<BinaryOp> {
    Some(match operator {
        AstOp::And => BinaryOp::And,
        AstOp::Or => BinaryOp::Or,
        AstOp::Add => BinaryOp::Add,
        AstOp::Sub => BinaryOp::Sub,
        AstOp::Mul => BinaryOp::Mul,
        AstOp::Div | AstOp::PosDiv => BinaryOp::Div,
        AstOp::PosMod | AstOp::ZeroMod => BinaryOp::Rem,
        AstOp::Eq => BinaryOp::Eq,
        AstOp::Le => BinaryOp::Le,
        AstOp::Lt => BinaryOp::Lt,
        AstOp::Ge => BinaryOp::Ge,
        AstOp::Gt => BinaryOp::Gt,
        AstOp::Max | AstOp::Min | AstOp::Minus | AstOp::FloorDiv | AstOp::Select => return None,
    })
}

/// Prints nested calls: `f(f(a, b), c)`.
fn calls(function: &str, operands: &[AstExpr], index: CType) -> Fragment {
    let arguments = operands.iter().map(|operand| argument(operand, index));
    let text = arguments.reduce(|left, right| format!("{function}({left}, {right})")).unwrap_or_default();
    Fragment { text, precedence: precedence::POSTFIX, ctype: index }
}

/// Prints an argument with the index type, because `min(long, int)` matches several overloads.
fn argument(expr: &AstExpr, index: CType) -> String {
    match expr {
        AstExpr::Int(value) => literal::integer(&value.to_string(), index, super::Dialect::Cxx).text,
        _ if index != CType::Int && is_of_constants(expr) => {
            Fragment::prefix(&format!("({index})"), &index_text(expr, index), index).text
        }
        _ => index_text(expr, index).text,
    }
}

/// True if C computes the value only from constants, as in `n > 0 ? 3 : 4`, and the value is therefore an
/// `int`.
fn is_of_constants(expr: &AstExpr) -> bool {
    match expr {
        AstExpr::Int(_) => true,
        AstExpr::Name(_) => false,
        AstExpr::Op(AstOp::Select, operands) => operands.iter().skip(1).all(is_of_constants),
        AstExpr::Op(
            AstOp::Eq | AstOp::Le | AstOp::Lt | AstOp::Ge | AstOp::Gt | AstOp::And | AstOp::Or,
            _,
        ) => true,
        AstExpr::Op(AstOp::Max | AstOp::Min, _) => false,
        AstExpr::Op(_, operands) => operands.iter().all(is_of_constants),
    }
}

fn floor_division(operands: &[AstExpr], index: CType) -> Fragment {
    match shift_of(operands) {
        Some(bits) => {
            let amount = constant(i64::from(bits));
            Fragment::infix(BinaryOp::Shr, &operand(operands, 0, index), &amount, index)
        }
        None => calls("floord", operands, index),
    }
}

/// Returns the number of bits by which a division shifts, if its divisor is a power of two.
fn shift_of(operands: &[AstExpr]) -> Option<u32> {
    match operands {
        [_, AstExpr::Int(divisor)] if *divisor > 0 && divisor.count_ones() == 1 => {
            Some(divisor.trailing_zeros())
        }
        _ => None,
    }
}
