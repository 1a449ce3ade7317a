//! From the profile of a kernel to its work.
//!
//! cudasim counts what lines of the source do with memory. Two things that the time model needs are not in a profile:
//!
//! - **Instructions.** They come from the compiled code ([`Code`]) where it is at hand. Otherwise there is one for each
//!   operation, access, branch and barrier that cudasim counted, one for each address, and one for the comparison of
//!   each branch. Functions of the C library are priced as short polynomials.
//! - **Loads in flight.** A warp waits when it needs a value. From the compiled code it is known which loads come
//!   before the first use. Otherwise the loads of one execution of a line are in flight together, and in loops that
//!   compilers unroll, those of several executions ([`mod@super::unrolling`]). The warp waits for them before it goes
//!   on: a compiler may do better, by moving loads of later lines up.
//!
//! Warps of a block may do different things. The profile has for each line the share of the *busiest* warps, those that
//! the others of their blocks wait for; what a line costs one warp is their share of all that it costs.

use std::collections::BTreeMap;

use super::chain::{Chains, LIBRARY_STEPS};
use super::figures::{Instructions, Memory, Phase, Shape, Waits, Work};
use super::profile::{Counts, Kernel, Line, Traffic};
use super::staging::Staging;
use super::unrolling::{Together, Unrolling};
use crate::target::{Executes, Rates, SECTOR_BYTES, WARP};

/// What the compiled code of a kernel says, for the executions of one profile. All counts are sums over all warps of
/// all launches.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Code {
    /// The registers of a thread, if they are known.
    pub registers: Option<u64>,
    /// The instructions of each line.
    pub lines: Vec<CodeLine>,
    /// The share of the profile's accesses to global memory that the compiler kept, between 0 and 1: it reads once what
    /// the source reads several times. What it left out would have been found in the L1 cache.
    pub kept_global: f64,
    /// The same for shared memory.
    pub kept_shared: f64,
    /// How often warps wait for memory. Nothing if the machine does not execute this code, but its source in order:
    /// then each load is waited for before the next one.
    pub waits: Option<CodeWaits>,
    /// The clocks of dependent instructions besides.
    pub arithmetic_clocks: f64,
}

/// How often the warps of a kernel wait for memory: the clocks for which they do, in units of its latency.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CodeWaits {
    /// For global memory.
    pub global: f64,
    /// For shared memory.
    pub shared: f64,
}

/// The instructions of one source line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CodeLine {
    /// The file, as in the profile.
    pub file: String,
    /// The line.
    pub line: u64,
    /// The instructions that warps issue for it.
    pub instructions: Instructions,
    /// The clocks of these instructions if each needs the result of the one before.
    pub chain_clocks: f64,
}

/// Returns the work of a kernel. Without its code, instructions are estimated.
pub fn work(kernel: &Kernel, code: Option<&Code>, rates: &Rates) -> Work {
    let staging = Staging::of(kernel);
    let shares = Shares::of(kernel);
    let unrolling = Unrolling::of(kernel);
    let one_by_one = code.is_some_and(|code| code.waits.is_none()) || rates.executes == Executes::Ptx;
    let unrolling = (!one_by_one).then_some(unrolling);
    let instructions: Vec<Instructions> = kernel.lines.iter().map(estimated_instructions).collect();
    let chains = Chains::of(kernel, unrolling.as_ref(), &instructions, rates);
    let mut phases = vec![Phase::default(); if staging.exists() { 2 } else { 1 }];
    for (line, instructions) in kernel.lines.iter().zip(instructions) {
        let together = unrolling.as_ref().map(|unrolling| unrolling.around(line));
        let estimated = estimated(line, together, (instructions, chains.of_line(line)));
        let busiest = estimated.waits * shares.of_line(&line.file, line.line);
        phases[phase_of(&staging, &line.file, line.line)] += Phase { busiest, ..estimated };
    }
    if let Some(code) = code {
        compile(&mut phases, &staging, &shares, code);
    }
    Work {
        shape: shape(kernel, code),
        phases,
        barriers: kernel.counts.barriers as f64,
        is_estimated: code.is_none(),
    }
}

/// The share of each line's work that the busiest warps do.
struct Shares<'a> {
    /// By line and file: lines differ sooner than the names of files.
    lines: BTreeMap<(u64, &'a str), f64>,
    /// That of lines of which the profile says nothing: all warps do the same.
    even: f64,
}

