//! The form of a wish in a document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::wanted::{
    AlgorithmKind, Demand, FusionKind, GridKind, LayoutKind, MemoryKind, Offload, TransferKind,
};
use crate::{Axis, KernelId, LoopId};

/// A wish as it is written. It asks for exactly one thing.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a wish, as in { \"kernel\": \"K0\", \"tile_sizes\": [64, 64] }")]
#[schemars(rename = "Wish")]
pub struct Written {
    /// The name of the region that the wish is for; all regions if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// The kernel that the wish is for; all kernels if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<KernelId>,
    /// The loop of the source that the wish is for.
    #[serde(default, rename = "loop", skip_serializing_if = "Option::is_none")]
    pub source_loop: Option<LoopId>,
    /// The array that the wish is for, by its C expression; all arrays if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array: Option<String>,
    /// Tile sizes along the tiled loops, outermost parallel loop first; the last size is repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tile_sizes: Option<Vec<u32>>,
    /// Numbers of threads of a block along the parallel loops; the last number is repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_sizes: Option<Vec<u32>>,
    /// The number of iterations of the innermost loops of threads, or of one loop of the source, that become
    /// one; 1 forbids unrolling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unroll: Option<u32>,
    /// The axis of each parallel loop, outermost first; warps run along x.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axes: Option<Vec<Axis>>,
    /// The algorithm that orders the statement instances.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<AlgorithmKind>,
    /// Which statements share loops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fusion: Option<FusionKind>,
    /// Whether old values of an array are read from a copy, so that overwriting them need not wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_values: Option<Demand>,
    /// Whether an array takes turns with another one instead of being copied from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<Demand>,
    /// Whether values of a temporary go to the element of an array that they become.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_place: Option<Demand>,
    /// Whether the updates of a sum go to partial sums, which are combined afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial_sums: Option<Demand>,
    /// Which blocks a launch starts, and how they find their tiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<GridKind>,
    /// The number of threads that share a sum: 1 or 32, those of a warp.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sum_threads: Option<u32>,
    /// The number of threads for each one that computes: the others only copy what it reads into shared memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_threads: Option<u32>,
    /// Whether threads that only copy do so while the others compute with the tile before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_ahead: Option<Demand>,
    /// Whether the updates of sums may be done in another order, although it may round differently.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reassociate: Option<bool>,
    /// Where a region runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offload: Option<Offload>,
    /// The layout of buffers in shared memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<LayoutKind>,
    /// The memory from which kernels use an array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryKind>,
    /// A memory from which kernels must not use the array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avoid: Option<MemoryKind>,
    /// The largest amount of shared memory that a block may have, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared_memory: Option<u64>,
    /// The way in which arrays are transferred to the device and back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfer: Option<TransferKind>,
    /// Whether arrays stay on the device between regions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resident: Option<Demand>,
    /// Whether each run of a region copies arrays to the device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy_in: Option<Demand>,
    /// Whether each run of a region copies arrays back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy_out: Option<Demand>,
    /// The origin of the wish, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub origin: String,
}
