//! Sums and comparisons as people write them.
//!
//! *before → after*
//!
//! ```text
//! ty + 16 * by + 1          →  16 * by + ty + 1
//! -32 * c2 + c5             →  c5 - 32 * c2
//! n >= 16 * by + ty + 1     →  16 * by + ty < n
//! c0 <= min(n - 1, 31)      →  c0 < min(n, 32)
//! ```

use scop::ast::{AstExpr, AstOp};

use crate::expression::{binary, visit_names};

/// An expression and all below it in canonical form; `is_fixed` says which names are better on the right of a comparison
/// (parameters, against iterators).
pub fn canonical(expr: &AstExpr, is_fixed: &impl Fn(&str) -> bool) -> AstExpr {
    let AstExpr::Op(operator, operands) = expr else { return expr.clone() };
    let operands: Vec<AstExpr> = operands.iter().map(|operand| canonical(operand, is_fixed)).collect();
    match (operator, operands.as_slice()) {
        (AstOp::Add | AstOp::Sub, [_, _]) => sum(AstExpr::Op(*operator, operands)),
        (AstOp::Le | AstOp::Lt | AstOp::Ge | AstOp::Gt, [left, right]) => {
            comparison(*operator, left, right, is_fixed)
        }
        _ => AstExpr::Op(*operator, operands),
    }
}

/// A term of a sum, and whether it is subtracted.
type Term = (bool, AstExpr);

fn sum(expr: AstExpr) -> AstExpr {
    let mut terms = Vec::new();
    let mut constant = 0i64;
    if collect(&expr, false, &mut terms, &mut constant).is_none() {
        return expr;
    }
    terms.sort_by_key(|(negative, term)| (*negative, !is_product(term)));
    let mut terms = terms.into_iter();
    let Some((negative, first)) = terms.next() else { return AstExpr::Int(constant) };
    let start = match (negative, constant) {
        (false, _) => first,
        (true, 1..) => {
            let rest = binary(AstOp::Sub, AstExpr::Int(constant), first);
            return terms.fold(rest, |sum, (_, term)| binary(AstOp::Sub, sum, term));
        }
        (true, _) => AstExpr::Op(AstOp::Minus, vec![first]),
    };
    let operator = |negative| if negative { AstOp::Sub } else { AstOp::Add };
    let total = terms.fold(start, |sum, (negative, term)| binary(operator(negative), sum, term));
    plus(total, constant)
}

fn is_product(term: &AstExpr) -> bool {
    matches!(term, AstExpr::Op(AstOp::Mul, _))
}

/// `expr + constant`
fn plus(expr: AstExpr, constant: i64) -> AstExpr {
    match constant {
        0 => expr,
        i64::MIN..0 if constant != i64::MIN => binary(AstOp::Sub, expr, AstExpr::Int(-constant)),
        _ => binary(AstOp::Add, expr, AstExpr::Int(constant)),
    }
}

/// Splits a sum into terms; nothing if its constants overflow.
fn collect(expr: &AstExpr, negative: bool, terms: &mut Vec<Term>, constant: &mut i64) -> Option<()> {
    match expr {
        AstExpr::Int(value) => {
            let value = if negative { value.checked_neg()? } else { *value };
            *constant = constant.checked_add(value)?;
        }
        AstExpr::Op(AstOp::Add, operands) => {
            operands.iter().try_for_each(|operand| collect(operand, negative, terms, constant))?;
        }
        AstExpr::Op(AstOp::Sub, operands) => {
            collect(operands.first()?, negative, terms, constant)?;
            collect(operands.get(1)?, !negative, terms, constant)?;
        }
        AstExpr::Op(AstOp::Minus, operands) => collect(operands.first()?, !negative, terms, constant)?,
        AstExpr::Op(AstOp::Mul, operands) => match operands.as_slice() {
            [AstExpr::Int(-1), factor] => collect(factor, !negative, terms, constant)?,
            [AstExpr::Int(value), factor] if *value < 0 => {
                let product = binary(AstOp::Mul, AstExpr::Int(value.checked_neg()?), factor.clone());
                terms.push((!negative, product));
            }
            _ => terms.push((negative, expr.clone())),
        },
        other => terms.push((negative, other.clone())),
    }
    Some(())
}

fn comparison(
    operator: AstOp,
    left: &AstExpr,
    right: &AstExpr,
    is_fixed: &impl Fn(&str) -> bool,
) -> AstExpr {
    let (mut operator, mut left, mut right) = (operator, left.clone(), right.clone());
    if is_fixed_expression(&left, is_fixed) && !is_fixed_expression(&right, is_fixed) {
        (operator, left, right) = (mirrored(operator), right, left);
    }
    let step = match operator {
        AstOp::Le => incremented(&right).map(|right| (AstOp::Lt, left.clone(), right)),
        AstOp::Lt => decremented_left(&left).map(|left| (AstOp::Lt, left, right.clone())),
        AstOp::Ge => incremented_right_of_ge(&right).map(|right| (AstOp::Gt, left.clone(), right)),
        _ => None,
    };
    let (operator, left, right) = step.unwrap_or((operator, left, right));
    binary(operator, left, right)
}
