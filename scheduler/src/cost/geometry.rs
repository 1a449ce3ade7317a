//! How the instances of a statement lie in blocks and threads.

use gpu::target::WARP;
use polyhedra::{Constraint, DimType, Map, Result, Set, polyhedra_of};

use super::count::{Count, count};
use super::divided::Division;
use super::linear::{Solver, rows};
use crate::shape::{REGISTER_TILE, Shape};

/// The instances of a statement in a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Geometry {
    /// Their number, in all launches.
    pub instances: f64,
    /// The number of different values that the first iterators have: none, one, and so on.
    pub prefixes: Vec<f64>,
    /// The tiles of a band of which all members are tiled.
    pub tiles: f64,
    /// The mean number of instances of a thread.
    pub of_thread: f64,
    /// The lanes of a warp.
    pub lanes: Lanes,
    /// The change of the iterators from one lane of a warp to the next.
    pub lane: Vec<f64>,
    /// The change from one row of lanes to the next, if a warp has several.
    pub row: Vec<f64>,
    /// How the iterators change with each parallel member, unless it has one value.
    pub parallel: Vec<Option<AlongMember>>,
    /// The range of each iterator in a tile of a block, less one: between barriers, if data are staged.
    pub tile_spans: Vec<f64>,
    /// The same with each loop on the host and each member of the band.
    pub loops: Vec<Option<AlongMember>>,
    /// What data would be staged for.
    pub staged: Staged,
    /// The range of each iterator in all launches, less one.
    pub all_spans: Vec<f64>,
    /// The sequential tiles of a block: the change of the iterators with each such loop, and its mean number of tiles.
    pub steps: Vec<(Vec<f64>, f64)>,
    /// The loops of a thread, outermost first: the change of the iterators, and the mean number of iterations.
    pub thread_loops: Vec<(Vec<f64>, f64)>,
    /// The points of a thread along the parallel members, if it keeps them all in registers: the change of the
    /// iterators, and the number of points.
    pub register_loops: Vec<(Vec<f64>, f64)>,
    /// The innermost loop of a thread, if there is one.
    pub innermost: Option<InnermostLoop>,
    /// How often that is in a block.
    pub staged_steps: f64,
    /// The mean number of values that the sequential members before the parallel ones have in a tile: the last tile may
    /// be smaller.
    pub sequential: f64,
    /// If threads share a sum: the mean number of its updates for the statement that makes them, and 1 for others.
    pub updates: Option<f64>,
    /// True if threads share a sum whose order is kept.
    pub in_order: bool,
    /// True if a thread runs loops of the statement alone.
    pub has_own_loops: bool,
    /// How the instances lie in the steps of a block, if one block runs in steps.
    pub in_steps: Option<InSteps>,
}

/// A step along a member of a band, or along a loop on the host.
#[derive(Debug, Clone, PartialEq)]
pub struct AlongMember {
    /// The change of the iterators.
    pub change: Vec<f64>,
    /// How far each of the members moves: also others than this one if they depend on each other, as those of a diagonal
    /// do.
    pub moved: Vec<f64>,
}

/// The innermost loop of a thread.
#[derive(Debug, Clone, PartialEq)]
pub struct InnermostLoop {
    /// The mean number of its iterations.
    pub iterations: f64,
    /// The factor by which it is to be unrolled, if one was chosen.
    pub factor: Option<u32>,
    /// The change of the iterators from one iteration to the next.
    pub change: Vec<f64>,
}

/// How the lanes of a warp lie in a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lanes {
    /// Those side by side along x.
    pub along_x: f64,
    /// Such rows.
    pub rows: f64,
}

/// How the instances of a statement lie in the steps of one block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InSteps {
    /// The number of instances if those that differ along the last member, which lies along the lanes of a warp, count
    /// as one.
    pub rows: f64,
    /// The number of steps with instances.
    pub steps: f64,
}