impl<'a> Shares<'a> {
    fn of(kernel: &'a Kernel) -> Self {
        let warps = kernel.block.iter().product::<u64>().div_ceil(WARP).max(1);
        let known = kernel.lines.iter().filter(|line| line.work > 0);
        let share = |line: &'a Line| {
            ((line.line, line.file.as_str()), share(line.busiest_work as f64, line.work as f64))
        };
        Self { lines: known.map(share).collect(), even: 1.0 / warps as f64 }
    }

    fn of_line(&self, file: &str, line: u64) -> f64 {
        self.lines.get(&(line, file)).copied().unwrap_or(self.even)
    }
}

/// Returns the number of the phase to which a line belongs: that of computing, unless it stages data.
fn phase_of(staging: &Staging<'_>, file: &str, line: u64) -> usize {
    usize::from(staging.exists() && !staging.has(file, line))
}

/// Replaces what is estimated in the phases of a kernel by what its code says. Waits are for the same levels of the
/// memory as the estimate has. Dependent arithmetic is shared out to lines by the latencies of their instructions.
fn compile(phases: &mut [Phase], staging: &Staging<'_>, shares: &Shares<'_>, code: &Code) {
    phases.iter_mut().for_each(|phase| keep(phase, code));
    let mut chains = vec![Chain::default(); phases.len()];
    for line in &code.lines {
        let chain = &mut chains[phase_of(staging, &line.file, line.line)];
        chain.instructions += line.instructions;
        chain.clocks += line.chain_clocks;
        chain.busiest_clocks += line.chain_clocks * shares.of_line(&line.file, line.line);
    }
    let all: f64 = chains.iter().map(|chain| chain.clocks).sum();
    let estimate: Waits = phases.iter().map(|phase| phase.waits).sum();
    let (global, shared) = code.waits.map_or((1.0, 1.0), |waits| {
        let estimated = estimate.l1 + estimate.l2 + estimate.dram;
        (factor(waits.global, estimated), factor(waits.shared, estimate.shared))
    });
    for (phase, chain) in phases.iter_mut().zip(chains) {
        let arithmetic = |clocks: f64| code.arithmetic_clocks * factor(clocks, all);
        phase.instructions = chain.instructions;
        phase.waits = phase.waits.scaled(global, shared, arithmetic(chain.clocks));
        phase.busiest = phase.busiest.scaled(global, shared, arithmetic(chain.busiest_clocks));
    }
}

/// The instructions of a phase, and their clocks one after the other: of all warps, and of the busiest.
#[derive(Debug, Clone, Copy, Default)]
struct Chain {
    instructions: Instructions,
    clocks: f64,
    busiest_clocks: f64,
}

/// Takes out the accesses that the compiler left out.
fn keep(phase: &mut Phase, code: &Code) {
    phase.memory.requests *= code.kept_global;
    phase.memory.lines *= code.kept_global;
    phase.memory.touched_sectors = phase.memory.sectors.max(phase.memory.touched_sectors * code.kept_global);
    phase.shared_wavefronts *= code.kept_shared;
    for waits in [&mut phase.waits, &mut phase.busiest] {
        waits.l1 *= code.kept_global;
        waits.shared *= code.kept_shared;
    }
}

/// Returns by how much an estimate must be multiplied; 0 for an estimate of nothing.
fn factor(value: f64, estimate: f64) -> f64 {
    if estimate > 0.0 { value / estimate } else { 0.0 }
}

fn shape(kernel: &Kernel, code: Option<&Code>) -> Shape {
    Shape {
        launches: kernel.launches,
        blocks: kernel.blocks,
        blocks_with_work: kernel.blocks_with_work,
        block_threads: kernel.block.iter().product(),
        shared_bytes: kernel.dynamic_shared_bytes + kernel.static_shared_bytes,
        registers: code.and_then(|code| code.registers),
    }
}

/// Returns what a line did with memory.
fn traffic(counts: &Counts) -> Phase {
    let kinds =
        [counts.global.loads, counts.global.stores, counts.global.atomics, counts.async_copies.traffic];
    let shared = [counts.shared.loads, counts.shared.stores, counts.shared.atomics];
    let wavefronts: u64 = shared.iter().map(|kind| kind.wavefronts).sum();
    Phase {
        memory: kinds.iter().map(memory).sum(),
        dram_bytes: (counts.dram_read_bytes + counts.dram_written_bytes) as f64,
        shared_wavefronts: (wavefronts + counts.async_copies.shared_wavefronts + counts.exchanges) as f64,
        constant_wavefronts: counts.constant.wavefronts as f64,
        ..Phase::default()
    }
}

fn memory(traffic: &Traffic) -> Memory {
    Memory {
        requests: traffic.requests as f64,
        lines: traffic.l1_wavefronts as f64,
        touched_sectors: traffic.touched_sectors as f64,
        sectors: traffic.sectors as f64,
    }
}

