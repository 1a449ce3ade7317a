//! Which blocks of a launch are looked at.
//!
//! Triangles, bands and wavefronts leave most of the box of their grid without work. So a sample of the box is taken
//! in two steps. First the box is halved, again and again, until each part certainly has no work, or certainly has
//! work everywhere, or is a single block, as far as a bounded number of questions permits ([`mod@super::reach`]). Then
//! the blocks that are left are numbered in the order of the parts, and of each of as many equal stretches as blocks
//! are to be looked at, one is taken. Halves of a part follow each other, so a stretch is compact in all dimensions.
//! Its block is at a place that differs from stretch to stretch and from launch to launch. Where the questions did not
//! suffice, several blocks are drawn for one that is looked at, and those that have no work are left out.
//!
//! What no block has is thus counted exactly, and what the others do is the mean of a sample that covers all of them
//! evenly. Blocks at the edges of the grid, which differ from others, are sampled apart.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::reach::Reach;
use crate::sampling::{Sample, spread};

/// The first coordinate and the number of blocks in each dimension.
pub type Area = Vec<(i64, i64)>;

/// How much of a launch is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The blocks.
    pub blocks: f64,
    /// The parts of its grid of which is asked whether they have work.
    pub questions: usize,
    /// A number that is another one for each launch of a kernel.
    pub turn: u64,
}

/// Returns blocks of a grid, each with the number of blocks that it stands for.
pub fn sampled_blocks(
    grid: &[(i64, i64)],
    limits: Limits,
    mut reach: impl FnMut(&[(i64, i64)]) -> Reach,
) -> Vec<(Vec<i64>, f64)> {
    let regions = regions(grid, limits.blocks);
    let mut questions = limits.questions;
    let mut found = Vec::new();
    for (number, region) in regions.iter().enumerate() {
        // Regions at edges are small, and what they do not need is left for those after them.
        let share = questions / (regions.len() - number);
        let (parts, asked) = parts_with_work(region.clone(), share.max(1), &mut reach);
        questions = questions.saturating_sub(asked);
        found.push(parts);
    }
    found.retain(|parts| !parts.is_empty());
    let sizes: Vec<i64> = found.iter().map(|parts| total(parts)).collect();
    let samples = shares(&sizes, limits.blocks);
    let regions = found.iter().zip(samples);
    regions.flat_map(|(parts, most)| sample(parts, most, limits.turn, &mut reach)).collect()
}

/// Divides a grid into its inner part and its edges, which come first; one region where the sample is small for that.
fn regions(grid: &[(i64, i64)], most: f64) -> Vec<Area> {
    let long = grid.iter().filter(|(_, extent)| *extent > 2).count() as u32;
    let mut regions = vec![Area::new()];
    let apart = f64::from(3_u32.pow(long)) < most * 0.6;
    for (lower, extent) in grid {
        let inner = (lower.wrapping_add(1), extent - 2);
        let pieces = if apart && *extent > 2 {
            vec![(*lower, 1), (lower.wrapping_add(extent - 1), 1), inner]
        } else {
            vec![(*lower, *extent)]
        };
        let with = |outer: &Area, piece: (i64, i64)| outer.iter().copied().chain([piece]).collect::<Area>();
        regions = pieces.iter().flat_map(|piece| regions.iter().map(|outer| with(outer, *piece))).collect();
    }
    regions.sort_by_key(count);
    regions
}

/// Returns how many blocks of each region are looked at: all if there are few, otherwise as the root of its size, so
/// that small regions are not forgotten.
fn shares(sizes: &[i64], most: f64) -> Vec<i64> {
    let all: f64 = sizes.iter().map(|size| *size as f64).sum();
    let roots: f64 = sizes.iter().map(|size| (*size as f64).sqrt()).sum();
    let share = |size: &i64| ((most * (*size as f64).sqrt() / roots).round() as i64).clamp(1, *size);
    sizes.iter().map(|size| if all <= most { *size } else { share(size) }).collect()
}

/// A part of a region, some of whose blocks may have work.
struct Part {
    area: Area,
    /// True if asking for single blocks would tell nothing new.
    is_certain: bool,
}

/// A part of a region, which may have been halved.
struct Node {
    area: Area,
    halves: Option<[usize; 2]>,
    reached: Reach,
}