/// The instances for which data are staged together: those of a full tile, or those of one update by each thread of a
/// shared sum.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Staged {
    /// Their number.
    pub points: f64,
    /// The range of each iterator, less one.
    pub spans: Vec<f64>,
    /// The same for one thread, if its points lay side by side.
    pub thread_spans: Vec<f64>,
    /// The change of the iterators with each loop whose length is no constant.
    pub unbounded: Vec<Vec<f64>>,
    /// The number of threads that have some of them. Of a diagonal, it is those along one member.
    pub threads: f64,
}

/// The loops around the instances of a statement in a kernel, whatever the sizes of tiles and blocks are.
#[derive(Debug, Clone, PartialEq)]
pub struct Nest {
    /// The loops on the host, as functions of the iterators.
    host: Vec<Vec<f64>>,
    /// The members of the band.
    members: Vec<Vec<f64>>,
    solver: Solver,
    counted: Count,
    in_steps: Option<InSteps>,
    /// Whether the range of each iterator, if all others have a value, is that long for all parameters.
    bounded: Vec<bool>,
}

impl Nest {
    /// Describes the instances of a statement: `instances` with parameters and `domain` without, the schedule of the
    /// loops on the host, and that of the band. The
    /// first `numbers` iterators are those of blocks.
    pub fn new(
        instances: &Set,
        domain: &Set,
        prefix: &Map,
        band: Option<&Map>,
        division: &mut Division,
        numbers: u32,
    ) -> Result<Self> {
        let mut counted = count(domain)?;
        division.divide(&mut counted);
        let host = rows(prefix)?.into_iter().flatten().map(|row| division.row(row).coefficients);
        let host: Vec<Vec<f64>> = host.collect();
        let found = match band {
            Some(band) => rows(band)?,
            None => Vec::new(),
        };
        let members = found.into_iter().enumerate().map(|(member, row)| division.member(member, row));
        let members: Vec<Vec<f64>> = members.collect();
        let equations = [&host[..], &members[..]].concat();
        let solver = Solver::new(&equations, counted.extents.len());
        let bounded = bounded(instances, numbers)?;
        Ok(Self { host, members, solver, counted, in_steps: None, bounded })
    }

    /// Counts what the steps of one block do, given the same domain.
    pub fn count_steps(&mut self, domain: &Set) -> Result<()> {
        let first = self.host.len() + 1;
        let without = |columns: &[Vec<f64>]| -> Result<f64> {
            let mut left = domain.copy()?;
            for iterator in (0..self.counted.extents.len()).rev() {
                if columns.iter().any(|column| column[iterator] != 0.0) {
                    left = left.project_out(DimType::Set, iterator as u32, 1)?;
                }
            }
            Ok(count(&left)?.points)
        };
        let columns = &self.solver.columns;
        let last = columns.len().saturating_sub(1).max(first);
        self.in_steps = Some(InSteps {
            rows: without(columns.get(last..).unwrap_or_default())?,
            steps: without(columns.get(first..).unwrap_or_default())?,
        });
        Ok(())
    }

    /// Returns the number of instances, in all launches.
    pub fn instances(&self) -> f64 {
        self.counted.points
    }

    /// Returns the mean number of iterations of the loops that a thread runs: those of some members, and those that no
    /// equation determines. Where their iterators are the innermost, that is the number of instances for each value of
    /// the others; in a triangle, that is less than the mean over the instances.
    fn iterations(&self, of_members: &[usize]) -> f64 {
        let Self { host, solver, counted, .. } = self;
        let of_member = |member: &usize| {
            let moved = &solver.columns[host.len() + member];
            (0..moved.len()).rev().find(|iterator| moved[*iterator] != 0.0)
        };
        let mut own: Vec<usize> =
            of_members.iter().filter_map(of_member).chain(solver.free.iter().copied()).collect();
        own.sort_unstable();
        own.dedup();
        let first = counted.extents.len() - own.len();
        let are_last = own.iter().enumerate().all(|(position, iterator)| *iterator == first + position);
        match counted.prefixes.get(first) {
            Some(prefixes) if are_last && *prefixes > 0.0 => (counted.points / prefixes).max(1.0),
            _ => {
                let free: f64 = solver.free.iter().map(|iterator| self.extent(*iterator)).product();
                of_members.iter().map(|member| self.member_extent(*member)).product::<f64>() * free
            }
        }
    }

