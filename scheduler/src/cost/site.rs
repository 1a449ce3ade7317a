//! The place of a kernel in a tree.

use polyhedra::{Result, ScheduleNode, UnionMap, UnionSet};

/// The place of a kernel.
pub struct Site {
    /// The instances that it executes.
    pub instances: UnionSet,
    /// The loops on the host around it, as a schedule.
    pub prefix: UnionMap,
}

impl Site {
    /// Returns the place of a kernel that is made of the subtree at a node.
    pub fn at(node: &ScheduleNode) -> Result<Self> {
        Ok(Self { instances: node.get_domain()?, prefix: node.get_prefix_schedule_union_map()? })
    }
}
