//! Puts the transfers between host and device into the tree.

use polyhedra::{
    DimType, Result, ScheduleNode, ScheduleNodeType, Set, Text, UnionMap, UnionSet, sets_of, tuple_name,
};
use scop::{AccessKind, DeviceArray, StatementId, mark};

use crate::device::host_races::Overwritten;
use crate::device::parts::{Part, Parts, parts};
use crate::device::usage::Usage;

/// Puts transfers around the region, and around host code between kernels; takes and returns the root. What is
/// transferred around host code and is not all becomes one of the arrays' parts. What comes home is noted where it must
/// not.
///
/// ```text
/// domain (T)   →   domain
///                    sequence
///                      to_device_A0, …
///                      T, in which every   mark "host" (H)   became
///                        sequence
///                          from_device_A0_0, …  what kernels write and H uses
///                          mark "host" (H)
///                          to_device_A0_1, …    what H writes and kernels use
///                      from_device_A0, …
/// ```
pub fn insert(
    root: ScheduleNode,
    usage: &Usage<'_>,
    arrays: &mut [DeviceArray],
    overwritten: &mut Overwritten,
) -> Result<ScheduleNode> {
    if usage.mapping.kernels.is_empty() {
        return Ok(root);
    }
    let root = around_host_code(root, usage, arrays, overwritten)?;
    let mut node = root.child(0)?;
    for array in arrays {
        if is_needed(&array.copy_in.0)? {
            node = node.graft_before(transfer(&mark::to_device(array.array), usage, array, 0)?)?;
        }
        if is_needed(&array.copy_out.0)? {
            overwritten.note_whole(usage, array)?;
            node = node.graft_after(transfer(&mark::from_device(array.array), usage, array, 0)?)?;
        }
    }
    Ok(node.root()?)
}

fn is_needed(elements: &str) -> Result<bool> {
    Ok(!Set::parse(elements)?.is_empty()?)
}

fn around_host_code(
    mut node: ScheduleNode,
    usage: &Usage<'_>,
    arrays: &mut [DeviceArray],
    overwritten: &mut Overwritten,
) -> Result<ScheduleNode> {
    if node.get_type()? == ScheduleNodeType::Mark && node.mark_get_id()?.get_name()? == mark::HOST {
        return around(node, usage, arrays, overwritten);
    }
    for position in 0..node.n_children()? {
        let height = node.get_tree_depth()?;
        let child = around_host_code(node.child(position)?, usage, arrays, overwritten)?;
        let below = child.get_tree_depth()? - height;
        node = child.ancestor(below)?;
    }
    Ok(node)
}

fn around(
    mut node: ScheduleNode,
    usage: &Usage<'_>,
    arrays: &mut [DeviceArray],
    overwritten: &mut Overwritten,
) -> Result<ScheduleNode> {
    let depth = node.get_schedule_depth()?;
    let here = statements_at(&node)?;
    for array in arrays {
        let host = usage.accesses_of(&here, array.array)?;
        if host.is_empty() {
            continue;
        }
        let (from, to) = (mark::from_device(array.array), mark::to_device(array.array));
        if let Some(Parts { from_device, to_device }) = parts(&node, &here, usage, array)? {
            if let Some(part) = from_device {
                overwritten.note(usage, array.array, &part.covered.copy()?.range()?)?;
                node = node.graft_before(transfer_of_part(&from, array, part)?)?;
            }
            if let Some(part) = to_device {
                node = node.graft_after(transfer_of_part(&to, array, part)?)?;
            }
            continue;
        }
        if usage.is_written_by_kernels(array.array)? {
            overwritten.note_whole(usage, array)?;
            node = node.graft_before(transfer(&from, usage, array, depth)?)?;
        }
        if host.iter().any(|access| access.kind == AccessKind::Write) {
            node = node.graft_after(transfer(&to, usage, array, depth)?)?;
        }
    }
    Ok(node)
}

/// A tree of one transfer of a part, which becomes the array's: `{ [h…] -> to_device_A0_1[h…] : … }`.
fn transfer_of_part(whole: &str, array: &mut DeviceArray, part: Part) -> Result<ScheduleNode> {
    let name = mark::part(whole, array.parts.len());
    array.parts.push(part.elements);
    let outer = crate::kernel::view::names("h", part.iterations.dim(DimType::Set)? as u32);
    let everywhere = UnionMap::parse(&format!("{{ [{outer}] -> {name}[{outer}] }}"))?;
    let somewhere = everywhere.intersect_domain(UnionSet::from_set(part.iterations)?)?;
    Ok(ScheduleNode::from_extension(somewhere.compute_divs()?)?)
}

/// The statements with instances at a node.
fn statements_at(node: &ScheduleNode) -> Result<Vec<StatementId>> {
    let names = sets_of(&node.get_universe_domain()?)?.iter().map(tuple_name).collect::<Result<Vec<_>>>()?;
    Ok(names.into_iter().flatten().filter_map(|name| name.parse().ok()).collect())
}

/// A tree of one transfer, where the device holds anything of the array: `{ [h…] -> to_device_A0[h…] : … }`.
fn transfer(name: &str, usage: &Usage<'_>, array: &DeviceArray, depth: i32) -> Result<ScheduleNode> {
    let outer = crate::kernel::view::names("h", depth as u32);
    let everywhere = UnionMap::parse(&format!("{{ [{outer}] -> {name}[{outer}] }}"))?;
    let used = usage.used_where(array.array)?;
    // isl 0.27 generates no condition that has an integer in it of which it only knows that there is one.
    Ok(ScheduleNode::from_extension(everywhere.intersect_params(used)?.compute_divs()?)?)
}