/// Returns what a line did, with instructions and waits that are estimated. The loads of an execution are in flight
/// together with those of others, or nothing is.
fn estimated(line: &Line, together: Option<Together>, (instructions, chain): (Instructions, f64)) -> Phase {
    let counts = &line.counts;
    let executions = line.executions as f64;
    let shared = counts.shared.loads.requests + counts.shared.atomics.requests + counts.exchanges;
    let shared = shared as f64;
    let global = (counts.global.loads.requests + counts.global.atomics.requests) as f64;
    let events = together.map_or((global, shared), |together| {
        (global.min(executions) / together.global, shared.min(executions) / together.shared)
    });
    let waits = Waits { shared: events.1, arithmetic_clocks: chain, ..global_waits(counts, events.0) };
    Phase { instructions, waits, ..traffic(counts) }
}

fn estimated_instructions(line: &Line) -> Instructions {
    let counts = &line.counts;
    let global = counts.global.loads.requests
        + counts.global.stores.requests
        + counts.global.atomics.requests
        + counts.async_copies.traffic.requests;
    let shared =
        counts.shared.loads.requests + counts.shared.stores.requests + counts.shared.atomics.requests;
    let accesses = (global + shared + counts.constant.requests) as f64;
    let branches = counts.branches as f64;
    let library = line.operations.library as f64;
    Instructions {
        fp32: (line.operations.fp32_sums + line.operations.fp32_products) as f64 + LIBRARY_STEPS * library,
        fp64: (line.operations.fp64_sums + line.operations.fp64_products) as f64,
        integer: accesses + branches + line.operations.integer as f64,
        special: library,
        global: global as f64,
        shared: (shared + counts.exchanges) as f64,
        constant: counts.constant.requests as f64,
        barrier: (counts.barriers + counts.warp_barriers) as f64,
        branch: branches,
        ..Instructions::default()
    }
}

/// Returns how often warps wait at a line for each level of the memory, if they wait `all` times. A request finds all
/// of its sectors in the same level: a wait is as long as the slowest request in it.
fn global_waits(counts: &Counts, all: f64) -> Waits {
    let kinds = [&counts.global.loads, &counts.global.atomics];
    let requests: f64 = kinds.iter().map(|kind| kind.requests as f64).sum();
    let touched: f64 = kinds.iter().map(|kind| kind.touched_sectors as f64).sum();
    let sectors: f64 = kinds.iter().map(|kind| kind.sectors as f64).sum();
    let beyond_l1 = all.min(requests * share(sectors, touched));
    let bytes = sectors * SECTOR_BYTES as f64;
    let beyond_l2 =
        beyond_l1.min(requests * share(sectors, touched) * share(counts.dram_read_bytes as f64, bytes));
    Waits { l1: all - beyond_l1, l2: beyond_l1 - beyond_l2, dram: beyond_l2, ..Waits::default() }
}

