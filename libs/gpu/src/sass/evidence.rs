//! What a profile says about how often instructions run, and what an instruction has to do with it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::class::{Class, width};
use super::listing::{Instruction, Place};
use crate::counts::profile::{Kernel, Line};

/// What is counted on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// Bytes of a lane, summed over requests.
    GlobalLoads,
    /// Bytes of a lane, summed over requests.
    GlobalStores,
    /// Requests.
    GlobalAtomics,
    /// Bytes of a lane, summed over requests.
    SharedLoads,
    /// Bytes of a lane, summed over requests.
    SharedStores,
    /// Requests.
    SharedAtomics,
    /// Bytes of a lane, summed over requests.
    AsyncCopies,
    /// Warps at barriers of blocks.
    Barriers,
    /// Shuffles, votes and reductions of warps.
    Exchanges,
    /// Sums and differences of 32 bits.
    Fp32Sums,
    /// Products of 32 bits.
    Fp32Products,
    /// Sums and differences of 64 bits.
    Fp64Sums,
    /// Products of 64 bits.
    Fp64Products,
    /// Divisions, square roots and calls of library functions, of which each has one instruction of the special
    /// function unit: a first approximation (`MUFU`) or the reduction of an angle (`F2I`).
    Library,
}

impl Fact {
    /// Returns what it costs, for each relative deviation, if the executions amount to more than the profile has, and
    /// if they amount to less. nvcc adds and removes no barrier. It may keep in registers what the source loads or
    /// stores again and again, and compute a product once that several statements need; sums seldom have the same
    /// operands. It may make a loop of an atomic operation.
    pub fn costs(self) -> (f64, f64) {
        match self {
            Fact::Barriers => (10.0, 10.0),
            Fact::AsyncCopies => (5.0, 5.0),
            // A value of 64 bits takes two instructions.
            Fact::Exchanges => (0.5, 5.0),
            Fact::Library => (3.0, 3.0),
            Fact::GlobalStores | Fact::SharedStores => (5.0, 3.0),
            Fact::Fp32Sums | Fact::Fp64Sums => (4.0, 3.0),
            Fact::GlobalLoads | Fact::SharedLoads | Fact::Fp32Products | Fact::Fp64Products => (3.0, 0.5),
            Fact::GlobalAtomics | Fact::SharedAtomics => (1.0, 1.0),
        }
    }

    /// Returns whether it is arithmetic.
    pub fn is_arithmetic(self) -> bool {
        matches!(self, Fact::Fp32Sums | Fact::Fp32Products | Fact::Fp64Sums | Fact::Fp64Products)
    }
}

/// How often a loop of the source is entered, and how many iterations it makes; per warp.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LoopCount {
    /// Entries.
    pub entries: f64,
    /// Iterations of all entries.
    pub iterations: f64,
}

impl LoopCount {
    /// Returns the iterations of one entry, on average.
    pub fn trips(self) -> f64 {
        self.iterations / self.entries
    }
}

/// What is known of a kernel; all numbers are per warp that was launched.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// What happens on a line.
    pub facts: BTreeMap<(Place, Fact), f64>,
    /// What happens in the kernel.
    pub totals: BTreeMap<Fact, f64>,
    /// How often warps come to a line.
    pub executions: BTreeMap<Place, f64>,
    /// The loops whose condition is on a line.
    pub loops: BTreeMap<Place, LoopCount>,
    /// Divergent branches of a line.
    pub divergent: BTreeMap<Place, f64>,
    /// Divergent branches of the kernel.
    pub all_divergent: f64,
    /// Whether the kernel has divisions, square roots, or calls of library functions.
    pub has_library: bool,
}

impl Evidence {
    /// Returns what a profile says of a kernel that ran.
    pub fn of(kernel: &Kernel) -> Evidence {
        let warps = (kernel.warps as f64).max(1.0);
        let mut evidence = Evidence {
            all_divergent: kernel.counts.divergent_branches as f64 / warps,
            ..Evidence::default()
        };
        for line in kernel.lines.iter().filter(|line| line.line > 0) {
            let place = Place { file: line.file.clone(), line: line.line };
            let has_library = line.operations.library > 0;
            evidence.has_library |= has_library;
            for (fact, amount) in
                facts_of(line, kernel).filter(|(fact, _)| !(has_library && fact.is_arithmetic()))
            {
                evidence.facts.insert((place.clone(), fact), amount / warps);
                *evidence.totals.entry(fact).or_default() += amount / warps;
            }
            evidence.executions.insert(place.clone(), line.executions as f64 / warps);
            evidence.divergent.insert(place, line.counts.divergent_branches as f64 / warps);
        }
        for found in &kernel.loops {
            let count = LoopCount {
                entries: found.entries as f64 / warps,
                iterations: found.iterations as f64 / warps,
            };
            evidence.loops.insert(Place { file: found.file.clone(), line: found.line }, count);
        }
        evidence.totals.retain(|fact, _| !(evidence.has_library && fact.is_arithmetic()));
        evidence
    }
}

