//! Elements that a kernel writes and that several threads of a block use: coherent shared memory.
//!
//! All references of a kernel to such an array go through one buffer, so that no element is in two places. Before
//! each tile, the elements that its instances use are copied in; after it, the elements that they write are copied
//! out; the block waits in between. A later tile of the block therefore finds in the array what an earlier tile
//! wrote. Other blocks of the launch neither read nor write the elements that are copied out; that would be a
//! dependence between blocks, which the mapping does not contain. Additional elements may be copied in because that
//! takes fewer conditions; no other block writes these.
//!
//! `candl-rs --check` proves all of this again from the loop program.

use gpu::place::Uses;
use polyhedra::{DimType, Map, Result, Simplify, Text, within};
use scop::wish::LayoutKind;
use scop::{AccessKind, Array, Axis, BufferId, Dependences, IslSet};

use crate::index::arrange::Arranger;
use crate::kernel::elements::{is_thin, live_elements};
use crate::kernel::outside::{Part, ids};
use crate::kernel::view::KernelView;
use crate::memory::counted::{Counted, pay};
use crate::memory::shared::{
    Copied, Group, SharedBuffer, buffer_with_copies, is_reused, touches_of_first_tile,
};

/// The most loop nests of a copy. More would cost more than the accesses.
const MOST_NESTS: i32 = 4;

/// The limit on isl operations for finding the buffer of an array. A Gauss-Seidel sweep in two dimensions takes less
/// than a tenth of it.
const OPERATIONS: u64 = 3_000_000;

/// Returns the buffer for an array that a kernel writes, if it is worthwhile, fits into `budget` bytes, and is found
/// in few operations.
pub fn coherent_buffer(
    view: &KernelView<'_>,
    dependences: &Dependences,
    array: &Array,
    arranger: &Arranger<'_>,
    id: BufferId,
    budget: u64,
    counted: &mut Vec<Counted>,
) -> Result<Option<SharedBuffer>> {
    let found = within(OPERATIONS, || -> Result<Option<SharedBuffer>> {
        let plain = !array.extents.is_empty() && view.accesses(array.id).all(|access| !access.indirect);
        if !plain || !view.writes(array.id) || view.kernel.block.is_empty() {
            return Ok(None);
        }
        let accesses: Vec<_> = view.accesses(array.id).collect();
        let Some(group) = Group::around(view, accesses)? else { return Ok(None) };
        let elements = group.bounding_box.elements();
        if elements <= 1
            || elements.saturating_mul(array.element.size().into()) > budget
            || !is_reused(view, &group)?
        {
            return Ok(None);
        }
        let uses = Uses {
            elements,
            accesses: touches_of_first_tile(view, &group)?,
            are_shared: true,
            for_others: false,
            are_written: true,
            are_scattered: false,
        };
        if !pay(counted, Counted { array: array.id, uses }) {
            return Ok(None);
        }
        let Some(moved) = Moved::new(view, dependences, array, &group)? else { return Ok(None) };
        // Elements that are kept from tile to tile would have to be tracked through the writes.
        let in_box = Arranger { counting: arranger.counting, choice: Some(LayoutKind::Box), ahead: false };
        let name = format!("shared_{}", array.name);
        let Some(mut buffer) =
            buffer_with_copies(view, array, group, &in_box, (id, name), moved.copied, budget)?
        else {
            return Ok(None);
        };
        buffer.copy_out = Some(moved.copy_out);
        Ok(Some(buffer))
    });
    Ok(found?.flatten())
}

/// The elements that are copied between the array and the buffer, for each tile.
struct Moved {
    copied: Copied,
    /// The elements that are copied out: `[bx] -> { [h] -> A0[x] }`.
    copy_out: Map,
}

impl Moved {
    /// Decides on the copies; returns nothing if they are not simple, because their loops would cost more than the
    /// accesses, or if elements without values would have to be copied in.
    fn new(
        view: &KernelView<'_>,
        dependences: &Dependences,
        array: &Array,
        group: &Group<'_>,
    ) -> Result<Option<Self>> {
        let own = ids(view.accesses(array.id));
        let part = Part { view, dependences, own: &own, depth: view.tile_depth };
        let mut copy_out = Map::empty(group.boxed.get_space()?)?;
        let mut certain = true;
        for write in group.accesses.iter().filter(|access| access.kind == AccessKind::Write) {
            certain &= write.certainty.is_must();
            if part.is_needed_outside(array, write.id)? {
                copy_out = copy_out.union(view.tile_footprint(write)?)?;
            }
        }
        let Some(copy_out) = in_few_nests(copy_out.simplified()?)? else { return Ok(None) };
        let copied = if array.visible { around_touched(view, dependences, array, group)? } else { None };
        let copied = match copied {
            Some(copied) => Some(copied),
            // Elements that are copied out but not certainly written would also have to be copied in.
            None if certain => exactly_taken(&part, group)?,
            None => None,
        };
        Ok(copied.map(|copied| Self { copied, copy_out }))
    }
}

