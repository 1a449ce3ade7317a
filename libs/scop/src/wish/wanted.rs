//! What wishes ask for.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// Sizes of tiles along the tiled loops, outermost parallel loop first, of which the last is repeated; of one
    /// loop of the source one size.
    TileSizes(Vec<u32>),
    /// Threads of a block along the parallel loops, of which the last is repeated.
    BlockSizes(Vec<u32>),
    /// How many iterations of a thread's innermost loops, or of one loop of the source, become one; 1 forbids it.
    Unroll(u32),
    /// Which statements share loops.
    Fusion(FusionKind),
    /// The layout of buffers in shared memory.
    Layout(LayoutKind),
    /// The memory that serves an array in kernels.
    Memory(MemoryKind),
    /// A memory that must not serve the array.
    Avoid(MemoryKind),
    /// The shared memory that a block may have at most, in bytes.
    SharedMemory(u64),
    /// How arrays get to the device and back.
    Transfer(TransferKind),
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TileSizes(sizes) => write!(f, "tiles of {}", listed(sizes)),
            Self::BlockSizes(sizes) => write!(f, "blocks of {}", listed(sizes)),
            Self::Unroll(factor) => write!(f, "unrolling by {factor}"),
            Self::Fusion(fusion) => write!(f, "fusion of {fusion}"),
            Self::Layout(layout) => write!(f, "the layout {}", spelled(layout)),
            Self::Memory(memory) => write!(f, "{memory} memory"),
            Self::Avoid(memory) => write!(f, "no {memory} memory"),
            Self::SharedMemory(bytes) => write!(f, "{bytes} bytes of shared memory at most"),
            Self::Transfer(transfer) => write!(f, "the transfer {}", spelled(transfer)),
        }
    }
}

/// Which statements share loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FusionKind {
    /// Those that may without losing parallelism.
    Most,
    /// Those alone that depend on each other in a cycle.
    Cycles,
}

impl fmt::Display for FusionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&spelled(self))
    }
}

/// How a buffer in shared memory is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LayoutKind {
    /// As the bounding box of what a tile uses.
    Box,
    /// Without gaps.
    Dense,
    /// As a box that goes round, so that what the next step of a tile loop uses again stays.
    Ring,
}

/// A memory of the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    /// Registers, or memory of a thread.
    Private,
    /// Memory of a block.
    Shared,
    /// Constant memory, arguments included.
    Constant,
    /// The common memory, and nothing in front of it.
    Global,
}

impl fmt::Display for MemoryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&spelled(self))
    }
}

/// How an array is transferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TransferKind {
    /// The elements that kernels use, one after the other.
    Linearized,
    /// Slices or boxes, as they are in memory.
    PerArray,
}

/// Sizes as the command line has them.
pub fn listed(sizes: &[u32]) -> String {
    sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// The name of a case in the document.
pub fn spelled(case: &impl Serialize) -> String {
    match serde_json::to_value(case) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}
