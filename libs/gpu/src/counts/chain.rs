//! How long dependent arithmetic takes, without a listing of the code.
//!
//! In straight code, each operation is taken to need the result of the one before. In loops that a compiler unrolls
//! ([`mod@super::unrolling`]) the assembler mixes the operations of several iterations. Of these, only some wait for the
//! iteration before: an addition for the last one, if a loop sums up. A prediction knows which they are; of a profile
//! of cudasim, which does not, all sums are taken to wait. What is computed besides is waited for once for all
//! iterations that are mixed, and so is the iterator, on which the addresses depend. Addresses and comparisons
//! themselves only have to be issued.

use std::collections::BTreeMap;

use super::figures::Instructions;
use super::profile::{Kernel, Line, Operations};
use super::unrolling::Unrolling;
use crate::target::Rates;

/// The clocks of a warp for a line, whichever are more: to issue its instructions, or to wait for their results.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Clocks {
    issue: f64,
    results: f64,
}

/// The clocks of the chains of a kernel's lines.
#[derive(Debug, Default)]
pub struct Chains<'a> {
    /// By line and file: lines differ sooner than the names of files.
    lines: BTreeMap<(u64, &'a str), f64>,
}

impl<'a> Chains<'a> {
    /// Estimates the chains. Without `unrolling`, each instruction waits for the one before. `instructions` has those
    /// of each line.
    pub fn of(
        kernel: &'a Kernel,
        unrolling: Option<&Unrolling<'a>>,
        instructions: &[Instructions],
        rates: &Rates,
    ) -> Self {
        let mut chains = Self::default();
        let mut loops: BTreeMap<(u64, &str), Vec<(&Line, Clocks)>> = BTreeMap::new();
        for (line, instructions) in kernel.lines.iter().zip(instructions) {
            let times = unrolling.map_or(1.0, |unrolling| unrolling.around(line).results);
            if times > 1.0 {
                let of_loop = loops.entry((line.innermost_loop, &line.file)).or_default();
                of_loop.push((line, mixed(line, instructions, times, rates)));
            } else {
                chains.lines.insert((line.line, &line.file), in_order(instructions, rates));
            }
        }
        for lines in loops.values() {
            let sum = |of: fn(&Clocks) -> f64| lines.iter().map(|(_, clocks)| of(clocks)).sum::<f64>();
            let waits = sum(|clocks| clocks.results) > sum(|clocks| clocks.issue);
            for (line, clocks) in lines {
                let own = if waits { clocks.results } else { clocks.issue };
                chains.lines.insert((line.line, &line.file), own);
            }
        }
        chains
    }

    /// Returns the clocks of a line, summed over all warps.
    pub fn of_line(&self, line: &Line) -> f64 {
        self.lines.get(&(line.line, line.file.as_str())).copied().unwrap_or(0.0)
    }
}

/// Returns the clocks of a line in a loop of which so many iterations are mixed.
fn mixed(line: &Line, instructions: &Instructions, times: f64, rates: &Rates) -> Clocks {
    let carried = line.carried.unwrap_or(Operations {
        fp32_sums: line.operations.fp32_sums,
        fp64_sums: line.operations.fp64_sums,
        ..Operations::default()
    });
    let waiting = Instructions {
        fp32: (carried.fp32_sums + carried.fp32_products) as f64 + LIBRARY_STEPS * carried.library as f64,
        fp64: (carried.fp64_sums + carried.fp64_products) as f64,
        special: carried.library as f64,
        ..Instructions::default()
    };
    let iterator = Instructions { integer: line.executions as f64, ..Instructions::default() };
    let operations = Instructions {
        fp32: instructions.fp32 - waiting.fp32,
        fp64: instructions.fp64 - waiting.fp64,
        special: instructions.special - waiting.special,
        conversion: instructions.conversion,
        ..iterator
    };
    let besides = in_order(&operations, rates).max(0.0) / times;
    Clocks { issue: instructions.total(), results: in_order(&waiting, rates) + besides }
}

/// Instructions of single precision in a library function, and its special functions: `sinf` and division are a few
/// products around one approximation.
pub const LIBRARY_STEPS: f64 = 10.0;

