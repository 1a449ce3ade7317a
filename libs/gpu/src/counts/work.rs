//! From the profile of a kernel to its work.
//!
//! cudasim counts what lines of the source do with memory. Two things that the time model needs are not in a profile:
//!
//! - **Instructions.** They come from the compiled code ([`Code`]) where it is at hand. Otherwise there is one for each
//!   operation, access, branch and barrier that cudasim counted, one for each address, and one for the comparison of
//!   each branch. Functions of the C library are priced as short polynomials.
//! - **Loads in flight.** A warp waits when it needs a value. From the compiled code it is known which loads come
//!   before the first use. Otherwise the loads of one execution of a line are in flight together, and the warp waits for
//!   them before it goes on: a compiler may do better, by moving loads of later lines or iterations up.

use super::profile::{Counts, Kernel, Line, Traffic};
use super::{Instructions, Memory, Phase, Shape, Waits, Work};

/// What the compiled code of a kernel says, for the executions of one profile.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Code {
    /// The registers of a thread.
    pub registers: Option<u64>,
    /// Static shared memory of a block, in bytes.
    pub static_shared_bytes: Option<u64>,
    /// The lines.
    pub lines: Vec<CodeLine>,
}

/// The instructions of one source line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CodeLine {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u64,
    /// The instructions that warps issued there.
    pub instructions: Instructions,
    /// How often warps waited for global memory there, summed over all warps.
    pub global_waits: f64,
    /// How often warps waited for shared memory there.
    pub shared_waits: f64,
    /// The clocks of dependent arithmetic there, summed over all warps.
    pub arithmetic_clocks: f64,
}

/// Clocks from one instruction of an estimated chain to the next: on all GPUs since Volta, arithmetic of single
/// precision and integers takes 4 clocks.
const ESTIMATED_STEP: f64 = 4.0;

/// Returns the work of a kernel. Without its code, instructions are estimated.
pub fn work(kernel: &Kernel, code: Option<&Code>) -> Work {
    let divided = is_divided(kernel);
    let mut staging = Phase::default();
    let mut computing = Phase::default();
    for line in &kernel.lines {
        let phase = match code {
            Some(code) => compiled(line, code),
            None => estimated(line),
        };
        if divided && stages(&line.counts) { staging += phase } else { computing += phase }
    }
    for line in code.map(|code| &code.lines).into_iter().flatten() {
        if !kernel.lines.iter().any(|profiled| is_same(profiled, line)) {
            computing += unprofiled(line);
        }
    }
    let phases = if divided { vec![staging, computing] } else { vec![computing] };
    Work {
        shape: shape(kernel, code),
        phases,
        barriers: kernel.counts.barriers as f64,
        is_estimated: code.is_none(),
    }
}

fn shape(kernel: &Kernel, code: Option<&Code>) -> Shape {
    let known = code.and_then(|code| code.static_shared_bytes);
    Shape {
        launches: kernel.launches,
        blocks: kernel.blocks,
        blocks_with_work: kernel.blocks_with_work,
        block_threads: kernel.block.iter().product(),
        shared_bytes: kernel.dynamic_shared_bytes + known.unwrap_or(kernel.static_shared_bytes),
        registers: code.and_then(|code| code.registers),
    }
}

/// True if barriers divide the staging of data from the computation with it. Asynchronous copies run beside the
/// computation; that is what they are for.
fn is_divided(kernel: &Kernel) -> bool {
    kernel.counts.barriers > 0
        && kernel.counts.async_copies.traffic.requests == 0
        && kernel.lines.iter().any(|line| stages(&line.counts))
}

/// True if a line loads from global memory and stores to shared memory: no computation can come between the two. (A
/// load into a register may be for the next tile, and then the computation hides it.)
fn stages(counts: &Counts) -> bool {
    counts.global.loads.requests > 0 && counts.shared.stores.requests > 0
}

fn is_same(line: &Line, other: &CodeLine) -> bool {
    line.line == other.line && line.file == other.file
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

/// Returns what a line did, with instructions and waits that are estimated.
fn estimated(line: &Line) -> Phase {
    let counts = &line.counts;
    let instructions = estimated_instructions(line);
    let executions = line.executions as f64;
    let shared = (counts.shared.loads.requests + counts.shared.atomics.requests) as f64;
    let waits = Waits {
        shared: shared.min(executions),
        arithmetic_clocks: ESTIMATED_STEP * instructions.total(),
        ..global_waits(counts, executions)
    };
    Phase { instructions, waits, ..traffic(counts) }
}

/// Instructions of single precision in a library function, and its special functions: `sinf` and division are a few
/// products around one approximation.
const LIBRARY_STEPS: f64 = 10.0;

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
    let library = line.library_operations as f64;
    Instructions {
        fp32: line.fp32_operations as f64 + LIBRARY_STEPS * library,
        fp64: line.fp64_operations as f64,
        integer: accesses + branches,
        special: library,
        global: global as f64,
        shared: (shared + counts.exchanges) as f64,
        constant: counts.constant.requests as f64,
        barrier: (counts.barriers + counts.warp_barriers) as f64,
        branch: branches,
        ..Instructions::default()
    }
}

/// Returns what a line did, with the instructions of its code.
fn compiled(line: &Line, code: &Code) -> Phase {
    let mut phase = traffic(&line.counts);
    for of_code in code.lines.iter().filter(|of_code| is_same(line, of_code)) {
        phase.instructions += of_code.instructions;
        phase.waits += Waits {
            shared: of_code.shared_waits,
            arithmetic_clocks: of_code.arithmetic_clocks,
            ..global_waits(&line.counts, of_code.global_waits)
        };
    }
    phase
}

/// Returns the instructions of a line that does nothing with memory. Waits that the code has there are for memory
/// whose line is not known, such as spilled registers, which the L1 cache holds.
fn unprofiled(line: &CodeLine) -> Phase {
    let waits = Waits {
        l1: line.global_waits,
        shared: line.shared_waits,
        arithmetic_clocks: line.arithmetic_clocks,
        ..Waits::default()
    };
    Phase { instructions: line.instructions, waits, ..Phase::default() }
}

/// Returns how often warps wait at a line for each level of the memory, if they wait at most `events` times. A request
/// finds all of its sectors in the same level: a wait is as long as the slowest request in it.
fn global_waits(counts: &Counts, events: f64) -> Waits {
    let kinds = [&counts.global.loads, &counts.global.atomics];
    let requests: f64 = kinds.iter().map(|kind| kind.requests as f64).sum();
    let touched: f64 = kinds.iter().map(|kind| kind.touched_sectors as f64).sum();
    let sectors: f64 = kinds.iter().map(|kind| kind.sectors as f64).sum();
    let all = events.min(requests);
    let beyond_l1 = all.min(requests * share(sectors, touched));
    let bytes = sectors * crate::target::SECTOR_BYTES as f64;
    let beyond_l2 =
        beyond_l1.min(requests * share(sectors, touched) * share(counts.dram_read_bytes as f64, bytes));
    Waits { l1: all - beyond_l1, l2: beyond_l1 - beyond_l2, dram: beyond_l2, ..Waits::default() }
}

/// Returns the share of a part, at most 1; 0 of nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (part / whole).min(1.0) } else { 0.0 }
}
