//! The values that cross the border of the region.

use polyhedra::{Result, Schedule, Simplify, Text, UnionMap, UnionSet, maps_of, settled_text};
use scop::{IslMap, IslSet, LiveAccess};

use crate::accesses::{is_visible, tag};
use crate::dataflow::Dataflow;

/// The reads that may take a value from before the region: those before which no write of the element certainly
/// happens. Arrays that exist only inside the region have no value before it.
pub fn live_in(dataflow: &Dataflow<'_>) -> Result<Vec<LiveAccess>> {
    let mut visible = Vec::new();
    for live in live_accesses(dataflow, dataflow.values.without_kill.copy()?)? {
        if is_visible(dataflow.model, dataflow.model.access(live.access)?)? {
            visible.push(live);
        }
    }
    Ok(visible)
}

/// The writes whose value may still be there after the region, to arrays that code after it may read.
///
/// *Before → after:* the order of the source → the same, then an instance `END[]` that reads all that was written.
/// The writes on which it depends are the live ones.
pub fn live_out(dataflow: &Dataflow<'_>) -> Result<Vec<LiveAccess>> {
    let writes = &dataflow.accesses.lasting_writes;
    let end = UnionSet::parse("{ [END[] -> end[]] }")?;
    let reads = UnionMap::from_domain_and_range(end.copy()?, writes.copy()?.range()?)?;
    let order = dataflow.order.copy()?.sequence(Schedule::from_domain(end)?)?;
    let last = dataflow.compute_in(&order, &reads, &dataflow.accesses.writes()?)?;
    live_accesses(dataflow, last.full.range_factor_range()?)
}

/// From `{ [S0[i] -> a1[]] -> A0[i] }`, one entry for each access.
fn live_accesses(dataflow: &Dataflow<'_>, relation: UnionMap) -> Result<Vec<LiveAccess>> {
    let mut live = Vec::new();
    for map in maps_of(&relation)? {
        let access = tag(map.copy()?.domain()?)?;
        let relation = dataflow.simplify(map.domain_factor_domain()?)?;
        if !relation.is_empty()? {
            let elements = relation.copy()?.range()?.simplified()?;
            live.push(LiveAccess {
                access,
                relation: IslMap(settled_text(&relation)?),
                elements: IslSet(elements.text()?),
            });
        }
    }
    live.sort_by_key(|live| live.access);
    Ok(live)
}