/// Returns the clocks of instructions that are issued in order, each operation when the result of the one before is
/// there. Memory is not waited for here, and nothing waits for stores, barriers and branches.
pub fn in_order(instructions: &Instructions, rates: &Rates) -> f64 {
    let Instructions { fp32, fp64, integer, special, conversion, .. } = *instructions;
    let operations = fp32 + fp64 + integer + special + conversion;
    fp32 * rates.latency_fp32
        + fp64 * rates.latency_fp64
        + integer * rates.latency_integer
        + special * rates.latency_special
        + conversion * rates.latency_conversion
        + (instructions.total() - operations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::profile::{Counts, Loop, Traffic};
    use crate::target::read_gpu;

    const TIMES: u64 = 1600;

    /// A loop that adds up products of double precision, from global memory.
    fn sum(carried: Option<Operations>) -> Kernel {
        let mut counts = Counts::default();
        counts.global.loads = Traffic { requests: 2 * TIMES, ..Traffic::default() };
        let line = Line {
            file: "k.cu".to_owned(),
            line: 10,
            executions: TIMES,
            work: 0,
            busiest_work: 0,
            innermost_loop: 9,
            carried,
            operations: Operations { fp64_sums: TIMES, fp64_products: TIMES, ..Operations::default() },
            counts,
        };
        let of_loop =
            Loop { file: "k.cu".to_owned(), line: 9, entries: 1, iterations: TIMES, unrolled: Some(16) };
        Kernel {
            name: "k".to_owned(),
            file: "k.cu".to_owned(),
            line: 99,
            launches: 1,
            blocks: 1,
            blocks_with_work: 1,
            warps: 1,
            block: [32, 1, 1],
            dynamic_shared_bytes: 0,
            static_shared_bytes: 0,
            counts,
            lines: vec![line],
            loops: vec![of_loop],
            copies_ahead: false,
        }
    }

    /// Returns the clocks of an iteration.
    fn clocks(kernel: &Kernel, issued: f64) -> f64 {
        let rates = read_gpu(include_str!("../../../../targets/h100.json")).unwrap().rates;
        let unrolling = Unrolling::of(kernel);
        let operations = kernel.lines[0].operations;
        let fp64 = (operations.fp64_sums + operations.fp64_products) as f64;
        let integer = issued * TIMES as f64 - fp64;
        let instructions = [Instructions { fp64, integer, ..Instructions::default() }];
        let chains = Chains::of(kernel, Some(&unrolling), &instructions, &rates);
        chains.of_line(&kernel.lines[0]) / TIMES as f64
    }

    #[test]
    fn only_additions_wait_for_the_iteration_before() {
        // An addition of double precision takes 8 clocks. A product and the iterator are waited for once in 16.
        let sums = Operations { fp64_sums: TIMES, ..Operations::default() };
        let expected = 8.0 + (8.0 + 4.0) / 16.0;
        assert_eq!(clocks(&sum(Some(sums)), 6.0), expected);
        assert_eq!(clocks(&sum(None), 6.0), expected, "cudasim does not say it");
        assert_eq!(
            clocks(&sum(Some(Operations::default())), 6.0),
            6.0,
            "to issue six takes longer than to wait"
        );
        let both = Operations { fp64_products: TIMES, ..sums };
        assert_eq!(clocks(&sum(Some(both)), 6.0), 16.0 + 4.0 / 16.0);
    }

    #[test]
    fn straight_code_waits_for_each_result() {
        let mut kernel = sum(None);
        kernel.loops.clear();
        assert_eq!(clocks(&kernel, 6.0), 2.0 * 8.0 + 4.0 * 4.0);
    }

    #[test]
    fn code_in_order_waits_for_each_result() {
        let instructions = Instructions {
            fp32: 10.0,
            fp64: 3.0,
            special: 2.0,
            global: 5.0,
            branch: 6.0,
            ..Instructions::default()
        };
        let rates = read_gpu(include_str!("../../../../targets/volta-scaled.json")).unwrap().rates;
        let operations = 10.0 * rates.latency_fp32 + 3.0 * rates.latency_fp64 + 2.0 * rates.latency_special;
        assert_eq!(in_order(&instructions, &rates), operations + 11.0);
    }
}
