//! How often nvcc's versions of a loop run.
//!
//! nvcc may make several loops of one: a version that does `copies` iterations of the source at a time, others that do
//! fewer, and one for the rest, which may also be straight code. Each takes as many of the iterations that are left as
//! fit, so that the trip counts of the source tell how often each version runs.

use std::collections::BTreeMap;

use super::evidence::{Evidence, Fact, LoopCount, contributions};
use super::graph::{Graph, Loop};
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
    /// Whether the loop may end after some of the copies, so that it needs no other version for the rest.
    pub decides_inside: bool,
}

/// How often the first blocks of some loops of the code run in all, per warp.
#[derive(Clone, Debug, PartialEq)]
pub struct Iterations {
    /// The loops, as numbers in [`Graph::loops`].
    pub loops: Vec<usize>,
    /// Executions of their first blocks.
    pub amount: f64,
    /// The iterations of one that is entered; at least one.
    pub trips: f64,
    /// The iterations of the source's loop.
    pub of: f64,
    /// Whether the source's loop makes the same number of iterations whenever it is entered, as far as is known.
    pub uniform: bool,
}

/// Returns which loop of the source each loop of the code comes from; nothing where that is unknown.
pub fn versions(graph: &Graph, lines: &[Option<Place>], evidence: &Evidence) -> Vec<Option<Version>> {
    let version = |number: usize| {
        let (place, count, decides_inside) = source_of(graph, number, lines, evidence)?;
        let copies = copies(graph, number, lines, evidence, count)?;
        Some(Version { place: place.clone(), copies, count, decides_inside })
    };
    (0..graph.loops.len()).map(version).collect()
}

/// Returns how often the versions of each loop of the source run.
pub fn iterations(versions: &[Option<Version>]) -> Vec<Iterations> {
    let mut by_place: BTreeMap<&Place, (LoopCount, ByCopies)> = BTreeMap::new();
    for (number, version) in versions.iter().enumerate() {
        let Some(version) = version else { continue };
        let (_, by_copies) =
            by_place.entry(&version.place).or_insert_with(|| (version.count, ByCopies::new()));
        by_copies.entry((version.copies, version.decides_inside)).or_default().push(number);
    }
    by_place.into_values().flat_map(|(count, by_copies)| shares(count, by_copies)).collect()
}

/// The versions of a loop by their copies, and by whether they decide inside.
type ByCopies = BTreeMap<(u32, bool), Vec<usize>>;

/// Straight code for several iterations of a loop, and how often it runs at most, per warp.
#[derive(Clone, Debug, PartialEq)]
pub struct Straight {
    /// The block.
    pub block: usize,
    /// Its executions at most.
    pub most: f64,
    /// The iterations of the source's loop.
    pub of: f64,
}

/// Returns the blocks outside of a loop's versions that do two iterations or more, as part of the rest. How many they
/// do is told by comparison with an unrolled version.
pub fn straight_code(graph: &Graph, lines: &[Option<Place>], versions: &[Option<Version>]) -> Vec<Straight> {
    let mut found = Vec::new();
    for (number, version) in versions.iter().enumerate() {
        let Some(version) = version.as_ref().filter(|version| version.copies > 1) else { continue };
        let is_of_version = |block: usize| {
            let same = |(body, other): (&Loop, &Option<Version>)| {
                other.as_ref().is_some_and(|other| other.place == version.place)
                    && body.blocks.contains(&block)
            };
            graph.loops.iter().zip(versions).any(same)
        };
        let amounts = own_amounts(graph, number, lines);
        for block in (0..graph.blocks.len()).filter(|&block| !is_of_version(block)) {
            let copies = compared(&amounts_of(graph, &[block], lines), &amounts, version.copies);
            let Some(copies) = copies.filter(|&copies| copies > 1) else { continue };
            let trips = version.count.trips();
            let fitting =
                if is_whole(trips) { fitting(trips, copies, true) } else { trips / f64::from(copies) };
            found.push(Straight {
                block,
                most: fitting * version.count.entries,
                of: version.count.iterations,
            });
        }
    }
    found
}

/// Returns how many iterations code does, compared with code that does `copies`: what most of the facts agree on.
fn compared(
    amounts: &BTreeMap<(&Place, Fact), f64>,
    others: &BTreeMap<(&Place, Fact), f64>,
    copies: u32,
) -> Option<u32> {
    let both = amounts.iter().filter_map(|(key, amount)| Some((amount, others.get(key)?)));
    most_frequent(both.map(|(amount, other)| amount / other * f64::from(copies)))
}

