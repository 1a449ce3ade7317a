//! The headers of loops.

use polyhedra::{Error, Result, Set};
use scop::ast::{AstExpr, AstOp};

use super::value::{Scope, operation};

/// The step of a loop.
pub fn step(increment: &AstExpr) -> Result<i64> {
    match increment {
        AstExpr::Int(step) if *step > 0 => Ok(*step),
        other => Err(Error::new(format!("a loop with the step {other}"))),
    }
}

/// Where `iterator - init` is a multiple of `step`.
pub fn stride(scope: &Scope<'_>, iterator: &AstExpr, init: &AstExpr, step: i64) -> Result<Set> {
    let distance = operation(AstOp::Sub, iterator.clone(), init.clone());
    let floor = operation(AstOp::FloorDiv, distance.clone(), AstExpr::Int(step));
    scope.condition(&operation(AstOp::Eq, distance, operation(AstOp::Mul, AstExpr::Int(step), floor)))
}

/// A loop ends where its condition fails for the first time, so the values at which it holds are those of the loop only if it is a
/// bound from above.
pub fn upper_bound(condition: &AstExpr, iterator: &str) -> Result<()> {
    let is_bounded = |value: &AstExpr, bound: &AstExpr| {
        matches!(value, AstExpr::Name(name) if name == iterator) && !mentions(bound, iterator)
    };
    if let AstExpr::Op(operator, sides) = condition
        && let [left, right] = &sides[..]
    {
        match operator {
            AstOp::And => return upper_bound(left, iterator).and_then(|()| upper_bound(right, iterator)),
            AstOp::Le | AstOp::Lt if is_bounded(left, right) => return Ok(()),
            AstOp::Ge | AstOp::Gt if is_bounded(right, left) => return Ok(()),
            _ => {}
        }
    }
    Err(Error::new(format!("a loop that runs while {condition}")))
}

fn mentions(expr: &AstExpr, name: &str) -> bool {
    match expr {
        AstExpr::Int(_) => false,
        AstExpr::Name(known) => known == name,
        AstExpr::Op(_, operands) => operands.iter().any(|operand| mentions(operand, name)),
    }
}
