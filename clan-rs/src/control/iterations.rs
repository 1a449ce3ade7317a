//! The iterations of a loop, or the reason why they cannot be determined.

use polyhedra::{DimType, PwAff, Set, Simplify};
use scop::{CType, SourceRange};

use crate::affine::point::Point;
use crate::affine::translator::Affine;
use crate::c::ctree::{Stmt, VariableId};
use crate::c::facts::Facts;
use crate::control::after_loop::later;
use crate::control::unequal;
use crate::errors::{CHANGED, ENDLESS, Fault, ITERATOR_CHANGED, Result};
use crate::regions::header::Header;

pub fn iterations(affine: &mut Affine, header: &Header, point: &Point) -> Result<(PwAff, Point)> {
    let outer_first = affine.value(header.first, point, "first value of a loop")?;
    let mut loops = point.loops.clone();
    loops.push(header.iterator);
    let lifted = point.domain.copy()?.add_dims(DimType::Set, 1)?;
    let values = point.values.entering(&lifted)?;
    let mut reached = Point { loops, domain: lifted, values };
    let first = outer_first.copy()?.add_dims(DimType::In, 1)?;
    let progression = progression(first.copy()?, header.step, &reached)?;
    reached.domain = reached.domain.intersect(progression)?;
    let holds = match unequal::meeting(affine.environment.tree, header) {
        Some(meeting) => unequal::before(affine, header, &meeting, &reached, first)?,
        None => affine.condition(header.condition, &reached, "loop condition")?,
    };
    let domain = uninterrupted(&reached, holds, header.step)?;
    let values = reached.values.within(&domain)?;
    let inside = Point { loops: reached.loops, domain, values };
    check_end(affine, header, &inside)?;
    Ok((outer_first, inside))
}

/// Checks that the loop ends, and that its iterator does not wrap around before.
fn check_end(affine: &mut Affine, header: &Header, inside: &Point) -> Result<()> {
    let environment = affine.environment;
    if !affine.instances(inside)?.compute_divs()?.is_bounded()? {
        return Err(endless(header, environment.name(header.iterator)));
    }
    let ctype = environment.tree.variable(header.iterator).arithmetic().unwrap_or(CType::Int);
    if !ctype.is_unsigned() && ctype.size() >= CType::Int.size() {
        return Ok(());
    }
    let next = inside.iterator(inside.depth() - 1)?.add(inside.constant(header.step)?)?;
    let (least, _) = ctype.range();
    let counts_below = header.step < 0 && least == 0;
    affine.require_range(&next, ctype, header.condition, inside).map_err(|fault| {
        if counts_below { counts_below_zero(header, environment.name(header.iterator), ctype) } else { fault }
    })
}

/// Returns the values `first + k * step` of the last dimension for k ≥ 0.
fn progression(first: PwAff, step: i128, point: &Point) -> Result<Set> {
    let iterator = point.iterator(point.depth() - 1)?;
    let distance = if step > 0 { iterator.sub(first)? } else { first.sub(iterator)? };
    let ahead = distance.copy()?.nonneg_set()?;
    if step.abs() == 1 {
        return Ok(ahead);
    }
    let modulus = polyhedra::Val::read_from_str(polyhedra::context(), &step.abs().to_string())?;
    Ok(ahead.intersect(distance.mod_val(modulus)?.zero_set()?)?)
}

/// Returns the values before the first one for which the condition fails. Usually, once the condition fails, it
/// fails for all later values as well, and no subtraction is needed.
fn uninterrupted(reached: &Point, holds: Set, step: i128) -> Result<Set> {
    let failing = reached.domain.copy()?.subtract(holds.copy()?)?;
    let passing = reached.domain.copy()?.intersect(holds)?.simplified()?;
    let beyond = failing.apply(later(passing.get_space()?, reached.depth() - 1, step)?)?;
    if passing.is_disjoint(&beyond)? { Ok(passing) } else { Ok(passing.subtract(beyond)?.simplified()?) }
}

fn endless(header: &Header, name: &str) -> Fault {
    let (direction, relation) = if header.step > 0 { ("up", "<") } else { ("down", ">") };
    let message = format!("this loop counts {direction}, but its condition does not end it");
    Fault::new(ENDLESS, message, header.condition.range, format!("this does not bound `{name}`"))
        .with_help(format!("write a condition of the form `{name} {relation} bound`, or reverse the step"))
}

fn counts_below_zero(header: &Header, name: &str, ctype: CType) -> Fault {
    let message = format!("`{name}` is of type `{ctype}` and counts down past zero");
    Fault::new(
        ENDLESS,
        message,
        header.condition.range,
        format!("`{name}` wraps around instead of ending the loop"),
    )
    .with_help(format!("give `{name}` a signed type"))
}

pub fn iterator_changed(header: &Header, name: &str, stmt: &Stmt, writes: &Facts) -> Fault {
    let place = writes.first_write(header.iterator).unwrap_or(stmt.range);
    let message = format!("`{name}` counts a loop and is changed inside it");
    Fault::new(
        ITERATOR_CHANGED,
        message,
        place,
        format!("the loop on line {} counts with `{name}`", stmt.range.line),
    )
    .with_help("use another variable here; `for (int i = …)` gives each loop one of its own")
}

/// Returns a variable in the condition of a loop whose body changes that variable. Whether the condition holds then
/// depends on the previous iteration.
pub fn changed_bound(header: &Header, writes: &Facts) -> Option<(VariableId, SourceRange)> {
    let mut found = None;
    header.condition.walk(&mut |inner| {
        let changed = inner.as_variable().filter(|&id| id != header.iterator && writes.may_change(id));
        found = found.or(changed.map(|id| (id, inner.range)));
    });
    found
}

pub fn bound_changed(name: &str, place: SourceRange, changed: Option<SourceRange>) -> Fault {
    let message = format!("this loop condition uses `{name}`, which the body of the loop changes");
    let label = match changed {
        Some(range) => format!("`{name}` is changed on line {}", range.line),
        None => format!("`{name}` may be changed through its address"),
    };
    Fault::new(CHANGED, message, place, label).with_help(format!(
        "to end the loop at the value that `{name}` has before it, copy `{name}` to another variable before the loop"
    ))
}