/// Returns what happens on a line. A fact that never happens on it says nothing: the compilers may disagree on which of
/// two lines an operation belongs to.
fn facts_of(line: &Line, kernel: &Kernel) -> impl Iterator<Item = (Fact, f64)> {
    let warps_of_block = kernel.warps as f64 / (kernel.blocks as f64).max(1.0);
    let facts = [
        (Fact::GlobalLoads, line.counts.global.loads.width_bytes as f64),
        (Fact::GlobalStores, line.counts.global.stores.width_bytes as f64),
        (Fact::GlobalAtomics, line.counts.global.atomics.requests as f64),
        (Fact::SharedLoads, line.counts.shared.loads.width_bytes as f64),
        (Fact::SharedStores, line.counts.shared.stores.width_bytes as f64),
        (Fact::SharedAtomics, line.counts.shared.atomics.requests as f64),
        (Fact::AsyncCopies, line.counts.async_copies.traffic.width_bytes as f64),
        (Fact::Barriers, line.counts.barriers as f64 * warps_of_block),
        (Fact::Exchanges, line.counts.exchanges as f64),
        (Fact::Fp32Sums, line.operations.fp32_sums as f64),
        (Fact::Fp32Products, line.operations.fp32_products as f64),
        (Fact::Fp64Sums, line.operations.fp64_sums as f64),
        (Fact::Fp64Products, line.operations.fp64_products as f64),
        (Fact::Library, line.operations.library as f64),
    ];
    facts.into_iter().filter(|&(_, amount)| amount > 0.0)
}

/// Returns what one execution of an instruction contributes to facts, if all lanes execute it.
pub fn contributions(instruction: &Instruction) -> Vec<(Fact, f64)> {
    let bytes = f64::from(width(instruction));
    let one = match Class::of(instruction.base()) {
        Some(Class::GlobalLoad) => (Fact::GlobalLoads, bytes),
        Some(Class::GlobalStore) => (Fact::GlobalStores, bytes),
        Some(Class::GlobalAtomic) => (Fact::GlobalAtomics, 1.0),
        Some(Class::SharedLoad) => (Fact::SharedLoads, bytes),
        Some(Class::SharedStore) => (Fact::SharedStores, bytes),
        Some(Class::SharedAtomic) => (Fact::SharedAtomics, 1.0),
        Some(Class::AsyncCopy) => (Fact::AsyncCopies, bytes),
        Some(Class::Barrier) if instruction.base() == "BAR" => (Fact::Barriers, 1.0),
        Some(Class::Exchange) => (Fact::Exchanges, 1.0),
        _ if matches!(instruction.base(), "MUFU" | "F2I") => (Fact::Library, 1.0),
        _ => return arithmetic(instruction),
    };
    vec![one]
}

/// Returns the sums and products that an instruction stands for: a fused one for both, unless it adds nothing or
/// multiplies by one.
fn arithmetic(instruction: &Instruction) -> Vec<(Fact, f64)> {
    let factor =
        |at: usize| instruction.operands.get(at).map_or("", |operand| operand.trim_start_matches('-'));
    let (sums, products) = if instruction.base().starts_with('D') {
        (Fact::Fp64Sums, Fact::Fp64Products)
    } else {
        (Fact::Fp32Sums, Fact::Fp32Products)
    };
    match instruction.base() {
        "FADD" | "DADD" | "FADD32I" => vec![(sums, 1.0)],
        "FMUL" | "DMUL" | "FMUL32I" => vec![(products, 1.0)],
        "FADD2" => vec![(sums, 2.0)],
        "FMUL2" => vec![(products, 2.0)],
        "FFMA" | "DFMA" | "FFMA32I" if factor(3) == "RZ" => vec![(products, 1.0)],
        "FFMA" | "DFMA" | "FFMA32I" if factor(1) == "1" || factor(2) == "1" => vec![(sums, 1.0)],
        "FFMA" | "DFMA" | "FFMA32I" => vec![(sums, 1.0), (products, 1.0)],
        _ => Vec::new(),
    }
}
