//! Elements that a thread reads repeatedly and no thread writes: registers.
//!
//! A compiler could keep such a value in a register itself, but it would have to prove that no store and no barrier
//! on the way changes it. Here that is known.
//!
//! (C-to-CUDA, section 4.2: arrays whose access functions vary only with the parallel loops are candidates for
//! registers.)

use std::collections::BTreeSet;

use polyhedra::{Map, Result, Simplify};
use scop::{Access, AccessId, Array, BufferId};

use crate::index::bounding_box::BoundingBox;
use crate::kernel::view::KernelView;
use crate::memory::private::{PrivateBuffer, nowhere, registers, single_element};

/// The most operands of an array. More registers would cost more threads than the saved loads are worth.
const MOST: usize = 16;

/// Returns the private buffers for the references to an array of which each thread of a block reads one element many
/// times, numbered from `first` on. There are none if the kernel writes the array.
///
/// Only references that are certainly executed count: another one may be out of bounds where it is not executed.
pub fn operand_buffers(view: &KernelView<'_>, array: &Array, first: BufferId) -> Result<Vec<PrivateBuffer>> {
    let mut operands: Vec<Operand> = Vec::new();
    if view.writes(array.id) || array.extents.is_empty() {
        return Ok(Vec::new());
    }
    for access in view.accesses(array.id).filter(|access| access.certainty.is_must() && !access.indirect) {
        let Some(operand) = operand(view, access)? else { continue };
        match join(&mut operands, operand)? {
            Some(operand) if operands.len() < MOST => operands.push(operand),
            _ => {}
        }
    }
    let ids = first.0..;
    ids.zip(operands).map(|(id, operand)| operand.buffer(view, array, BufferId(id))).collect()
}

/// References to one element for each thread.
struct Operand {
    accesses: Vec<AccessId>,
    /// The map from the schedule dimensions of the block to the element, for one thread.
    footprint: Map,
}

/// Returns a reference through which a thread reads one element more than once, as an operand.
fn operand(view: &KernelView<'_>, access: &Access) -> Result<Option<Operand>> {
    if !view.repeats_in_thread(access)? {
        return Ok(None);
    }
    let footprint = view.thread_footprint(access, depth(view))?;
    let is_one = BoundingBox::around(&footprint)?.is_some_and(|around| around.elements() == 1);
    Ok(is_one.then(|| Operand { accesses: vec![access.id], footprint }))
}

/// Adds an operand to the one with the same element; returns it if there is none.
fn join(operands: &mut [Operand], operand: Operand) -> Result<Option<Operand>> {
    for other in operands {
        let both = other.footprint.copy()?.union(operand.footprint.copy()?)?.simplified()?;
        if BoundingBox::around(&both)?.is_some_and(|around| around.elements() == 1) {
            other.footprint = both;
            other.accesses.extend(operand.accesses);
            return Ok(None);
        }
    }
    Ok(Some(operand))
}

fn depth(view: &KernelView<'_>) -> u32 {
    view.block_depth.min(view.tile_depth)
}

impl Operand {
    fn buffer(self, view: &KernelView<'_>, array: &Array, id: BufferId) -> Result<PrivateBuffer> {
        let index = single_element(&self.footprint, array, id)?;
        let reason = "each thread reads one element again and again".to_owned();
        let buffer = registers(view, array, (id, depth(view)), self.accesses, (index, reason))?;
        let nothing = Map::empty(self.footprint.get_space()?)?;
        Ok(PrivateBuffer {
            buffer,
            copy_in: self.footprint,
            copy_out: nothing,
            unneeded: None,
            order: nowhere()?,
        })
    }
}

/// Returns the accesses that some private buffers serve.
pub fn served(buffers: &[PrivateBuffer]) -> BTreeSet<AccessId> {
    buffers.iter().flat_map(|private| &private.buffer.accesses).copied().collect()
}
