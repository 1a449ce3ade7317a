//! Where kernels stand in a tree.

use std::collections::BTreeMap;

use polyhedra::{Result, ScheduleNode, ScheduleNodeType, UnionMap, UnionSet};
use scop::{KernelId, mark};

/// The place of a kernel.
pub struct Site {
    /// The instances that it executes.
    pub instances: UnionSet,
    /// The loops on the host around it, as a schedule.
    pub prefix: UnionMap,
}

/// Returns the places of all kernels below a node.
pub fn sites(node: &ScheduleNode) -> Result<BTreeMap<KernelId, Site>> {
    let mut found = BTreeMap::new();
    visit(node, &mut found)?;
    Ok(found)
}

fn visit(node: &ScheduleNode, found: &mut BTreeMap<KernelId, Site>) -> Result<()> {
    if node.get_type()? == ScheduleNodeType::Mark
        && let Some(kernel) = mark::kernel_of(node.mark_get_id()?.get_name()?)
    {
        let site = Site { instances: node.get_domain()?, prefix: node.get_prefix_schedule_union_map()? };
        found.insert(kernel, site);
        return Ok(());
    }
    for position in 0..node.n_children()? {
        visit(&node.get_child(position)?, found)?;
    }
    Ok(())
}
