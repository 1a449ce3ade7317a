//! Barriers between the steps of a block.

use polyhedra::{Result, ScheduleNode, Text, UnionMap};
use scop::mark;

/// *Rewrite:* `N` → `sequence (N, barrier)`; returns `N`.
///
/// The barrier is an extension statement with the outer schedule dimensions as its coordinates, so all threads
/// execute it whatever their own instances are.
pub fn insert_after(node: ScheduleNode) -> Result<ScheduleNode> {
    let depth = node.get_schedule_depth()?;
    let dims = polyhedra::numbered("h", depth as usize);
    let dims = dims.join(", ");
    let extension = UnionMap::parse(&format!("{{ [{dims}] -> {}{depth}[{dims}] }}", mark::BARRIER))?;
    Ok(node.graft_after(ScheduleNode::from_extension(extension)?)?)
}
