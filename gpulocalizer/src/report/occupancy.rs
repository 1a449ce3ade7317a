//! How many blocks of a kernel a multiprocessor runs at the same time.

use scop::{Kernel, KernelPlacement};
use serde::Serialize;

use crate::options::Multiprocessor;

/// The threads of a warp.
const WARP: u64 = 32;

/// How many blocks of a kernel are resident on a multiprocessor, and what limits them. Registers are not counted,
/// because only the compiler determines their number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Occupancy {
    /// The threads of a block, rounded up to whole warps.
    pub threads: u64,
    /// The blocks that are resident at the same time.
    pub blocks: u64,
    /// The share of the multiprocessor's threads that these blocks use, in percent.
    pub percent: u64,
    /// The resource that limits the blocks: `threads`, `blocks` or `shared memory`.
    pub limit: &'static str,
}

/// Computes the occupancy of a kernel.
pub fn occupancy(kernel: &Kernel, placed: &KernelPlacement, limits: &Multiprocessor) -> Occupancy {
    let threads: u64 = kernel.block.iter().map(|dimension| u64::from(dimension.size)).product();
    let threads = threads.div_ceil(WARP) * WARP;
    let by_shared = limits.shared_memory.checked_div(placed.shared_bytes).unwrap_or(u64::MAX);
    let limited =
        [(limits.threads / threads, "threads"), (limits.blocks, "blocks"), (by_shared, "shared memory")];
    let (blocks, limit) = limited.into_iter().min_by_key(|(blocks, _)| *blocks).unwrap_or((0, "threads"));
    Occupancy { threads, blocks, percent: 100 * blocks * threads / limits.threads.max(1), limit }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scop::{Axis, BlockDimension, KernelId};

    fn of(sizes: &[u32], shared_bytes: u64) -> Occupancy {
        let block = sizes.iter().zip(Axis::ALL).map(|(&size, axis)| BlockDimension { axis, size }).collect();
        let kernel = Kernel {
            id: KernelId(0),
            statements: Vec::new(),
            host_depth: 0,
            grid: Vec::new(),
            block,
            tile_sizes: Vec::new(),
            reasons: Vec::new(),
        };
        let placed = KernelPlacement { kernel: KernelId(0), buffers: Vec::new(), shared_bytes };
        let limits = Multiprocessor { threads: 2048, blocks: 32, shared_memory: 233_472 };
        occupancy(&kernel, &placed, &limits)
    }

    #[test]
    fn the_scarcest_resource_limits() {
        let cases = [
            (&[32u32, 16][..], 0, 4, 100, "threads"),
            (&[32], 0, 32, 50, "blocks"),
            (&[32, 16], 100_000, 2, 50, "shared memory"),
            (&[], 0, 32, 50, "blocks"),
            (&[33], 0, 32, 100, "threads"),
        ];
        for (sizes, shared, blocks, percent, limit) in cases {
            let found = of(sizes, shared);
            assert_eq!((found.blocks, found.percent, found.limit), (blocks, percent, limit), "{sizes:?}");
        }
    }
}
