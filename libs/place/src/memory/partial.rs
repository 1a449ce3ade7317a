//! The values of a sum that several threads share: a register of each thread.
//!
//! While the threads of a warp share the updates of one element, the accesses of the updates use a register instead of
//! the element. A copy before the tile sets it to the neutral value of the operator, and a copy after it combines the
//! registers of the warp with the element ([`scop::Buffer::partial`]). All other accesses of the kernel to the array
//! use the array.
//!
//! If the order of the updates is kept, a tile has one update of each thread, and both copies are around each tile.

use polyhedra::{DimType, Error, Map, Result};
use scop::{AccessId, Axis, BufferId, Dependences, Reduction, StatementId};

use crate::kernel::view::KernelView;
use crate::memory::private::{PrivateBuffer, nowhere, registers, single_element};

/// Returns the buffer of the sum of a statement that the threads of a kernel share.
///
/// # Errors
/// Returns an error if an isl operation fails, or if the statement has no reduction.
pub fn partial_buffer(
    view: &KernelView<'_>,
    dependences: &Dependences,
    statement: StatementId,
    id: BufferId,
) -> Result<PrivateBuffer> {
    let reduction = reduction_of(dependences, statement)?;
    let write = view.model.access(reduction.write)?;
    let array = view.model.array(write.array)?;
    let in_order = reduction.free.is_none();
    let depth = if in_order { view.tile_depth } else { view.block_depth.min(view.tile_depth) };
    let elements = of_warp(view.thread_footprint(write, depth)?)?;
    let index = single_element(&elements, array, id)?;
    let how = if in_order { "add their numbers in order" } else { "combine their values at the end" };
    let reason = format!("the threads of a warp share the sum of {statement}, and {how}");
    let accesses: Vec<AccessId> = reduction.accesses().collect();
    let mut buffer = registers(view, array, (id, depth), accesses, (index, reason))?;
    buffer.partial = Some(reduction.operator);
    buffer.in_order = in_order;
    let (copy_in, copy_out) = (elements.copy()?, elements);
    Ok(PrivateBuffer { buffer, copy_in, copy_out, unneeded: None, order: nowhere()? })
}

fn reduction_of(dependences: &Dependences, statement: StatementId) -> Result<&Reduction> {
    let mut own = dependences.reductions.iter().filter(|reduction| reduction.statement == statement);
    own.next().ok_or_else(|| Error::new(format!("{statement} has no sum that threads could share")))
}

/// Removes the conditions on the thread's place in its warp: all threads of the warp take part.
fn of_warp(elements: Map) -> Result<Map> {
    let position = elements.find_dim_by_name(DimType::Param, Axis::X.thread_parameter())?;
    match u32::try_from(position) {
        Ok(position) => Ok(elements.eliminate(DimType::Param, position, 1)?),
        Err(_) => Ok(elements),
    }
}
