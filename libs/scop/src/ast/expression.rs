//! Index expressions: the subexpressions that occur in them, their constant values, and replacement with
//! simplification.

use crate::ast::{AstExpr, AstOp};

/// Calls `visit_one` with an expression and all expressions below it.
pub fn visit<'a>(expr: &'a AstExpr, visit_one: &mut impl FnMut(&'a AstExpr)) {
    visit_one(expr);
    if let AstExpr::Op(_, operands) = expr {
        operands.iter().for_each(|operand| visit(operand, visit_one));
    }
}

/// Returns the number of times that `pattern` occurs in an expression.
pub fn count(expr: &AstExpr, pattern: &AstExpr) -> usize {
    let mut found = 0;
    visit(expr, &mut |inner| found += usize::from(inner == pattern));
    found
}

/// Returns the expression with each subexpression equal to `pattern` replaced by `by`, with constants folded.
pub fn replace(expr: &AstExpr, pattern: &AstExpr, by: &AstExpr) -> AstExpr {
    if expr == pattern {
        return by.clone();
    }
    match expr {
        AstExpr::Op(operator, operands) => {
            let operands = operands.iter().map(|operand| replace(operand, pattern, by)).collect();
            fold(*operator, operands)
        }
        leaf => leaf.clone(),
    }
}

/// Returns the expression with constants computed and neutral operands removed.
pub fn folded(expr: &AstExpr) -> AstExpr {
    match expr {
        AstExpr::Op(operator, operands) => fold(*operator, operands.iter().map(folded).collect()),
        leaf => leaf.clone(),
    }
}

fn fold(operator: AstOp, operands: Vec<AstExpr>) -> AstExpr {
    use AstExpr::Int;
    let result = match (operator, operands.as_slice()) {
        (AstOp::Minus, [Int(a)]) => a.checked_neg().map(Int),
        (AstOp::Add, [Int(0), other]) => Some(other.clone()),
        (AstOp::Add | AstOp::Sub, [other, Int(0)]) => Some(other.clone()),
        (AstOp::Mul, [Int(1), other] | [other, Int(1)]) => Some(other.clone()),
        (AstOp::Mul, [Int(0), _] | [_, Int(0)]) => Some(Int(0)),
        (AstOp::Div | AstOp::FloorDiv | AstOp::PosDiv, [other, Int(1)]) => Some(other.clone()),
        (AstOp::And, [Int(truth), other] | [other, Int(truth)]) if *truth != 0 => Some(other.clone()),
        (_, [Int(a), Int(b)]) => constant(operator, *a, *b).map(Int),
        _ => None,
    };
    result.unwrap_or(AstExpr::Op(operator, operands))
}

fn constant(operator: AstOp, a: i64, b: i64) -> Option<i64> {
    match operator {
        AstOp::Add => a.checked_add(b),
        AstOp::Sub => a.checked_sub(b),
        AstOp::Mul => a.checked_mul(b),
        AstOp::Max => Some(a.max(b)),
        AstOp::Min => Some(a.min(b)),
        AstOp::FloorDiv | AstOp::Div | AstOp::PosDiv if b > 0 => Some(a.div_euclid(b)),
        AstOp::PosMod if b > 0 => Some(a.rem_euclid(b)),
        AstOp::Le => Some(i64::from(a <= b)),
        AstOp::Lt => Some(i64::from(a < b)),
        AstOp::Ge => Some(i64::from(a >= b)),
        AstOp::Gt => Some(i64::from(a > b)),
        AstOp::Eq => Some(i64::from(a == b)),
        _ => None,
    }
}

/// Returns the value of a constant expression.
pub fn value(expr: &AstExpr) -> Option<i64> {
    match folded(expr) {
        AstExpr::Int(value) => Some(value),
        _ => None,
    }
}

/// Returns `left operator right`.
pub fn binary(operator: AstOp, left: AstExpr, right: AstExpr) -> AstExpr {
    AstExpr::Op(operator, vec![left, right])
}

/// Returns the negation of a condition.
pub fn negated(condition: AstExpr) -> AstExpr {
    let opposite = |operator| match operator {
        AstOp::Le => Some(AstOp::Gt),
        AstOp::Lt => Some(AstOp::Ge),
        AstOp::Ge => Some(AstOp::Lt),
        AstOp::Gt => Some(AstOp::Le),
        _ => None,
    };
    match condition {
        AstExpr::Op(operator, operands) => match opposite(operator) {
            Some(opposite) => AstExpr::Op(opposite, operands),
            None => AstExpr::Op(AstOp::Eq, vec![AstExpr::Op(operator, operands), AstExpr::Int(0)]),
        },
        other => AstExpr::Op(AstOp::Eq, vec![other, AstExpr::Int(0)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_negated() {
        use AstOp::{And, Eq, Ge, Gt, Le, Lt};
        let compared = |operator| {
            AstExpr::Op(operator, vec![AstExpr::Name("c0".to_owned()), AstExpr::Name("n".to_owned())])
        };
        for (operator, opposite) in [(Le, Gt), (Lt, Ge), (Ge, Lt), (Gt, Le)] {
            assert_eq!(negated(compared(operator)), compared(opposite));
        }
        for condition in [compared(Eq), compared(And), AstExpr::Name("c0".to_owned())] {
            let not = AstExpr::Op(Eq, vec![condition.clone(), AstExpr::Int(0)]);
            assert_eq!(negated(condition), not);
        }
    }
}
