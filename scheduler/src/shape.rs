//! The shapes of a kernel's loops.

use scop::wish::GridKind;
use scop::{Axis, KernelId, LoopId};

use crate::sharing::{SUM_THREADS, SharedSum};

/// The most points of a tile that a thread computes in unrolled loops, with their values in registers.
pub const REGISTER_TILE: u32 = 64;

/// A band with its members in the order in which they are tiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The loop of the source that each member counts, if there is one.
    pub loops: Vec<Option<LoopId>>,
    /// The axis of each parallel member.
    pub axes: Vec<Axis>,
    /// The number of threads along each parallel member.
    pub threads: Vec<u32>,
    /// The tile size of each member.
    pub tiles: Vec<u32>,
    /// The first parallel member; those before it are sequential.
    pub first: usize,
    /// Whether the sequential members before the first parallel one are skewed with the others: a wavefront.
    pub skewed: bool,
    /// The factor by which the innermost loops of a thread are unrolled, if it is not left to the compiler.
    pub unroll: Option<u32>,
    /// The form of the grid, and why it is not the one that the user asks for.
    pub grid: Option<(GridKind, Option<String>)>,
    /// The sum that the threads along x share, if there is one. The axes are then y and z, the threads along each
    /// parallel member have one point, and the last member is the sequential one.
    pub shared_sum: Option<SharedSum>,
    /// The number of threads for each one that computes: the others only copy what it reads into shared memory. They
    /// lie along the first axis without a parallel member.
    pub loading: u32,
    /// Whether the others copy a tile while those that compute use the one before.
    pub ahead: bool,
    /// The instructions by which a warp finds the coordinates of its block, if blocks are numbered.
    pub search_instructions: u64,
    /// The reasons for this shape, for people.
    pub reasons: Vec<String>,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            loops: Vec::new(),
            axes: Vec::new(),
            threads: Vec::new(),
            tiles: Vec::new(),
            first: 0,
            skewed: false,
            unroll: None,
            grid: None,
            shared_sum: None,
            loading: 1,
            ahead: false,
            search_instructions: 0,
            reasons: Vec::new(),
        }
    }
}

impl Shape {
    /// Returns the tile sizes of the parallel members.
    pub fn parallel_tiles(&self) -> &[u32] {
        &self.tiles[self.first..][..self.threads.len()]
    }

    /// Returns the axis of the grid along each parallel member.
    pub fn grid_axes(&self) -> Vec<Axis> {
        let shifted = |axis: &Axis| match axis {
            Axis::Y if self.shared_sum.is_some() => Axis::X,
            Axis::Z if self.shared_sum.is_some() => Axis::Y,
            axis => *axis,
        };
        self.axes.iter().map(shifted).collect()
    }

    /// Returns the number of threads that share a sum.
    pub fn sum_threads(&self) -> u32 {
        if self.shared_sum.is_some() { SUM_THREADS } else { 1 }
    }

    /// Returns the axis of the threads that only copy, if there are any.
    pub fn loading_axis(&self) -> Option<Axis> {
        let free = || Axis::ALL.into_iter().find(|axis| !self.axes.contains(axis));
        if self.loading > 1 { free() } else { None }
    }

    /// Returns the number of threads of a block.
    pub fn block_threads(&self) -> f64 {
        self.computing_threads() * f64::from(self.loading)
    }

    /// Returns the number of threads of a block that copy to shared memory.
    pub fn copying_threads(&self) -> f64 {
        let idle = if self.ahead { self.never_copying() } else { 0 };
        self.computing_threads() * (f64::from(self.loading) - f64::from(idle))
    }

    /// Returns the number of threads for each one that computes that do not copy ahead: those of the same warp.
    pub fn never_copying(&self) -> u32 {
        if self.axes.is_empty() { SUM_THREADS } else { 1 }
    }

    /// Returns the number of threads of a block that execute statements.
    pub fn computing_threads(&self) -> f64 {
        f64::from(self.sum_threads()) * self.threads.iter().map(|size| f64::from(*size)).product::<f64>()
    }
}

/// A loop that a thread runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadLoop {
    /// The kernel.
    pub kernel: KernelId,
    /// The loop of the source that it counts, if there is one.
    pub source_loop: Option<LoopId>,
    /// True if it contains no other loop.
    pub innermost: bool,
    /// The factor by which it is unrolled, if the user asks for one.
    pub factor: Option<u32>,
}
