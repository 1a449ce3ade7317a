//! The place of a kernel in a tree.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{Result, ScheduleNode, Text, UnionMap, UnionSet, sets_of, within};
use scop::{Access, AccessId, AccessKind, ArrayId, Model};

/// The place of a kernel.
pub struct Site {
    /// The instances that it executes.
    pub instances: UnionSet,
    /// The loops on the host around it, as a schedule.
    pub prefix: UnionMap,
    /// The band that it tiles, as a schedule; nothing for a kernel of one thread.
    pub band: Option<UnionMap>,
    /// Whether one block runs the first member of the band in steps, and its threads divide the others.
    pub in_steps: bool,
    /// The accesses of updates in any order whose elements data choose, with the number of these elements if blocks may
    /// have sums of their own.
    pub bins: BTreeMap<AccessId, Option<u64>>,
    /// The accesses that are only reads, once computed.
    only_read: OnceCell<BTreeSet<AccessId>>,
}

/// A limit on isl operations for finding elements that a kernel reads and does not write. It is that of gpulocalizer.
const OPERATIONS: u64 = 200_000;

impl Site {
    /// Describes the place of a kernel.
    pub fn new(instances: UnionSet, prefix: UnionMap, band: Option<UnionMap>) -> Self {
        let bins = BTreeMap::new();
        Self { instances, prefix, band, in_steps: false, bins, only_read: OnceCell::new() }
    }

    /// Returns the place of a kernel that is made of the subtree at a node, with a band.
    pub fn at(node: &ScheduleNode, band: Option<UnionMap>) -> Result<Self> {
        Ok(Self::new(node.get_domain()?, node.get_prefix_schedule_union_map()?, band))
    }

    /// Returns the place of a kernel of one block that runs the first member of the band in steps.
    pub fn in_steps(node: &ScheduleNode, band: UnionMap) -> Result<Self> {
        Ok(Self { in_steps: true, ..Self::at(node, Some(band))? })
    }

    /// Returns the accesses to elements that no launch both reads and writes, of arrays of which it writes other
    /// elements. As in gpulocalizer, they need not be in the same memory as the others.
    pub fn only_read(&self, model: &Model) -> Result<&BTreeSet<AccessId>> {
        if let Some(known) = self.only_read.get() {
            return Ok(known);
        }
        let mut found = BTreeSet::new();
        let mut accesses: Vec<&Access> = Vec::new();
        for set in sets_of(&self.instances)? {
            let Ok(id) = set.get_tuple_name()?.parse() else { continue };
            accesses.extend(&model.statement(id)?.accesses);
        }
        let arrays: BTreeSet<ArrayId> = accesses.iter().map(|access| access.array).collect();
        for array in arrays {
            let own: Vec<&Access> = accesses.iter().filter(|access| access.array == array).copied().collect();
            if let Some(more) = within(OPERATIONS, || self.only_read_of(&own))? {
                found.extend(more);
            }
        }
        Ok(self.only_read.get_or_init(|| found))
    }

    fn only_read_of(&self, accesses: &[&Access]) -> Result<BTreeSet<AccessId>> {
        let writes = || accesses.iter().filter(|access| access.kind == AccessKind::Write);
        let is_known = |access: &Access| writes().any(|write| write.relation == access.relation);
        let others = || accesses.iter().filter(|access| !is_known(access));
        if writes().next().is_none()
            || accesses.iter().any(|access| access.indirect)
            || others().next().is_none()
        {
            return Ok(BTreeSet::new());
        }
        let launched = self.prefix.copy()?.intersect_domain(self.instances.copy()?)?.reverse()?;
        let touched = |access: &Access| -> Result<UnionMap> {
            Ok(launched.copy()?.apply_range(UnionMap::parse(&access.relation.0)?)?)
        };
        let mut written = UnionMap::parse("{ }")?;
        for write in writes() {
            written = written.union(touched(write)?)?;
        }
        let mut found = BTreeSet::new();
        for access in others() {
            if touched(access)?.is_disjoint(&written)? {
                found.insert(access.id);
            }
        }
        Ok(found)
    }
}
