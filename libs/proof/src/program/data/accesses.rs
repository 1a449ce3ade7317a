//! Checks that each access goes where the document says.

use polyhedra::Result;
use scop::ast::AccessPlace;
use scop::{Access, Diagnostic};

use super::facts::Facts;
use super::subscripts::misplaced;
use super::users::Buffers;
use crate::program::instances::Executed;
use crate::report::Fault;

/// Returns the messages about single accesses.
pub fn check(facts: &Facts<'_>, buffers: &Buffers<'_>) -> Result<Vec<Diagnostic>> {
    let mut messages = Vec::new();
    for executed in facts.executed() {
        for place in executed.accesses {
            let access = executed.statement.access(place.access).filter(|access| !access.indirect);
            let Some(access) = access else { continue };
            messages.extend(check_access(facts, buffers, executed, access, place)?);
        }
    }
    Ok(messages)
}

/// Checks that an access goes where the document says, and that in a kernel it stays within the slice of its array
/// and updates no relaxed reduction in a buffer.
fn check_access(
    facts: &Facts<'_>,
    buffers: &Buffers<'_>,
    executed: &Executed<'_>,
    access: &Access,
    place: &AccessPlace,
) -> Result<Option<Diagnostic>> {
    let expected = buffers.expected(executed.statement, access, place.buffer)?;
    if let Some(points) = misplaced(executed, &place.index, expected)? {
        return facts.message(executed, Fault::Misplaced(access.id), points).map(Some);
    }
    if executed.leaf.launch.is_none() {
        return Ok(None);
    }
    if place.buffer.is_some() {
        let apart = facts.sections.dependences.relaxed_by(access.id).is_some();
        let points = || executed.points.copy();
        return if apart {
            facts.message(executed, Fault::Apart(access.id), points()?).map(Some)
        } else {
            Ok(None)
        };
    }
    let touched = (access.array, access.kind);
    let checked = if facts.numbered(access.array).is_some() { place.index.len() } else { 1 };
    let row = &place.index[..place.index.len().min(checked)];
    let points = executed.points_of(&executed.at_points(buffers.element(executed.statement, access)?)?)?;
    let outside = facts.outside(executed.leaf, &points, touched, row)?;
    outside.map(|points| facts.message(executed, Fault::OffDevice(access.id), points)).transpose()
}
