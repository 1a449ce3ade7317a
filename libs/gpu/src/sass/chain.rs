//! How long one warp alone takes for each block, and how many of its loads are on their way at once.
//!
//! A warp issues its instructions in order, one a cycle, each when its operands are ready. What a block still waits for
//! at its end goes on into the next one: each block begins with what the predecessor that leads to it most often has
//! left, so that a loop's cycles are those of one iteration among others.

use std::collections::BTreeMap;

use super::attribution::Attribution;
use super::class::{Class, width};
use super::graph::Graph;
use super::listing::Instruction;
use super::registers::{Register, Uses, uses};
use crate::counts::profile::Counts;
use crate::target::{Rates, SECTOR_BYTES};

/// Cycles from the issue of an instruction to that of one that needs its result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latencies {
    /// Arithmetic of 32 bits, integers, moves.
    pub arithmetic: f64,
    /// Arithmetic of 64 bits.
    pub fp64: f64,
    /// Special functions, and products of small matrices.
    pub special: f64,
    /// Conversions.
    pub conversion: f64,
    /// Loads from global and local memory and textures, and atomic operations there.
    pub global: f64,
    /// Loads from shared memory, and shuffles.
    pub shared: f64,
    /// Loads from constant memory that are in its cache.
    pub constant: f64,
}

impl Latencies {
    /// Returns the latencies of a GPU for a kernel whose loads are served by the caches as its counts say.
    pub fn of_kernel(counts: &Counts, rates: &Rates) -> Self {
        Latencies {
            arithmetic: rates.latency_fp32,
            fp64: rates.latency_fp64,
            special: rates.latency_special,
            conversion: rates.latency_conversion,
            global: average_load(counts, rates),
            shared: rates.latency_shared,
            constant: rates.latency_constant,
        }
    }

    fn of(&self, class: Class) -> f64 {
        match class {
            Class::Fp64 => self.fp64,
            Class::Special | Class::Matrix => self.special,
            Class::Conversion => self.conversion,
            Class::GlobalLoad | Class::GlobalAtomic | Class::LocalLoad | Class::Texture => self.global,
            Class::SharedLoad | Class::SharedAtomic | Class::Exchange => self.shared,
            Class::Constant => self.constant,
            _ => self.arithmetic,
        }
    }
}

/// Returns the latency of a kernel's loads from global memory, on average over the levels that serve them.
fn average_load(counts: &Counts, rates: &Rates) -> f64 {
    let kinds = [&counts.global.loads, &counts.global.atomics];
    let touched: u64 = kinds.iter().map(|kind| kind.touched_sectors).sum();
    let sectors: u64 = kinds.iter().map(|kind| kind.sectors).sum();
    let share = |part: u64, whole: u64| if whole > 0 { (part as f64 / whole as f64).min(1.0) } else { 0.0 };
    let beyond_l1 = share(sectors, touched);
    let beyond_l2 = share(counts.dram_read_bytes, sectors * SECTOR_BYTES);
    rates.latency_l1
        + beyond_l1 * (rates.latency_l2 - rates.latency_l1)
        + beyond_l1 * beyond_l2 * (rates.latency_dram - rates.latency_l2)
}

/// What a block costs one warp that runs alone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timing {
    /// Cycles from the first instruction of the block to that of the next one.
    pub cycles: f64,
    /// Loads from global memory.
    pub loads: f64,
    /// Bytes of a lane that they load.
    pub load_bytes: f64,
    /// Cycles during which at least one of them is on its way, but none of an earlier block.
    pub loading_cycles: f64,
}

/// What is still on its way, counted from the beginning of the block.
#[derive(Clone, Debug, Default)]
struct Pending {
    /// When registers are ready.
    registers: BTreeMap<Register, f64>,
    /// When the last load from global memory is done.
    loads: f64,
}

/// How often the blocks are gone through: state travels around loops in loops.
const ROUNDS: usize = 4;

/// Returns the timing of each block.
pub fn timings(graph: &Graph, attribution: &Attribution, latencies: &Latencies) -> Vec<Timing> {
    let uses: Vec<Uses> = graph.code.iter().map(uses).collect();
    let before = likely_predecessors(graph, attribution);
    let mut left: Vec<Pending> = vec![Pending::default(); graph.blocks.len()];
    let mut timings = vec![Timing::default(); graph.blocks.len()];
    for _ in 0..ROUNDS {
        for number in 0..graph.blocks.len() {
            let pending = before[number].map(|block| left[block].clone()).unwrap_or_default();
            let code = graph.blocks[number].code.clone();
            let (timing, pending) = issue(&graph.code[code.clone()], &uses[code], pending, latencies);
            timings[number] = timing;
            left[number] = pending;
        }
    }
    timings
}

/// Returns for each block the one from which it is reached most often.
fn likely_predecessors(graph: &Graph, attribution: &Attribution) -> Vec<Option<usize>> {
    let mut best: Vec<Option<(f64, usize)>> = vec![None; graph.blocks.len()];
    for (number, block) in graph.blocks.iter().enumerate() {
        for (&next, &flow) in block.successors.iter().zip(&attribution.flows[number]) {
            if best[next].is_none_or(|(most, _)| flow > most) {
                best[next] = Some((flow, number));
            }
        }
    }
    best.into_iter().map(|best| best.map(|(_, block)| block)).collect()
}

/// Issues the instructions of a block one after the other.
fn issue(
    code: &[Instruction],
    uses: &[Uses],
    mut pending: Pending,
    latencies: &Latencies,
) -> (Timing, Pending) {
    let mut timing = Timing::default();
    let mut now = 0.0_f64;
    for (instruction, uses) in code.iter().zip(uses) {
        let ready =
            uses.reads.iter().chain(&uses.writes).filter_map(|register| pending.registers.get(register));
        let start = ready.copied().fold(now, f64::max);
        let class = Class::of(instruction.base()).unwrap_or(Class::Other);
        let done = start + latencies.of(class);
        if class == Class::GlobalLoad {
            timing.loads += 1.0;
            timing.load_bytes += f64::from(width(instruction));
            timing.loading_cycles += (done - start.max(pending.loads)).max(0.0);
            pending.loads = pending.loads.max(done);
        }
        pending.registers.extend(uses.writes.iter().map(|&register| (register, done)));
        now = start + 1.0;
    }
    timing.cycles = now;
    pending.registers.retain(|_, ready| *ready > now);
    pending.registers.values_mut().for_each(|ready| *ready -= now);
    pending.loads = (pending.loads - now).max(0.0);
    (timing, pending)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::profile::Traffic;
    use crate::target::read_gpu;

    #[test]
    fn the_latency_of_loads_is_that_of_the_levels_that_serve_them() {
        let mut counts = Counts::default();
        counts.global.loads =
            Traffic { requests: 100, touched_sectors: 400, sectors: 200, ..Traffic::default() };
        counts.dram_read_bytes = 100 * SECTOR_BYTES;
        let rates = read_gpu(include_str!("../../../../targets/h100.json")).unwrap().rates;
        // Half of the sectors are in L1, a quarter in L2, and a quarter in device memory.
        let expected = 0.5 * rates.latency_l1 + 0.25 * rates.latency_l2 + 0.25 * rates.latency_dram;
        assert_eq!(average_load(&counts, &rates), expected);
        assert_eq!(average_load(&Counts::default(), &rates), rates.latency_l1);
    }
}