/// Returns the most frequent of some numbers of iterations, rounded; of several, the largest.
fn most_frequent(answers: impl Iterator<Item = f64>) -> Option<u32> {
    let mut votes: BTreeMap<u32, usize> = BTreeMap::new();
    for answer in answers {
        *votes.entry(answer.round().max(1.0) as u32).or_default() += 1;
    }
    votes.into_iter().max_by_key(|&(answer, votes)| (votes, answer)).map(|(answer, _)| answer)
}

fn is_whole(trips: f64) -> bool {
    (trips - trips.round()).abs() < 1e-6
}

/// Shares the iterations of a loop out among its versions, given by their copies.
fn shares(count: LoopCount, by_copies: ByCopies) -> Vec<Iterations> {
    let trips = count.trips();
    let uniform = is_whole(trips);
    let mut left = trips;
    let mut share = |((copies, decides_inside), loops): ((u32, bool), Vec<usize>)| {
        let whole = fitting(left, copies, uniform);
        left -= whole * f64::from(copies);
        let begun = if decides_inside { std::mem::take(&mut left).min(1.0) } else { 0.0 };
        let fitting = whole + begun;
        let amount = fitting * count.entries;
        Iterations { loops, amount, trips: fitting.max(1.0), of: count.iterations, uniform }
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

/// Returns the loop of the source on whose line a branch leads back to a loop's first block, or out of the loop; and
/// whether the loop does not decide in its first or last block, but in between.
fn source_of<'a>(
    graph: &Graph,
    number: usize,
    lines: &'a [Option<Place>],
    evidence: &Evidence,
) -> Option<(&'a Place, LoopCount, bool)> {
    let body = &graph.loops[number];
    let source = |block: usize| {
        let last = graph.blocks[block].code.end.checked_sub(1)?;
        let place = lines.get(last)?.as_ref()?;
        let count =
            evidence.loops.get(place).filter(|count| count.entries > 0.0 && count.iterations > 0.0)?;
        Some((place, *count))
    };
    let returns = |block: usize| graph.blocks[block].successors.contains(&body.header);
    let leaves = |block: usize| {
        let is_own = graph.blocks[block].innermost == Some(number);
        is_own && graph.blocks[block].successors.iter().any(|next| !body.blocks.contains(next))
    };
    let mut last = body.blocks.iter().rev().copied();
    if let Some((place, count)) = last.find_map(|block| source(block).filter(|_| returns(block))) {
        return Some((place, count, false));
    }
    let mut inside = body.blocks.iter().rev().copied();
    let (block, (place, count)) =
        inside.find_map(|block| Some((block, source(block).filter(|_| leaves(block))?)))?;
    Some((place, count, block != body.header))
}

/// Returns how many iterations of the source's loop one of the code has: what most of the facts agree on. A fact says
/// too much if an iteration does not always do what it counts, and too little if the iterations share what they load or
/// compute; so of several answers that as many agree on, the larger one is taken. A loop around others that has no
/// facts of its own is not unrolled: nvcc unrolls innermost loops, and others only together with these.
fn copies(
    graph: &Graph,
    number: usize,
    lines: &[Option<Place>],
    evidence: &Evidence,
    count: LoopCount,
) -> Option<u32> {
    let amounts = own_amounts(graph, number, lines);
    let answers = amounts.iter().filter_map(|(&(line, fact), amount)| {
        let known = evidence.facts.get(&(line.clone(), fact))?;
        Some(amount * count.iterations / known)
    });
    most_frequent(answers).or(graph.loops[number].has_inner.then_some(1))
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
        amounts_of_versions(trips, copies.iter().map(|&copies| (copies, false)))
    }

    fn amounts_of_versions(trips: f64, versions: impl Iterator<Item = (u32, bool)>) -> Vec<f64> {
        let count = LoopCount { entries: 2.0, iterations: 2.0 * trips };
        let by_copies = versions.enumerate().map(|(number, version)| (version, vec![number])).collect();
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

    /// A loop of four that may end after each of them begins once more for the rest.
    #[test]
    fn loops_that_decide_inside_take_the_rest() {
        let amounts = |trips: f64| amounts_of_versions(trips, [(4, true)].into_iter());
        assert_eq!(amounts(95.0), [2.0 * 24.0]);
        assert_eq!(amounts(96.0), [2.0 * 24.0]);
    }

    /// Of numbers around 9.5, one and a half are left on average, and two fours fit.
    #[test]
    fn averages_leave_an_average_rest() {
        assert_eq!(amounts(9.5, &[1, 4]), [4.0, 3.0]);
        assert_eq!(amounts(0.5, &[1, 4]), [0.0, 1.0]);
    }
}