    /// Returns the number of tiles in which there are instances. A member that is skewed with others moves along with
    /// these, so its tiles do not begin where its range does.
    fn tiles(&self, sizes: &[u32]) -> f64 {
        let Self { host, members, solver, .. } = self;
        let of_member = |member: usize| &solver.columns[host.len() + member];
        let size = |member: usize| f64::from(sizes.get(member).copied().unwrap_or(1).max(1));
        let (mut own, mut tiles): (Vec<usize>, f64) = (Vec::new(), 1.0);
        for member in 0..members.len() {
            let moved = of_member(member);
            let iterator =
                (0..moved.len()).find(|iterator| moved[*iterator] != 0.0 && !own.contains(iterator));
            let Some(iterator) = iterator else { continue };
            own.push(iterator);
            let skew = |earlier: usize| of_member(earlier)[iterator].abs() * (size(earlier) - 1.0);
            let range = self.extent(iterator);
            let moved: f64 = (0..member).map(skew).sum();
            tiles *= match moved {
                0.0 => (range / size(member)).ceil(),
                _ => (range + moved + size(member) - 1.0) / size(member),
            };
        }
        tiles
    }

    /// Returns the mean number of values of an iterator.
    fn extent(&self, iterator: usize) -> f64 {
        self.counted.extents.get(iterator).copied().unwrap_or(1.0).max(1.0)
    }

    /// Returns the mean number of values of a member, which moves as far as the iterators that it counts.
    pub fn member_extent(&self, member: usize) -> f64 {
        let along =
            |(iterator, coefficient): (usize, &f64)| coefficient.abs() * (self.extent(iterator) - 1.0);
        self.members.get(member).map_or(1.0, |row| 1.0 + row.iter().enumerate().map(along).sum::<f64>())
    }

