//! Checks that values from before the region reach the device, and that values needed after it come back.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use polyhedra::{Map, Result, Set, Text};
use scop::{Access, ArrayId, Diagnostic, LiveAccess};

use super::boxes;
use super::facts::Facts;
use super::transfers::{alive, cut_off, transfers};
use super::users::Buffers;
use crate::program::instances::Executed;
use crate::report::Fault;

/// Returns the messages about live-in values that do not reach the device and live-out values that do not come back.
pub fn check(facts: &Facts<'_>, buffers: &Buffers<'_>) -> Result<Vec<Diagnostic>> {
    let dependences = facts.sections.dependences;
    let mut messages = Vec::new();
    for (lives, before) in [(&dependences.live_in, true), (&dependences.live_out, false)] {
        let moved = Moved {
            buffers,
            boxed: boxes::transferred(facts, before)?,
            packed: boxes::packed(facts, before)?,
        };
        for executed in facts.executed().filter(|executed| executed.leaf.launch.is_some()) {
            messages.extend(check_live_values(facts, executed, lives, before, &moved)?);
        }
    }
    Ok(messages)
}

/// What the transfers in one direction move, for arrays of which they do not move the whole slice.
struct Moved<'a> {
    buffers: &'a Buffers<'a>,
    boxed: BTreeMap<ArrayId, Set>,
    /// Elements counted from the array's origin.
    packed: BTreeMap<ArrayId, Set>,
}

/// Checks that the live values of one leaf are transferred before the region, or after it. For some arrays, boxes or
/// numbered elements are transferred.
fn check_live_values(
    facts: &Facts<'_>,
    executed: &Executed<'_>,
    lives: &[LiveAccess],
    before: bool,
    moved: &Moved<'_>,
) -> Result<Vec<Diagnostic>> {
    let mut messages = Vec::new();
    let mut cut: BTreeMap<ArrayId, Option<Set>> = BTreeMap::new();
    for live in lives {
        let access = executed.statement.access(live.access);
        let on_device = |access: &&Access| facts.slices.iter().any(|slice| slice.array == access.array);
        let Some(array) = access.filter(on_device).map(|access| access.array) else { continue };
        let points = match cut.entry(array) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(open) => {
                let transfers = transfers(&facts.walked.leaves, array, before);
                open.insert(cut_off(executed, &transfers, before)?)
            }
        };
        let values = Map::parse(&live.relation.0)?;
        let mut missing = match points {
            Some(points) => alive(executed, values.copy()?, points.copy()?)?,
            None => None,
        };
        let left = if let Some(boxed) = moved.boxed.get(&array) {
            Some(values.subtract_range(boxed.copy()?)?)
        } else if let Some(packed) = moved.packed.get(&array) {
            Some(moved.buffers.counted(array, values)?.subtract_range(packed.copy()?)?)
        } else {
            None
        };
        if let (None, Some(left)) = (&missing, left) {
            missing = alive(executed, left, executed.points.copy()?)?;
        }
        if let Some(points) = missing {
            messages.push(facts.message(executed, Fault::Untransferred(live.access), points)?);
        }
    }
    Ok(messages)
}