/// Returns the share of a part, at most 1; 0 of nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (part / whole).min(1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::profile::{BankUse, Loop, Operations};
    use crate::target::read_gpu;

    fn rates() -> Rates {
        read_gpu(include_str!("../../../../targets/h100.json")).unwrap().rates
    }

    /// A kernel of one block and 8 warps that stages a row at line 10 and adds it up at line 20: 100 times each, 8
    /// loads of which 6 are found in L1, 1 in L2 and 1 in device memory.
    fn kernel() -> Kernel {
        let mut staging = Counts::default();
        staging.global.loads = Traffic {
            requests: 800,
            sectors: 800,
            touched_sectors: 3200,
            l1_wavefronts: 800,
            bytes: 102_400,
            width_bytes: 3200,
        };
        staging.shared.stores = BankUse { requests: 800, wavefronts: 800, width_bytes: 3200 };
        staging.dram_read_bytes = 12_800;
        let mut computing = Counts::default();
        computing.shared.loads = BankUse { requests: 800, wavefronts: 1600, width_bytes: 3200 };
        let barrier = Counts { barriers: 100, ..Counts::default() };
        let line = |line, executions, counts, fp32_sums| Line {
            file: "k.cu".to_owned(),
            line,
            executions,
            work: 0,
            busiest_work: 0,
            innermost_loop: 0,
            carried: None,
            operations: Operations { fp32_sums, ..Operations::default() },
            counts,
        };
        let lines = vec![line(10, 100, staging, 0), line(11, 800, barrier, 0), line(20, 800, computing, 800)];
        Kernel {
            name: "k".to_owned(),
            file: "k.cu".to_owned(),
            line: 99,
            launches: 1,
            blocks: 1,
            blocks_with_work: 1,
            warps: 8,
            block: [256, 1, 1],
            dynamic_shared_bytes: 1000,
            static_shared_bytes: 24,
            counts: lines.iter().map(|line| line.counts).sum(),
            lines,
            loops: Vec::new(),
            copies_ahead: false,
        }
    }

    #[test]
    fn a_wait_is_for_the_slowest_load_of_an_execution() {
        let work = work(&kernel(), None, &rates());
        assert!(work.is_estimated);
        assert_eq!((work.shape.shared_bytes, work.shape.registers, work.barriers), (1024, None, 100.0));
        let [staging, computing] = work.phases[..] else { panic!("{work:?}") };
        // Of 800 requests a quarter leave L1, so each of the 100 executions waits for L2 at least; half of what leaves
        // L1 leaves L2 as well.
        assert_eq!((staging.waits.l1, staging.waits.l2, staging.waits.dram), (0.0, 0.0, 100.0));
        assert_eq!((computing.waits.dram, computing.waits.shared), (0.0, 800.0));
        assert_eq!(computing.instructions.fp32, 800.0);
        assert_eq!((staging.dram_bytes, computing.shared_wavefronts), (12_800.0, 1600.0));
    }

    #[test]
    fn loads_of_unrolled_iterations_are_one_wait() {
        let mut kernel = kernel();
        kernel.lines[2].innermost_loop = 19;
        kernel.loops =
            vec![Loop { file: "k.cu".to_owned(), line: 19, entries: 8, iterations: 800, unrolled: None }];
        assert_eq!(work(&kernel, None, &rates()).phases[1].waits.shared, 200.0);
    }

    #[test]
    fn what_only_some_warps_do_delays_the_block() {
        let mut kernel = kernel();
        // Of 8 warps one adds; the others wait. Staging is shared evenly: nothing is known of it.
        kernel.lines[2].work = 1000;
        kernel.lines[2].busiest_work = 1000;
        let [staging, computing] = work(&kernel, None, &rates()).phases[..] else { panic!() };
        assert_eq!(staging.busiest, staging.waits * 0.125);
        assert_eq!((computing.busiest.shared, computing.waits.shared), (800.0, 800.0));
        let instructions = Instructions { fp64: 10.0, ..Instructions::default() };
        let code = Code {
            lines: vec![CodeLine { file: "k.cu".to_owned(), line: 20, instructions, chain_clocks: 80.0 }],
            kept_global: 1.0,
            kept_shared: 0.5,
            arithmetic_clocks: 100.0,
            ..Code::default()
        };
        let [staging, computing] = work(&kernel, Some(&code), &rates()).phases[..] else { panic!() };
        assert_eq!((staging.busiest.dram, computing.busiest.shared), (12.5, 400.0));
        assert_eq!((staging.waits.arithmetic_clocks, computing.busiest.arithmetic_clocks), (0.0, 100.0));
    }

    #[test]
    fn code_replaces_the_estimate() {
        let instructions =
            |global: f64, shared: f64| Instructions { global, shared, ..Instructions::default() };
        let line = |line, instructions: Instructions| {
            let chain_clocks = 4.0 * instructions.total();
            CodeLine { file: "k.cu".to_owned(), line, instructions, chain_clocks }
        };
        let code = Code {
            registers: Some(40),
            // Line 9 is control for line 10, line 30 is behind all that is profiled.
            lines: vec![
                line(9, instructions(0.0, 100.0)),
                line(10, instructions(800.0, 100.0)),
                line(20, instructions(0.0, 200.0)),
                line(30, instructions(0.0, 800.0)),
            ],
            kept_global: 1.0,
            kept_shared: 0.25,
            waits: Some(CodeWaits { global: 50.0, shared: 20.0 }),
            arithmetic_clocks: 8000.0,
        };
        let work = work(&kernel(), Some(&code), &rates());
        assert!(!work.is_estimated);
        assert_eq!(work.shape.registers, Some(40));
        let [staging, computing] = work.phases[..] else { panic!("{work:?}") };
        assert_eq!((staging.instructions.total(), computing.instructions.total()), (1000.0, 1000.0));
        assert_eq!((staging.waits.dram, computing.waits.shared), (50.0, 20.0));
        assert_eq!((staging.waits.arithmetic_clocks, computing.waits.arithmetic_clocks), (4000.0, 4000.0));
        // A quarter of the accesses to shared memory is left.
        assert_eq!((staging.shared_wavefronts, computing.shared_wavefronts), (200.0, 400.0));
        // A machine that executes something else in order waits for each of the accesses that are left.
        let work = super::work(&kernel(), Some(&Code { waits: None, ..code }), &rates());
        assert_eq!((work.phases[0].waits.dram, work.phases[1].waits.shared), (100.0, 200.0));
    }
}
