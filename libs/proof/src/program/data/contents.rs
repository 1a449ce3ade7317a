//! Checks that a buffer holds what is read from it, and that what is written to it comes back.

use polyhedra::{Result, Set};
use scop::ast::Node;
use scop::{Access, AccessKind, Buffer, Diagnostic};

use super::buffers::Used;
use super::facts::Facts;
use super::memory::Memory;
use super::users::{Buffers, Role, User};
use super::within::within_arrays;
use crate::program::instances::Executed;
use crate::program::leaf::{Launch, Leaf};
use crate::report::{self, Fault};

/// Returns the messages about buffers. Those of shared sums hold what their threads put there as all others do; how
/// they meet the array, [`crate::program::partial`] checks.
pub fn check(facts: &Facts<'_>, buffers: &Buffers<'_>, barriers: &[&Leaf<'_>]) -> Result<Vec<Diagnostic>> {
    let mut messages = Vec::new();
    for ((id, _), users) in buffers.users(&facts.walked.leaves, facts.executed())? {
        let Some(buffer) = buffers.by_id.get(&id) else { continue };
        messages.extend(check_buffer(facts, buffers, buffer, &users, barriers)?);
    }
    Ok(messages)
}

fn check_buffer(
    facts: &Facts<'_>,
    buffers: &Buffers<'_>,
    buffer: &Buffer,
    users: &[User<'_>],
    barriers: &[&Leaf<'_>],
) -> Result<Vec<Diagnostic>> {
    let used = Used::new(users, buffer.memory, facts.sections.dependences);
    let mut messages = Vec::new();
    if !used.is_consistent()? {
        messages.push(report::describe_buffer(
            buffer,
            "E0213",
            "two elements have the same place, or one element has two, in",
        ));
    }
    let memory = Memory::of(buffer)?;
    if !memory.is_sound {
        messages.push(report::describe_buffer(
            buffer,
            "E0213",
            "two places coincide, or one is beyond the memory, in",
        ));
    }
    for user in users {
        messages.extend(check_place(facts, &memory, buffer, user)?);
    }
    if used.has_race(barriers)? {
        let words = "a thread uses what another one stores, without a barrier between them, in";
        messages.push(report::describe_buffer(buffer, "E0214", words));
    }
    let is_partial = buffer.partial.is_some();
    if !is_partial && used.races_on_array(barriers)? {
        let words =
            "a thread copies an element that another one copies out, without a barrier between them, through";
        messages.push(report::describe_buffer(buffer, "E0214", words));
    }
    if !is_partial && has_other_route(facts, buffers, buffer, users)? {
        let words = "elements are copied out, but a statement of the launch may bypass";
        messages.push(report::describe_buffer(buffer, "E0217", words));
    }
    for user in users {
        let found = match (user.role, user.executed) {
            (Role::Read(access), Some(executed)) => {
                used.unprovided(user, access)?.map(|points| (executed, Fault::Unprovided(access), points))
            }
            (Role::Write(access, _), Some(executed)) => {
                used.lost(user, access)?.map(|points| (executed, Fault::Lost(access), points))
            }
            _ => {
                messages.extend(check_copy(facts, &used, buffer, user)?);
                None
            }
        };
        if let Some((executed, fault, points)) = found {
            messages.push(facts.message(executed, fault, points)?);
        }
    }
    Ok(messages)
}

/// True if something is copied out of a buffer, and a statement of the same launch uses one of these elements without
/// going through the buffer.
fn has_other_route(
    facts: &Facts<'_>,
    buffers: &Buffers<'_>,
    buffer: &Buffer,
    users: &[User<'_>],
) -> Result<bool> {
    for out in users.iter().filter(|user| user.role == Role::CopyOut) {
        let Some(launch) = out.leaf.launch else { continue };
        let in_launch =
            |executed: &&Executed<'_>| executed.leaf.launch.is_some_and(|l| l.grid == launch.grid);
        for executed in facts.executed().filter(in_launch) {
            for place in executed.accesses.iter().filter(|place| place.buffer != Some(buffer.id)) {
                let access = executed.statement.access(place.access);
                let Some(access) = access.filter(|access| access.array == buffer.array) else { continue };
                if meet(out, launch, (buffers, executed, access))? {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// True if an access may touch an element that is copied out in the same launch.
fn meet(
    out: &User<'_>,
    launch: Launch,
    (buffers, executed, access): (&Buffers<'_>, &Executed<'_>, &Access),
) -> Result<bool> {
    if access.indirect || executed.leaf.launch.is_none_or(|other| other.first != launch.first) {
        return Ok(true);
    }
    let element = executed.at_points(buffers.element(executed.statement, access)?)?;
    let other = User { role: out.role, leaf: executed.leaf, executed: Some(executed), place: &[], element };
    let of = |user: &User<'_>| -> Result<Set> {
        Ok(user.with_coordinates(launch.first, user.element.copy()?)?.range()?)
    };
    Ok(!of(&other)?.is_disjoint(&of(out)?)?)
}

/// Checks that the places of a user are in the memory of its buffer.
fn check_place(
    facts: &Facts<'_>,
    memory: &Memory,
    buffer: &Buffer,
    user: &User<'_>,
) -> Result<Option<Diagnostic>> {
    let Some(points) = memory.beyond(user, user.points()?)? else { return Ok(None) };
    let points = facts.started(user.leaf, points)?.intersect_params(within_arrays(facts.sections.model)?)?;
    if points.is_empty()? {
        return Ok(None);
    }
    report::describe_copy(buffer, "E0218", "is used beyond the memory of", user.leaf, points).map(Some)
}

/// Checks that a copy stays within the slice of its array, takes nothing undefined from the buffer, and moves no
/// element that another block copies out.
fn check_copy(
    facts: &Facts<'_>,
    used: &Used<'_>,
    buffer: &Buffer,
    user: &User<'_>,
) -> Result<Option<Diagnostic>> {
    let Node::Copy { element, .. } = user.leaf.node else { return Ok(None) };
    let undefined = match user.role {
        Role::CopyOut => used.undefined(user)?,
        _ => None,
    };
    let kind = if user.role == Role::CopyOut { AccessKind::Write } else { AccessKind::Read };
    let outside = facts.outside(user.leaf, &user.leaf.domain, (buffer.array, kind), element)?;
    let faults = [
        ("E0211", undefined, "is copied but was never put into"),
        (
            "E0219",
            if buffer.partial.is_some() { None } else { used.met_by_other_blocks(user)? },
            "that another block of the launch copies out is copied by",
        ),
        ("E0215", outside, "that is not on the device is copied by"),
    ];
    for (code, points, words) in faults {
        let Some(points) = points else { continue };
        let points = facts.started(user.leaf, points)?;
        if !points.is_empty()? {
            return report::describe_copy(buffer, code, words, user.leaf, points).map(Some);
        }
    }
    Ok(None)
}
