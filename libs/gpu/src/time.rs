//! The time model: from counts and a GPU to microseconds and what dominates them.
//!
//! # What a kernel is
//!
//! A multiprocessor runs some blocks at a time (`occupancy`); when one ends, the next one starts. Warps of these blocks
//! alternate between two things: they *use* something that serves one warp after another (a *resource*: issue slots,
//! arithmetic units, the path to L1 and shared memory, the L2 cache, device memory), and they *wait* for a value to
//! arrive, which hinders nobody else (a *latency*). So a multiprocessor is a closed queueing network: a fixed number of
//! customers, the resident warps, circulate between servers and a delay. For one server that each customer needs for
//! `busy` clocks, and `alone` clocks for the whole round of a customer that meets no other,
//!
//! ```text
//! time(n) = the time in which n customers have one round each                                     [overlap.rs]
//! ```
//!
//! follows by mean value analysis (M. Reiser and S. S. Lavenberg, "Mean-Value Analysis of Closed Multichain Queuing
//! Networks", JACM 27, 1980). It has no constants to adjust, and it is both limits of the roofline with what lies
//! between them:
//!
//! - `time(1) = alone`, and with few customers `n / time(n)` is at most `n / alone`. For device memory this is Little's
//!   law: bandwidth = bytes in flight / latency. It is why a kernel with 4 warps a multiprocessor is slow.
//! - With many customers `time(n)` is `n * busy`: the resource is saturated.
//!
//! # The formula
//!
//! Per kernel, with the average of its blocks and the busiest of their warps (demand.rs says how counts become clocks):
//!
//! 1. For each resource `r`, `busy[r]` are the clocks for which a warp uses it. `alone` is the sum of these and of the
//!    warp's waits: the number of waits for each level of the memory times its latency, and the longest dependent chain
//!    of arithmetic. The warp is the one that does most from barrier to barrier, because the others wait for it; there
//!    are as many of them in a block as would do all of its work.
//! 2. **Without barriers** the customers are warps. **With barriers**, the warps of a block advance together, from one
//!    interval between barriers to the next. Within a *phase* (staging data, or computing with it) they overlap as
//!    above. Phases of one block do not overlap: `alone` of a block is the sum of the times of its phases, each for the
//!    block's own warps. Then the customers are blocks: what one block computes overlaps with what another one loads,
//!    as far as several blocks are resident. A block meets the warps of others one by one, as far as they leave the
//!    resource to it.
//! 3. A grid of `B` blocks gives the fullest of `S` multiprocessors `n = ceil(B / S)` blocks, of which `R` run at a
//!    time. For a resource of the multiprocessor, the kernel needs `floor(n / R) * time(R) + time(n mod R)`: full waves
//!    and a tail. A resource of the whole chip (L2 cache, device memory) is shared by the customers of all
//!    multiprocessors; it needs `W * time(B / W)` for the `W = ceil(n / R)` waves. So a small grid pays for the
//!    multiprocessors that it leaves empty, except where the memory system is the limit.
//! 4. The kernel takes as long as the resource that needs longest, because different resources work at the same time.
//! 5. A launch takes at least the time that the host needs for it; otherwise the kernel's time and the gap before it.
//!    Copies take a time for each call, and their bytes over the bandwidth of the bus. Host code is added.
//!
//! # Assumptions, and why
//!
//! - All blocks of a kernel do the same, in all its launches: a profile has sums. Triangular grids are priced as their
//!   average.
//! - A wait is for the slowest of the loads that are in flight together; a request finds all its sectors in one level.
//!   Lanes of one request are neighbours nearly always.
//! - Stores are not waited for: no instruction needs their result.
//! - L1 and shared memory have one path for data (NVIDIA's documents call it unified since Volta): their clocks add.
//! - Issue and arithmetic units work side by side; the fullest of them limits. Within a warp instructions issue one
//!   after another, so a chain is never shorter than a warp's instructions.
//! - Divergence needs no term of its own: instructions, requests and wavefronts are counted for warps, and a warp that
//!   divides executes both sides.
//! - Blocks without work only cost the time of starting them, which the chip does at a constant rate.
//! - An L2 slice is as far away as any other. Clocks do not sink under load.
//!
//! Nothing here was fitted to running times. `docs/time-model.md` says how far the model was right where it could be
//! compared.