    /// Returns how the instances lie in the blocks and threads of a shape.
    pub fn geometry(&self, shape: &Shape) -> Geometry {
        let Self { host, members, solver, counted, bounded, in_steps } = self;
        let iterators = counted.extents.len();
        let of_member = |member: usize| &solver.columns[host.len() + member];
        let extent = |iterator: usize| self.extent(iterator);
        let member_extent = |member: usize| self.member_extent(member);
        let parallel = shape.first..shape.first + shape.threads.len();
        let is_shared = |member: usize| shape.shared_sum.is_some() && member >= parallel.end;
        let tile = |member: usize| match shape.tiles.get(member) {
            _ if is_shared(member) => member_extent(member),
            tile => f64::from(tile.copied().unwrap_or(1)),
        };

        let mut tile_spans = vec![0.0; iterators];
        let (spans, thread_spans) = (vec![0.0; iterators], vec![0.0; iterators]);
        let mut staged = Staged { points: 1.0, spans, thread_spans, unbounded: Vec::new(), threads: 1.0 };
        for member in 0..members.len() {
            let points = tile(member).min(member_extent(member));
            add_spans(&mut tile_spans, of_member(member), points - 1.0);
            let together =
                if is_shared(member) { points.min(f64::from(shape.sum_threads())) } else { points };
            staged.points *= together;
            add_spans(&mut staged.spans, of_member(member), together - 1.0);
            let of_thread = match shape.threads.get(member.wrapping_sub(shape.first)) {
                Some(threads) => (points / f64::from((*threads).max(1))).max(1.0),
                None if is_shared(member) => 1.0,
                None => points,
            };
            add_spans(&mut staged.thread_spans, of_member(member), of_thread - 1.0);
            if of_member(member).iter().any(|change| *change != 0.0) {
                staged.threads *= together / of_thread;
            }
        }
        let unit = |iterator: usize| {
            let mut unit = vec![0.0; iterators];
            unit[iterator] = 1.0;
            unit
        };
        for &iterator in &solver.free {
            staged.points *= extent(iterator);
            for spans in [&mut tile_spans, &mut staged.spans, &mut staged.thread_spans] {
                add_spans(spans, &unit(iterator), extent(iterator) - 1.0);
            }
            if bounded.get(iterator) == Some(&false) {
                staged.unbounded.push(unit(iterator));
            }
        }
        let all_spans = counted.extents_at_points.iter().map(|extent| extent.max(1.0) - 1.0).collect();

        // The threads of a warp have iterations of the last member in turn.
        let mut lane = vec![0.0; iterators];
        let along_x = (0..members.len()).rev().find(|member| is_shared(*member));
        if let Some(member) = along_x {
            add(&mut lane, of_member(member), 1.0);
        }
        if let Some(x) = shape.axes.iter().position(|axis| *axis == scop::Axis::X) {
            add(&mut lane, of_member(shape.first + x), 1.0);
            // In a wavefront, the sum of all members is the same for all threads.
            if shape.skewed {
                add(&mut lane, of_member(0), -1.0);
            }
        }

        let filled = |member: usize| {
            let extent = member_extent(member);
            extent / (extent / tile(member)).ceil()
        };

        let (lanes, second) = lanes(shape);
        let mut row = vec![0.0; iterators];
        if let Some(position) = second {
            add(&mut row, of_member(shape.first + position), 1.0);
            if shape.skewed {
                add(&mut row, of_member(0), -1.0);
            }
        }

        let all = [&host[..], &members[..]].concat();
        let sequential: Vec<usize> = (0..members.len()).filter(|member| !parallel.contains(member)).collect();
        let is_wavefront = shape.first > 0;
        let (mut steps, mut thread_loops) = (Vec::new(), Vec::new());
        let mut innermost_tile = f64::INFINITY;
        let in_order = shape.shared_sum.as_ref().is_some_and(|sum| sum.in_order);
        let mut staged_steps = 1.0;
        for &member in &sequential {
            if is_wavefront {
                continue;
            }
            let extent = member_extent(member);
            if is_shared(member) {
                let threads = if along_x == Some(member) { f64::from(shape.sum_threads()) } else { 1.0 };
                let stride = of_member(member).iter().map(|change| change * threads).collect();
                thread_loops.push((stride, (extent / threads).ceil()));
                staged_steps *= (extent / threads).ceil();
                continue;
            }
            steps.push((of_member(member).clone(), (extent / tile(member)).ceil()));
            staged_steps *= (extent / tile(member)).ceil();
            thread_loops.push((of_member(member).clone(), extent));
            innermost_tile = tile(member);
        }
        for &iterator in &solver.free {
            innermost_tile = f64::INFINITY;
            thread_loops.push((unit(iterator), extent(iterator)));
        }
        let mut points_of_thread = Vec::new();
        for (position, member) in parallel.clone().enumerate() {
            let points = tile(member) / f64::from(shape.threads[position].max(1));
            if points > 1.0 && !is_wavefront {
                points_of_thread.push((of_member(member).clone(), points));
            }
        }
        let number: f64 = points_of_thread.iter().map(|(_, points)| points).product();
        let of_loops = if is_wavefront { 1.0 } else { self.iterations(&sequential) };
        let shared: Vec<usize> = (0..members.len()).filter(|member| is_shared(*member)).collect();
        let updates = shape.shared_sum.as_ref().map(|_| self.iterations(&shared));
        let of_each =
            (of_loops / if shared.is_empty() { 1.0 } else { f64::from(shape.sum_threads()) }).max(1.0);
        let of_thread = of_each * number;
        let register_loops = if number <= f64::from(REGISTER_TILE) {
            points_of_thread
        } else {
            thread_loops.extend(points_of_thread);
            Vec::new()
        };
        // Loops over the points of a register tile are inside the others, and unrolled.
        let innermost = match (register_loops.last(), thread_loops.last()) {
            (Some((change, points)), _) => {
                Some(InnermostLoop { iterations: *points, factor: None, change: change.clone() })
            }
            (None, Some((change, iterations))) if !in_order => Some(InnermostLoop {
                iterations: iterations.min(innermost_tile),
                factor: shape.unroll,
                change: change.clone(),
            }),
            _ => None,
        };
        Geometry {
            instances: counted.points,
            prefixes: counted.prefixes.clone(),
            tiles: self.tiles(&shape.tiles),
            of_thread,
            lanes,
            lane,
            row,
            staged,
            staged_steps,
            sequential: (0..shape.first).map(filled).product(),
            parallel: steps_along(
                &all,
                &solver.columns,
                host.len() + parallel.start..host.len() + parallel.end,
            ),
            loops: steps_along(&all, &solver.columns, 0..all.len()),
            tile_spans,
            all_spans,
            steps,
            thread_loops,
            register_loops,
            innermost,
            updates,
            in_order,
            has_own_loops: !solver.free.is_empty(),
            in_steps: *in_steps,
        }
    }
}

