//! Elements that belong to one thread: registers.
//!
//! An array gets a private buffer in a kernel if, for a fixed block and fixed outer loops, each thread touches one
//! element of it, or a small box over which unrolled loops iterate, and no other thread touches these elements. Local
//! variables of the thread can then replace them. They are copied from and to the array around those loops if their
//! values come from before or are needed afterwards.
//!
//! (C-to-CUDA, section 4.2: arrays whose access functions vary only with the parallel loops are candidates for
//! registers.)

use polyhedra::{DimType, Map, MultiPwAff, Result, Set, Simplify, Text};
use scop::{AccessId, AccessKind, Array, Buffer, BufferId, Dependences, IslMap, Layout, Memory};

use crate::index::bounding_box::BoundingBox;
use crate::kernel::outside::{Part, ids};
use crate::kernel::view::{KernelView, names, parameter_as_input};

/// The most elements of an array in the registers of a thread.
const MOST_ELEMENTS: u64 = 64;

/// A private buffer and the copies around it.
pub struct PrivateBuffer {
    /// The buffer.
    pub buffer: Buffer,
    /// The elements that are copied in, for one thread: `[bx, tx] -> { [h] -> A0[x] }`; empty if there are none.
    pub copy_in: Map,
    /// The elements that are copied out.
    pub copy_out: Map,
    /// Elements of the array that are copied in although they may not be needed: values for a write that may not
    /// happen and that another write replaces.
    pub unneeded: Option<Set>,
    /// The order of the copies: `{ [[h] -> A0[x]] -> [place] }`, without dimensions if there is one element.
    pub order: MultiPwAff,
}

