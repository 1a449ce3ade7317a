//! Puts the copies between arrays and buffers, and the barriers that they need, into the tree of a kernel.

use std::ops::Range;

use polyhedra::{
    DimType, Map, MultiPwAff, MultiUnionPwAff, PwMultiAff, Result, ScheduleNode, ScheduleNodeType, Set, Text,
    UnionMap, UnionSet,
};
use scop::{BlockDimension, Kernel, mark};

use crate::kernel_view::names;
use crate::private::PrivateBuffer;
use crate::shared::SharedBuffer;

/// Puts the copies of one kernel into its subtree; takes and returns the node of the kernel's mark.
///
/// ```text
/// band (parallel tile loops)      →   band (parallel tile loops)
///   band (sequential tile loops)        sequence
///     mark "tile" (…)                     copies into private buffers
///                                         band (sequential tile loops)
///                                           sequence
///                                             copies into shared buffers
///                                             barrier
///                                             mark "tile" (…)
///                                             barrier, if there is a next tile
///                                         copies out of private buffers
/// ```
pub fn insert(
    kernel_mark: ScheduleNode,
    kernel: &Kernel,
    private: &[PrivateBuffer],
    shared: &[SharedBuffer],
) -> Result<ScheduleNode> {
    let height = kernel_mark.get_tree_depth()?;
    let node = insert_shared(kernel_mark, kernel, shared)?;
    let node = insert_private(node, kernel, private)?;
    let below = node.get_tree_depth()? - height;
    Ok(node.ancestor(below)?)
}

fn insert_shared(
    kernel_mark: ScheduleNode,
    kernel: &Kernel,
    shared: &[SharedBuffer],
) -> Result<ScheduleNode> {
    if shared.is_empty() {
        return Ok(kernel_mark);
    }
    let height = kernel_mark.get_tree_depth()?;
    let mut node = descend_to_mark(kernel_mark, mark::TILE)?;
    let depth = node.get_schedule_depth()?;
    for buffer in shared {
        let copy = statement(&mark::copy_in(buffer.buffer.id), &buffer.copy_in, &buffer.places)?;
        let copy = distribute(copy, &buffer.box_sizes, &kernel.block)?;
        node = node.graft_before(copy)?;
    }
    node = node.graft_before(barrier(depth, 0)?)?;
    if depth as usize > kernel.host_depth as usize + kernel.grid.len() {
        node = node.graft_after(barrier(depth, 1)?)?;
    }
    let below = node.get_tree_depth()? - height;
    Ok(node.ancestor(below)?)
}

fn insert_private(
    kernel_mark: ScheduleNode,
    kernel: &Kernel,
    private: &[PrivateBuffer],
) -> Result<ScheduleNode> {
    let height = kernel_mark.get_tree_depth()?;
    let mut node = descend_to_depth(kernel_mark, kernel.host_depth as i32 + kernel.grid.len() as i32)?;
    for buffer in private {
        if !buffer.copy_in.is_empty()? {
            let copy = statement(&mark::copy_in(buffer.buffer.id), &buffer.copy_in, &nowhere()?)?;
            node = node.graft_before(copy)?;
        }
        if !buffer.copy_out.is_empty()? {
            let copy = statement(&mark::copy_out(buffer.buffer.id), &buffer.copy_out, &nowhere()?)?;
            node = node.graft_after(copy)?;
        }
    }
    let below = node.get_tree_depth()? - height;
    Ok(node.ancestor(below)?)
}

/// The places of a buffer without dimensions.
fn nowhere() -> Result<MultiPwAff> {
    MultiPwAff::parse("{ [] -> [] }")
}

/// The node below the parallel tile loops of a kernel.
fn descend_to_depth(mut node: ScheduleNode, depth: i32) -> Result<ScheduleNode> {
    while node.get_schedule_depth()? < depth
        || matches!(node.get_type()?, ScheduleNodeType::Context | ScheduleNodeType::Filter)
        || is_kernel_mark(&node)?
    {
        node = node.child(0)?;
    }
    Ok(node)
}

fn is_kernel_mark(node: &ScheduleNode) -> Result<bool> {
    Ok(node.get_type()? == ScheduleNodeType::Mark
        && mark::kernel_of(node.mark_get_id()?.get_name()?).is_some())
}

/// The mark below a node on the way of first children.
fn descend_to_mark(mut node: ScheduleNode, name: &str) -> Result<ScheduleNode> {
    while !(node.get_type()? == ScheduleNodeType::Mark && node.mark_get_id()?.get_name()? == name) {
        node = node.child(0)?;
    }
    Ok(node)
}

