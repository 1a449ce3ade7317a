//! The place of a kernel in a tree.

use polyhedra::{Result, ScheduleNode, UnionMap, UnionSet};

/// The place of a kernel.
pub struct Site {
    /// The instances that it executes.
    pub instances: UnionSet,
    /// The loops on the host around it, as a schedule.
    pub prefix: UnionMap,
    /// The band that it tiles, as a schedule; nothing for a kernel of one thread.
    pub band: Option<UnionMap>,
}

impl Site {
    /// Returns the place of a kernel that is made of the subtree at a node, with a band.
    pub fn at(node: &ScheduleNode, band: Option<UnionMap>) -> Result<Self> {
        let (instances, prefix) = (node.get_domain()?, node.get_prefix_schedule_union_map()?);
        Ok(Self { instances, prefix, band })
    }
}
