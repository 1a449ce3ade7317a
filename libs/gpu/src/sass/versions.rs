//! How often nvcc's versions of a loop run.
//!
//! nvcc may make several loops of one: a version that does `copies` iterations of the source at a time, others that do
//! fewer, and one for the rest, which may also be straight code. Each takes as many of the iterations that are left as
//! fit, so that the trip counts of the source tell how often each version runs.

use std::collections::BTreeMap;

use super::evidence::{Evidence, Fact, LoopCount, contributions};
use super::graph::Graph;
use super::listing::Place;

/// The loop of the source that a loop of the code comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    /// Where the source's loop decides whether to go on.
    pub place: Place,
    /// The iterations of the source that one of the code does.
    pub copies: u32,
    /// How often the source's loop runs.
    pub count: LoopCount,
}

/// How often the first blocks of some loops of the code run in all, per warp.
#[derive(Clone, Debug, PartialEq)]
pub struct Iterations {
    /// The loops, as numbers in [`Graph::loops`].
    pub loops: Vec<usize>,
    /// Executions of their first blocks.
    pub amount: f64,
    /// The iterations of the source's loop.
    pub of: f64,
    /// Whether the source's loop makes the same number of iterations whenever it is entered, as far as is known.
    pub uniform: bool,
}

/// Returns which loop of the source each loop of the code comes from; nothing where that is unknown.
pub fn versions(graph: &Graph, lines: &[Option<Place>], evidence: &Evidence) -> Vec<Option<Version>> {
    let version = |number: usize| {
        let (place, count) = source_of(graph, number, lines, evidence)?;
        let copies = copies(graph, number, lines, evidence, count)?;
        Some(Version { place: place.clone(), copies, count })
    };
    (0..graph.loops.len()).map(version).collect()
}

/// Returns how often the versions of each loop of the source run.
pub fn iterations(versions: &[Option<Version>]) -> Vec<Iterations> {
    let mut by_place: BTreeMap<&Place, (LoopCount, BTreeMap<u32, Vec<usize>>)> = BTreeMap::new();
    for (number, version) in versions.iter().enumerate() {
        let Some(version) = version else { continue };
        let (_, by_copies) =
            by_place.entry(&version.place).or_insert_with(|| (version.count, BTreeMap::new()));
        by_copies.entry(version.copies).or_default().push(number);
    }
    by_place.into_values().flat_map(|(count, by_copies)| shares(count, by_copies)).collect()
}

/// Shares the iterations of a loop out among its versions, given by their copies.
fn shares(count: LoopCount, by_copies: BTreeMap<u32, Vec<usize>>) -> Vec<Iterations> {
    let trips = count.trips();
    let uniform = (trips - trips.round()).abs() < 1e-6;
    let mut left = trips;
    let mut share = |(copies, loops): (u32, Vec<usize>)| {
        let fitting = fitting(left, copies, uniform);
        left -= fitting * f64::from(copies);
        Iterations { loops, amount: fitting * count.entries, of: count.iterations, uniform }
    };
    by_copies.into_iter().rev().map(&mut share).collect()
}

/// Returns how often `copies` fits into a number of iterations. Where the number is an average, the rest is that of
/// numbers of which each remainder is as frequent as the others.
fn fitting(trips: f64, copies: u32, uniform: bool) -> f64 {
    let copies = f64::from(copies);
    if uniform {
        return ((trips + 1e-6) / copies).floor();
    }
    ((trips - (copies - 1.0) / 2.0) / copies).max(0.0)
}

/// Returns the loop of the source on whose line a branch leads back to a loop's first block.
fn source_of<'a>(
    graph: &Graph,
    number: usize,
    lines: &'a [Option<Place>],
    evidence: &Evidence,
) -> Option<(&'a Place, LoopCount)> {
    let body = &graph.loops[number];
    let mut returning = body.blocks.iter().rev().filter(|&&block| {
        let block = &graph.blocks[block];
        block.successors.contains(&body.header)
    });
    returning.find_map(|&block| {
        let last = graph.blocks[block].code.end.checked_sub(1)?;
        let place = lines.get(last)?.as_ref()?;
        let count =
            evidence.loops.get(place).filter(|count| count.entries > 0.0 && count.iterations > 0.0)?;
        Some((place, *count))
    })
}

/// Returns how many iterations of the source's loop one of the code has: what most of the facts agree on. A fact says
/// too much if an iteration does not always do what it counts, and too little if the iterations share what they load or
/// compute; so of several answers that as many agree on, the larger one is taken. A loop around others that has no facts
/// of its own is not unrolled: nvcc unrolls innermost loops, and others only together with these.
fn copies(
    graph: &Graph,
    number: usize,
    lines: &[Option<Place>],
    evidence: &Evidence,
    count: LoopCount,
) -> Option<u32> {
    let mut answers: BTreeMap<u32, usize> = BTreeMap::new();
    for ((line, fact), amount) in own_amounts(graph, number, lines) {
        let Some(known) = evidence.facts.get(&(line.clone(), fact)) else { continue };
        let answer = (amount * count.iterations / known).round().max(1.0);
        *answers.entry(answer as u32).or_default() += 1;
    }
    let most = answers.into_iter().max_by_key(|&(answer, votes)| (votes, answer));
    most.map(|(answer, _)| answer).or(graph.loops[number].has_inner.then_some(1))
}

/// Returns what an iteration of the code does outside of inner loops, on lines that these have no code of.
fn own_amounts<'a>(
    graph: &Graph,
    number: usize,
    lines: &'a [Option<Place>],
) -> BTreeMap<(&'a Place, Fact), f64> {
    let (own, inner): (Vec<usize>, Vec<usize>) =
        graph.loops[number].blocks.iter().partition(|&&block| graph.blocks[block].innermost == Some(number));
    let mut amounts = amounts_of(graph, &own, lines);
    for key in amounts_of(graph, &inner, lines).into_keys() {
        amounts.remove(&key);
    }
    amounts
}

fn amounts_of<'a>(
    graph: &Graph,
    blocks: &[usize],
    lines: &'a [Option<Place>],
) -> BTreeMap<(&'a Place, Fact), f64> {
    let mut amounts = BTreeMap::new();
    for at in blocks.iter().flat_map(|&block| graph.blocks[block].code.clone()) {
        let Some(line) = &lines[at] else { continue };
        for (fact, amount) in contributions(&graph.code[at]) {
            *amounts.entry((line, fact)).or_default() += amount;
        }
    }
    amounts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amounts(trips: f64, copies: &[u32]) -> Vec<f64> {
        let count = LoopCount { entries: 2.0, iterations: 2.0 * trips };
        let by_copies = copies.iter().enumerate().map(|(number, &copies)| (copies, vec![number])).collect();
        shares(count, by_copies).into_iter().map(|share| share.amount).collect()
    }

    /// Seven iterations are one of four, one of two and one of one, twice.
    #[test]
    fn each_version_takes_what_fits() {
        assert_eq!(amounts(7.0, &[1, 2, 4]), [2.0, 2.0, 2.0]);
        assert_eq!(amounts(3.0, &[1, 2, 4]), [0.0, 2.0, 2.0]);
        assert_eq!(amounts(2.0, &[4]), [0.0]);
        assert_eq!(amounts(8.0, &[1, 4]), [4.0, 0.0]);
    }

    /// Of numbers around 9.5, one and a half are left on average, and two fours fit.
    #[test]
    fn averages_leave_an_average_rest() {
        assert_eq!(amounts(9.5, &[1, 4]), [4.0, 3.0]);
        assert_eq!(amounts(0.5, &[1, 4]), [0.0, 1.0]);
    }
}
