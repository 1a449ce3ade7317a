//! Puts the transfers between host and device into the tree.

use polyhedra::{Error, Result, ScheduleNode, Text, UnionMap, UnionSet};

use crate::device::transfers::{Condition, Plan, Side, Transfer, is_host_mark};
use place::kernel::view::names;

/// Puts transfers around the region, and around host code between kernels. Takes and returns the root.
///
/// ```text
/// domain (T)   →   domain
///                    sequence
///                      to_device_A0, …
///                      T, in which each mark "host" (H) is replaced by
///                        sequence
///                          from_device_A0_0, …  what kernels write and H uses
///                          mark "host" (H)
///                          to_device_A0_1, …    what H writes and kernels use
///                      from_device_A0, …
/// ```
///
/// # Errors
/// Returns isl's error if an isl operation fails, and an error if the plan is for another tree.
pub fn insert(root: ScheduleNode, plan: &Plan) -> Result<ScheduleNode> {
    if plan.around_region.is_empty() && plan.around_host_code.is_empty() {
        return Ok(root);
    }
    let mut host_code = plan.around_host_code.iter();
    let root = around_host_code(root, &mut host_code)?;
    let node = root.child(0)?;
    Ok(around(node, &plan.around_region, 0)?.root()?)
}

fn around_host_code<'a>(
    mut node: ScheduleNode,
    host_code: &mut impl Iterator<Item = &'a Vec<Transfer>>,
) -> Result<ScheduleNode> {
    if is_host_mark(&node)? {
        let depth = node.get_schedule_depth()?;
        let own = host_code.next().ok_or_else(|| Error::new("host code without a plan of its transfers"))?;
        return around(node, own, depth);
    }
    for position in 0..node.n_children()? {
        let height = node.get_tree_depth()?;
        let child = around_host_code(node.child(position)?, host_code)?;
        let below = child.get_tree_depth()? - height;
        node = child.ancestor(below)?;
    }
    Ok(node)
}

/// *Rewrite:* a node → a sequence of transfers, the node, and transfers.
fn around(mut node: ScheduleNode, transfers: &[Transfer], depth: i32) -> Result<ScheduleNode> {
    for transfer in transfers {
        let tree = tree_of(transfer, depth)?;
        node = match transfer.side {
            Side::Before => node.graft_before(tree)?,
            Side::After => node.graft_after(tree)?,
        };
    }
    Ok(node)
}

/// Returns the tree of one transfer: `{ [h…] -> to_device_A0[h…] : … }`.
fn tree_of(transfer: &Transfer, depth: i32) -> Result<ScheduleNode> {
    let (name, outer) = (&transfer.name, names("h", depth as u32));
    let everywhere = UnionMap::parse(&format!("{{ [{outer}] -> {name}[{outer}] }}"))?;
    let somewhere = match &transfer.condition {
        Condition::Iterations(iterations) => {
            everywhere.intersect_domain(UnionSet::from_set(iterations.copy()?)?)?
        }
        Condition::Parameters(parameters) => everywhere.intersect_params(parameters.copy()?)?,
    };
    // isl 0.27 generates no condition on an integer of which it only knows that one exists.
    Ok(ScheduleNode::from_extension(somewhere.compute_divs()?)?)
}
