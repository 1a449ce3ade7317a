//! Which values a part of a kernel takes from elsewhere, and which it leaves for others.
//!
//! A part consists of the instances that agree in the first schedule dimensions: a block, or a tile of it. Values
//! enter and leave it along flow dependences between instances.

use std::collections::BTreeSet;

use polyhedra::{Result, Text, UnionMap, UnionSet};
use scop::{Access, AccessId, Array, Dependence, Dependences, IslMap};

use crate::kernel::view::KernelView;

/// The accesses to an array that one buffer serves, and the part of the kernel for which the buffer lasts.
pub struct Part<'a> {
    /// The kernel.
    pub view: &'a KernelView<'a>,
    /// The dependences of the region.
    pub dependences: &'a Dependences,
    /// The accesses that the buffer serves.
    pub own: &'a BTreeSet<AccessId>,
    /// The number of schedule dimensions that are fixed in a part.
    pub depth: u32,
}

impl Part<'_> {
    /// Returns the instances at which a read takes a value that no own access wrote in the same part: a value from
    /// before the region, or from other instances. (If the instance itself wrote the value, there is no dependence.)
    pub fn reads_from_outside(&self, read: AccessId) -> Result<UnionSet> {
        let inside = self.inner_flow(|flow| flow.sink == read && self.own.contains(&flow.source))?;
        let instances = self.view.instances_of(read)?;
        let flows = self.dependences.flow.iter().filter(|flow| flow.sink == read);
        let all = union_of(flows.map(|flow| &flow.relation))?.intersect_range(instances.copy()?)?;
        let live = self.dependences.live_in.iter().filter(|live| live.access == read);
        let from_before = union_of(live.map(|live| &live.relation))?.domain()?.intersect(instances)?;
        if all.is_subset(&inside)? {
            return Ok(from_before);
        }
        Ok(all.subtract(inside)?.range()?.union(from_before)?)
    }

    /// True if a value that an access writes may be read in another part, by an access outside the buffer, or after
    /// the region.
    pub fn is_needed_outside(&self, array: &Array, write: AccessId) -> Result<bool> {
        if array.visible {
            return Ok(true);
        }
        let inside = self.inner_flow(|flow| flow.source == write && self.own.contains(&flow.sink))?;
        Ok(!self.flow_from(write)?.is_subset(&inside)?)
    }

    /// Returns the instances at which an access writes a value that may be read in another part, by an access outside
    /// the buffer, or after the region. A *may* write counts as a write: if it does not happen, the old value is
    /// read.
    pub fn writes_for_outside(&self, write: AccessId) -> Result<UnionSet> {
        let inside = self.inner_flow(|flow| flow.source == write && self.own.contains(&flow.sink))?;
        let live = self.dependences.live_out.iter().filter(|live| live.access == write);
        let for_after = union_of(live.map(|live| &live.relation))?.domain()?;
        let needed = self.flow_from(write)?.subtract(inside)?.domain()?.union(for_after)?;
        Ok(needed.intersect(self.view.instances_of(write)?)?)
    }

    fn flow_from(&self, write: AccessId) -> Result<UnionMap> {
        let flows = self.dependences.flow.iter().filter(|flow| flow.source == write);
        union_of(flows.map(|flow| &flow.relation))
    }

    /// Returns the flow dependences between two instances of the same part of this kernel.
    fn inner_flow(&self, wanted: impl Fn(&Dependence) -> bool) -> Result<UnionMap> {
        let wanted = self.dependences.flow.iter().filter(|flow| wanted(flow));
        self.view.at_equal_prefix(union_of(wanted.map(|flow| &flow.relation))?, self.depth)
    }
}

/// Returns the ids of accesses.
pub fn ids<'a>(accesses: impl Iterator<Item = &'a Access>) -> BTreeSet<AccessId> {
    accesses.map(|access| access.id).collect()
}

fn union_of<'a>(relations: impl Iterator<Item = &'a IslMap>) -> Result<UnionMap> {
    let mut union = UnionMap::parse("{ }")?;
    for relation in relations {
        union = union.union(UnionMap::parse(&relation.0)?)?;
    }
    Ok(union)
}