/// A tree of one statement `name[h…, x…]` for the pairs of a relation `{ [h…] -> A[x…] }`, in the order of the places
/// that a function `{ [[h…] -> A[x…]] -> … }` gives them.
fn statement(name: &str, relation: &Map, places: &MultiPwAff) -> Result<ScheduleNode> {
    let outer = names("h", relation.dim(DimType::In)? as u32);
    let element = names("x", relation.dim(DimType::Out)? as u32);
    let all = [outer.as_str(), element.as_str()].into_iter().filter(|part| !part.is_empty());
    let all = all.collect::<Vec<_>>().join(", ");
    let array = relation.get_tuple_name(DimType::Out)?;
    let named = Map::parse(&format!("{{ [[{outer}] -> {array}[{element}]] -> {name}[{all}] }}"))?;
    let pairs = relation.copy()?.domain_map()?.reverse()?.apply_range(named.copy()?)?;
    let node = ScheduleNode::from_extension(UnionMap::from_map(pairs)?)?;
    if places.dim(DimType::Out)? == 0 {
        return Ok(node);
    }
    let unnamed = PwMultiAff::from_map(named.reverse()?)?;
    let order = places.copy()?.pullback_pw_multi_aff(unnamed)?.reset_tuple_id(DimType::Out)?;
    let node = node.child(0)?.insert_partial_schedule(MultiUnionPwAff::from_multi_pw_aff(order)?)?;
    Ok(node.parent()?)
}

/// *Rewrite:* `extension (band (copy))` → `extension (filter (band (copy)))`, so that each place is filled by one thread and
/// threads next to each other fill places next to each other, as [`shares`] has it.
fn distribute(extension: ScheduleNode, sizes: &[u32], block: &[BlockDimension]) -> Result<ScheduleNode> {
    let band = extension.child(0)?;
    let dimensions = band.band_n_member()? as u32;
    let conditions: Vec<String> = shares(sizes, block).iter().map(|share| share.condition(sizes)).collect();
    let parameters: Vec<&str> = block.iter().map(|dimension| dimension.axis.thread_parameter()).collect();
    let points = Set::parse(&format!(
        "[{}] -> {{ [{}] : {} }}",
        parameters.join(", "),
        names("m", dimensions),
        conditions.join(" and ")
    ))?;
    let schedule = band.band_get_partial_schedule_union_map()?;
    let own = schedule.intersect_range(UnionSet::from_set(points)?)?.domain()?;
    Ok(band.insert_filter(own)?.parent()?)
}

/// Dimensions of a box whose places go, one after the other and cyclically, to the threads along some axes.
pub struct Share<'a> {
    /// The dimensions.
    pub members: Range<usize>,
    /// The axes, fastest first.
    pub axes: &'a [BlockDimension],
}

/// How a block fills a box of these sizes: along x the last dimensions, as many as it takes to keep all threads of that axis busy, along y
/// those before them, and along all axes that are left the first of them.
pub fn shares<'a>(sizes: &[u32], block: &'a [BlockDimension]) -> Vec<Share<'a>> {
    let mut shares = Vec::new();
    let (mut left, mut axes) = (sizes.len(), block);
    while let ([axis, others @ ..], true) = (axes, left > 0) {
        let mut first = left - 1;
        while first > 0 && places(&sizes[first..left]) < u64::from(axis.size) {
            first -= 1;
        }
        let alone = first > 0 && !others.is_empty();
        shares.push(Share {
            members: first..left,
            axes: if alone { std::slice::from_ref(axis) } else { axes },
        });
        (left, axes) = (first, if alone { others } else { &[] });
    }
    shares
}

impl Share<'_> {
    /// The number of threads.
    pub fn threads(&self) -> u64 {
        self.axes.iter().map(|dimension| u64::from(dimension.size)).product()
    }

    /// `(4 m0 + m1) mod 512 = tx + 32 ty`
    fn condition(&self, sizes: &[u32]) -> String {
        let term = |member: usize| format!("{} m{member}", places(&sizes[member + 1..self.members.end]));
        let place: Vec<String> = self.members.clone().map(term).collect();
        let mut threads = 1;
        let mut terms = Vec::new();
        for dimension in self.axes {
            terms.push(format!("{threads} {}", dimension.axis.thread_parameter()));
            threads *= dimension.size;
        }
        format!("({}) mod {threads} = {}", place.join(" + "), terms.join(" + "))
    }
}

fn places(sizes: &[u32]) -> u64 {
    sizes.iter().map(|&size| u64::from(size)).product()
}

/// A tree of one barrier for each value of the outer schedule dimensions; `number` tells it from others of the kernel.
fn barrier(depth: i32, number: u32) -> Result<ScheduleNode> {
    let outer = names("h", depth as u32);
    let extension =
        UnionMap::parse(&format!("{{ [{outer}] -> {}{depth}_{number}[{outer}] }}", mark::BARRIER))?;
    Ok(ScheduleNode::from_extension(extension)?)
}
