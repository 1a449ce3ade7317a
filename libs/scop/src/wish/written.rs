//! A wish in a document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::wanted::{FusionKind, LayoutKind, MemoryKind, TransferKind};
use crate::{KernelId, LoopId};

/// A wish as it is written: exactly one thing is asked for.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Wish")]
pub struct Written {
    /// The region that it is for, by its name; every one if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// The kernel that it is for; every one if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<KernelId>,
    /// The loop of the source that it is for.
    #[serde(default, rename = "loop", skip_serializing_if = "Option::is_none")]
    pub source_loop: Option<LoopId>,
    /// The array that it is for, by its expression in C; every one if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array: Option<String>,
    /// Sizes of tiles along the tiled loops, outermost parallel loop first, of which the last is repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tile_sizes: Option<Vec<u32>>,
    /// Threads of a block along the parallel loops, of which the last is repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_sizes: Option<Vec<u32>>,
    /// How many iterations of the innermost loops of threads, or of one loop of the source, become one; 1 forbids it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unroll: Option<u32>,
    /// Which statements share loops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fusion: Option<FusionKind>,
    /// The layout of buffers in shared memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<LayoutKind>,
    /// The memory that serves an array in kernels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryKind>,
    /// A memory that must not serve the array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avoid: Option<MemoryKind>,
    /// The shared memory that a block may have at most, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared_memory: Option<u64>,
    /// How arrays get to the device and back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfer: Option<TransferKind>,
    /// Where it comes from, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub origin: String,
}
