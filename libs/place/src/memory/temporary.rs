//! Temporaries that last for one iteration: registers.
//!
//! candl-rs gives each iteration of a loop its own element of a temporary. If a thread executes these iterations one
//! after the other, and no element outlives its iteration, one variable of the thread serves them all:
//!
//! ```text
//! for (k …) { t[i][j][k] = a[i][k] * c; …; c = c + t[i][j][k]; }   →   for (k …) { t = a[i][k] * c; …; c = c + t; }
//! ```
//!
//! Requires: accesses whose subscripts are known, writes that certainly happen, and that all statements that use the
//! array share one nest of loops; in a loop of its own, a statement would find the value of the last iteration of the
//! loop before. Ensures: the buffer has no copies, so that the array needs no device memory if all kernels place it so.

use polyhedra::Result;
use scop::{Access, AccessId, Array, BufferId, Dependences};

use crate::kernel::view::KernelView;
use crate::memory::private::{
    Copies, PrivateBuffer, belongs_to_one_thread, nowhere, registers, single_element,
};

/// Returns the variable for an array of which each iteration of a thread's loops has an element of its own.
pub fn temporary(
    view: &KernelView<'_>,
    dependences: &Dependences,
    array: &Array,
    id: BufferId,
) -> Result<Option<PrivateBuffer>> {
    let is_uncertain = |access: &Access| access.indirect || !access.is_certainly_used();
    if array.visible || !view.writes(array.id) || view.accesses(array.id).any(is_uncertain) {
        return Ok(None);
    }
    let Some(footprint) = view.iteration_footprint(array.id)? else { return Ok(None) };
    let has_one = footprint.is_single_valued()? && belongs_to_one_thread(view, &footprint)?;
    if !has_one || !view.have_one_nest(array.id)? {
        return Ok(None);
    }
    let depth = view.block_depth.min(view.tile_depth);
    let copies = Copies::new(view, dependences, array, depth)?;
    if !copies.none()? || copies.reads_undefined {
        return Ok(None);
    }
    let accesses: Vec<AccessId> = view.accesses(array.id).map(|access| access.id).collect();
    let index = single_element(&copies.copy_in, array, id)?;
    let reason = "each iteration of a thread has one element of its own".to_owned();
    let buffer = registers(view, array, (id, depth), accesses, (index, reason))?;
    let Copies { copy_in, copy_out, unneeded, .. } = copies;
    Ok(Some(PrivateBuffer { buffer, copy_in, copy_out, unneeded, order: nowhere()? }))
}