mod demand;
mod kernel;
mod overlap;
mod program;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Serialize, Serializer};

pub use kernel::time;
pub use program::{HostMemory, Program, ProgramTime, program_time, total};

use crate::occupancy::Occupancy;

/// Something that serves one warp after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resource {
    /// The slots in which schedulers issue instructions.
    Issue,
    /// Units of single precision.
    Fp32,
    /// Units of double precision.
    Fp64,
    /// Integer units.
    Integer,
    /// Units of special functions.
    Special,
    /// Units that convert between types.
    Conversion,
    /// The cache of constant memory.
    Constant,
    /// The units at which threads arrive at barriers.
    Barrier,
    /// The path of data from L1 and shared memory, while it serves global memory.
    L1,
    /// The same, while it serves shared memory.
    Shared,
    /// A multiprocessor's connection with the L2 cache.
    L2Port,
    /// The L2 cache.
    L2,
    /// Device memory.
    Dram,
}

impl Resource {
    /// All resources.
    pub const ALL: [Self; 13] = [
        Self::Issue,
        Self::Fp32,
        Self::Fp64,
        Self::Integer,
        Self::Special,
        Self::Conversion,
        Self::Constant,
        Self::Barrier,
        Self::L1,
        Self::Shared,
        Self::L2Port,
        Self::L2,
        Self::Dram,
    ];

    /// True if the multiprocessors share it.
    pub fn is_of_chip(self) -> bool {
        matches!(self, Self::L2 | Self::Dram)
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Issue => "instruction issue",
            Self::Fp32 => "single precision",
            Self::Fp64 => "double precision",
            Self::Integer => "integers",
            Self::Special => "special functions",
            Self::Conversion => "conversions",
            Self::Constant => "constant memory",
            Self::Barrier => "barriers",
            Self::L1 => "L1 wavefronts",
            Self::Shared => "shared memory wavefronts",
            Self::L2Port => "connection with L2",
            Self::L2 => "L2 bandwidth",
            Self::Dram => "DRAM bandwidth",
        })
    }
}

/// What takes the most time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dominant {
    /// A resource is in use most of the time.
    Resource(Resource),
    /// Too few warps, and they wait for memory.
    MemoryLatency,
    /// Too few warps, and they wait for results of arithmetic or for their turn to issue.
    ArithmeticLatency,
    /// Barriers divide loading from computing, and too few blocks are resident to overlap them.
    Phases,
    /// Starting blocks, most of which have no work.
    Blocks,
    /// Launches.
    Launch,
    /// Copies between host and device.
    Transfer,
    /// Code on the host.
    Host,
}

impl fmt::Display for Dominant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resource(resource) => resource.fmt(formatter),
            Self::MemoryLatency => formatter.write_str("memory latency"),
            Self::ArithmeticLatency => formatter.write_str("arithmetic latency"),
            Self::Phases => formatter.write_str("phases between barriers"),
            Self::Blocks => formatter.write_str("starting blocks"),
            Self::Launch => formatter.write_str("launches"),
            Self::Transfer => formatter.write_str("transfers"),
            Self::Host => formatter.write_str("host code"),
        }
    }
}

impl Serialize for Dominant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A part of a kernel's time. Parts overlap: they do not add up to the time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// What it is.
    pub name: String,
    /// Its time in microseconds, over all launches: of a resource, the time for which the whole GPU, with no
    /// multiprocessor idle, would need it.
    pub microseconds: f64,
}

/// The time of a kernel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Time {
    /// All launches together, in microseconds.
    pub microseconds: f64,
    /// What takes most of it.
    pub dominant: Dominant,
    /// Its parts: the resources that it uses, the latency that its warps cannot hide from themselves, and launches.
    pub parts: Vec<Part>,
    /// The blocks on a multiprocessor.
    pub occupancy: Occupancy,
    /// The waves of blocks in a launch.
    pub waves: u64,
    /// The share of the multiprocessors' time in which they have blocks, in percent.
    pub filled_percent: f64,
    /// True if its instructions are an estimate.
    pub is_estimated: bool,
}
