//! How many blocks of a kernel a multiprocessor runs at the same time.

use serde::Serialize;

use crate::target::{Multiprocessor, WARP};

/// What a block needs of a multiprocessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// Its threads.
    pub threads: u64,
    /// Its shared memory, static and dynamic, in bytes.
    pub shared_bytes: u64,
    /// The registers of a thread, if they are known: only the compiler determines their number.
    pub registers: Option<u64>,
}

/// How many blocks of a kernel are resident on a multiprocessor, and what limits them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Occupancy {
    /// The threads of a block, rounded up to whole warps.
    pub threads: u64,
    /// The blocks that are resident at the same time; 0 if not even one fits.
    pub blocks: u64,
    /// The share of the multiprocessor's threads that these blocks use, in percent.
    pub percent: u64,
    /// The resource that limits the blocks: `threads`, `blocks`, `shared memory` or `registers`.
    pub limit: &'static str,
}

/// Computes the occupancy of a kernel. Registers are not counted if their number is unknown.
pub fn occupancy(block: &Block, limits: &Multiprocessor) -> Occupancy {
    let warps = block.threads.max(1).div_ceil(WARP);
    let threads = warps * WARP;
    let limited = [
        (limits.threads / threads, "threads"),
        (limits.blocks, "blocks"),
        (by_shared_memory(block, limits), "shared memory"),
        (by_registers(block, warps, limits), "registers"),
    ];
    let (blocks, limit) = limited.into_iter().min_by_key(|(blocks, _)| *blocks).unwrap_or((0, "threads"));
    Occupancy { threads, blocks, percent: 100 * blocks * threads / limits.threads.max(1), limit }
}

fn by_shared_memory(block: &Block, limits: &Multiprocessor) -> u64 {
    if block.shared_bytes == 0 {
        return u64::MAX;
    }
    let bytes = block.shared_bytes.saturating_add(limits.reserved_shared_memory);
    limits.shared_memory / bytes
}

/// Each scheduler has its own part of the registers, so a multiprocessor's warps are a multiple of this number if
/// registers limit them (NVIDIA's occupancy calculator).
const WARP_UNIT: u64 = 4;

/// Returns how many blocks have enough registers. A warp gets a multiple of the allocation unit.
fn by_registers(block: &Block, warps: u64, limits: &Multiprocessor) -> u64 {
    let Some(registers) = block.registers.filter(|registers| *registers > 0) else { return u64::MAX };
    let unit = limits.register_unit.max(1);
    let of_warp = registers.saturating_mul(WARP).div_ceil(unit).saturating_mul(unit);
    let resident = limits.registers / of_warp;
    (resident - resident % WARP_UNIT) / warps
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOPPER: Multiprocessor = Multiprocessor {
        threads: 2048,
        blocks: 32,
        shared_memory: 233_472,
        reserved_shared_memory: 1024,
        registers: 65536,
        register_unit: 256,
    };

    #[test]
    fn the_scarcest_resource_limits() {
        let cases = [
            ((512, 0, None), 4, 100, "threads"),
            ((32, 0, None), 32, 50, "blocks"),
            ((512, 100_000, None), 2, 50, "shared memory"),
            ((1, 0, None), 32, 50, "blocks"),
            ((33, 0, None), 32, 100, "threads"),
            ((256, 0, Some(32)), 8, 100, "threads"),
            ((256, 0, Some(66)), 3, 37, "registers"),
            ((1024, 0, Some(65)), 0, 0, "registers"),
            // Two blocks of 116 736 bytes would fit if the system took nothing.
            ((256, 116_736, None), 1, 12, "shared memory"),
        ];
        for ((threads, shared_bytes, registers), blocks, percent, limit) in cases {
            let found = occupancy(&Block { threads, shared_bytes, registers }, &HOPPER);
            assert_eq!(
                (found.blocks, found.percent, found.limit),
                (blocks, percent, limit),
                "{threads} threads, {shared_bytes} bytes, {registers:?} registers"
            );
        }
    }
}
