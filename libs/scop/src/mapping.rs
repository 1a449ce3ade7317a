//! How the instances of a scop are distributed over blocks and threads.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::axis::WARP;
use crate::{Answer, ArrayId, Axis, IslPwAff, IslPwQPolynomial, IslSchedule, IslSet, KernelId, StatementId};

/// How a scop is distributed over the GPU.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mapping {
    /// The order of the generated program: that of the schedule, with loops tiled and bound to blocks and
    /// threads. Marks name the roles of its parts ([`crate::mark`]).
    pub tree: IslSchedule,
    /// The kernels, in the order of the tree.
    pub kernels: Vec<Kernel>,
    /// The statements that run on the host, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub host: Vec<HostStatement>,
    /// The sizes for which the host is faster; absent if the region always runs on the device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<Threshold>,
    /// The answers to the wishes for tiles and blocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
}

/// Sizes for which the original region runs instead of its translation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Threshold {
    /// The parameters for which the original region runs: `[n] -> { : n <= 300 }`.
    pub host: IslSet,
    /// The reason, for people.
    pub reason: String,
}

/// A kernel and its launch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Kernel {
    /// The id; the tree has a mark `kernel_K0`.
    pub id: KernelId,
    /// The statements of which it executes instances: either all of their instances, or those below its mark in
    /// the tree.
    pub statements: Vec<StatementId>,
    /// The number of host loops around the kernel.
    pub host_depth: u32,
    /// The block dimensions in use, x first; empty for a single block.
    pub grid: Vec<GridDimension>,
    /// How the blocks are numbered, if not all blocks of the grid are started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranked: Option<Ranked>,
    /// The thread dimensions in use, x first; empty for a single thread.
    pub block: Vec<BlockDimension>,
    /// The statements of which the threads along x share the updates of one element: the 32 threads of a warp each
    /// have a value of their own. If the order of the updates is free ([`crate::Reduction::free`]), they combine these
    /// at the end; if it is not, after each 32 updates, one after the other. All other statements run in the thread
    /// with `tx = 0`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared_sums: Vec<StatementId>,
    /// The axis along which the threads but the first compute nothing. They help to copy what the kernel reads into
    /// shared memory, so that more loads are in flight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loading: Option<Axis>,
    /// True if these threads copy each tile of the last loop over tiles while the others compute with the tile before
    /// it. The threads of the first warp along `loading` then do not copy.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ahead: bool,
    /// The tile size of each member of the tiled band, outermost first; empty if nothing was tiled.
    pub tile_sizes: Vec<u32>,
    /// The reasons for this mapping, for people.
    pub reasons: Vec<String>,
    /// Where the price of this kernel takes the elements of arrays to be that several threads of a block use. Absent
    /// if the kernel has no price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priced: Option<Vec<PricedArray>>,
}

/// What the price of a kernel takes for granted of an array of which several threads of a block use the same elements:
/// estimates for a tile, and the memory that follows from them. The memory that the array gets is decided by the same
/// rule with exact counts of the finished tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PricedArray {
    /// The array.
    pub array: ArrayId,
    /// The elements of it that a tile uses.
    pub elements: u64,
    /// How often the threads of a block access them in a tile.
    pub accesses: u64,
    /// True if the kernel writes the array.
    pub written: bool,
    /// True if the loads of a warp touch many more sectors than their elements fill.
    pub scattered: bool,
    /// True if copies of these elements in shared memory are priced.
    pub in_shared: bool,
}

impl Kernel {
    /// Returns the number of threads along an axis, counted from the first, that never copy.
    pub fn never_copying(&self, axis: Axis) -> u32 {
        match self.loading {
            Some(loading) if self.ahead && loading == axis => {
                // Threads that wait for loads would hold up those of their warp that compute.
                if axis == Axis::X { WARP } else { 1 }
            }
            _ => 0,
        }
    }

    /// Returns the number of schedule dimensions around the last loop over tiles, of which there are `tile_depth`, if
    /// other loops of the block are around it. Only the bands of kernels with threads that only copy are divided there.
    pub fn depth_of_last_tiles(&self, tile_depth: u32) -> Option<u32> {
        let block_depth = self.host_depth + self.grid.len() as u32;
        (self.loading.is_some() && tile_depth > block_depth + 1).then(|| tile_depth - 1)
    }
}

/// One dimension of the grid. In the tree, the block's coordinate is `bx`, `by` or `bz` and starts at `lower`;
/// the generated code adds `lower` to `blockIdx`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GridDimension {
    /// The axis.
    pub axis: Axis,
    /// The smallest coordinate, as a function of the parameters and the `host_depth` loops around the kernel:
    /// `[n] -> { [t] -> [floor((1 + t)/32)] }`.
    pub lower: IslPwAff,
    /// The number of blocks, as a function of the same values. The kernel is not launched if it is not
    /// positive.
    pub extent: IslPwAff,
}

/// Blocks that are numbered: of the box that `grid` describes, a launch starts only those in a shape that fits the work
/// better. The rank of a block is the number of blocks in the shape whose coordinates are lexicographically smaller.
/// The launch has one dimension, and each block computes its coordinates from its rank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ranked {
    /// The coordinates, one for each dimension of the grid, the slowest one first.
    pub coordinates: Vec<RankedCoordinate>,
    /// The number of blocks, as a function of the parameters and the loops around the kernel.
    pub blocks: IslPwQPolynomial,
}

/// One coordinate of numbered blocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RankedCoordinate {
    /// The axis.
    pub axis: Axis,
    /// The smallest coordinate, as a function of the parameters, the loops around the kernel, and the slower
    /// coordinates: `{ [h, by] -> [(0)] }`.
    pub lower: IslPwAff,
    /// The largest coordinate, as a function of the same values. There is none if it is less than the smallest.
    pub upper: IslPwAff,
    /// The number of blocks with the same slower coordinates and a smaller one here, as a function of the same values
    /// and of the coordinate itself. The last coordinate has none: its values are consecutive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<IslPwQPolynomial>,
}

/// One dimension of a thread block. In the tree, the thread's coordinate is `tx`, `ty` or `tz`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockDimension {
    /// The axis.
    pub axis: Axis,
    /// The number of threads.
    pub size: u32,
}

/// A statement that is not executed by a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HostStatement {
    /// The statement.
    pub statement: StatementId,
    /// The reason why it runs on the host.
    pub reason: String,
}
