//! Writes sums and comparisons as people write them.
//!
//! *before → after*
//!
//! ```text
//! ty + 16 * by + 1          →  16 * by + ty + 1
//! -32 * c2 + c5             →  c5 - 32 * c2
//! n >= 16 * by + ty + 1     →  16 * by + ty < n
//! c0 <= min(n - 1, 31)      →  c0 < min(n, 32)
//! ```

use scop::ast::expression::binary;
use scop::ast::{AstExpr, AstOp};

/// Returns the canonical form of an expression and everything below it. `is_fixed` is true for names that should be
/// on the right of a comparison (parameters, as opposed to iterators).
pub fn canonical(expr: &AstExpr, is_fixed: &impl Fn(&str) -> bool) -> AstExpr {
    let AstExpr::Op(operator, operands) = expr else { return expr.clone() };
    let operands: Vec<AstExpr> = operands.iter().map(|operand| canonical(operand, is_fixed)).collect();
    match (operator, operands.as_slice()) {
        (AstOp::Add | AstOp::Sub, [_, _]) => sum(AstExpr::Op(*operator, operands)),
        (AstOp::Le | AstOp::Lt | AstOp::Ge | AstOp::Gt, [left, right]) => {
            let swap = is_fixed_expression(left, is_fixed) && !is_fixed_expression(right, is_fixed);
            if swap {
                comparison(mirrored(*operator), right, left)
            } else {
                comparison(*operator, left, right)
            }
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

/// Returns `expr + constant`.
fn plus(expr: AstExpr, constant: i64) -> AstExpr {
    match constant {
        0 => expr,
        i64::MIN..0 if constant != i64::MIN => binary(AstOp::Sub, expr, AstExpr::Int(-constant)),
        _ => binary(AstOp::Add, expr, AstExpr::Int(constant)),
    }
}

/// Splits a sum into terms; returns nothing if its constants overflow.
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

/// Returns a comparison with all constants on the right, strict if that leaves fewer constants.
fn comparison(operator: AstOp, left: &AstExpr, right: &AstExpr) -> AstExpr {
    let (rest, constant) = split_constant(left);
    let moved = |by: i64| {
        constant.checked_neg().and_then(|negated| negated.checked_add(by)).map(|k| shifted(right, k))
    };
    let result = match operator {
        AstOp::Le if constant != 0 || is_last_index(right) => Some(AstOp::Lt).zip(moved(1)),
        AstOp::Ge if constant == 0 && is_next_index(right) => Some(AstOp::Gt).zip(moved(-1)),
        _ if constant != 0 => Some(operator).zip(moved(0)),
        _ => None,
    };
    match result {
        Some((operator, right)) => binary(operator, rest, right),
        None => binary(operator, left.clone(), right.clone()),
    }
}

fn is_fixed_expression(expr: &AstExpr, is_fixed: &impl Fn(&str) -> bool) -> bool {
    let mut fixed = true;
    expr.visit_names(&mut |name| fixed &= is_fixed(name));
    fixed
}

fn mirrored(operator: AstOp) -> AstOp {
    match operator {
        AstOp::Le => AstOp::Ge,
        AstOp::Lt => AstOp::Gt,
        AstOp::Ge => AstOp::Le,
        AstOp::Gt => AstOp::Lt,
        other => other,
    }
}

/// Returns a canonical sum without its constant, and the constant.
fn split_constant(expr: &AstExpr) -> (AstExpr, i64) {
    match expr {
        AstExpr::Op(AstOp::Add, operands) => match operands.as_slice() {
            [rest, AstExpr::Int(value)] => (rest.clone(), *value),
            _ => (expr.clone(), 0),
        },
        AstExpr::Op(AstOp::Sub, operands) => match operands.as_slice() {
            [rest, AstExpr::Int(value)] if *value != i64::MIN => (rest.clone(), -value),
            _ => (expr.clone(), 0),
        },
        other => (other.clone(), 0),
    }
}

/// Returns `expr + by`, with the sum inside minima and maxima.
fn shifted(expr: &AstExpr, by: i64) -> AstExpr {
    match expr {
        AstExpr::Op(operator @ (AstOp::Min | AstOp::Max), operands) => {
            AstExpr::Op(*operator, operands.iter().map(|operand| shifted(operand, by)).collect())
        }
        other => sum(binary(AstOp::Add, other.clone(), AstExpr::Int(by))),
    }
}

/// True if adding one makes an expression simpler: `n - 1`, `31`, `min(n - 1, c0 + 31)`.
fn is_last_index(expr: &AstExpr) -> bool {
    match expr {
        AstExpr::Int(value) => *value < i64::MAX,
        AstExpr::Op(AstOp::Min | AstOp::Max, operands) => {
            operands.iter().any(is_last_index)
                && operands.iter().all(|operand| is_last_index(operand) || split_constant(operand).1 != 0)
        }
        other => split_constant(other).1 == -1,
    }
}

/// True if subtracting one makes an expression simpler: `n + 1`.
fn is_next_index(expr: &AstExpr) -> bool {
    split_constant(expr).1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use scop::CType;
    use scop::c_text::index_text;

    fn name(name: &str) -> AstExpr {
        AstExpr::Name(name.to_owned())
    }

    fn int(value: i64) -> AstExpr {
        AstExpr::Int(value)
    }

    fn text(expr: AstExpr) -> String {
        index_text(&canonical(&expr, &|name| name == "n"), CType::Int).text
    }

    #[test]
    fn sums_and_comparisons_become_what_people_write() {
        use AstOp::{Add, Ge, Gt, Le, Lt, Max, Min, Minus, Mul, Sub};
        let mul = |k, a: &str| binary(Mul, int(k), name(a));
        let row = || binary(Add, name("ty"), mul(16, "by"));
        for (expr, expected) in [
            (binary(Add, row(), int(1)), "16 * by + ty + 1"),
            (binary(Add, mul(-32, "c2"), name("c5")), "c5 - 32 * c2"),
            (binary(Sub, name("c5"), mul(-32, "c2")), "32 * c2 + c5"),
            (binary(Sub, name("c5"), mul(32, "c2")), "c5 - 32 * c2"),
            (binary(Sub, int(3), name("c0")), "3 - c0"),
            (binary(Sub, AstExpr::Op(Minus, vec![name("c0")]), int(3)), "-c0 - 3"),
            (binary(Add, name("c0"), int(-1)), "c0 - 1"),
            (binary(Ge, name("n"), binary(Add, row(), int(1))), "16 * by + ty < n"),
            (binary(Ge, name("n"), binary(Add, row(), int(2))), "16 * by + ty < n - 1"),
            (binary(Gt, name("n"), name("c0")), "c0 < n"),
            (binary(Ge, name("c0"), int(1)), "c0 >= 1"),
            (binary(Ge, binary(Sub, name("c0"), int(1)), int(0)), "c0 >= 1"),
            (binary(Ge, name("c0"), binary(Add, name("n"), int(1))), "c0 > n"),
            (binary(Le, name("c0"), name("n")), "c0 <= n"),
            (binary(Lt, binary(Add, name("c0"), int(2)), name("n")), "c0 < n - 2"),
            (binary(Le, name("c0"), binary(Min, binary(Sub, name("n"), int(1)), int(31))), "c0 < min(n, 32)"),
            (binary(Le, name("c0"), binary(Max, int(0), binary(Sub, name("n"), int(1)))), "c0 < max(1, n)"),
            (binary(Le, name("c0"), binary(Min, name("n"), int(31))), "c0 <= min(n, 31)"),
        ] {
            assert_eq!(text(expr), expected);
        }
    }
}