/// Returns the parts of a region that may have work, in the order of halving, and how many questions that took. The
/// largest are halved first.
fn parts_with_work(
    region: Area,
    questions: usize,
    reach: &mut impl FnMut(&[(i64, i64)]) -> Reach,
) -> (Vec<Part>, usize) {
    let mut nodes: Vec<Node> = Vec::new();
    let mut open = BinaryHeap::new();
    let mut add = |area: Area, nodes: &mut Vec<Node>, open: &mut BinaryHeap<_>| {
        let reached = reach(&area);
        if reached == Reach::Perhaps && count(&area) > 1 {
            open.push((count(&area), Reverse(nodes.len())));
        }
        nodes.push(Node { area, halves: None, reached });
    };
    add(region, &mut nodes, &mut open);
    while nodes.len() + 2 <= questions
        && let Some((_, Reverse(number))) = open.pop()
    {
        let [first, second] = halved(&nodes[number].area);
        nodes[number].halves = Some([nodes.len(), nodes.len() + 1]);
        add(first, &mut nodes, &mut open);
        add(second, &mut nodes, &mut open);
    }
    let mut parts = Vec::new();
    collect(&nodes, 0, &mut parts);
    (parts, nodes.len())
}

fn collect(nodes: &[Node], number: usize, parts: &mut Vec<Part>) {
    let Node { area, halves, reached } = &nodes[number];
    match (halves, reached) {
        (Some(halves), _) => halves.iter().for_each(|half| collect(nodes, *half, parts)),
        (None, Reach::Never) => {}
        (None, reached) => {
            let is_certain = *reached == Reach::Always || count(area) == 1;
            parts.push(Part { area: area.clone(), is_certain });
        }
    }
}

/// Halves an area across its longest dimension.
fn halved(area: &Area) -> [Area; 2] {
    let longest = (0..area.len()).max_by_key(|dimension| area[*dimension].1).unwrap_or(0);
    let (lower, extent) = area[longest];
    let middle = extent / 2;
    let with = |piece: (i64, i64)| {
        let mut half = area.clone();
        half[longest] = piece;
        half
    };
    [with((lower, middle)), with((lower.wrapping_add(middle), extent - middle))]
}

fn count(area: &Area) -> i64 {
    area.iter().fold(1, |count, (_, extent)| count.saturating_mul(*extent))
}

fn total(parts: &[Part]) -> i64 {
    parts.iter().map(|part| count(&part.area)).fold(0, i64::saturating_add)
}

/// Returns some of the blocks of parts, spread evenly over their order. Where parts are not known to have work
/// everywhere, more blocks are drawn, and each is asked alone.
fn sample(
    parts: &[Part],
    most: i64,
    turn: u64,
    reach: &mut impl FnMut(&[(i64, i64)]) -> Reach,
) -> Vec<(Vec<i64>, f64)> {
    let drawn = if parts.iter().all(|part| part.is_certain) { most } else { most.saturating_mul(DRAWN) };
    let mut before = 0;
    let mut rest = parts.iter();
    let mut part = rest.next();
    let mut found = Vec::new();
    let mut all = 0.0;
    for Sample { number, weight } in spread(total(parts), drawn, turn) {
        while let Some(passed) = part.filter(|part| number - before >= count(&part.area)) {
            before += count(&passed.area);
            part = rest.next();
        }
        let Some(part) = part else { break };
        let block = block_of(&part.area, number - before);
        let alone: Area = block.iter().map(|coordinate| (*coordinate, 1)).collect();
        if part.is_certain || reach(&alone) != Reach::Never {
            found.push(block);
            all += weight;
        }
    }
    let each = all / found.len() as f64;
    let chosen = spread(found.len() as i64, most, turn).into_iter();
    chosen.map(|Sample { number, weight }| (found[number as usize].clone(), each * weight)).collect()
}

/// How many blocks are drawn for each that is looked at.
const DRAWN: i64 = 8;

