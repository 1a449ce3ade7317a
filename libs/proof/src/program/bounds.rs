//! The headers of loops.

use polyhedra::{Error, Result, Set};
use scop::ast::{AstExpr, AstOp};

use super::value::{Scope, operation};

/// Returns the step of a loop.
///
/// # Errors
/// Fails if the step is not a positive constant, which V11 excludes.
pub fn step(increment: &AstExpr) -> Result<i64> {
    match increment {
        AstExpr::Int(step) if increment.is_step() => Ok(*step),
        other => Err(Error::bug(format!("a loop with the step {other}"))),
    }
}

/// Returns the points of the scope at which `iterator - init` is a multiple of `step`.
///
/// A loop often begins at the maximum of several values that all leave the same remainder, for example at
/// `max(16*by + ty, (ty + 7) % 8 + 1)` with step 8. It then does not matter which value is the maximum, and the set
/// is not split into a case for each.
///
/// # Errors
/// Fails as [`Scope::condition`] does.
pub fn stride(scope: &Scope<'_>, iterator: &AstExpr, init: &AstExpr, step: i64) -> Result<Set> {
    let mut values = Vec::new();
    largest_of(init, &mut values);
    values.sort_by_key(|value| operations(value));
    let Some((simplest, others)) = values.split_first() else {
        return congruent(scope, iterator, init, step);
    };
    for other in others {
        if !scope.domain.is_subset(&congruent(scope, other, simplest, step)?)? {
            return congruent(scope, iterator, init, step);
        }
    }
    congruent(scope, iterator, simplest, step)
}

/// Returns the points at which two values leave the same remainder modulo `step`.
fn congruent(scope: &Scope<'_>, left: &AstExpr, right: &AstExpr, step: i64) -> Result<Set> {
    let distance = operation(AstOp::Sub, left.clone(), right.clone());
    let floor = operation(AstOp::FloorDiv, distance.clone(), AstExpr::Int(step));
    scope.condition(&operation(AstOp::Eq, distance, operation(AstOp::Mul, AstExpr::Int(step), floor)))
}

/// Collects the values of which an expression is the maximum.
fn largest_of<'a>(expr: &'a AstExpr, values: &mut Vec<&'a AstExpr>) {
    match expr {
        AstExpr::Op(AstOp::Max, operands) => {
            operands.iter().for_each(|operand| largest_of(operand, values));
        }
        value => values.push(value),
    }
}

fn operations(expr: &AstExpr) -> usize {
    match expr {
        AstExpr::Op(_, operands) => 1 + operands.iter().map(operations).sum::<usize>(),
        _ => 0,
    }
}

/// Checks that the condition of a loop is an upper bound. A loop ends where its condition first fails, so only then
/// do the values for which the condition holds make up the loop.
pub fn upper_bound(condition: &AstExpr, iterator: &str) -> Result<()> {
    if condition.is_upper_bound(iterator) {
        return Ok(());
    }
    Err(Error::bug(format!("a loop that runs while {condition}")))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails panics")]
mod tests {
    use polyhedra::Text;

    use super::*;

    fn name(name: &str) -> AstExpr {
        AstExpr::Name(name.to_owned())
    }

    /// `max(b, t + distance)`
    fn largest(distance: i64) -> AstExpr {
        operation(AstOp::Max, operation(AstOp::Add, name("t"), AstExpr::Int(distance)), name("b"))
    }

    #[test]
    fn values_with_one_remainder_are_no_cases() {
        let names = ["b", "t", "i"].map(ToOwned::to_owned);
        for (domain, distance, cases, expected) in [
            ("{ [b, t, i] : (b - t) mod 8 = 0 }", 16, 1, "{ [b, t, i] : (i - b) mod 8 = 0 }"),
            (
                "{ [b, t, i] : (b - t) mod 8 = 0 }",
                3,
                2,
                "{ [b, t, i] : (b >= t + 3 and (i - b) mod 8 = 0) or (b < t + 3 and (i - t - 3) mod 8 = 0) }",
            ),
            (
                "{ [b, t, i] }",
                16,
                2,
                "{ [b, t, i] : (b >= t + 16 and (i - b) mod 8 = 0) or (b < t + 16 and (i - t) mod 8 = 0) }",
            ),
        ] {
            let scope = Scope { names: &names, domain: &Set::parse(domain).unwrap() };
            let found = stride(&scope, &name("i"), &largest(distance), 8).unwrap();
            assert_eq!(found.n_basic_set().unwrap(), cases, "{domain} {distance}");
            let (found, expected) = [found, Set::parse(expected).unwrap()]
                .map(|set| set.intersect(Set::parse(domain).unwrap()).unwrap())
                .into();
            assert!(found.is_equal(&expected).unwrap(), "{domain} {distance}");
        }
    }
}
