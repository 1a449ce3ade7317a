//! The values that enter and leave the region.

use polyhedra::{Result, Schedule, Simplify, Text, UnionMap, UnionSet, maps_of, settled_text};
use scop::{IslMap, IslSet, LiveAccess};

use crate::accesses::{is_visible, tag};
use crate::dataflow::Dataflow;

/// Returns the reads that may take a value from before the region, because no write of the element certainly
/// happens before them. Arrays that exist only inside the region have no value before it.
pub fn live_in(dataflow: &Dataflow<'_>) -> Result<Vec<LiveAccess>> {
    let mut visible = Vec::new();
    for live in live_accesses(dataflow, dataflow.values.without_kill.copy()?)? {
        if is_visible(dataflow.model, dataflow.model.access(live.access)?)? {
            visible.push(live);
        }
    }
    Ok(visible)
}

/// The values after the region in arrays that code after it may read.
pub struct Ends {
    /// The writes whose values may still exist: `{ [S0[i] -> a1[]] -> A0[i, j] }`.
    pub writes: UnionMap,
    /// The elements that may still have their value from before the region.
    pub uncertain: UnionSet,
}

impl Ends {
    /// Finds the values.
    ///
    /// *Before → after:* the source order → the same order, followed by an instance `END[]` that reads everything
    /// that was written. The writes on which `END[]` depends are live.
    pub fn new(dataflow: &Dataflow<'_>) -> Result<Self> {
        let writes = &dataflow.accesses.lasting_writes;
        let end = UnionSet::parse("{ [END[] -> end[]] }")?;
        let reads = UnionMap::from_domain_and_range(end.copy()?, writes.copy()?.range()?)?;
        let order = dataflow.order.copy()?.sequence(Schedule::from_domain(end)?)?;
        let last = dataflow.compute_in(&order, &reads, &dataflow.accesses.writes()?)?;
        Ok(Self { writes: last.full.range_factor_range()?, uncertain: last.without_kill.range()? })
    }

    /// Returns the writes, one entry for each access.
    pub fn live_out(&self, dataflow: &Dataflow<'_>) -> Result<Vec<LiveAccess>> {
        live_accesses(dataflow, self.writes.copy()?)
    }
}

/// Converts `{ [S0[i] -> a1[]] -> A0[i] }` into one entry for each access.
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
