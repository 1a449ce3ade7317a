//! From counts to clocks: for how long a piece of work uses each resource, and how long it waits.

use super::Resource;
use crate::counts::{Memory, Phase, Waits};
use crate::target::{Rates, SECTOR_BYTES, WARP};

/// The clocks for which some work uses each resource. Those of L2 and DRAM are clocks of the whole chip, the others of
/// one multiprocessor.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Demand {
    clocks: [f64; Resource::ALL.len()],
}

impl Demand {
    /// Returns the clocks for one resource. L1 and shared memory have the same path for data, and so have the sum of
    /// both.
    pub fn of(&self, resource: Resource) -> f64 {
        match resource {
            Resource::L1 | Resource::Shared => self.own(Resource::L1) + self.own(Resource::Shared),
            _ => self.own(resource),
        }
    }

    /// Returns the clocks that a resource itself needs, without what has the same path.
    pub fn own(&self, resource: Resource) -> f64 {
        self.clocks[resource as usize]
    }

    /// Sets the clocks for one resource.
    pub(super) fn set(&mut self, resource: Resource, clocks: f64) {
        self.clocks[resource as usize] = clocks;
    }

    /// Returns the clocks for which work that meets no other uses resources one after the other: issue slots and
    /// arithmetic units work side by side.
    pub fn in_a_row(&self) -> f64 {
        let at_once = [
            Resource::Issue,
            Resource::Fp32,
            Resource::Fp64,
            Resource::Integer,
            Resource::Special,
            Resource::Conversion,
            Resource::Constant,
        ];
        let arithmetic = at_once.iter().map(|resource| self.own(*resource)).fold(0.0, f64::max);
        let memory = [
            Resource::Barrier,
            Resource::L1,
            Resource::Shared,
            Resource::L2Port,
            Resource::L2,
            Resource::Dram,
        ];
        arithmetic + memory.iter().map(|resource| self.own(*resource)).sum::<f64>()
    }

    /// Returns the demand of a part of the work.
    pub fn times(mut self, factor: f64) -> Self {
        self.clocks.iter_mut().for_each(|clocks| *clocks *= factor);
        self
    }

    /// Returns the demand of two pieces of work.
    pub fn and(mut self, other: Self) -> Self {
        self.clocks.iter_mut().zip(other.clocks).for_each(|(clocks, more)| *clocks += more);
        self
    }
}

/// Returns what a phase uses.
pub fn demand(phase: &Phase, rates: &Rates) -> Demand {
    let instructions = &phase.instructions;
    let warp = WARP as f64;
    let mut demand = Demand::default();
    demand.set(Resource::Issue, instructions.total() / rates.schedulers);
    demand.set(Resource::Fp32, instructions.fp32 * warp / rates.rate_fp32);
    demand.set(Resource::Fp64, instructions.fp64 * warp / rates.rate_fp64);
    demand.set(Resource::Integer, instructions.integer * warp / rates.rate_integer);
    demand.set(Resource::Special, instructions.special * warp / rates.rate_special);
    demand.set(Resource::Conversion, instructions.conversion * warp / rates.rate_conversion);
    demand.set(Resource::Constant, phase.constant_wavefronts);
    demand.set(Resource::L1, l1_clocks(&phase.memory, rates));
    demand.set(Resource::Shared, shared_clocks(phase, rates));
    let bytes = phase.memory.sectors * SECTOR_BYTES as f64;
    demand.set(Resource::L2Port, bytes / rates.l2_port_bytes_per_clock);
    demand.set(Resource::L2, bytes / rates.l2_bytes_per_clock);
    demand.set(Resource::Dram, phase.dram_bytes / rates.dram_bytes_per_clock());
    demand
}

/// Returns the clocks of barriers: threads arrive a few at a time.
pub fn barrier_demand(barriers: f64, block_threads: u64, rates: &Rates) -> Demand {
    let mut demand = Demand::default();
    let threads = block_threads.div_ceil(WARP) * WARP;
    demand.set(Resource::Barrier, barriers * threads as f64 / rates.rate_barrier);
    demand
}

/// Returns the clocks of the L1 cache: its requests are issued, their lines looked up, and their bytes delivered. These
/// are steps of one pipeline, so the slowest counts.
fn l1_clocks(memory: &Memory, rates: &Rates) -> f64 {
    let issued = memory.requests * WARP as f64 / rates.rate_load_store;
    let looked_up = memory.lines / rates.l1_lines_per_clock;
    let delivered = memory.touched_sectors * SECTOR_BYTES as f64 / rates.l1_bytes_per_clock;
    issued.max(looked_up).max(delivered)
}

/// The bytes of a wavefront of shared memory: 32 banks of 4 bytes.
const WAVEFRONT_BYTES: f64 = 128.0;

fn shared_clocks(phase: &Phase, rates: &Rates) -> f64 {
    let issued = phase.instructions.shared * WARP as f64 / rates.rate_load_store;
    issued.max(phase.shared_wavefronts * WAVEFRONT_BYTES / rates.shared_bytes_per_clock)
}

/// The clocks for which one warp waits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Latency {
    /// For memory.
    pub memory: f64,
    /// For results of arithmetic, and for its turns to issue.
    pub arithmetic: f64,
}

impl Latency {
    /// Returns the sum.
    pub fn all(&self) -> f64 {
        self.memory + self.arithmetic
    }
}

/// Returns the latency of the busiest warp of each block, and how many such warps would do all the work of the phase:
/// between one and `warps`, those that a block has.
pub fn busiest(phase: &Phase, blocks: f64, warps: f64, rates: &Rates) -> (Latency, f64) {
    // A warp issues at most one instruction a clock.
    let (chain, issued) = (phase.waits.arithmetic_clocks, phase.instructions.total());
    let stretch = if chain > 0.0 { (issued / chain).max(1.0) } else { 1.0 };
    let latency = |waits: &Waits, of: f64| Latency {
        memory: memory_latency(waits, rates) / of,
        arithmetic: waits.arithmetic_clocks * stretch / of,
    };
    let mut average = latency(&phase.waits, blocks * warps);
    average.arithmetic = average.arithmetic.max(issued / (blocks * warps));
    let busiest = latency(&phase.busiest, blocks);
    if busiest.all() > average.all() {
        (busiest, (warps * average.all() / busiest.all()).max(1.0))
    } else {
        (average, warps)
    }
}

fn memory_latency(waits: &Waits, rates: &Rates) -> f64 {
    waits.l1 * rates.latency_l1
        + waits.l2 * rates.latency_l2
        + waits.dram * rates.latency_dram
        + waits.shared * rates.latency_shared
}