/// Returns the private buffer for an array in a kernel, if there is one.
///
/// Only arrays that the kernel writes are considered; for others see [`crate::memory::operands`].
pub fn private_buffer(
    view: &KernelView<'_>,
    dependences: &Dependences,
    array: &Array,
    id: BufferId,
) -> Result<Option<PrivateBuffer>> {
    if !view.writes(array.id) || view.accesses(array.id).any(|access| access.indirect) {
        return Ok(None);
    }
    if is_written_once(view, array)? {
        return Ok(None);
    }
    for depth in depths(view, array) {
        if let Some(found) = at_depth(view, dependences, array, id, depth)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// True if the only access to a visible array is a write that touches each element once in a thread. A copy does not
/// pay then ([`copies_do_not_pay`]), which takes much longer to find out from the elements that would be copied.
fn is_written_once(view: &KernelView<'_>, array: &Array) -> Result<bool> {
    let mut accesses = view.accesses(array.id);
    match (accesses.next(), accesses.next()) {
        (Some(access), None) => Ok(array.visible && !view.repeats_in_thread(access)?),
        _ => Ok(false),
    }
}

/// Returns the depths to try: that of the block; that of the loops around the last loop over tiles, if it is alone; and
/// for an array that only the region uses, that of the tile.
fn depths(view: &KernelView<'_>, array: &Array) -> Vec<u32> {
    let mut depths = vec![view.block_depth.min(view.tile_depth)];
    depths.extend(view.kernel.depth_of_last_tiles(view.tile_depth));
    if !array.visible && view.tile_depth > view.block_depth {
        depths.push(view.tile_depth);
    }
    depths
}

fn at_depth(
    view: &KernelView<'_>,
    dependences: &Dependences,
    array: &Array,
    id: BufferId,
    depth: u32,
) -> Result<Option<PrivateBuffer>> {
    let footprint = union_footprint(view, array, depth)?;
    let Some(tile) = BoundingBox::with_strides(&footprint)? else { return Ok(None) };
    let is_one = tile.elements() == 1;
    let fits = is_one || tile.elements() <= MOST_ELEMENTS && walked_through(view, array, depth)?;
    if !fits || !belongs_to_one_thread(view, &footprint)? {
        return Ok(None);
    }
    let copies = Copies::new(view, dependences, array, depth)?;
    if depth > view.block_depth
        && depth == view.tile_depth
        && !(copies.none()? && view.have_one_nest_of_tiles(array.id)?)
        || copies.reads_undefined
    {
        return Ok(None);
    }
    if copies_do_not_pay(view, array, &copies)? {
        return Ok(None);
    }
    let accesses: Vec<AccessId> = view.accesses(array.id).map(|access| access.id).collect();
    let (index, sizes, order, reason) = if is_one {
        let index = single_element(&footprint, array, id)?;
        (index, Vec::new(), nowhere()?, "each thread touches one element of its own".to_owned())
    } else {
        let place = tile.place(&footprint)?;
        let dimensions: Vec<usize> = (0..tile.sizes.len()).collect();
        let index = BoundingBox::index(&place, id, &dimensions)?;
        let reason =
            format!("a tile of registers: each thread touches {} elements of its own", tile.elements());
        (index, tile.sizes, MultiPwAff::from_pw_multi_aff(place)?, reason)
    };
    let buffer = Buffer { sizes, ..registers(view, array, (id, depth), accesses, (index, reason))? };
    let Copies { copy_in, copy_out, unneeded, .. } = copies;
    Ok(Some(PrivateBuffer { buffer, copy_in, copy_out, unneeded, order }))
}

/// Returns the buffer of some accesses to an array in the registers of a thread, for one element.
pub fn registers(
    view: &KernelView<'_>,
    array: &Array,
    (id, depth): (BufferId, u32),
    accesses: Vec<AccessId>,
    (index, reason): (IslMap, String),
) -> Result<Buffer> {
    Ok(Buffer {
        id,
        name: format!("private_{}", array.name),
        array: array.id,
        memory: Memory::Private,
        places: view.places(&accesses, depth, &index)?,
        accesses,
        depth,
        index,
        sizes: Vec::new(),
        layout: Layout::default(),
        existing: None,
        partial: None,
        in_order: false,
        reuse: None,
        reason,
    })
}

/// Returns the order of the copies of a single element.
pub fn nowhere() -> Result<MultiPwAff> {
    MultiPwAff::parse("{ [] -> [] }")
}

/// True if each access touches one element for each combination of values of the unrolled loops. All indices are then
/// constants after unrolling.
fn walked_through(view: &KernelView<'_>, array: &Array, depth: u32) -> Result<bool> {
    for access in view.accesses(array.id) {
        if !view.unrolled_loops_determine(access, depth)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the index function of a single element: `{ [[h] -> A[x]] -> B0[] }`.
pub fn single_element(footprint: &Map, array: &Array, id: BufferId) -> Result<IslMap> {
    let outer = names("h", footprint.dim(DimType::In)? as u32);
    let element = names("x", footprint.dim(DimType::Out)? as u32);
    Ok(IslMap(format!("{{ [[{outer}] -> {}[{element}]] -> {id}[] }}", array.id)))
}

/// Returns the elements of an array that one thread touches.
fn union_footprint(view: &KernelView<'_>, array: &Array, depth: u32) -> Result<Map> {
    let mut union: Option<Map> = None;
    for access in view.accesses(array.id) {
        let footprint = view.thread_footprint(access, depth)?;
        union = polyhedra::add(union, footprint)?;
    }
    match union {
        Some(union) => Ok(union.simplified()?),
        None => Map::parse("{ [] -> [] : false }"),
    }
}

/// True if no element is touched by two threads, or with two values of the outer schedule dimensions.
///
/// The coordinates of the thread and of the block become dimensions, and the relation must be injective. A value in
/// the private variable is then never needed in later iterations of the outer loops, nor by another thread. The loops
/// on the host are fixed in a launch and become parameters.
pub fn belongs_to_one_thread(view: &KernelView<'_>, footprint: &Map) -> Result<bool> {
    let relation = host_loops_as_parameters(footprint.copy()?, view.kernel.host_depth)?;
    Ok(coordinates_as_inputs(view, relation)?.is_injective()?)
}

/// Makes the coordinates of the thread and of the block input dimensions of a relation.
fn coordinates_as_inputs(view: &KernelView<'_>, mut relation: Map) -> Result<Map> {
    for dimension in &view.kernel.block {
        relation = parameter_as_input(relation, dimension.axis.thread_parameter())?;
    }
    for dimension in &view.kernel.grid {
        relation = parameter_as_input(relation, dimension.axis.block_parameter())?;
    }
    Ok(relation)
}

fn host_loops_as_parameters(relation: Map, host: u32) -> Result<Map> {
    if host == 0 {
        return Ok(relation);
    }
    let parameters = relation.dim(DimType::Param)? as u32;
    let mut relation = relation.move_dims(DimType::Param, parameters, DimType::In, 0, host)?;
    for position in 0..host {
        relation =
            relation.set_dim_name(DimType::Param, parameters + position, &format!("host{position}"))?;
    }
    Ok(relation)
}

/// The elements that are copied between the array and the private buffer. A write that may not happen leaves the old
/// value, which must then be in the buffer.
pub struct Copies {
    /// The elements that are copied in, as in [`PrivateBuffer::copy_in`].
    pub copy_in: Map,
    /// The elements that are copied out.
    pub copy_out: Map,
    /// Elements that are copied in only for writes that may not happen, and that are written again before they are
    /// read.
    pub unneeded: Option<Set>,
    /// True if an element that is copied in for a write that may not happen may never have been written before.
    pub reads_undefined: bool,
}

impl Copies {
    /// Returns the copies of a buffer for all accesses of the kernel to an array, whose contents are fixed in the first
    /// `depth` schedule dimensions.
    pub fn new(view: &KernelView<'_>, dependences: &Dependences, array: &Array, depth: u32) -> Result<Self> {
        let own = ids(view.accesses(array.id));
        let part = Part { view, dependences, own: &own, depth };
        let mut copy_in: Option<Map> = None;
        let mut copy_out: Option<Map> = None;
        for access in view.accesses(array.id) {
            match access.kind {
                AccessKind::Read => {
                    let outside = part.reads_from_outside(access.id)?;
                    if !outside.is_empty()? {
                        copy_in = Some(add(copy_in, view.thread_footprint_of(access, outside, depth)?)?);
                    }
                }
                AccessKind::Write if part.is_needed_outside(array, access.id)? => {
                    copy_out = Some(add(copy_out, view.thread_footprint(access, depth)?)?);
                }
                AccessKind::Write => {}
            }
        }
        let empty = || union_footprint(view, array, depth).and_then(|map| Ok(Map::empty(map.get_space()?)?));
        let copy_out = copy_out.map_or_else(empty, Ok)?;
        let uncertain = copy_out.copy()?.subtract(certainly_written(view, array, depth, empty()?)?)?;
        let reads_undefined = !array.visible && !uncertain.is_empty()?;
        let read = copy_in.map_or_else(empty, Ok)?;
        let unneeded = if uncertain.is_empty()? {
            None
        } else {
            let replaced = uncertain.copy()?.subtract(needed_if_not_written(&part, array, read.copy()?)?)?;
            let elements = coordinates_as_inputs(view, replaced)?.range()?;
            if elements.is_empty()? { None } else { Some(elements.simplified()?) }
        };
        Ok(Self { copy_in: add(Some(read), uncertain)?, copy_out, unneeded, reads_undefined })
    }

    /// True if nothing is copied.
    pub fn none(&self) -> Result<bool> {
        Ok(self.copy_in.is_empty()? && self.copy_out.is_empty()?)
    }
}

/// Returns the elements that a thread `read`s, and those whose values after a write that may not happen are needed
/// elsewhere.
fn needed_if_not_written(part: &Part<'_>, array: &Array, read: Map) -> Result<Map> {
    let mut needed = read;
    let uncertain = |access: &&scop::Access| access.kind == AccessKind::Write && !access.certainty.is_must();
    for access in part.view.accesses(array.id).filter(uncertain) {
        let instances = part.writes_for_outside(access.id)?;
        needed = needed.union(part.view.thread_footprint_of(access, instances, part.depth)?)?;
    }
    Ok(needed)
}

/// Returns the elements that a thread certainly writes.
fn certainly_written(view: &KernelView<'_>, array: &Array, depth: u32, mut written: Map) -> Result<Map> {
    let certain = |access: &&scop::Access| access.kind == AccessKind::Write && access.certainty.is_must();
    for access in view.accesses(array.id).filter(certain) {
        written = written.union(view.thread_footprint(access, depth)?)?;
    }
    Ok(written)
}

fn add(union: Option<Map>, map: Map) -> Result<Map> {
    Ok(match union {
        Some(union) => union.union(map)?.simplified()?,
        None => map,
    })
}

/// True if copies do not pay: a thread touches each visible element no more often than it would copy it.
fn copies_do_not_pay(view: &KernelView<'_>, array: &Array, copies: &Copies) -> Result<bool> {
    if !array.visible || copies.none()? {
        return Ok(false);
    }
    let mut touches = 0;
    for access in view.accesses(array.id) {
        if view.repeats_in_thread(access)? {
            return Ok(false);
        }
        touches += 1;
    }
    let needed = usize::from(!copies.copy_in.is_empty()?) + usize::from(!copies.copy_out.is_empty()?);
    Ok(touches <= needed)
}