/// Returns the steps along some of the loops, given all of them as functions of the iterators, and the change of the
/// iterators with each.
fn steps_along(
    loops: &[Vec<f64>],
    columns: &[Vec<f64>],
    along: std::ops::Range<usize>,
) -> Vec<Option<AlongMember>> {
    let step = |own: usize| {
        let change = columns[own].clone();
        let moves = |row: &Vec<f64>| row.iter().zip(&change).map(|(one, other)| one * other).sum();
        let moved = loops[along.clone()].iter().map(moves).collect();
        let is_constant = loops[own].iter().all(|coefficient| *coefficient == 0.0);
        (!is_constant).then_some(AlongMember { change, moved })
    };
    along.clone().map(step).collect()
}

/// Returns how the lanes of a warp lie in a block, and the position of the member along their rows, if there are several.
fn lanes(shape: &Shape) -> (Lanes, Option<usize>) {
    let along = |axis: scop::Axis| shape.axes.iter().position(|other| *other == axis);
    let threads =
        |position: Option<usize>| position.map_or(1.0, |position| f64::from(shape.threads[position]));
    let x = along(scop::Axis::X);
    let along_x = if shape.shared_sum.is_some() { f64::from(shape.sum_threads()) } else { threads(x) };
    let along_x = along_x.clamp(1.0, WARP as f64);
    let y = along(scop::Axis::Y);
    let rows = (WARP as f64 / along_x).min(threads(y)).max(1.0);
    (Lanes { along_x, rows }, y.filter(|_| rows > 1.0))
}

/// Returns, for each dimension of a set, whether some bounds from below and from above are equally far apart for all
/// parameters and all values of the other dimensions, or at least of the first ones, the numbers of blocks.
fn bounded(set: &Set, numbers: u32) -> Result<Vec<bool>> {
    let dimensions = set.dim(DimType::Set)? as u32;
    let is_bounded_in = |set: &Set, dimension: u32| -> Result<bool> {
        let parts = polyhedra_of(&Map::from_range(set.copy()?)?)?;
        Ok(parts.iter().all(|part| is_bounded(&part.constraints, dimension as usize)))
    };
    let of_dimension = |dimension: u32| -> Result<bool> {
        if is_bounded_in(set, dimension)? || numbers == 0 || dimension < numbers {
            return is_bounded_in(set, dimension);
        }
        let mut alone = set.copy()?;
        for other in (numbers..dimensions).filter(|other| *other != dimension) {
            alone = alone.eliminate(DimType::Set, other, 1)?;
        }
        is_bounded_in(&alone, dimension)
    };
    (0..dimensions).map(of_dimension).collect()
}

fn is_bounded(constraints: &[Constraint], dimension: usize) -> bool {
    let of = |one: &Constraint| i128::from(one.coefficients[dimension]);
    let cancel = |lower: &Constraint, upper: &Constraint| {
        let (own, other) = (of(lower), of(upper));
        let terms = lower.coefficients.iter().zip(&upper.coefficients);
        let mut variables = terms.take(lower.coefficients.len().saturating_sub(1));
        variables.all(|(one, another)| i128::from(*one) * -other + i128::from(*another) * own == 0)
    };
    let lower = constraints.iter().filter(|one| of(one) > 0);
    let mut pairs = lower.flat_map(|lower| constraints.iter().map(move |upper| (lower, upper)));
    let is_fixed = constraints.iter().any(|one| one.equality && of(one) != 0);
    is_fixed || pairs.any(|(lower, upper)| of(upper) < 0 && cancel(lower, upper))
}

