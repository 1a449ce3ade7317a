//! What gpulocalizer decided: which elements are where.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AccessId, ArrayId, BufferId, IslMap, IslPwAff, IslSet, KernelId};

/// Where the data of a scop is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Placement {
    /// The arrays that kernels use, in the order of their ids.
    pub device: Vec<DeviceArray>,
    /// The buffers of each kernel, in the order of the mapping.
    pub kernels: Vec<KernelPlacement>,
}

/// An array in the device's memory.
///
/// The device holds the slice `lower <= x < lower + extent` of the outermost dimension, whole in all other dimensions;
/// a scalar that kernels only read is not here (it is a kernel argument).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceArray {
    /// The array.
    pub array: ArrayId,
    /// The first index of the outermost dimension; 0 for a scalar.
    pub lower: IslPwAff,
    /// The number of indices of the outermost dimension; 1 for a scalar. May be negative or zero where nothing is used.
    pub extent: IslPwAff,
    /// The extents of the other dimensions, outermost first.
    pub inner_extents: Vec<IslPwAff>,
    /// For an array that is declared inside the region: the smallest index of each dimension, which is subtracted from
    /// every subscript (so `lower` is 0). Empty for all others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origin: Vec<IslPwAff>,
    /// The elements that the device needs from the host before the region.
    pub copy_in: IslSet,
    /// The elements that the host needs from the device after the region.
    pub copy_out: IslSet,
}

/// The buffers of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KernelPlacement {
    /// The kernel.
    pub kernel: KernelId,
    /// Its buffers.
    pub buffers: Vec<Buffer>,
    /// The shared memory of a block, in bytes.
    pub shared_bytes: u64,
}

/// Fast memory that stands for a part of an array inside a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Buffer {
    /// The id.
    pub id: BufferId,
    /// A name for generated code.
    pub name: String,
    /// The array.
    pub array: ArrayId,
    /// The memory.
    pub memory: Memory,
    /// The accesses that use the buffer instead of the array.
    pub accesses: Vec<AccessId>,
    /// For each of them, from statement instances to places in the buffer: `[bx] -> { S0[i, j] -> B0[i - 32bx, j] }`.
    pub places: Vec<IslMap>,
    /// The schedule depth at which its contents are fixed: the first `depth` dimensions of the schedule.
    pub depth: u32,
    /// From those schedule dimensions and an element to its place, for copies:
    /// `[n, bx] -> { [[k] -> A0[x, y]] -> B0[x - 32 bx, y - k] }`.
    pub index: IslMap,
    /// The sizes of the buffer's dimensions; none for a single element.
    pub sizes: Vec<u32>,
    /// If the tree copies the whole box: the elements that there are, outside of which a copy does nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub existing: Option<IslSet>,
    /// How often an element is used for each time it is brought in, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reuse: Option<String>,
    /// Why it is here, for people.
    pub reason: String,
}

/// A memory of the device other than global memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Memory {
    /// One for each block.
    Shared,
    /// One for each thread: registers, or local memory where the index is not constant.
    Private,
}
