//! Elements that several threads of a block use: shared memory.
//!
//! References to an array that the kernel only reads are partitioned into groups, such that a common box takes no
//! more room than separate boxes (C-to-CUDA, Algorithm 2, groups references that overlap). A group gets a buffer if
//! different threads read its elements, if the reads are frequent or scattered in memory, and if the block's shared
//! memory has room. [`crate::index::arrange`] decides on the layout of the elements in the buffer.
//! Whether a copy pays is a rule on counts ([`gpu::place`]).

use std::collections::BTreeSet;

use gpu::place::{Uses, are_scattered};
use polyhedra::{DimType, Map, MultiPwAff, Result, Set, Simplify, Text};
use scop::{Access, AccessId, Array, Buffer, BufferId, IslSet, Memory};

use crate::index::arrange::{Arrangement, Arranger};
use crate::index::bounding_box::BoundingBox;
use crate::index::staged::Staged;
use crate::kernel::banks::Request;
use crate::kernel::shares::threads;
use crate::kernel::view::{KernelView, parameter_as_input};
use crate::kernel::warps::{requests, sectors};
use crate::memory::counted::{Counted, pay};
use crate::wishes::Staging;

/// A shared buffer and what is copied into it.
pub struct SharedBuffer {
    /// The buffer.
    pub buffer: Buffer,
    /// The elements that a tile needs: `[bx] -> { [h] -> A0[x] }`.
    pub copy_in: Map,
    /// The elements that a tile leaves, if it writes any.
    pub copy_out: Option<Map>,
    /// The place of each of these elements: `{ [[h] -> A0[x]] -> A0[x - offset] }`.
    pub places: MultiPwAff,
    /// The sizes of the box that the elements fill, in the order of `places`.
    pub box_sizes: Vec<u32>,
    /// Elements that the copies of some tile read and the kernel may not need, if there are any.
    pub unneeded: Option<Set>,
    /// Whether elements are kept in the buffer from one step of a loop over tiles to the next.
    pub retains: bool,
    /// Whether each tile is copied while the block computes with the one before it.
    pub ahead: bool,
    /// Its size in bytes.
    pub bytes: u64,
}

/// A group of references with one box around the elements that they touch.
pub struct Group<'a> {
    /// The references.
    pub accesses: Vec<&'a Access>,
    /// The box.
    pub bounding_box: BoundingBox,
    /// The elements of the box.
    pub boxed: Map,
}

/// Returns the shared buffers for an array in a kernel, numbered from `first` on, as long as `budget` bytes suffice.
/// The accesses in `served` already have a buffer.
pub fn shared_buffers(
    view: &KernelView<'_>,
    array: &Array,
    served: &BTreeSet<AccessId>,
    arranger: &Arranger<'_>,
    first: BufferId,
    (mut budget, staging): (u64, Staging),
    counted: &mut Vec<Counted>,
) -> Result<Vec<SharedBuffer>> {
    let mut buffers = Vec::new();
    if view.writes(array.id) || view.kernel.block.is_empty() {
        return Ok(buffers);
    }
    for group in groups(view, array, served)? {
        let id = BufferId(first.0 + buffers.len() as u32);
        let name = format!("shared_{}", array.name);
        let name = if buffers.is_empty() { name } else { format!("{name}_{}", buffers.len()) };
        if !array.extents.is_empty()
            && is_staged(view, array, &group, staging, counted)?
            && let Some(buffer) = staging_buffer(view, array, group, arranger, (id, name), budget)?
        {
            budget -= buffer.bytes;
            buffers.push(buffer);
        }
    }
    Ok(buffers)
}

/// Merges groups of references as long as one box for both groups is no larger than one box for each.
///
/// This merges references that overlap, and references that interleave or are adjacent, such as the fields of
/// records. The kernel only reads the array, so an element may be in several buffers.
fn groups<'a>(view: &KernelView<'a>, array: &Array, served: &BTreeSet<AccessId>) -> Result<Vec<Group<'a>>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for same in equal_references(view, array, served) {
        let footprint = view.tile_footprint(same[0])?;
        let Some(mut merged) = Group::new(same, &footprint)? else { continue };
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

/// Returns the accesses to an array that have no buffer yet, grouped by their relation.
fn equal_references<'a>(
    view: &KernelView<'a>,
    array: &Array,
    served: &BTreeSet<AccessId>,
) -> Vec<Vec<&'a Access>> {
    let mut classes: Vec<Vec<&'a Access>> = Vec::new();
    let unserved = |access: &&Access| !access.indirect && !served.contains(&access.id);
    for access in view.accesses(array.id).filter(unserved) {
        match classes.iter_mut().find(|class| class[0].relation == access.relation) {
            Some(class) => class.push(access),
            None => classes.push(vec![access]),
        }
    }
    classes
}