fn add(sum: &mut [f64], change: &[f64], factor: f64) {
    sum.iter_mut().zip(change).for_each(|(sum, change)| *sum += factor * change);
}

fn add_spans(spans: &mut [f64], change: &[f64], span: f64) {
    spans.iter_mut().zip(change).for_each(|(sum, change)| *sum += change.abs() * span);
}

#[cfg(test)]
mod tests {
    use polyhedra::Text;
    use scop::Axis;

    use super::*;
    use crate::sharing::SharedSum;

    fn shape(tiles: &[u32], threads: &[u32], axes: &[Axis], first: usize) -> Shape {
        Shape {
            tiles: tiles.to_vec(),
            threads: threads.to_vec(),
            axes: axes.to_vec(),
            first,
            skewed: first > 0,
            ..Shape::default()
        }
    }

    fn nest(domain: &Set, prefix: &Map, band: &Map) -> Nest {
        let mut division = Division::of(domain, Some(band)).unwrap();
        Nest::new(domain, domain, prefix, Some(band), &mut division, 0).unwrap()
    }

    #[test]
    fn partial_sums_divide_a_loop() {
        let domain = Set::parse("{ S0[i] : 0 <= i < 1048576 }").unwrap();
        let prefix = Map::parse("{ S0[i] -> [] }").unwrap();
        let band = Map::parse("{ S0[i] -> [(floor(i/32)) mod 1024, i] }").unwrap();
        let sum = SharedSum { statements: vec![scop::StatementId(0)], in_order: false };
        let shape = Shape { shared_sum: Some(sum), ..shape(&[8], &[8], &[Axis::Y], 0) };
        let nest = nest(&domain, &prefix, &band);
        assert_eq!([nest.member_extent(0), nest.member_extent(1)], [1024.0, 1024.0]);
        let found = nest.geometry(&shape);
        assert_eq!(found.lane, [1.0, 0.0], "threads along x have iterations in turn");
        let along = AlongMember { change: vec![0.0, 1.0], moved: vec![1.0] };
        assert_eq!(found.parallel, [Some(along)]);
        assert_eq!(found.thread_loops, [(vec![32.0, 0.0], 32.0)]);
        assert_eq!(found.updates, Some(1024.0));
    }

    #[test]
    fn a_lane_is_one_step_of_the_member_along_x() {
        let domain = Set::parse("{ S0[t, i, j] : 0 <= t < 10 and 0 <= i < 64 and 0 <= j < 96 }").unwrap();
        let prefix = Map::parse("{ S0[t, i, j] -> [t] }").unwrap();
        let band = Map::parse("{ S0[t, i, j] -> [i, j] }").unwrap();
        let shape = shape(&[16, 32], &[16, 32], &[Axis::Y, Axis::X], 0);
        let found = nest(&domain, &prefix, &band).geometry(&shape);
        assert_eq!(found.instances, 10.0 * 64.0 * 96.0);
        assert_eq!(found.lane, [0.0, 0.0, 1.0]);
        assert_eq!(found.tile_spans, [0.0, 15.0, 31.0]);
        assert_eq!((found.staged.points, &found.staged.thread_spans[..]), (512.0, &[0.0; 3][..]));
        assert_eq!(found.all_spans, [9.0, 63.0, 95.0]);
        assert!(found.thread_loops.is_empty() && found.register_loops.is_empty());
    }

