//! Elements that several threads of a block use: shared memory.
//!
//! References to an array that the kernel only reads are partitioned into groups that are better off with one box than with one
//! each (000, Algorithm 2, groups those that overlap). A group gets a buffer of the size of its bounding box if
//! elements are used more than once in a tile, by different threads, and the block's shared memory has room.
//!
//! 2010's other reason for shared memory, accesses that do not coalesce, is left to the caches where nothing is reused.

use polyhedra::{DimType, Map, MultiPwAff, Result};
use scop::{Access, AccessId, Array, Buffer, BufferId, Memory};

use crate::kernel_view::KernelView;
use crate::layout::BoundingBox;

/// A shared buffer and what is copied into it.
pub struct SharedBuffer {
    /// The buffer.
    pub buffer: Buffer,
    /// The elements that a tile needs: `[bx] -> { [h] -> A0[x] }`.
    pub copy_in: Map,
    /// Where each of them goes: `{ [[h] -> A0[x]] -> A0[x - offset] }`.
    pub places: MultiPwAff,
    /// True if the copy reads elements that the tile does not need.
    pub reads_more: bool,
    /// Its size in bytes.
    pub bytes: u64,
}

/// A group of references with their common footprint.
struct Group<'a> {
    accesses: Vec<&'a Access>,
    footprint: Map,
    bounding_box: BoundingBox,
}

/// The shared buffers for an array in a kernel, numbered from `first` on, as long as `budget` bytes last.
pub fn shared_buffers(
    view: &KernelView<'_>,
    array: &Array,
    first: BufferId,
    mut budget: u64,
) -> Result<Vec<SharedBuffer>> {
    let mut buffers = Vec::new();
    if view.writes(array.id) || view.kernel.block.is_empty() {
        return Ok(buffers);
    }
    for group in groups(view, array)? {
        let id = BufferId(first.0 + buffers.len() as u32);
        let name = format!("shared_{}", array.name);
        let name = if buffers.is_empty() { name } else { format!("{name}_{}", buffers.len()) };
        if let Some(buffer) = buffer_for(view, array, group, id, name, budget)? {
            budget -= buffer.bytes;
            buffers.push(buffer);
        }
    }
    Ok(buffers)
}

/// Merges groups of references as long as one box for both is smaller than a box for each.
///
/// References that overlap are merged so; so are those that interleave, as the fields of records do. The kernel only reads the
/// array, so an element may well be in several buffers.
fn groups<'a>(view: &KernelView<'a>, array: &Array) -> Result<Vec<Group<'a>>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for access in view.accesses(array.id) {
        let Some(mut merged) = Group::new(vec![access], view.tile_footprint(access)?)? else { continue };
        let mut apart = Vec::new();
        for group in groups {
            match group.merge(&merged)? {
                Some(both) => merged = both,
                None => apart.push(group),
            }
        }
        apart.push(merged);
        groups = apart;
    }
    Ok(groups)
}

impl<'a> Group<'a> {
    /// A group, if it has a box.
    fn new(accesses: Vec<&'a Access>, footprint: Map) -> Result<Option<Self>> {
        let bounding_box = BoundingBox::around(&footprint)?;
        Ok(bounding_box.map(|bounding_box| Self { accesses, footprint, bounding_box }))
    }

    /// Both groups as one, if that saves room.
    fn merge(&self, other: &Self) -> Result<Option<Self>> {
        let accesses = self.accesses.iter().chain(&other.accesses).copied().collect();
        let footprint = self.footprint.copy()?.union(other.footprint.copy()?)?.coalesce()?;
        let apart = self.bounding_box.elements() + other.bounding_box.elements();
        Ok(Self::new(accesses, footprint)?.filter(|both| both.bounding_box.elements() < apart))
    }
}

fn buffer_for(
    view: &KernelView<'_>,
    array: &Array,
    group: Group<'_>,
    id: BufferId,
    name: String,
    budget: u64,
) -> Result<Option<SharedBuffer>> {
    if array.extents.is_empty() || !is_reused(view, &group)? {
        return Ok(None);
    }
    let bounding_box = &group.bounding_box;
    let bytes = bounding_box.elements() * u64::from(array.element.size());
    if bytes > budget {
        return Ok(None);
    }
    let accesses: Vec<AccessId> = group.accesses.iter().map(|access| access.id).collect();
    let index = bounding_box.index(&group.footprint, id)?;
    let buffer = Buffer {
        id,
        name,
        array: array.id,
        memory: Memory::Shared,
        places: view.places(&accesses, view.tile_depth, &index)?,
        accesses,
        depth: view.tile_depth,
        index,
        sizes: bounding_box.sizes.clone(),
        reuse: None,
        reason: format!("several threads use its elements; {bytes} bytes"),
    };
    let (copy_in, reads_more) = copied_elements(view, array, &group, bounding_box)?;
    let places = MultiPwAff::from_pw_multi_aff(bounding_box.place(&group.footprint)?)?;
    Ok(Some(SharedBuffer { buffer, copy_in, places, reads_more, bytes }))
}

/// What is copied: of an array of the user's all of the box that kernels use at all, because a box has simpler
/// loops than a union of footprints; of others exactly the footprint, because the rest may never have been written.
fn copied_elements(
    view: &KernelView<'_>,
    array: &Array,
    group: &Group<'_>,
    bounding_box: &BoundingBox,
) -> Result<(Map, bool)> {
    let exact = group.footprint.copy()?.intersect_params(view.bounds()?)?;
    if !array.visible {
        return Ok((exact, false));
    }
    let used = view.elements_in_use(array.id)?;
    let in_box = bounding_box.elements_map(&group.footprint)?.intersect_range(used)?;
    let in_box = in_box.intersect_params(view.bounds()?)?.intersect_domain(exact.copy()?.domain()?)?;
    let reads_more = !in_box.is_subset(&exact)?;
    Ok((if reads_more { in_box } else { exact }, reads_more))
}

/// True if two threads of a block use one element in a tile.
fn is_reused(view: &KernelView<'_>, group: &Group<'_>) -> Result<bool> {
    let mut together: Option<Map> = None;
    for access in &group.accesses {
        let alone = threads_to_elements(view, access)?;
        if !alone.copy()?.is_injective()? {
            return Ok(true);
        }
        together = Some(match together {
            Some(others) => others.union(alone)?,
            None => alone,
        });
    }
    together.map_or(Ok(false), |relation| Ok(!relation.is_injective()?))
}

/// From a thread, in a tile of a block, to the elements of an access: `{ [tz, ty, tx, h…] -> [[h…] -> A0[x]] }`.
fn threads_to_elements(view: &KernelView<'_>, access: &Access) -> Result<Map> {
    let mut relation = view.thread_tile_footprint(access)?;
    let outer = relation.dim(DimType::In)? as u32;
    for dimension in &view.kernel.block {
        relation = crate::private::parameter_as_input(relation, dimension.axis.thread_parameter())?;
    }
    let threads = relation.dim(DimType::In)? as u32 - outer;
    let tile = Map::identity(relation.copy()?.domain()?.get_space()?.map_from_set()?)?.project_out(
        DimType::Out,
        0,
        threads,
    )?;
    Ok(tile.range_product(relation)?)
}