impl<'a> Group<'a> {
    /// Returns a group, if its elements fit into a box of constant size.
    pub fn new(accesses: Vec<&'a Access>, touched: &Map) -> Result<Option<Self>> {
        let Some(bounding_box) = BoundingBox::around(touched)? else { return Ok(None) };
        let boxed = bounding_box.elements_map(touched)?;
        Ok(Some(Self { accesses, bounding_box, boxed }))
    }

    /// Merges two groups into one, if that needs no more room.
    fn merge(&self, other: &Self) -> Result<Option<Self>> {
        let accesses = self.accesses.iter().chain(&other.accesses).copied().collect();
        let both = Self::new(accesses, &self.boxed.copy()?.union(other.boxed.copy()?)?)?;
        let apart = self.bounding_box.elements() + other.bounding_box.elements();
        Ok(both.filter(|both| both.bounding_box.elements() <= apart))
    }

    /// Returns a group of any references to an array, if their elements fit into a box of constant size.
    pub fn around(view: &KernelView<'_>, accesses: Vec<&'a Access>) -> Result<Option<Self>> {
        match footprint(view, &accesses)? {
            Some(touched) => Self::new(accesses, &touched.simplified()?),
            None => Ok(None),
        }
    }

    /// Returns the elements that the group's references touch, as one piece for each different reference.
    pub fn footprint(&self, view: &KernelView<'_>) -> Result<Map> {
        footprint(view, &self.accesses)?.map_or_else(|| Ok(Map::empty(self.boxed.get_space()?)?), Ok)
    }
}

/// Returns the elements that references to one array touch in a tile.
fn footprint(view: &KernelView<'_>, accesses: &[&Access]) -> Result<Option<Map>> {
    let mut union: Option<Map> = None;
    let mut seen = Vec::new();
    for access in accesses {
        if seen.contains(&&access.relation) {
            continue;
        }
        seen.push(&access.relation);
        let footprint = view.tile_footprint(access)?;
        union = polyhedra::add(union, footprint)?;
    }
    Ok(union)
}

/// True if the elements of a group are copied to shared memory.
fn is_staged(
    view: &KernelView<'_>,
    array: &Array,
    group: &Group<'_>,
    staging: Staging,
    counted: &mut Vec<Counted>,
) -> Result<bool> {
    let elements = group.bounding_box.elements();
    let is_shared = || Ok(elements > 1 && is_reused(view, group)?);
    match staging {
        Staging::All => Ok(true),
        Staging::Reused => is_shared(),
        Staging::Paying => {
            if view.kernel.loading.is_none() && !is_shared()? {
                return Ok(false);
            }
            let uses = uses(view, group, array.element.size())?;
            Ok(pay(counted, Counted { array: array.id, uses }))
        }
    }
}

/// Counts what the first tile in which all threads work does with elements that several threads read.
fn uses(view: &KernelView<'_>, group: &Group<'_>, bytes: u32) -> Result<Uses> {
    let requests = requests_to_box(view, group)?;
    let is_scattered = |request: &Request| {
        let (touched, filled) = sectors(request, bytes);
        are_scattered(touched as f64, filled as f64)
    };
    Ok(Uses {
        elements: group.bounding_box.elements(),
        accesses: touches(view, &requests),
        are_shared: true,
        for_others: view.kernel.loading.is_some(),
        are_written: false,
        are_scattered: requests.iter().any(is_scattered),
    })
}

/// Returns a buffer for a group that the kernel only reads, if it fits.
fn staging_buffer(
    view: &KernelView<'_>,
    array: &Array,
    group: Group<'_>,
    arranger: &Arranger<'_>,
    (id, name): (BufferId, String),
    budget: u64,
) -> Result<Option<SharedBuffer>> {
    let copied = copied_elements(view, array, &group)?;
    buffer_with_copies(view, array, group, arranger, (id, name), copied, budget)
}

/// Returns a buffer for a group into which these elements are copied, if it fits.
pub fn buffer_with_copies(
    view: &KernelView<'_>,
    array: &Array,
    group: Group<'_>,
    arranger: &Arranger<'_>,
    (id, name): (BufferId, String),
    copied: Copied,
    budget: u64,
) -> Result<Option<SharedBuffer>> {
    let staged = Staged {
        view,
        accesses: &group.accesses,
        bounding_box: &group.bounding_box,
        boxed: &group.boxed,
        touched: group.footprint(view)?,
        bytes: array.element.size(),
        id,
        budget,
    };
    let Copied { copy_in, existing, unneeded } = copied;
    let Some(arrangement) = arranger.arrange(&staged, &copy_in)? else { return Ok(None) };
    let Arrangement { index, sizes, layout, copy_in, order, reuse, retains, reason } = arrangement;
    let accesses: Vec<AccessId> = group.accesses.iter().map(|access| access.id).collect();
    let buffer = Buffer {
        id,
        name,
        array: array.id,
        memory: Memory::Shared,
        places: view.places(&accesses, view.tile_depth, &index)?,
        accesses,
        depth: view.tile_depth,
        index,
        sizes,
        layout,
        existing,
        partial: None,
        in_order: false,
        reuse,
        reason,
    };
    let bytes = buffer.elements().saturating_mul(array.element.size().into());
    let places = MultiPwAff::from_pw_multi_aff(order)?;
    let box_sizes = group.bounding_box.sizes;
    Ok(Some(SharedBuffer {
        buffer,
        copy_in,
        copy_out: None,
        places,
        box_sizes,
        unneeded,
        retains,
        ahead: arranger.ahead,
        bytes,
    }))
}

