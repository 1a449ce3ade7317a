//! What a translated program will do on a GPU, counted without running it.
//!
//! *Rewrite:* a document with a loop program, and values of its parameters → a profile as cudasim writes it
//! ([`gpu::counts::profile`]), which `gpu-time` prices. So sizes that no simulator can run are predicted.
//!
//! The loop program is what is printed, with all its guards, tiles and copies, and its expressions depend on
//! parameters alone. So it is interpreted as a GPU executes it, 32 lanes at a time, with the addresses of all accesses
//! and without any data. What is counted exactly for some warps stands for many: of the launches in a loop on the
//! host, of the blocks of a launch and of the iterations of long loops a sample is interpreted ([`mod@sampling`]).
//! Before each such iteration, the one before it is interpreted to fill the L1 cache, and counts nothing.
//! Intervals of the guards ([`mod@range`]) say which blocks have no work, so that triangles and wavefronts are counted
//! as they are. Small programs are interpreted whole.
//!
//! What a prediction cannot know:
//!
//! - **Data.** Both branches of a condition on data are taken, and its accesses count; elements that data select are
//!   spread over their array.
//! - **The compiler.** A value is loaded once as long as nothing is stored in between, and what has the same operands in
//!   several iterations of an unrolled loop is computed once; functions of the program count as one operation.
//! - **Other blocks.** A block has its share of the L1 cache to itself. Device memory delivers each array once for
//!   each launch that asks for all of it, and once for all launches if it is among the smallest arrays, which fit into
//!   the L2 cache together.
//! - **Regions that run several times**, and transfers: each region counts once.
//!
//! The passes: [`program`] compiles the loop program, [`run`] interprets it with [`requests`] and [`cache`], and
//! [`memory`] turns sectors into bytes of device memory.

pub mod cache;
mod command;
pub mod expression;
mod memory;
pub mod program;
pub mod range;
pub mod requests;
pub mod run;
pub mod sampling;

use std::collections::BTreeMap;

use gpu::counts::profile::{Copies, Device, Kernel, Line, Loop, Operations, Profile};
use gpu::target::Gpu;
use scop::{Diagnostic, Diagnostics, Model, Outcome, Program, Scanned, Scop};

pub use command::CommandLine;
use polyhedra::{Set, Text};
use program::{Host, Launch};
pub use run::Loads;
use run::{KernelCounts, Machine, round};

/// The name of the tool.
pub const NAME: &str = "gpu-predict";

/// Where regions run for which the program chooses host or device at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Offload {
    /// Where the program runs them for these sizes: small ones stay on the host, and have no kernels.
    BySize,
    /// On the device, as with C2CUDA_OFFLOAD=always.
    Always,
}

/// Predicts what a program does on a GPU, with values for its parameters by name.
///
/// # Errors
/// Fails if a parameter has no value, or if the document contradicts itself.
pub fn predict(
    program: &Program<Scanned>,
    values: &BTreeMap<String, i64>,
    gpu: &Gpu,
    (loads, offload): (Loads, Offload),
) -> Result<Outcome<Profile>, Diagnostics> {
    let mut kernels = Vec::new();
    for (number, scop) in program.scops.iter().enumerate() {
        let parameters = parameters(&scop.model, values)?;
        if offload == Offload::BySize && host_is_faster(scop, &parameters)? {
            continue;
        }
        let compilation = program::compile(scop)?;
        let placed = &scop.stage.placed.placement.kernels;
        let shared_bytes = placed.iter().map(|placed| (placed.kernel, placed.shared_bytes)).collect();
        let multiprocessors = gpu.rates.multiprocessors;
        let machine = Machine { target: &gpu.target, caches: &gpu.caches, multiprocessors, loads };
        let (counts, sizes) = run::run(&compilation, &parameters, &shared_bytes, machine);
        let mut launches = BTreeMap::new();
        collect(&compilation.host, &mut launches);
        let mut ordered: Vec<_> = counts.iter().collect();
        ordered.sort_by_key(|(_, counts)| counts.order);
        let in_order: Vec<_> = ordered.iter().map(|(_, counts)| *counts).collect();
        let dram = memory::dram(&in_order, &sizes, gpu.caches.l2_bytes);
        for ((id, counts), dram) in ordered.into_iter().zip(&dram) {
            let Some(launch) = launches.get(id) else { continue };
            let name = format!("scop{number}_kernel{}", id.index());
            let shared = shared_bytes.get(id).copied().unwrap_or(0);
            kernels.push(kernel(name, (program, scop), launch, (counts, dram), shared));
        }
    }
    let device = Device { name: Some(gpu.target.name.clone()), multiprocessors: gpu.rates.multiprocessors };
    let profile = Profile { device, kernels, copies: Copies::default() };
    Ok(Outcome { value: profile, diagnostics: Vec::new() })
}

/// Returns the values of a scop's parameters, in their order.
fn parameters(model: &Model, values: &BTreeMap<String, i64>) -> Result<Vec<i64>, Diagnostics> {
    let value = |name: &String| -> Result<i64, Diagnostics> {
        if let Some(value) = values.get(name) {
            return Ok(*value);
        }
        let names: Vec<_> = model.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let message = format!("the parameter `{name}` of {} has no value", model.name);
        let help = format!("give all of them, as in `--assume {}=4096`", names.join("=4096,"));
        Err(Diagnostic::error("E0701", message).with_help(help).into())
    };
    model.parameters.iter().map(|parameter| value(&parameter.name)).collect()
}

