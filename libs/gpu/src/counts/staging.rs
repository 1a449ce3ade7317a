//! Which lines of a kernel stage data in shared memory.
//!
//! A profile does not say in which order lines run, but a source is written in an order. A statement that loads from
//! global memory and stores to shared memory stages data: its store must wait for the load. If the loads are in one
//! statement and the stores in another one, far away, the values are in registers in between, as in code that loads the
//! next tile while it computes with this one; that is no staging here, because the computation hides the loads. The same
//! holds for statements between which and the computation after them no barrier stands: other warps do them meanwhile.
//!
//! Control goes with what it guards: a line without accesses belongs to the next line that has some.

use std::collections::BTreeMap;

use super::profile::{Counts, Kernel};

/// The lines of the longest statement. Compilers name the line of each access, not that of the statement.
const STATEMENT: u64 = 3;

/// Where a kernel's staging is.
#[derive(Debug, Clone, Default)]
pub struct Staging<'a> {
    /// Whether a line stages data, for each line with accesses or barriers.
    lines: BTreeMap<(&'a str, u64), bool>,
}

impl<'a> Staging<'a> {
    /// Finds the staging of a kernel. There is none in a kernel without barriers, where no phase has an end, nor beside
    /// asynchronous copies, which run while the kernel computes; that is what they are for.
    pub fn of(kernel: &'a Kernel) -> Self {
        let has_none = kernel.counts.barriers == 0 || kernel.counts.async_copies.traffic.requests > 0;
        if has_none || kernel.copies_ahead {
            return Self::default();
        }
        // Lines first: they differ sooner than the names of files.
        let place = |(file, line, _): (&'a str, u64, &'a Counts)| (line, file);
        let lines = || kernel.lines.iter().map(|line| (line.file.as_str(), line.line, &line.counts));
        let with =
            |has: fn(&Counts) -> bool| -> Vec<_> { lines().filter(|line| has(line.2)).map(place).collect() };
        let (loads, stores, barriers) = (with(loads), with(stores), with(has_barrier));
        let is_one_statement = |one: &(u64, &str), other: &(u64, &str)| {
            let between = one.0.min(other.0)..=one.0.max(other.0);
            let divides = |barrier: &(u64, &str)| between.contains(&barrier.0) && barrier.1 == one.1;
            one.0.abs_diff(other.0) <= STATEMENT && one.1 == other.1 && !barriers.iter().any(divides)
        };
        let stages = |place: &(u64, &str)| {
            let meets = |others: &[(u64, &str)]| others.iter().any(|other| is_one_statement(place, other));
            loads.contains(place) && meets(&stores) || stores.contains(place) && meets(&loads)
        };
        let users = with(|counts| counts.shared.loads.requests > 0);
        let waits = |place: &(u64, &str)| {
            let after = |others: &[(u64, &'a str)]| {
                let mut after = others.iter().filter(|other| other.0 > place.0 && other.1 == place.1);
                after.find(|other| !stages(other)).map(|other| other.0)
            };
            after(&users).is_none_or(|user| after(&barriers).is_some_and(|barrier| barrier < user))
        };
        let lines = with(|counts| has_access(counts) || has_barrier(counts));
        let staged = |place: (u64, &'a str)| ((place.1, place.0), stages(&place) && waits(&place));
        Self { lines: lines.into_iter().map(staged).collect() }
    }

    /// True if there is any.
    pub fn exists(&self) -> bool {
        self.lines.values().any(|stages| *stages)
    }

    /// True if a line stages data, or is control for one that does.
    pub fn has(&self, file: &str, line: u64) -> bool {
        let next = self.lines.range((file, line)..).next();
        next.is_some_and(|((next, _), stages)| *next == file && *stages)
    }
}

fn loads(counts: &Counts) -> bool {
    counts.global.loads.requests > 0
}

fn stores(counts: &Counts) -> bool {
    counts.shared.stores.requests > 0
}

fn has_barrier(counts: &Counts) -> bool {
    counts.barriers > 0
}

fn has_access(counts: &Counts) -> bool {
    let (global, shared) = (&counts.global, &counts.shared);
    let requests = [
        global.loads.requests,
        global.stores.requests,
        global.atomics.requests,
        shared.loads.requests,
        shared.stores.requests,
        shared.atomics.requests,
        counts.constant.requests,
    ];
    requests.iter().any(|requests| *requests > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::profile::{Line, Traffic};

    /// Lines of a kernel, each with a letter for what it does: `g` loads from global memory, `s` stores to shared
    /// memory, `b` waits at a barrier, `c` loads from shared memory, `a` copies asynchronously.
    fn kernel(lines: &[(u64, &str)]) -> Kernel {
        let line = |&(line, does): &(u64, &str)| {
            let mut counts = Counts::default();
            counts.global.loads.requests = does.matches('g').count() as u64;
            counts.shared.stores.requests = does.matches('s').count() as u64;
            counts.shared.loads.requests = does.matches('c').count() as u64;
            counts.barriers = does.matches('b').count() as u64;
            let requests = does.matches('a').count() as u64;
            counts.async_copies.traffic = Traffic { requests, ..Traffic::default() };
            Line {
                file: "k.cu".to_owned(),
                line,
                executions: 1,
                work: 0,
                busiest_work: 0,
                innermost_loop: 0,
                carried: None,
                operations: Default::default(),
                counts,
            }
        };
        let lines: Vec<Line> = lines.iter().map(line).collect();
        let counts = lines.iter().map(|line| line.counts).sum();
        Kernel {
            name: "k".to_owned(),
            file: "k.cu".to_owned(),
            line: 100,
            launches: 1,
            blocks: 1,
            blocks_with_work: 1,
            warps: 1,
            block: [32, 1, 1],
            dynamic_shared_bytes: 0,
            static_shared_bytes: 0,
            counts,
            lines,
            loops: Vec::new(),
            copies_ahead: false,
        }
    }

    fn staging(lines: &[(u64, &str)], asked: &[u64]) -> Vec<u64> {
        let kernel = kernel(lines);
        let staging = Staging::of(&kernel);
        asked.iter().copied().filter(|line| staging.has("k.cu", *line)).collect()
    }

    #[test]
    fn a_statement_that_fills_shared_memory_stages_with_its_control() {
        let lines = [(8, ""), (9, ""), (10, "gs"), (11, "b"), (12, ""), (13, "c")];
        assert_eq!(staging(&lines, &[8, 9, 10, 11, 12, 13, 14]), [8, 9, 10]);
        // Load and store on two lines of one statement.
        assert_eq!(staging(&[(10, "s"), (11, "g"), (12, "b"), (13, "c")], &[10, 11, 12, 13]), [10, 11]);
    }

    #[test]
    fn what_computation_can_hide_is_no_staging() {
        let none: [u64; 0] = [];
        // Some warps copy the next tile while the others use this one.
        assert_eq!(staging(&[(10, "gs"), (12, "c"), (14, "b")], &[10, 12, 14]), none);
        // Into registers here, to shared memory there; or behind a barrier.
        assert_eq!(staging(&[(10, "g"), (20, "s"), (21, "b")], &[10, 20]), none);
        assert_eq!(staging(&[(10, "g"), (11, "b"), (12, "s")], &[10, 12]), none);
        // Without barriers, and beside asynchronous copies.
        assert_eq!(staging(&[(10, "gs"), (12, "c")], &[10]), none);
        assert_eq!(staging(&[(10, "gs"), (11, "b"), (12, "a")], &[10]), none);
    }
}
