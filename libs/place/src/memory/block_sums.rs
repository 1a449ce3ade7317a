//! The sums of a block into elements that data choose: shared memory.
//!
//! ```c
//! for (int i = 0; i < n; i++)
//!     count[bin[i]] += 1;
//! ```
//!
//! Each block has values of its own for all elements of the array ([`scop::Buffer::partial`]). The copies into the
//! buffer set them to the neutral value of the operator, the updates of the block change them by atomic operations, and
//! the copies out of it combine them with the elements, by one atomic operation each. That takes less time if the block
//! has several updates for each element, and memory serves fewer of them at the same address.

use gpu::place::Uses;
use polyhedra::{MultiPwAff, Result, Set, Text};
use scop::{AccessKind, Array, ArrayId, Buffer, BufferId, Dependences, Layout, Memory, ReductionOp};

use crate::index::bounding_box::BoundingBox;
use crate::kernel::view::{KernelView, names};
use crate::memory::counted::{Counted, pay};
use crate::memory::shared::{Group, SharedBuffer};
use crate::wishes::Staging;

/// Returns the buffer of the sums of each block into the elements of an array, if all accesses of the kernel to the
/// array are updates that may be done in any order, the elements are those of a box of constant size and fit into
/// `budget` bytes, and such sums pay or the user asks for them.
///
/// # Errors
/// Returns an error if an isl operation fails.
pub fn block_sums(
    view: &KernelView<'_>,
    dependences: &Dependences,
    array: &Array,
    id: BufferId,
    (budget, staging): (u64, Staging),
    counted: &mut Vec<Counted>,
) -> Result<Option<SharedBuffer>> {
    let Some(operator) = operator(view, dependences, array.id) else { return Ok(None) };
    if view.kernel.block.is_empty() || array.extents.is_empty() || !array.visible {
        return Ok(None);
    }
    let accesses: Vec<_> = view.accesses(array.id).collect();
    let Some(group) = Group::around(view, accesses)? else { return Ok(None) };
    let touched = group.footprint(view)?;
    let elements = group.bounding_box.elements();
    let bytes = elements.saturating_mul(array.element.size().into());
    let all = whole(array, &group.bounding_box.sizes)?;
    let copied = group.boxed.copy()?.intersect_domain(touched.copy()?.domain()?)?;
    let copied = copied.intersect_params(view.bounds()?)?;
    if bytes > budget || !copied.is_subset(&touched)? || !touched.range()?.is_subset(&all)? {
        return Ok(None);
    }
    let uses = Uses {
        elements,
        accesses: updates_of_tile(view, &group),
        are_shared: true,
        for_others: false,
        are_written: true,
        are_scattered: false,
    };
    if staging == Staging::Paying && !pay(counted, Counted { array: array.id, uses }) {
        return Ok(None);
    }
    let place = group.bounding_box.place(&group.boxed)?;
    let every: Vec<usize> = (0..group.bounding_box.sizes.len()).collect();
    let index = BoundingBox::index(&place, id, &every)?;
    let accesses: Vec<_> = group.accesses.iter().map(|access| access.id).collect();
    let buffer = Buffer {
        id,
        name: format!("shared_{}", array.name),
        array: array.id,
        memory: Memory::Shared,
        places: view.places(&accesses, view.tile_depth, &index)?,
        accesses,
        depth: view.tile_depth,
        index,
        sizes: group.bounding_box.sizes.clone(),
        layout: Layout::default(),
        existing: None,
        partial: Some(operator),
        in_order: false,
        reuse: None,
        reason: format!(
            "each block has sums of its own for {elements} elements that data choose, and combines them with the array at \
             the end"
        ),
    };
    Ok(Some(SharedBuffer {
        buffer,
        copy_in: copied.copy()?,
        copy_out: Some(copied),
        places: MultiPwAff::from_pw_multi_aff(place)?,
        box_sizes: group.bounding_box.sizes,
        unneeded: None,
        retains: false,
        ahead: false,
        bytes,
    }))
}

/// Returns the operator of all accesses of a kernel to an array, if they belong to updates that may be done in any
/// order and whose elements data choose.
fn operator(view: &KernelView<'_>, dependences: &Dependences, array: ArrayId) -> Option<ReductionOp> {
    let mut operators = view.accesses(array).map(|access| {
        let of = dependences.relaxed().find(|reduction| reduction.updates_by(access.id))?;
        access.indirect.then_some(of.operator)
    });
    let first = operators.next()??;
    operators.all(|other| other == Some(first)).then_some(first)
}

/// Returns the elements of a box that begins with the first element of an array.
fn whole(array: &Array, sizes: &[u32]) -> Result<Set> {
    let names = names("x", sizes.len() as u32);
    let bounds: Vec<String> =
        sizes.iter().enumerate().map(|(position, size)| format!("0 <= x{position} < {size}")).collect();
    Set::parse(&format!("{{ {}[{names}] : {} }}", array.id, bounds.join(" and ")))
}

/// Returns the updates of a full tile, as far as its size shows.
fn updates_of_tile(view: &KernelView<'_>, group: &Group<'_>) -> u64 {
    let points: u64 = view.kernel.tile_sizes.iter().map(|size| u64::from(*size)).product();
    let updates = group.accesses.iter().filter(|access| access.kind == AccessKind::Write).count();
    points.saturating_mul(updates as u64)
}
