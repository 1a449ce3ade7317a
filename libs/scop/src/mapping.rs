//! How the new order is spread over the GPU.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Answer, Axis, IslPwAff, IslSchedule, KernelId, StatementId};

/// How a scop is spread over the GPU.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mapping {
    /// The order of the generated program: that of the schedule with its loops tiled and tied to blocks and threads.
    /// The roles of its parts are marks ([`crate::mark`]).
    pub tree: IslSchedule,
    /// The kernels, in the order of the tree.
    pub kernels: Vec<Kernel>,
    /// The statements that stay on the host, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub host: Vec<HostStatement>,
    /// What came of the wishes for tiles and blocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
}

/// A kernel and its launch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Kernel {
    /// The id; the tree has a mark `kernel_K0`.
    pub id: KernelId,
    /// The statements of which it executes instances: all, or those that are below its mark in the tree.
    pub statements: Vec<StatementId>,
    /// The number of loops on the host around it.
    pub host_depth: u32,
    /// The block dimensions in use, x first; none means one block.
    pub grid: Vec<GridDimension>,
    /// The thread dimensions in use, x first; none means one thread.
    pub block: Vec<BlockDimension>,
    /// The tile size of each member of the tiled band, outermost first; empty if nothing was tiled.
    pub tile_sizes: Vec<u32>,
    /// Why it was mapped so, for people.
    pub reasons: Vec<String>,
}

/// One dimension of the grid. The tree calls the block's coordinate `bx`, `by` or `bz` and lets it run
/// from `lower` on; the generated code adds `lower` to `blockIdx`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GridDimension {
    /// Which of the three.
    pub axis: Axis,
    /// The smallest coordinate, in terms of the parameters and the `host_depth` loops around the kernel:
    /// `[n] -> { [t] -> [floor((1 + t)/32)] }`.
    pub lower: IslPwAff,
    /// The number of blocks, in the same terms; the kernel is not launched where it is not positive.
    pub extent: IslPwAff,
}

/// One dimension of a thread block; the tree calls the coordinate `tx`, `ty` or `tz`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockDimension {
    /// Which of the three.
    pub axis: Axis,
    /// The number of threads.
    pub size: u32,
}

/// A statement that is not executed by a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HostStatement {
    /// The statement.
    pub statement: StatementId,
    /// Why it stays.
    pub reason: String,
}