/// The elements that are copied into a buffer.
pub struct Copied {
    /// The elements for each tile.
    pub copy_in: Map,
    /// If these are a whole box: the elements that exist.
    pub existing: Option<IslSet>,
    /// Elements that are copied and that the kernel may not need.
    pub unneeded: Option<Set>,
}

impl Copied {
    /// Returns exactly the elements that a tile needs.
    pub fn exactly(touched: Map, view: &KernelView<'_>) -> Result<Self> {
        let copy_in = touched.intersect_params(view.bounds()?)?;
        Ok(Self { copy_in, existing: None, unneeded: None })
    }
}

/// Decides which elements are copied. Of an array of the user, this is the whole box, as far as its elements exist,
/// because a box has simpler loops than a union of footprints. Of other arrays it is exactly the footprint, because
/// the rest may never have been written. It is also the footprint if that is convex and the box is larger.
fn copied_elements(view: &KernelView<'_>, array: &Array, group: &Group<'_>) -> Result<Copied> {
    let touched = group.footprint(view)?.simplified()?;
    if !array.visible {
        return Copied::exactly(touched, view);
    }
    let tiles = Set::from_basic_set(touched.copy()?.domain()?.simple_hull()?)?;
    let used = view.elements_in_use(array.id)?;
    let copy_in = group.boxed.copy()?.intersect_domain(tiles)?.intersect_params(view.bounds()?)?;
    let reads_more = !copy_in.copy()?.intersect_range(used.copy()?)?.is_subset(&touched)?;
    if reads_more && touched.n_basic_map()? == 1 && !touched.copy()?.wrap()?.involves_locals()? {
        return Copied::exactly(touched, view);
    }
    let existing = Some(IslSet(used.text()?));
    let unneeded = if reads_more { Some(used.subtract(view.always_read(array.id)?)?) } else { None };
    Ok(Copied { copy_in, existing, unneeded })
}

/// True if two threads of a block use the same element in a tile.
pub fn is_reused(view: &KernelView<'_>, group: &Group<'_>) -> Result<bool> {
    let mut together: Option<Map> = None;
    for access in &group.accesses {
        let alone = threads_to_elements(view, access)?;
        let all = match together {
            Some(others) => others.union(alone)?,
            None => alone,
        };
        if !all.is_injective()? {
            return Ok(true);
        }
        together = Some(all);
    }
    Ok(false)
}

/// Returns how often the references of a group touch elements in the first tile in which all threads work.
pub fn touches_of_first_tile(view: &KernelView<'_>, group: &Group<'_>) -> Result<u64> {
    Ok(touches(view, &requests_to_box(view, group)?))
}

fn requests_to_box(view: &KernelView<'_>, group: &Group<'_>) -> Result<Vec<Request>> {
    let place = MultiPwAff::from_pw_multi_aff(group.bounding_box.place(&group.boxed)?)?;
    requests(view, &group.accesses, &place)
}

fn touches(view: &KernelView<'_>, requests: &[Request]) -> u64 {
    requests.iter().map(|request| request.times).sum::<u64>().saturating_mul(threads(&view.kernel.block))
}

/// Returns the map from a thread, in a tile of a block, to the elements of an access:
/// `{ [tz, ty, tx, h…] -> [[h…] -> A0[x]] }`.
fn threads_to_elements(view: &KernelView<'_>, access: &Access) -> Result<Map> {
    let mut relation = view.thread_tile_footprint(access)?;
    let outer = relation.dim(DimType::In)? as u32;
    for dimension in &view.kernel.block {
        relation = parameter_as_input(relation, dimension.axis.thread_parameter())?;
    }
    let threads = relation.dim(DimType::In)? as u32 - outer;
    let tile = Map::identity(relation.copy()?.domain()?.get_space()?.map_from_set()?)?.project_out(
        DimType::Out,
        0,
        threads,
    )?;
    Ok(tile.range_product(relation)?)
}
