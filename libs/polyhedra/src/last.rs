//! The last accesses to an element before another access: array dataflow analysis (Feautrier 1991) by subtraction.
//!
//! From all pairs of a source and a sink, those with a kill in between are removed. isl's own dataflow analysis
//! computes the same one loop after the other, by parametric integer programming; in rare cases isl 0.27 silently
//! loses a part of the result, fails, or does not terminate. The analysis here uses only sets and their differences,
//! and is also faster.
//!
//! Each sink is analysed separately. If one takes too many operations, kills are ignored for it: the additional
//! dependences only keep more instances in order.

mod sink;
mod timed;

use crate::{Result, Text, UnionMap};

use sink::{Answer, Sink};
use timed::{Timed, Times};

/// For each access to an element (the sink), the earlier sources that are hidden by no *kill*, an access in between.
pub struct Last {
    /// `{ [S0[i] -> a1[]] -> [[S1[j] -> a2[]] -> A0[x]] }`
    pub full: UnionMap,
    /// Without the elements: `{ [S0[i] -> a1[]] -> [S1[j] -> a2[]] }`.
    pub dependences: UnionMap,
    /// The sinks without a kill before them: `{ [S1[j] -> a2[]] -> A0[x] }`. For other sinks, the sources that a
    /// kill hides are missing.
    pub without_kill: UnionMap,
}

/// The input of the analysis.
pub struct Asked<'a> {
    /// The time of each tagged instance: `{ [S0[i] -> a1[]] -> [t] }`.
    pub times: UnionMap,
    /// The sinks and their elements.
    pub sinks: &'a UnionMap,
    /// The possible sources and their elements.
    pub sources: &'a UnionMap,
    /// The kills, which hide sources before them, and their elements.
    pub kills: &'a UnionMap,
}

/// The maximum number of isl operations to find the sources of one sink.
const OPERATIONS: u64 = 400_000;

/// The number of sinks that may exceed this maximum before no other is tried.
const PATIENCE: usize = 3;

impl Asked<'_> {
    /// Returns the last accesses, or all accesses before sinks for which the last ones take too long to find.
    pub fn last(&self) -> Result<Last> {
        self.last_within(OPERATIONS)
    }

    /// Returns only the last accesses, however long that takes: `{ [S0[i] -> a1[]] -> [[S1[j] -> a2[]] -> A0[x]] }`.
    ///
    /// # Errors
    /// Returns isl's error if an isl operation fails, or if the caller's limit on operations is reached.
    pub fn exactly(&self) -> Result<UnionMap> {
        Ok(self.last_exactly()?.full)
    }

    /// Returns the last accesses, however long that takes.
    ///
    /// # Errors
    /// Returns isl's error if an isl operation fails, or if the caller's limit on operations is reached.
    pub fn last_exactly(&self) -> Result<Last> {
        self.answered(|sink| sink.last())
    }

    fn last_within(&self, operations: u64) -> Result<Last> {
        let mut patience = PATIENCE;
        self.answered(|sink| sink.answer(operations, &mut patience))
    }

    fn answered(&self, mut answer: impl FnMut(&Sink<'_>) -> Result<Answer>) -> Result<Last> {
        let times = Times::new(&self.times)?;
        let sources = Timed::all(self.sources, &times)?;
        let kills = Timed::all(self.kills, &times)?;
        let (mut full, mut without_kill) = (UnionMap::parse("{ }")?, UnionMap::parse("{ }")?);
        for access in &Timed::all(self.sinks, &times)? {
            let Answer { sources, open } = answer(&Sink::new(access, &sources, &kills)?)?;
            for pairs in sources {
                full = full.add_map(pairs)?;
            }
            without_kill = without_kill.add_map(open)?;
        }
        Ok(Last { dependences: full.copy()?.range_factor_domain()?, full, without_kill })
    }
}

#[cfg(test)]
mod tests {
    use crate::UnionSet;

    use super::*;

    fn map(text: &str) -> UnionMap {
        UnionMap::parse(text).unwrap()
    }

    /// `for (i) a[i] = 0; for (i) a[2 * i] = 1; for (i) … = a[i];`
    fn every_second() -> (UnionMap, UnionMap, UnionMap) {
        let writes =
            map("[n] -> { [S0[i] -> a0[]] -> A0[i] : 0 <= i < n; [S1[i] -> a1[]] -> A0[2i] : 0 <= 2i < n }");
        let reads = map("[n] -> { [S2[i] -> a2[]] -> A0[i] : 0 <= i < n }");
        let times =
            map("{ [S0[i] -> a0[]] -> [0, i]; [S1[i] -> a1[]] -> [1, i]; [S2[i] -> a2[]] -> [2, i] }");
        (writes, reads, times)
    }

    fn assert_last(last: &Last, full: &str, without_kill: &str) {
        let full = map(full);
        assert!(last.full.is_equal(&full).unwrap(), "{}", last.full.text().unwrap());
        assert!(last.dependences.is_equal(&full.range_factor_domain().unwrap()).unwrap());
        assert!(last.without_kill.is_equal(&map(without_kill)).unwrap());
    }

    #[test]
    fn what_is_written_again_is_hidden() {
        let (writes, reads, times) = every_second();
        let asked = Asked { times, sinks: &reads, sources: &writes, kills: &writes };
        let full = "[n] -> { [S0[i] -> a0[]] -> [[S2[i] -> a2[]] -> A0[i]] : i mod 2 = 1 and 0 <= i < n; \
             [S1[i] -> a1[]] -> [[S2[2i] -> a2[]] -> A0[2i]] : 0 <= 2i < n }";
        assert_last(&asked.last().unwrap(), full, "{ }");
    }

