//! The marks of a schedule tree, and the names of the statements that tools add to it.
//!
//! ```text
//! domain
//!   (sequence, bands: loops on the host)
//!     mark "host"               the subtree runs on the host
//!     mark "kernel_K0"          the subtree is kernel K0
//!       context                 bounds of bx, by, bz, tx, ty, tz
//!         filter                instances of block (bx, by, bz)
//!           (bands of tile loops)
//!             mark "tile"       below it, the work of a block on one tile; copies are put around it
//!               (bands, sequence, barriers: the same for all threads of a block)
//!                 mark "thread" below it, instances of one thread
//!                   filter      instances of thread (tx, ty, tz)
//!                     (bands)
//!                       mark "unroll_8"   the loop below it is to be unrolled by 8
//!                       mark "unroll"   below it, the instances of a register tile, by loops that are unrolled
//! ```
//!
//! gpulocalizer adds extension nodes, whose statements have names made by [`copy_in`], [`copy_out`],
//! [`BARRIER`], [`to_device`] and [`from_device`].

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use polyhedra::{Result, ScheduleNode, sets_of, tuple_name};

use crate::{ArrayId, BufferId, KernelId, StatementId};

/// The mark above a subtree that runs on the host although there are kernels around it.
pub const HOST: &str = "host";

/// The mark above the work of a block on one tile.
pub const TILE: &str = "tile";

/// The mark above the part of a kernel in which statement instances are distributed over threads.
pub const THREAD: &str = "thread";

/// The mark above loops of constant length that are to be unrolled, so that what they index can be in
/// registers.
pub const UNROLL: &str = "unroll";

/// Returns the mark above a loop that is to be unrolled by a factor: `unroll_8`. The factor 1 means no
/// unrolling.
pub fn unroll_by(factor: u32) -> String {
    format!("unroll_{factor}")
}

/// Returns the factor of such a mark.
pub fn factor_of(mark: &str) -> Option<NonZeroU32> {
    mark.strip_prefix("unroll_")?.parse().ok()
}

/// The prefix of the names of `__syncthreads()` statements; barriers are numbered: `barrier_0`, ….
pub const BARRIER: &str = "barrier_";

/// Returns the mark above kernel `id`: `kernel_K0`.
pub fn kernel(id: KernelId) -> String {
    format!("kernel_{id}")
}

/// Returns the kernel that a mark names, if it is the mark of a kernel.
pub fn kernel_of(mark: &str) -> Option<KernelId> {
    mark.strip_prefix("kernel_")?.parse().ok()
}

/// Returns the name of the statement that copies an element into a buffer: `copy_in_B0[...]`, indexed by the
/// prefix schedule and the element.
pub fn copy_in(buffer: BufferId) -> String {
    format!("copy_in_{buffer}")
}

/// Returns the name of the statement that copies an element out of a buffer: `copy_out_B0[...]`.
pub fn copy_out(buffer: BufferId) -> String {
    format!("copy_out_{buffer}")
}

/// Returns the name of the statement that transfers an array to the device: `to_device_A0[]`.
pub fn to_device(array: ArrayId) -> String {
    format!("to_device_{array}")
}

/// Returns the name of the statement that transfers an array from the device: `from_device_A0[]`.
pub fn from_device(array: ArrayId) -> String {
    format!("from_device_{array}")
}

/// Returns the name of the statement that transfers a part of an array ([`crate::DeviceArray::parts`]), given
/// the name of the statement for the whole array: `to_device_A0_2[h0]`.
pub fn part(whole: &str, number: usize) -> String {
    format!("{whole}_{number}")
}

/// The kinds of statements that gpulocalizer adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// A barrier.
    Barrier,
    /// A copy of an element.
    Copy {
        /// The buffer.
        buffer: BufferId,
        /// True for a copy from the array into the buffer.
        into_buffer: bool,
    },
    /// A transfer.
    Transfer {
        /// The array.
        array: ArrayId,
        /// The number of the part, if less than the whole array is transferred.
        part: Option<usize>,
        /// True for a transfer from host to device.
        to_device: bool,
    },
}

impl Added {
    /// Parses the name of such a statement; returns nothing for other names.
    pub fn parse(name: &str) -> Option<Self> {
        if name.starts_with(BARRIER) {
            return Some(Self::Barrier);
        }
        for (prefix, into_buffer) in [("copy_in_", true), ("copy_out_", false)] {
            if let Some(id) = name.strip_prefix(prefix) {
                return Some(Self::Copy { buffer: id.parse().ok()?, into_buffer });
            }
        }
        for (prefix, to_device) in [("to_device_", true), ("from_device_", false)] {
            if let Some(rest) = name.strip_prefix(prefix) {
                let (array, part) = transferred(rest)?;
                return Some(Self::Transfer { array, part, to_device });
            }
        }
        None
    }
}

/// Parses what follows the direction in the name of a transfer: the array and the number of its part.
fn transferred(name: &str) -> Option<(ArrayId, Option<usize>)> {
    match name.split_once('_') {
        Some((array, number)) => Some((array.parse().ok()?, Some(number.parse().ok()?))),
        None => Some((name.parse().ok()?, None)),
    }
}

/// Returns the statements of the model that have instances at a node, without those that gpulocalizer added.
///
/// # Errors
/// Returns isl's error if an isl operation fails.
pub fn statements_at(node: &ScheduleNode) -> Result<BTreeSet<StatementId>> {
    let names = sets_of(&node.get_universe_domain()?)?.iter().map(tuple_name).collect::<Result<Vec<_>>>()?;
    Ok(names.into_iter().flatten().filter_map(|name| name.parse().ok()).collect())
}
