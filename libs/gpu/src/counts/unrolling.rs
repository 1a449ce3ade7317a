//! Which loads of successive iterations are in flight together, without a listing of the code.
//!
//! nvcc unrolls small innermost loops: wholly if it knows the number of iterations, else by four, with other loops for
//! the rest; its assembler then moves the loads of these iterations in front of the first use of any of them. It can do
//! so if nothing in the body is in the way: no condition, so that all iterations do the same; and no store or barrier
//! that may change what is loaded. Stores to shared memory change nothing in global memory, and the reverse.
//!
//! So of an innermost loop without conditions, the loads of four iterations are one wait, or of as many as `#pragma
//! unroll` asks for, where that is known (in predictions). The operations of these iterations are mixed
//! ([`mod@super::chain`]), unless there are divisions, square roots or functions among them: these branch to code for
//! unusual operands, and the assembler mixes nothing across branches.

use std::collections::BTreeMap;

use super::profile::{Counts, Kernel, Line, Loop};

/// The iterations that a compiler's unrolled loop has, unless the loop has fewer.
const UNROLLED: f64 = 4.0;

/// How many iterations of the loop around a line have their loads in flight together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Together {
    /// From global memory.
    pub global: f64,
    /// From shared memory.
    pub shared: f64,
    /// How many have their operations mixed: those that can have the operands of all these loaded.
    pub results: f64,
}

/// The innermost loops of a kernel.
#[derive(Debug, Default)]
pub struct Unrolling<'a> {
    /// By line and file of the condition: lines differ sooner than the names of files.
    loops: BTreeMap<(u64, &'a str), Together>,
}

impl<'a> Unrolling<'a> {
    /// Finds out which loops of a kernel are unrolled.
    pub fn of(kernel: &'a Kernel) -> Self {
        let mut bodies: BTreeMap<(u64, &str), Body> = BTreeMap::new();
        for line in kernel.lines.iter().filter(|line| line.innermost_loop > 0) {
            let body = bodies.entry((line.innermost_loop, &line.file)).or_default();
            body.counts += line.counts;
            body.calls += line.operations.library;
        }
        let known = kernel.loops.iter().filter_map(|found| {
            let place = (found.line, found.file.as_str());
            bodies.get(&place).map(|body| (place, together(found, body)))
        });
        Self { loops: known.collect() }
    }

    /// Returns what is known of the loop around a line.
    pub fn around(&self, line: &Line) -> Together {
        let found = self.loops.get(&(line.innermost_loop, line.file.as_str()));
        found.copied().unwrap_or(Together { global: 1.0, shared: 1.0, results: 1.0 })
    }
}

/// What all iterations of a loop do.
#[derive(Debug, Clone, Copy, Default)]
struct Body {
    counts: Counts,
    /// Divisions, square roots, and calls of library functions.
    calls: u64,
}

fn together(found: &Loop, Body { counts: body, calls }: &Body) -> Together {
    let has_conditions = body.branches > found.entries + found.iterations;
    let meets = body.barriers + body.warp_barriers + body.exchanges > 0;
    let times = found.iterations as f64 / found.entries.max(1) as f64;
    let factor = found.unrolled.map_or(UNROLLED, |factor| factor.max(1) as f64);
    let of = |stores: u64| if has_conditions || meets || stores > 0 { 1.0 } else { times.clamp(1.0, factor) };
    let (global, shared) = (&body.global, &body.shared);
    let of_global = of(global.stores.requests + global.atomics.requests);
    let of_shared = of(shared.stores.requests + shared.atomics.requests + body.async_copies.traffic.requests);
    let loads = [(global.loads.requests, of_global), (shared.loads.requests, of_shared)];
    let loaded = loads.into_iter().filter(|(requests, _)| *requests > 0).map(|(_, times)| times);
    let results = if *calls > 0 { 1.0 } else { loaded.fold(of(0), f64::min) };
    Together { global: of_global, shared: of_shared, results }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::profile::{BankUse, Traffic};

    fn counts(change: impl Fn(&mut Counts)) -> Counts {
        let mut counts = Counts { branches: 110, ..Counts::default() };
        counts.global.loads = Traffic { requests: 100, ..Traffic::default() };
        change(&mut counts);
        counts
    }

    fn all_of(iterations: u64, counts: &Counts, calls: u64) -> Together {
        let found = Loop { file: "k.cu".to_owned(), line: 9, entries: 10, iterations, unrolled: None };
        together(&found, &Body { counts: *counts, calls })
    }

    fn of(iterations: u64, counts: &Counts) -> (f64, f64) {
        let Together { global, shared, .. } = all_of(iterations, counts, 0);
        (global, shared)
    }

    #[test]
    fn loads_of_four_iterations_are_in_flight_together() {
        let request = BankUse { requests: 1, ..BankUse::default() };
        let store = Traffic { requests: 1, ..Traffic::default() };
        assert_eq!(of(100, &counts(|_| ())), (4.0, 4.0));
        assert_eq!(of(25, &counts(|counts| counts.branches = 35)), (2.5, 2.5), "as many as there are");
        assert_eq!(of(100, &counts(|counts| counts.branches = 111)), (1.0, 1.0), "a condition");
        assert_eq!(of(100, &counts(|counts| counts.barriers = 1)), (1.0, 1.0));
        assert_eq!(of(100, &counts(|counts| counts.exchanges = 1)), (1.0, 1.0));
        assert_eq!(of(100, &counts(|counts| counts.global.stores = store)), (1.0, 4.0));
        assert_eq!(of(100, &counts(|counts| counts.shared.stores = request)), (4.0, 1.0));
    }

    #[test]
    fn operations_are_mixed_as_far_as_their_operands_are_loaded() {
        let request = BankUse { requests: 1, ..BankUse::default() };
        let store = Traffic { requests: 1, ..Traffic::default() };
        assert_eq!(all_of(100, &counts(|_| ()), 0).results, 4.0);
        assert_eq!(all_of(100, &counts(|_| ()), 1).results, 1.0, "a division");
        assert_eq!(all_of(100, &counts(|counts| counts.global.stores = store), 0).results, 1.0);
        let stores = |counts: &mut Counts| (counts.shared.loads, counts.shared.stores) = (request, request);
        assert_eq!(all_of(100, &counts(stores), 0).results, 1.0, "one of two memories");
        assert_eq!(all_of(100, &counts(|counts| counts.shared.stores = request), 0).results, 4.0);
    }
}