    #[test]
    fn what_may_be_written_hides_nothing() {
        let (writes, reads, times) = every_second();
        let kills = map("[n] -> { [S0[i] -> a0[]] -> A0[i] : 0 < i < n }");
        let asked = Asked { times, sinks: &reads, sources: &writes, kills: &kills };
        let full = "[n] -> { [S0[i] -> a0[]] -> [[S2[i] -> a2[]] -> A0[i]] : 0 <= i < n; \
             [S1[i] -> a1[]] -> [[S2[2i] -> a2[]] -> A0[2i]] : 0 <= 2i < n }";
        assert_last(&asked.last().unwrap(), full, "[n] -> { [S2[0] -> a2[]] -> A0[0] : n > 0 }");
    }

    /// `for (i) { … = a[i]; a[i + 1] = 0; a[0] = 0; }`: which access comes first depends on the instance.
    #[test]
    fn accesses_in_one_nest_are_compared_by_instance() {
        let writes = map(
            "[n] -> { [S0[i] -> a1[]] -> A0[i + 1] : 0 <= i < n; [S0[i] -> a2[]] -> A0[0] : 0 <= i < n }",
        );
        let reads = map("[n] -> { [S0[i] -> a0[]] -> A0[i] : 0 <= i < n }");
        let times =
            map("{ [S0[i] -> a0[]] -> [i, 0]; [S0[i] -> a1[]] -> [i, 1]; [S0[i] -> a2[]] -> [i, 3] }");
        let asked = Asked { times, sinks: &reads, sources: &writes, kills: &writes };
        let full = "[n] -> { [S0[i] -> a1[]] -> [[S0[i + 1] -> a0[]] -> A0[i + 1]] : 0 <= i < n - 1 }";
        assert_last(&asked.last().unwrap(), full, "[n] -> { [S0[0] -> a0[]] -> A0[0] : n > 0 }");
    }

    #[test]
    fn beyond_the_limit_nothing_hides_anything() {
        let (writes, reads, times) = every_second();
        let asked = Asked { times, sinks: &reads, sources: &writes, kills: &writes };
        let full = "[n] -> { [S0[i] -> a0[]] -> [[S2[i] -> a2[]] -> A0[i]] : 0 <= i < n; \
             [S1[i] -> a1[]] -> [[S2[2i] -> a2[]] -> A0[2i]] : 0 <= 2i < n }";
        let last = asked.last_within(1).unwrap();
        assert_last(&last, full, "[n] -> { [S2[i] -> a2[]] -> A0[i] : 0 <= i < n }");
    }

    /// After some sinks that took too long, no other is tried: each still depends on every earlier access.
    #[test]
    fn nothing_hides_anything_from_sinks_that_are_not_tried() {
        let writes = map("[n] -> { [S0[i] -> a0[]] -> A0[i] : 0 <= i < n }");
        let sinks = 12;
        let each = |line: &dyn Fn(usize) -> String| {
            map(&format!("[n] -> {{ {} }}", (1..=sinks).map(line).collect::<Vec<_>>().join("; ")))
        };
        let reads = each(&|k| format!("[S{k}[i] -> a{k}[]] -> A0[i] : 0 <= i < n"));
        let times = each(&|k| format!("[S{k}[i] -> a{k}[]] -> [{k}, i]"))
            .union(map("{ [S0[i] -> a0[]] -> [0, i] }"))
            .unwrap();
        let full = each(&|k| format!("[S0[i] -> a0[]] -> [[S{k}[i] -> a{k}[]] -> A0[i]] : 0 <= i < n"));
        let asked = Asked { times, sinks: &reads, sources: &writes, kills: &writes };
        let last = asked.last_within(1).unwrap();
        assert!(last.full.is_equal(&full).unwrap(), "{}", last.full.text().unwrap());
        assert!(last.without_kill.is_equal(&reads).unwrap());
    }

    /// Of the elements that are read before they are written, isl 0.27's dataflow analysis loses every other row but
    /// the first (`thirds_and_halves_of_rows` in `tests/kernels/shapes.c`).
    #[test]
    fn rows_that_isl_loses_are_found() {
        let domains = "[n] -> { [S0[i] -> a0[]] : (1 - n + i) mod 3 = 0 and 0 <= i < n; \
             [S1[i] -> a1[]] : (1 + n + i) mod 2 = 0 and 0 <= i < n; \
             [S2[i, j] -> a6[]] : 0 <= i < n and 0 <= j < n; [S2[i, j] -> a3[]] : 0 <= i < n and 0 <= j < n }";
        let of = |text: &str| map(text).intersect_domain(UnionSet::parse(domains).unwrap()).unwrap();
        let writes = of("{ [S0[i] -> a0[]] -> A0[0, o] : -1 + i <= 2o <= i; [S1[i] -> a1[]] -> A0[i, 0]; \
             [S2[i, j] -> a6[]] -> A0[i, j] }");
        let reads = of("{ [S2[i, j] -> a3[]] -> A0[i, j] }");
        let times = of("{ [S0[i] -> a0[]] -> [0, -i, 0, 1]; [S1[i] -> a1[]] -> [1, -i, 0, 1]; \
             [S2[i, j] -> a6[]] -> [2, i, j, 1]; [S2[i, j] -> a3[]] -> [2, i, j, 0] }");
        let asked = Asked { times, sinks: &reads, sources: &writes, kills: &writes };
        let read = map("[n] -> { [S2[1, 1] -> a3[]] -> A0[1, 1] : n > 1 }");
        assert!(read.is_subset(&asked.last().unwrap().without_kill).unwrap());
    }
}