/// Returns the block with a number in an area, in the order of halving.
fn block_of(area: &Area, number: i64) -> Vec<i64> {
    let (mut area, mut number) = (area.clone(), number);
    while count(&area) > 1 {
        let [first, second] = halved(&area);
        if number < count(&first) {
            area = first;
        } else {
            number -= count(&first);
            area = second;
        }
    }
    area.iter().map(|(coordinate, _)| *coordinate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shape of blocks in a grid: what is greater than or equal to 0 where they have work, as a function of `x`, `y`
    /// and a launch, with factors so small that its range over an area is at two corners of it.
    type Shape = fn(i64, i64, i64) -> [i64; 2];

    const SIZE: i64 = 500;
    const LAUNCHES: u64 = 64;

    /// A triangle, a band along the diagonal, what lies in a wavefront across it, and everything.
    const SHAPES: [(&str, Shape); 4] = [
        ("triangle", |x, y, _| [y - x, 0]),
        ("band", |x, y, _| [x - y + 3, y - x + 3]),
        ("wavefront", |x, y, launch| [x + y - 15 * launch, 15 * launch + 1 - x - y]),
        ("box", |_, _, _| [0, 0]),
    ];

    fn has_work(shape: Shape, x: i64, y: i64, launch: u64) -> bool {
        shape(x, y, launch as i64).iter().all(|value| *value >= 0)
    }

    /// What intervals say of an area: each value is monotonous in both coordinates.
    fn reach(shape: Shape, area: &[(i64, i64)], launch: u64) -> Reach {
        let [(x, width), (y, height)] = area[..] else { panic!("the grid has two dimensions") };
        let corners = [(x, y), (x + width - 1, y), (x, y + height - 1), (x + width - 1, y + height - 1)];
        let values = corners.map(|(x, y)| shape(x, y, launch as i64));
        if (0..2).any(|number| values.iter().all(|values| values[number] < 0)) {
            Reach::Never
        } else if values.iter().flatten().all(|value| *value >= 0) {
            Reach::Always
        } else {
            Reach::Perhaps
        }
    }

    /// The work of a block: as in triangular loops, it differs from block to block.
    fn work(x: i64, y: i64) -> f64 {
        (10 + x + 2 * y) as f64
    }

    /// Returns the blocks with work and their work: the truth, and what samples say.
    fn compare(shape: Shape, limits: Limits, launches: u64, knows: bool) -> [(f64, f64); 2] {
        let (mut truth, mut sampled) = ((0.0, 0.0), (0.0, 0.0));
        for launch in 0..launches {
            for (x, y) in (0..SIZE).flat_map(|x| (0..SIZE).map(move |y| (x, y))) {
                if has_work(shape, x, y, launch) {
                    truth = (truth.0 + 1.0, truth.1 + work(x, y));
                }
            }
            let limits = Limits { turn: launch, ..limits };
            let grid = [(0, SIZE), (0, SIZE)];
            let known = |area: &[(i64, i64)]| if knows { reach(shape, area, launch) } else { Reach::Perhaps };
            for (block, weight) in sampled_blocks(&grid, limits, known) {
                let [x, y] = block[..] else { panic!("the grid has two dimensions") };
                if has_work(shape, x, y, launch) {
                    sampled = (sampled.0 + weight, sampled.1 + weight * work(x, y));
                }
            }
        }
        [(truth.0, sampled.0), (truth.1, sampled.1)]
    }

    fn assert_near(name: &str, pairs: [(f64, f64); 2]) {
        for (truth, sampled) in pairs {
            assert!((sampled - truth).abs() <= 0.05 * truth, "{name}: {sampled} for {truth}");
        }
    }

    #[test]
    fn one_launch_is_counted_within_five_percent() {
        for (name, shape) in SHAPES {
            let limits = Limits { blocks: 48.0, questions: 16384, turn: 0 };
            assert_near(name, compare(shape, limits, 1, true));
        }
    }

    #[test]
    fn many_launches_are_counted_within_five_percent() {
        for (name, shape) in SHAPES {
            for blocks in [9.0, 16.0, 48.0] {
                let limits = Limits { blocks, questions: 4096, turn: 0 };
                assert_near(name, compare(shape, limits, LAUNCHES, true));
            }
        }
    }

    /// Places that differ from launch to launch make up for what no question answers.
    #[test]
    fn guards_that_nothing_is_known_of_are_sampled() {
        for (name, shape) in [SHAPES[0], SHAPES[3]] {
            let limits = Limits { blocks: 48.0, questions: 512, turn: 0 };
            assert_near(name, compare(shape, limits, LAUNCHES, false));
        }
    }

    #[test]
    fn samples_stand_for_all_blocks() {
        let grids: [&[(i64, i64)]; 5] =
            [&[(3, 1)], &[(-5, 1000)], &[(0, 7), (2, 6)], &[(0, 300), (9, 1)], &[(0, 40), (0, 50), (0, 60)]];
        for grid in grids {
            for blocks in [9.0, 16.0, 48.0] {
                let limits = Limits { blocks, questions: 100, turn: 3 };
                let samples = sampled_blocks(grid, limits, |_| Reach::Always);
                let all: i64 = grid.iter().map(|(_, extent)| *extent).product();
                let total: f64 = samples.iter().map(|(_, weight)| *weight).sum();
                assert!((total - all as f64).abs() < 1e-6, "{grid:?}: {total}");
                assert!(samples.len() as f64 <= 1.5 * blocks, "{grid:?}: {}", samples.len());
                let inside = |block: &[i64]| {
                    block.iter().zip(grid).all(|(at, (lower, extent))| (0..*extent).contains(&(at - lower)))
                };
                assert!(samples.iter().all(|(block, _)| inside(block)));
            }
        }
    }

    #[test]
    fn few_blocks_with_work_are_all_looked_at() {
        let column = |area: &[(i64, i64)]| {
            let (x, width) = area[0];
            let has = x <= 17 && 17 < x + width;
            if !has {
                Reach::Never
            } else if width == 1 {
                Reach::Always
            } else {
                Reach::Perhaps
            }
        };
        let limits = Limits { blocks: 48.0, questions: 4096, turn: 0 };
        let samples = sampled_blocks(&[(0, 4000), (0, 30)], limits, column);
        assert_eq!(samples.len(), 30);
        assert!(samples.iter().all(|(block, weight)| block[0] == 17 && *weight == 1.0));
    }
}
