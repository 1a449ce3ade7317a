//! The dimensions of grids and blocks, and how many threads a block may have.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The number of threads that a block may have, on every GPU of the last ten years.
pub const MAX_THREADS: u32 = 1024;

/// The threads of a warp.
pub(crate) const WARP: u32 = 32;

/// The number of threads that a block may have along z, in CUDA.
pub const MOST_ALONG_Z: u32 = 64;

/// A dimension of grids and blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// The dimension that varies fastest; warps run along it.
    X,
    /// The second dimension.
    Y,
    /// The third dimension.
    Z,
}

impl Axis {
    /// The three axes, fastest first.
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    /// Returns the parameter that denotes the block's coordinate in schedule trees.
    pub fn block_parameter(self) -> &'static str {
        ["bx", "by", "bz"][self as usize]
    }

    /// Returns the parameter that denotes the thread's coordinate in schedule trees.
    pub fn thread_parameter(self) -> &'static str {
        ["tx", "ty", "tz"][self as usize]
    }

    /// Returns the number of threads that a block may have along this axis.
    pub fn most_threads(self) -> u32 {
        match self {
            Self::X | Self::Y => MAX_THREADS,
            Self::Z => MOST_ALONG_Z,
        }
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["x", "y", "z"][*self as usize])
    }
}
