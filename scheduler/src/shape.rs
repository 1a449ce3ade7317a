//! What the loops of a kernel became.

use scop::{Axis, KernelId, LoopId};

/// A band whose members are in the order in which they are tiled: first those that blocks and threads share, then
/// the others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shape {
    /// The loop of the source that each member counts, if it is one.
    pub loops: Vec<Option<LoopId>>,
    /// The axis of each parallel member.
    pub axes: Vec<Axis>,
    /// The number of threads along each parallel member.
    pub threads: Vec<u32>,
    /// The tile size of each member.
    pub tiles: Vec<u32>,
    /// The first parallel member; those before it are sequential.
    pub first: usize,
    /// Why.
    pub reasons: Vec<String>,
}

impl Shape {
    /// The tile sizes of the parallel members.
    pub fn parallel_tiles(&self) -> &[u32] {
        &self.tiles[self.first..][..self.threads.len()]
    }
}

/// A loop that a thread runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadLoop {
    /// The kernel.
    pub kernel: KernelId,
    /// The loop of the source that it counts, if it is one.
    pub source_loop: Option<LoopId>,
    /// True if no other loop stands in it.
    pub innermost: bool,
    /// The factor by which it is unrolled, if one is asked for.
    pub factor: Option<u32>,
}