    #[test]
    fn points_of_a_thread_are_in_registers_and_sequential_members_are_steps() {
        let domain = Set::parse("{ S0[i, j, k] : 0 <= i, j, k < 256 }").unwrap();
        let prefix = Map::parse("{ S0[i, j, k] -> [] }").unwrap();
        let band = Map::parse("{ S0[i, j, k] -> [i, j, k] }").unwrap();
        let shape = shape(&[64, 64, 16], &[16, 16], &[Axis::Y, Axis::X], 0);
        let found = nest(&domain, &prefix, &band).geometry(&shape);
        assert_eq!(found.register_loops.iter().map(|(_, points)| *points).collect::<Vec<_>>(), [4.0, 4.0]);
        assert_eq!(found.steps, [(vec![0.0, 0.0, 1.0], 16.0)]);
        assert_eq!(found.thread_loops, [(vec![0.0, 0.0, 1.0], 256.0)]);
        assert_eq!(found.staged.points, 64.0 * 64.0 * 16.0);
        assert_eq!(found.staged.thread_spans, [3.0, 3.0, 15.0]);
    }

    #[test]
    fn loops_up_to_parameters_and_other_iterators_have_no_bound() {
        for (set, expected) in [
            ("[n] -> { [i, k] : 0 <= i < n and 0 <= k < 5 }", [false, true]),
            ("[n] -> { [i, k] : 0 <= i < n and i <= k < i + 3 }", [true, true]),
            ("[n] -> { [i, k] : 0 <= i < 9 and 0 <= k <= i }", [true, false]),
            ("[n] -> { [i, k] : i = n and 0 <= 2k < n }", [true, false]),
        ] {
            assert_eq!(bounded(&Set::parse(set).unwrap(), 0).unwrap(), expected, "{set}");
        }
    }

    #[test]
    fn loops_within_a_block_have_a_bound() {
        let set =
            Set::parse("[n] -> { [b, j, k] : 0 <= b and 32b <= k < j and j <= 31 + 32b and j < n }").unwrap();
        assert_eq!(bounded(&set, 0).unwrap(), [false; 3], "from any k to the end of the block");
        assert_eq!(bounded(&set, 1).unwrap(), [false, true, true]);
    }

    /// Below the diagonal of a tile, `j` along x: in each step, each row of lanes with elements counts once.
    #[test]
    fn steps_of_a_block_have_rows_of_lanes() {
        let domain = Set::parse("{ S0[i, j, k] : 0 <= k < j < i < 32 }").unwrap();
        let prefix = Map::parse("{ S0[i, j, k] -> [] }").unwrap();
        let band = Map::parse("{ S0[i, j, k] -> [k, i, j] }").unwrap();
        let mut nest = nest(&domain, &prefix, &band);
        nest.count_steps(&domain).unwrap();
        let Some(InSteps { rows, steps }) = nest.in_steps else { panic!("no steps") };
        assert_eq!(steps, 30.0);
        assert!((rows - 465.0).abs() < 10.0, "k + 2 <= i < 32: {rows}");
    }

    #[test]
    fn the_last_tile_of_a_wavefront_may_be_smaller() {
        let domain = Set::parse("{ S0[t, i] : 0 <= t < 40 and 0 <= i < 512 }").unwrap();
        let prefix = Map::parse("{ S0[t, i] -> [floor(t/32) + floor((t + i)/32)] }").unwrap();
        let band = Map::parse("{ S0[t, i] -> [t, t + i] }").unwrap();
        let shape = shape(&[32, 32], &[32], &[Axis::X], 1);
        assert_eq!(nest(&domain, &prefix, &band).geometry(&shape).sequential, 20.0);
    }

    #[test]
    fn lanes_of_a_wavefront_go_back_in_time() {
        let domain = Set::parse("{ S0[t, i] : 0 <= t < 64 and 0 <= i < 512 }").unwrap();
        let prefix = Map::parse("{ S0[t, i] -> [floor(t/32) + floor((t + i)/32)] }").unwrap();
        let band = Map::parse("{ S0[t, i] -> [t, t + i] }").unwrap();
        let shape = shape(&[32, 32], &[32], &[Axis::X], 1);
        let found = nest(&domain, &prefix, &band).geometry(&shape);
        assert_eq!(found.lane, [-1.0, 2.0], "t + (t + i) is the same for all lanes");
    }
}
