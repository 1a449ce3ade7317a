//! What the warps of a kernel execute: instructions of a GPU, counted without one.
//!
//! # Input
//!
//! nvcc says which instructions there are; cudasim says how often things happen:
//!
//! * a *listing* of the code with source lines ([`Listing`]): `cuobjdump -res-usage` and `nvdisasm -gi -c` of a cubin
//!   that `nvcc -lineinfo` made;
//! * a *profile* ([`crate::counts::Profile`]): for each source line, the accesses and floating-point operations of
//!   warps, barriers, divergent branches, and executions of basic blocks.
//!
//! # Attribution
//!
//! What both have in common are source lines. How often a line runs, times its instructions, would be wrong wherever
//! nvcc unrolls a loop: the line's instructions are there four times, and run a quarter as often. So what is looked for
//! is how often each basic block of the GPU's code runs ([`attribution`]). It follows from
//!
//! 1. **Flow.** As many warps begin as were launched. What comes into a block goes out of it. Where lanes part, a warp
//!    takes both ways, and where they meet, its parts become one: a parting adds an execution, a meeting takes one
//!    away. There are as many partings as the profile has divergent branches, at most.
//! 2. **Facts** ([`evidence`]). Of each line the profile knows the bytes that lanes load and store (each request counts
//!    with the bytes of one lane, so that four loads of 4 bytes that nvcc makes one of 16 amount to the same), sums and
//!    products, barriers, and shuffles. The executions of the blocks, times what their instructions of that line amount
//!    to, have to give the same. An unrolled body amounts to four times as much, so it runs a quarter as often; what is
//!    left over is the remainder loop's.
//! 3. **Executions.** A block runs no more often than warps come to one of its lines in the profile. This is all that
//!    is known of lines without accesses or floating-point operations. Something of each line runs: the first blocks
//!    of the line, since what branches off inside a line, such as the slow path of a division, need not run.
//! 4. **Loops** ([`versions`]). The profile knows how often loops are entered and how many iterations they make. nvcc's
//!    versions of a loop (unrolled by four, by two, and the rest) each take as many iterations as fit.
//! 5. **Nothing for nothing.** What no evidence calls for does not run.
//!
//! Compilers keep values in registers, move code, and disagree on lines, so facts contradict each other. The solution
//! is the flow that minimises the sum of the relative deviations, each times a weight (a linear program). Sums of
//! absolute values are minimised by the value that most of the evidence agrees on, and a wrong fact does not move it.
//! Facts that are not met are reported ([`KernelWork::misfits`]).
//!
//! Instructions under a predicate are issued whenever their block runs, whether or not a lane executes them; their
//! accesses are made only in the latter case. So they may amount to less than they could.
//!
//! # Limits
//!
//! Where a loop's number of iterations varies, only its average is known, and what its versions share out is a guess.
//! How many iterations of the source one of the code does is told by facts, so that it is unknown for loops without
//! any. How often straight code for the rest of a loop runs is told by facts alone. How parts of a warp meet again is
//! that of cudasim's basic blocks: if gcc copies the end of a loop, they meet later there than on a GPU. Lines of a
//! kernel that only library functions fill have no facts of their own.
//!
//! # Result
//!
//! [`KernelWork`] has the instructions by class and width, for the kernel and each line; the executions of each block;
//! and how long a warp would take alone ([`chain`]): what its dependent instructions cost, and how many loads it has in
//! flight.

pub mod attribution;
pub mod chain;
pub mod class;
pub mod evidence;
pub mod graph;
pub mod listing;
pub mod names;
pub mod registers;
pub mod report;
pub mod table;
pub mod versions;

pub use attribution::AttributionError;
pub use chain::Latencies;
pub use class::Class;
pub use listing::{Listing, ListingError};
pub use report::{Instructions, KernelWork};
pub use table::tables;

use attribution::attribute;
use chain::timings;
use evidence::Evidence;
use graph::Graph;
use names::{Files, section_of};
use report::Parts;

use crate::counts::profile::{Kernel, Profile};
use crate::target::Rates;

/// What the kernels of a profile execute, as far as the listing has their code.
#[derive(Debug)]
pub struct Work {
    /// The kernels that are in both, in the order of the profile.
    pub kernels: Vec<KernelWork>,
    /// The names of kernels that the listing does not have.
    pub missing: Vec<String>,
}

/// Returns what the kernels of a profile execute on a GPU with some rates.
///
/// # Errors
/// If the executions cannot be computed, which is a bug.
pub fn work(listing: &Listing, profile: &Profile, rates: &Rates) -> Result<Work, AttributionError> {
    let mut work = Work { kernels: Vec::new(), missing: Vec::new() };
    for kernel in profile.kernels.iter().filter(|kernel| kernel.warps > 0) {
        match kernel_work(listing, kernel, &Latencies::of_kernel(&kernel.counts, rates))? {
            Some(found) => work.kernels.push(found),
            None => work.missing.push(kernel.name.clone()),
        }
    }
    Ok(work)
}

/// Returns what one kernel executes; nothing if the listing does not have it.
///
/// # Errors
/// If the executions cannot be computed, which is a bug.
pub fn kernel_work(
    listing: &Listing,
    kernel: &Kernel,
    latencies: &Latencies,
) -> Result<Option<KernelWork>, AttributionError> {
    let Some(section) = section_of(listing, kernel) else { return Ok(None) };
    let graph = Graph::of(listing, section);
    let lines = Files::of(kernel).lines_of(&graph);
    let attribution = attribute(&graph, &lines, &Evidence::of(kernel))?;
    let timings = timings(&graph, &attribution, latencies);
    let parts = Parts {
        kernel,
        symbol: &section.symbol,
        resources: listing.resources.get(&section.symbol).copied().unwrap_or_default(),
        graph: &graph,
        lines: &lines,
        attribution,
        timings,
        load_latency: latencies.global,
    };
    Ok(Some(parts.report()))
}
