//! The figures of a kernel's work, and their sums.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul};

use serde::{Deserialize, Serialize};

/// How a kernel was launched.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Shape {
    /// The number of launches.
    pub launches: u64,
    /// The blocks of all launches.
    pub blocks: u64,
    /// Those of them that have work; the others end at once.
    pub blocks_with_work: u64,
    /// The threads of a block.
    pub block_threads: u64,
    /// The shared memory of a block, static and dynamic, in bytes.
    pub shared_bytes: u64,
    /// The registers of a thread, if they are known.
    pub registers: Option<u64>,
}

/// Instructions that warps issue, by what executes them. An instruction counts once for a warp, however many of its
/// lanes are active.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Instructions {
    /// Arithmetic of single precision.
    pub fp32: f64,
    /// Arithmetic of double precision.
    pub fp64: f64,
    /// Integer arithmetic, logic, comparisons, moves and selections.
    pub integer: f64,
    /// Special functions.
    pub special: f64,
    /// Conversions between types.
    pub conversion: f64,
    /// Loads, stores and atomic operations of global and local memory.
    pub global: f64,
    /// The same of shared memory, and shuffles.
    pub shared: f64,
    /// Loads from constant memory; operands of other instructions do not count.
    pub constant: f64,
    /// Barriers.
    pub barrier: f64,
    /// Branches.
    pub branch: f64,
    /// All others.
    pub other: f64,
}

impl Instructions {
    /// Returns the number of all instructions.
    pub fn total(&self) -> f64 {
        let arithmetic = self.fp32 + self.fp64 + self.integer + self.special + self.conversion;
        arithmetic + self.global + self.shared + self.constant + self.barrier + self.branch + self.other
    }
}

/// Requests of warps to global memory.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Memory {
    /// Loads, stores and atomic operations of warps.
    pub requests: f64,
    /// Lines that the requests look up in the L1 cache.
    pub lines: f64,
    /// Sectors that the requests touch.
    pub touched_sectors: f64,
    /// Sectors of them that go to the L2 cache.
    pub sectors: f64,
}

/// How often a warp waits, summed over all warps: it can issue nothing until a value arrives. Loads that a warp has in
/// flight together are one wait, for the slowest of them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Waits {
    /// For values that are in the L1 cache.
    pub l1: f64,
    /// For values that are in the L2 cache.
    pub l2: f64,
    /// For values that are in device memory.
    pub dram: f64,
    /// For values that are in shared memory.
    pub shared: f64,
    /// Clocks that dependent arithmetic takes besides, issue included.
    pub arithmetic_clocks: f64,
}

/// A part of a kernel's work that does not overlap with the other parts within one block, because barriers divide them.
/// All figures are sums over all blocks of all launches.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Phase {
    /// Global memory.
    pub memory: Memory,
    /// Bytes that device memory moves.
    pub dram_bytes: f64,
    /// Wavefronts of shared memory.
    pub shared_wavefronts: f64,
    /// Wavefronts of constant memory.
    pub constant_wavefronts: f64,
    /// Instructions.
    pub instructions: Instructions,
    /// Waits of warps.
    pub waits: Waits,
    /// Those of them that delay blocks: of the warps of a block, the one that does most between two barriers is waited
    /// for by the others. Nothing if all warps do the same.
    pub busiest: Waits,
}

/// What a kernel did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Work {
    /// How it was launched.
    pub shape: Shape,
    /// Its phases: one, or one that stages data in shared memory and one that computes with it.
    pub phases: Vec<Phase>,
    /// The barriers of blocks, each counted once for a block.
    pub barriers: f64,
    /// True if the instructions are an estimate.
    pub is_estimated: bool,
}

/// Copies between host and device in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub struct Transfers {
    /// The number of copies.
    pub calls: u64,
    /// The bytes that they move.
    pub bytes: u64,
}

impl Waits {
    /// Multiplies the waits for global and for shared memory, and replaces the clocks of arithmetic.
    pub(super) fn scaled(self, global: f64, shared: f64, arithmetic_clocks: f64) -> Self {
        Self {
            l1: self.l1 * global,
            l2: self.l2 * global,
            dram: self.dram * global,
            shared: self.shared * shared,
            arithmetic_clocks,
        }
    }
}

macro_rules! sums {
    ($name:ident: $($field:ident),+) => {
        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self { $($field: self.$field + other.$field),+ }
            }
        }
        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
        impl Mul<f64> for $name {
            type Output = Self;
            fn mul(self, factor: f64) -> Self {
                Self { $($field: self.$field * factor),+ }
            }
        }
        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
                parts.fold(Self::default(), Add::add)
            }
        }
    };
}

sums!(Instructions: fp32, fp64, integer, special, conversion, global, shared, constant, barrier, branch, other);
sums!(Memory: requests, lines, touched_sectors, sectors);
sums!(Waits: l1, l2, dram, shared, arithmetic_clocks);
sums!(Phase: memory, dram_bytes, shared_wavefronts, constant_wavefronts, instructions, waits, busiest);