/// True if the program runs a region on the host for these values of its parameters.
fn host_is_faster(scop: &Scop<Scanned>, parameters: &[i64]) -> Result<bool, Diagnostics> {
    let Some(threshold) = &scop.stage.placed.scheduled.mapping.threshold else { return Ok(false) };
    let names: Vec<&str> = scop.model.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let values = names.iter().zip(parameters).map(|(name, value)| format!("{name} = {value}"));
    let values = format!("[{}] -> {{ : {} }}", names.join(", "), values.collect::<Vec<_>>().join(" and "));
    let holds = || -> polyhedra::Result<bool> {
        Ok(!Set::parse(&threshold.host.0)?.intersect(Set::parse(&values)?)?.is_empty()?)
    };
    holds().map_err(|error| {
        Diagnostic::bug(NAME, format!("the threshold of {}: {error}", scop.model.name)).into()
    })
}

/// Collects the launches of each kernel. A kernel is launched at several places only if these do the same.
fn collect<'a>(host: &'a Host, launches: &mut BTreeMap<scop::KernelId, &'a Launch>) {
    match host {
        Host::Block(children) => children.iter().for_each(|child| collect(child, launches)),
        Host::For(inner) => collect(&inner.body, launches),
        Host::If(_, then, otherwise) => {
            collect(then, launches);
            otherwise.iter().for_each(|otherwise| collect(otherwise, launches));
        }
        Host::Launch(launch) => {
            launches.insert(launch.kernel, launch);
        }
    }
}

fn kernel(
    name: String,
    (program, scop): (&Program<Scanned>, &Scop<Scanned>),
    launch: &Launch,
    (counts, dram): (&KernelCounts, &[(f64, f64)]),
    shared_bytes: u64,
) -> Kernel {
    let file = program.source.path.clone();
    let mut lines: BTreeMap<u64, Line> = BTreeMap::new();
    for ((leaf, counted), dram) in launch.leaves.iter().zip(&counts.leaves).zip(dram) {
        let line = Line {
            file: file.clone(),
            line: leaf.line,
            executions: round(counted.executions),
            work: round(counted.work),
            busiest_work: round(counted.busiest_work),
            innermost_loop: leaf.simple_loop.map_or(0, line_of_loop),
            carried: leaf.simple_loop.map(|_| carried(&leaf.carried, counted.executions)),
            // Which of them are products is not counted.
            operations: Operations {
                fp32_sums: round(counted.fp32),
                fp64_sums: round(counted.fp64),
                library: round(counted.library),
                integer: round(counted.integer),
                ..Operations::default()
            },
            counts: counted.profile(*dram),
        };
        let does_something = line.executions > 0 || line.counts.barriers > 0;
        match lines.get_mut(&leaf.line) {
            Some(sum) => add(sum, &line),
            None if does_something => {
                lines.insert(leaf.line, line);
            }
            None => {}
        }
    }
    let lines: Vec<Line> = lines.into_values().collect();
    let loops = counts.loops.iter().enumerate().map(|(number, (entries, iterations))| Loop {
        file: file.clone(),
        line: line_of_loop(number),
        entries: round(*entries),
        iterations: round(*iterations),
        unrolled: launch.simple_loops.get(number).copied().flatten(),
    });
    let loops = loops.collect();
    let mut block = [1; 3];
    for (size, (_, threads)) in block.iter_mut().zip(&launch.block) {
        *size = u64::from(*threads);
    }
    let mut mapped = scop.stage.placed.scheduled.mapping.kernels.iter();
    let first = scop.model.statements.first().map_or(0, |statement| u64::from(statement.range.line));
    Kernel {
        name,
        file,
        line: first,
        launches: round(counts.launches),
        blocks: round(counts.blocks),
        blocks_with_work: round(counts.blocks_with_work),
        warps: round(counts.warps),
        block,
        dynamic_shared_bytes: 0,
        static_shared_bytes: shared_bytes,
        counts: lines.iter().map(|line| line.counts).sum(),
        lines,
        loops,
        copies_ahead: mapped.any(|kernel| kernel.id == launch.kernel && kernel.ahead),
    }
}

/// Returns the operations of all executions of a leaf that wait for the iteration before.
fn carried(arithmetic: &scop::Arithmetic, executions: f64) -> Operations {
    let all = |operations: u64| round(operations as f64 * executions);
    Operations {
        fp32_sums: all(arithmetic.fp32),
        fp64_sums: all(arithmetic.fp64),
        library: all(arithmetic.library),
        ..Operations::default()
    }
}

/// Adds what is done at the same line elsewhere. Of the loops around, that counts in which more is done.
fn add(sum: &mut Line, line: &Line) {
    if line.work > sum.work {
        sum.innermost_loop = line.innermost_loop;
    }
    sum.add(line);
}

/// Returns the number that stands for the line of a loop's condition; no source has so many lines.
fn line_of_loop(number: usize) -> u64 {
    3_000_000 + number as u64
}