/// Returns the elements of a tile and others between them, under few conditions: the box, or else the hull of an
/// inner tile, or the hull of this tile. No other block may write the additional elements meanwhile, and at most some
/// borders may have to be on the device that the region does not need there.
fn around_touched(
    view: &KernelView<'_>,
    dependences: &Dependences,
    array: &Array,
    group: &Group<'_>,
) -> Result<Option<Copied>> {
    let used = view.elements_in_use(array.id)?;
    let all = view.model.statements.iter().flat_map(|statement| &statement.accesses);
    let live = live_elements(&dependences.live_in, &all.collect::<Vec<_>>(), array)?;
    let unneeded = used.copy()?.subtract(live)?.simplified()?;
    if !is_thin(&unneeded)? {
        return Ok(None);
    }
    let touched = group.footprint(view)?.simplified()?;
    let hull = hull(&touched)?;
    let whole = group.boxed.copy()?.intersect_domain(hull.copy()?.domain()?)?;
    let inner = of_inner_tile(&hull)?.intersect(whole.copy()?)?;
    let hull = hull.intersect(group.boxed.copy()?)?;
    for candidate in [whole, inner, hull] {
        let copy_in = candidate.simplified()?.intersect_params(view.bounds()?)?;
        let more = copy_in.copy()?.intersect_range(used.copy()?)?.subtract(touched.copy()?)?;
        if !view.others_write(array.id, more)? {
            let unneeded = if unneeded.is_empty()? { None } else { Some(unneeded) };
            return Ok(Some(Copied { copy_in, existing: Some(IslSet(used.text()?)), unneeded }));
        }
    }
    Ok(None)
}

/// Removes the conditions on the tile and on sizes, as if all instances of the tile existed.
fn of_inner_tile(elements: &Map) -> Result<Map> {
    let dimensions = elements.dim(DimType::Out)? as u32;
    let mut all = elements.copy()?.drop_constraints_not_involving_dims(DimType::Out, 0, dimensions)?;
    for position in 0..elements.dim(DimType::Param)? {
        let name = elements.get_dim_name(DimType::Param, position as u32)?;
        if !Axis::ALL.iter().any(|axis| axis.block_parameter() == name) {
            all = all.drop_constraints_involving_dims(DimType::Param, position as u32, 1)?;
        }
    }
    Ok(all)
}

/// Returns the elements that a tile takes from elsewhere, if they are simple.
fn exactly_taken(part: &Part<'_>, group: &Group<'_>) -> Result<Option<Copied>> {
    let mut taken = Map::empty(group.boxed.get_space()?)?;
    for read in group.accesses.iter().filter(|access| access.kind == AccessKind::Read) {
        let outside = part.reads_from_outside(read.id)?;
        if !outside.is_empty()? {
            taken = taken.union(part.view.tile_footprint_of(read, outside)?)?;
        }
    }
    match in_few_nests(taken.simplified()?)? {
        Some(taken) => Copied::exactly(taken, part.view).map(Some),
        None => Ok(None),
    }
}

/// Returns the same elements as a union of few loop nests without quotients, one if possible, or nothing if such
/// nests would also touch other elements.
fn in_few_nests(elements: Map) -> Result<Option<Map>> {
    if elements.is_empty()? {
        return Ok(Some(elements));
    }
    let hull = hull(&elements)?;
    if hull.is_subset(&elements)? {
        return Ok(Some(hull));
    }
    let parts = elements.get_basic_map_list()?;
    if parts.size()? > MOST_NESTS {
        return Ok(None);
    }
    let mut all = Map::empty(elements.get_space()?)?;
    for position in 0..parts.size()? {
        all = all.union(Map::from_basic_map(parts.get_at(position)?.remove_divs()?)?)?;
    }
    Ok(if all.is_subset(&elements)? { Some(all) } else { None })
}

/// Returns the smallest superset that is described by the same conditions without alternatives and quotients.
fn hull(elements: &Map) -> Result<Map> {
    Ok(Map::from_basic_map(elements.copy()?.remove_divs()?.simple_hull()?.remove_redundancies()?)?)
}
