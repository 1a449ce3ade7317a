//! Loops that run until their iterator equals a value: `for (i = first; i != bound; i += step)`.
//!
//! Such a loop ends only if the iterator hits the value exactly. If it does not, a signed iterator overflows, which
//! is undefined behaviour; therefore, the condition may be read as `i < bound`. An unsigned iterator wraps around
//! and may hit the value later. That it hits the value the first time is proved, or assumed of the parameters.

use polyhedra::{PwAff, Set, Val, context};
use scop::{BinaryOp, CType};

use crate::affine::point::Point;
use crate::affine::translator::Affine;
use crate::c::ctree::{Expr, ExprKind, Tree, VariableId};
use crate::errors::{ENDLESS, Fault, Result};
use crate::regions::header::Header;

/// The two sides of `i != bound`: the iterator and the bound.
pub struct Meeting<'t> {
    iterator: &'t Expr,
    bound: &'t Expr,
}

/// Returns the sides of a loop's condition, if it has this form.
pub fn meeting<'t>(tree: &Tree, header: &Header<'t>) -> Option<Meeting<'t>> {
    let ExprKind::Binary(BinaryOp::Ne, left, right) = &header.condition.kind else { return None };
    let small =
        tree.variable(header.iterator).arithmetic().is_none_or(|ctype| ctype.size() < CType::Int.size());
    let is_iterator = |expr: &Expr| expr.without_casts().as_variable() == Some(header.iterator);
    match (is_iterator(left), is_iterator(right)) {
        _ if small => None,
        (true, false) if !mentions(right, header.iterator) => Some(Meeting { iterator: left, bound: right }),
        (false, true) if !mentions(left, header.iterator) => Some(Meeting { iterator: right, bound: left }),
        _ => None,
    }
}

fn mentions(expr: &Expr, id: VariableId) -> bool {
    let mut mentions = false;
    expr.walk(&mut |inner| mentions |= inner.as_variable() == Some(id));
    mentions
}

/// Returns the iterator values before the bound. `reached` contains the values that the steps of the loop reach,
/// and `first` is the first of them.
pub fn before(
    affine: &mut Affine,
    header: &Header,
    meeting: &Meeting,
    reached: &Point,
    first: PwAff,
) -> Result<Set> {
    let iterator = affine.value(meeting.iterator, reached, "loop condition")?;
    let bound = affine.value(meeting.bound, reached, "loop condition")?;
    let distance = if header.step > 0 { bound.sub(iterator)? } else { iterator.sub(bound)? };
    let ctype = affine.environment.tree.variable(header.iterator).arithmetic().unwrap_or(CType::Int);
    if ctype.is_unsigned() {
        let start = reached.iterator(reached.depth() - 1)?.eq_set(first)?;
        require_hit(affine, header, distance.copy()?, reached, start)?;
    }
    Ok(distance.pos_set()?)
}

/// Proves or assumes that the iterator hits the bound: that at its first value, the distance to the bound is a
/// multiple of the step.
fn require_hit(
    affine: &mut Affine,
    header: &Header,
    distance: PwAff,
    reached: &Point,
    start: Set,
) -> Result<()> {
    let modulus = Val::read_from_str(context(), &header.step.abs().to_string())?;
    let hits = distance.copy()?.nonneg_set()?.intersect(distance.mod_val(modulus)?.zero_set()?)?;
    let known = affine.known(reached)?;
    let misses = known.copy()?.intersect(start)?.subtract(hits)?;
    if misses.is_empty()? {
        return Ok(());
    }
    let range = header.condition.range;
    match affine.assumption(misses.copy()?.params()?, &known)? {
        Some(assumption) => {
            let label = "otherwise the loop misses this value";
            let help = "write the condition with `<` or `>` to avoid the assumption";
            affine.assume(assumption, misses.params()?, range, label, help)
        }
        None => {
            let message = "this loop may miss the value that ends it";
            Err(Fault::new(ENDLESS, message, range, "not proved to be hit").with_help(
                "write the condition with `<` or `>`, or count with a signed integer such as `int` or `long`",
            ))
        }
    }
}
