//! Turns a band into a kernel: tiles it, and ties blocks and threads to its loops.

use std::collections::BTreeSet;

use polyhedra::schedule::set_tile_options;
use polyhedra::{ASTLoopType, MultiUnionPwAff, PwMultiAff, Result, ScheduleNode, Text, UnionMap, UnionSet};
use scop::wish::MAX_THREADS;
use scop::{
    AccessKind, Axis, BlockDimension, Kernel, KernelId, LoopId, Model, Statement, StatementId, Step, mark,
};

use crate::grid::{Grid, grid, thread_context};
use crate::reuse::is_product;
use crate::shape::Shape;
use crate::sizes::{MOST_ALONG_Z, extents, parallel_tiles, point_tiles, product_tile};
use crate::stride;
use crate::tree::{
    coincident_members, has_band_below, insert_mark, instances_at, multi_val, replace_band, statements_at,
};
use crate::wishes::Wishes;

/// The tile size of a sequential loop whose tiles bring data into fast memory.
const SEQUENTIAL_TILE: u32 = 32;

/// The threads along each parallel loop of a product of matrices, and the tile size of the sequential loops.
const PRODUCT_THREADS: u32 = 16;
const PRODUCT_DEPTH: u32 = 16;

/// A thread computes no more points of a tile than this in unrolled loops.
const REGISTER_TILE: u32 = 64;

/// The tile sizes of a wavefront through two and three loops.
const WAVEFRONT_TILES: [u32; 2] = [32, 16];

/// The tile size of each loop but the first of a deeper wavefront. The first is not tiled: of tiles in four
/// dimensions whose sizes are not known, isl and the proof would have to tell more cases apart than they have time
/// for.
const DEEP_WAVEFRONT_TILE: u32 = 8;

/// What the making of one kernel needs to know.
pub struct Maker<'a> {
    /// The scop.
    pub model: &'a Model,
    /// What is asked for.
    pub wishes: &'a Wishes<'a>,
    /// The id of the next kernel.
    pub id: KernelId,
}

/// A kernel, and how its band is tiled.
pub type Made = (Kernel, Shape);

impl Maker<'_> {
    /// A kernel from a band with parallel members.
    ///
    /// ```text
    /// band (m0, …)   →   mark "kernel_K"
    ///                      context, filter block
    ///                        band (parallel tile loops)
    ///                          band (sequential tile loops, if tiled)
    ///                            mark "tile"
    ///                              mark "thread"
    ///                                filter thread
    ///                                  band (point loops: m0, …)
    /// ```
    ///
    /// Requires: the band is permutable and has a coincident member.
    pub fn parallel(&self, band: ScheduleNode) -> Result<(ScheduleNode, Made)> {
        let statements = statements_at(&band)?;
        let depth = band.get_schedule_depth()?;
        let parallel = self.chosen_members(&band, &statements)?;
        let (band, order) = bring_forward(band, &parallel)?;
        let shape = self.shape(&band, &statements, parallel.len(), &order)?;
        let node = tile(band, &shape)?;
        let (node, dimensions) = self.bind(node, &shape)?;
        Ok((node, self.describe(statements, depth, dimensions, shape)))
    }

    /// A kernel for each wavefront of tiles through a band without parallel members (000, Algorithm 1).
    ///
    /// ```text
    /// band (m0, …, mn)   →   band (T0 + … + Tn)                      on the host
    ///                          mark "kernel_K"
    ///                            context, filter block
    ///                              band (T0, …, T(n-1))
    ///                                mark "tile"
    ///                                  band (m0 + … + mn)            in step, a barrier after each
    ///                                    mark "thread"
    ///                                      filter thread
    ///                                        band (m1, …, mn)
    /// ```
    ///
    /// Legal because every dependence has non-negative distance along each member of a permutable band: between
    /// instances with equal sums all distances are zero, so they are the same tile, or the same point.
    ///
    /// Requires: the band is permutable and has two or more members.
    pub fn wavefront(&self, band: ScheduleNode) -> Result<(ScheduleNode, Made)> {
        let statements = statements_at(&band)?;
        let depth = band.get_schedule_depth()?;
        let shape = self.wavefront_shape(&band, &statements)?;
        let node = skew_tiles(tile_whole(band, &shape.tiles)?)?;
        let node = skew_points(node, &shape)?;
        let (node, dimensions) = self.bind(node.child(0)?, &shape)?;
        let kernel = self.describe(statements, depth + 1, dimensions, shape);
        Ok((node.parent()?, kernel))
    }

    /// A kernel of one thread that runs a subtree in order.
    ///
    /// *Rewrite:* `N` → `mark "kernel_K" (mark "tile" (mark "thread" (N)))`
    pub fn sequential(&self, node: ScheduleNode) -> Result<(ScheduleNode, Made)> {
        let statements = statements_at(&node)?;
        let depth = node.get_schedule_depth()?;
        let node = insert_mark(node, mark::THREAD)?;
        let node = insert_mark(node, mark::TILE)?;
        let node = insert_mark(node, &mark::kernel(self.id))?;
        let reasons = vec!["one thread: no loop here can run in parallel".to_owned()];
        let shape = Shape { reasons, ..Shape::default() };
        Ok((node, self.describe(statements, depth, Dimensions::default(), shape)))
    }

    /// The parallel members that become blocks and threads, in the order of the band: three at most, the one that
    /// suits a warp best among them.
    fn chosen_members(&self, band: &ScheduleNode, statements: &BTreeSet<StatementId>) -> Result<Vec<usize>> {
        let mut members = coincident_members(band)?;
        if members.len() > Axis::ALL.len() {
            let best =
                self.best_for_warp(&band.band_get_partial_schedule_union_map()?, statements, &members)?;
            members.retain(|&member| member != best);
            members.truncate(Axis::ALL.len() - 1);
            members.push(best);
            members.sort_unstable();
        }
        Ok(members)
    }

    /// The member along which warps should run; the innermost of equally good ones.
    fn best_for_warp(
        &self,
        schedule: &UnionMap,
        statements: &BTreeSet<StatementId>,
        members: &[usize],
    ) -> Result<usize> {
        let mut best = (i64::MIN, 0);
        for &member in members {
            best = best.max((stride::score(self.model, statements, schedule, member)?, member));
        }
        Ok(best.1)
    }

    /// Sizes and axes of a band whose first `parallel` members are parallel.
    fn shape(
        &self,
        band: &ScheduleNode,
        statements: &BTreeSet<StatementId>,
        parallel: usize,
        order: &[usize],
    ) -> Result<Shape> {
        let schedule = band.band_get_partial_schedule_union_map()?;
        let warp = self.best_for_warp(&schedule, statements, &(0..parallel).collect::<Vec<_>>())?;
        let axes = axes_of(parallel, warp);
        let sequential = order.len() - parallel;
        let loops = self.loops_of(&schedule, statements, order.len())?;
        let mut reasons = vec![format!(
            "loop {} of the band runs along x: its accesses are the most contiguous",
            order[warp]
        )];
        let extents = extents(self.model, &schedule, parallel)?;
        let is_product = parallel == 2
            && sequential > 0
            && self.wishes.tile_sizes(self.id).is_none()
            && is_product(self.model, statements, &schedule, parallel)?;
        let (mut tiles, mut threads) = if let Some(tile) = product_tile(&extents).filter(|_| is_product) {
            reasons.push(
                "each thread has a tile of registers: its operands are used for all of a side".to_owned(),
            );
            let tiles = [&[tile; 2][..], &vec![PRODUCT_DEPTH; sequential]].concat();
            (tiles, vec![PRODUCT_THREADS; parallel])
        } else if let Some(sizes) = self.point_tiles(band, statements, sequential, (&axes, &extents))? {
            reasons.push(
                "each thread has several points: to compute one is less work than to find it".to_owned(),
            );
            sizes
        } else {
            let mut tiles = parallel_tiles(&axes, &extents);
            tiles.extend(std::iter::repeat_n(SEQUENTIAL_TILE, sequential));
            force(&mut tiles, self.wishes.tile_sizes(self.id));
            let threads = tiles[..parallel].to_vec();
            (tiles, threads)
        };
        if self.force_loops(&mut tiles, &loops) {
            threads = tiles[..parallel].to_vec();
        }
        force(&mut threads, self.wishes.block_sizes(self.id));
        Ok(fit(Shape { loops, axes, threads, tiles, first: 0, reasons }))
    }

    /// The sizes of tiles and blocks where each thread is to have several points: of bands that are parallel as a
    /// whole, around one statement without loops, unless something else is asked for. Of several statements the
    /// conditions of each would be asked of each point.
    fn point_tiles(
        &self,
        band: &ScheduleNode,
        statements: &BTreeSet<StatementId>,
        sequential: usize,
        (axes, extents): (&[Axis], &[Option<u64>]),
    ) -> Result<Option<(Vec<u32>, Vec<u32>)>> {
        let asked = self.wishes.tile_sizes(self.id).is_some() || self.wishes.block_sizes(self.id).is_some();
        if asked || sequential > 0 || has_band_below(band)? {
            return Ok(None);
        }
        let [statement] = self.model.statements_of(statements)?[..] else { return Ok(None) };
        if has_loops(statement) || keeps_elements(statement) {
            return Ok(None);
        }
        Ok(point_tiles(axes, extents))
    }

    fn wavefront_shape(&self, band: &ScheduleNode, statements: &BTreeSet<StatementId>) -> Result<Shape> {
        let members = band.band_n_member()? as usize;
        let loops = self.loops_of(&band.band_get_partial_schedule_union_map()?, statements, members)?;
        let mut tiles = match members {
            2 => vec![WAVEFRONT_TILES[0]; 2],
            3 => vec![WAVEFRONT_TILES[1]; 3],
            _ => vec![DEEP_WAVEFRONT_TILE; members],
        };
        if members > 3 {
            tiles[0] = 1;
        }
        force(&mut tiles, self.wishes.tile_sizes(self.id));
        self.force_loops(&mut tiles, &loops);
        let parallel = (members - 1).min(Axis::ALL.len());
        let axes = axes_of(parallel, parallel - 1);
        let mut threads = tiles.clone();
        force(&mut threads, self.wishes.block_sizes(self.id));
        let threads = threads[1..=parallel].to_vec();
        let reasons = vec!["a wavefront of tiles: no loop here is parallel as it stands".to_owned()];
        Ok(fit(Shape { loops, axes, threads, tiles, first: 1, reasons }))
    }

    /// The loop of the source that each member of a band counts: all statements of the band that are in it go with its
    /// iterator, step by step, and the others do not move.
    fn loops_of(
        &self,
        schedule: &UnionMap,
        statements: &BTreeSet<StatementId>,
        members: usize,
    ) -> Result<Vec<Option<LoopId>>> {
        (0..members).map(|member| stride::loop_of(self.model, statements, schedule, member)).collect()
    }

    /// Overwrites the sizes of members that count loops for which some are asked; true if there are any.
    fn force_loops(&self, tiles: &mut [u32], loops: &[Option<LoopId>]) -> bool {
        let mut forced = false;
        for (tile, source_loop) in tiles.iter_mut().zip(loops) {
            if let Some(size) = source_loop.and_then(|source_loop| self.wishes.tile_size(source_loop)) {
                (*tile, forced) = (size, true);
            }
        }
        forced
    }

    /// *Rewrite:* `band (tile loops) (…)` → `guard (mark "kernel_K" (context (filter block (band (…)))))`; stays at
    /// the guard.
    fn bind(&self, node: ScheduleNode, shape: &Shape) -> Result<(ScheduleNode, Dimensions)> {
        let block = block_dimensions(shape);
        let Grid { dimensions, context, guard } = grid(&node, &shape.axes)?;
        let threads = thread_context(&node, &block)?;
        let context = match context {
            Some(blocks) => blocks.intersect(threads)?,
            None => threads,
        };
        let filter = block_filter(&node, &shape.axes)?;
        let node = node.insert_filter(filter)?.insert_context(context)?;
        let node = insert_mark(node, &mark::kernel(self.id))?.insert_guard(guard)?;
        Ok((node, Dimensions { grid: dimensions, block }))
    }

    fn describe(
        &self,
        statements: BTreeSet<StatementId>,
        depth: i32,
        dimensions: Dimensions,
        shape: Shape,
    ) -> Made {
        let kernel = Kernel {
            id: self.id,
            statements: statements.into_iter().collect(),
            host_depth: depth as u32,
            grid: dimensions.grid,
            block: dimensions.block,
            tile_sizes: shape.tiles.clone(),
            reasons: shape.reasons.clone(),
        };
        (kernel, shape)
    }
}

fn has_loops(statement: &Statement) -> bool {
    let mut loops = false;
    for step in &statement.body {
        step.walk(&mut |step| loops |= matches!(step, Step::For { .. } | Step::While { .. }));
    }
    loops
}

/// True if a statement may use an element that it writes more than once: registers would keep it, one for each point.
fn keeps_elements(statement: &Statement) -> bool {
    statement.accesses.iter().filter(|access| access.kind == AccessKind::Write).any(|write| {
        let same = statement.accesses.iter().filter(|access| access.array == write.array);
        same.count() > 2
    })
}

/// Overwrites sizes by those that are asked for, of which the last is repeated.
fn force(sizes: &mut [u32], forced: Option<&[u32]>) {
    let Some((forced, last)) = forced.and_then(|forced| Some((forced, forced.last()?))) else { return };
    for (position, size) in sizes.iter_mut().enumerate() {
        *size = *forced.get(position).unwrap_or(last);
    }
}

/// Halves numbers of threads, the largest first, until a block has no more than it may, and makes each divide its tile.
/// Of numbers that are asked for that is the nearest possible choice, which nobody asked for.
fn fit(mut shape: Shape) -> Shape {
    while shape.threads.iter().map(|&size| u64::from(size)).product::<u64>() > MAX_THREADS {
        if let Some(largest) = shape.threads.iter_mut().max() {
            *largest = largest.div_ceil(2);
        }
    }
    let tiles = shape.parallel_tiles().to_vec();
    for ((threads, tile), &axis) in shape.threads.iter_mut().zip(tiles).zip(&shape.axes) {
        let most = if axis == Axis::Z { MOST_ALONG_Z } else { u32::MAX };
        *threads = largest_divisor(tile, (*threads).min(most));
    }
    shape
}

#[derive(Default)]
struct Dimensions {
    grid: Vec<scop::GridDimension>,
    block: Vec<BlockDimension>,
}

/// The axis of each of `parallel` members: x for `warp`, then y and z from the innermost of the others outwards.
fn axes_of(parallel: usize, warp: usize) -> Vec<Axis> {
    let mut axes = vec![Axis::X; parallel];
    let others = (0..parallel).rev().filter(|&member| member != warp);
    for (member, axis) in others.zip([Axis::Y, Axis::Z]) {
        axes[member] = axis;
    }
    axes
}

/// The largest divisor of `number` that is no larger than `bound`.
fn largest_divisor(number: u32, bound: u32) -> u32 {
    (1..=bound.min(number)).rev().find(|candidate| number.is_multiple_of(*candidate)).unwrap_or(1)
}

fn block_dimensions(shape: &Shape) -> Vec<BlockDimension> {
    let mut block: Vec<BlockDimension> =
        shape.axes.iter().zip(&shape.threads).map(|(&axis, &size)| BlockDimension { axis, size }).collect();
    block.sort_by_key(|dimension| dimension.axis);
    block
}

/// *Rewrite:* `band (m0, m1, …)` → `band (members in front, then the others)`; returns which member is where.
fn bring_forward(band: ScheduleNode, front: &[usize]) -> Result<(ScheduleNode, Vec<usize>)> {
    let members = band.band_n_member()? as usize;
    let parallel = coincident_members(&band)?;
    let mut order = front.to_vec();
    order.extend((0..members).filter(|member| !front.contains(member)));
    if order.iter().copied().eq(0..members) {
        return Ok((band, order));
    }
    let schedule = band.band_get_partial_schedule()?;
    let mut reordered = schedule.copy()?;
    for (position, &member) in order.iter().enumerate() {
        reordered = reordered.set_union_pw_aff(position as i32, schedule.get_at(member as i32)?)?;
    }
    let flags: Vec<bool> = order.iter().map(|member| parallel.contains(member)).collect();
    Ok((replace_band(band, reordered, &flags)?, order))
}

/// Tiles a band whose first members are parallel, and ties the threads to its points; stays at the band of the
/// parallel tile loops. The sequential loops are tiled with them; their tile loops stand below in a band of their
/// own.
fn tile(band: ScheduleNode, shape: &Shape) -> Result<ScheduleNode> {
    let node = make_atomic(tile_whole(band, &shape.tiles)?)?;
    let members = node.band_n_member()? as usize;
    let points = node.child(0)?;
    let filter = thread_filter(&points, shape)?;
    let thread = insert_mark(register_tile(points, shape)?.insert_filter(filter)?, mark::THREAD)?;
    let node = insert_mark(thread, mark::TILE)?.parent()?;
    let parallel = shape.axes.len();
    if parallel < members { Ok(node.band_split(parallel as i32)?) } else { Ok(node) }
}

/// Puts the points that a thread has along the parallel members of a tile innermost, where they are a tile of
/// registers.
///
/// ```text
/// band (m0, m1, k)   →   band (k)
///                          mark "unroll"
///                            band (the number of m0's value among the thread's, the same of m1)
/// ```
///
/// Legal because the band is permutable. Stays at the outermost node.
fn register_tile(points: ScheduleNode, shape: &Shape) -> Result<ScheduleNode> {
    let parallel = shape.axes.len();
    let own = shape.tiles.iter().zip(&shape.threads).map(|(tile, threads)| tile / threads);
    let number = own.fold(1u32, u32::saturating_mul);
    if !(2..=REGISTER_TILE).contains(&number) {
        return Ok(points);
    }
    let members = points.band_n_member()? as usize;
    let numbers = (0..parallel).map(|member| {
        let (tile, threads) = (shape.tiles[member], shape.threads[member]);
        format!("floor((m{member} mod {tile})/{threads})")
    });
    let order: Vec<String> = (parallel..members).map(|member| format!("m{member}")).chain(numbers).collect();
    let all: Vec<String> = (0..members).map(|member| format!("m{member}")).collect();
    let function = PwMultiAff::parse(&format!("{{ [{}] -> [{}] }}", all.join(", "), order.join(", ")))?;
    let schedule = points.band_get_partial_schedule()?.apply_pw_multi_aff(function)?;
    let flags: Vec<bool> = (0..members).map(|member| member >= members - parallel).collect();
    let band = replace_band(points, schedule, &flags)?;
    if parallel == members {
        return insert_mark(band, mark::UNROLL);
    }
    let inner = band.band_split((members - parallel) as i32)?.child(0)?;
    Ok(insert_mark(inner, mark::UNROLL)?.parent()?)
}

/// *Rewrite:* `band (point loops) (…)` → `mark "thread" (filter thread (band (…)))`; stays at the mark.
fn bind_threads(points: ScheduleNode, shape: &Shape) -> Result<ScheduleNode> {
    let filter = thread_filter(&points, shape)?;
    insert_mark(points.insert_filter(filter)?, mark::THREAD)
}

/// Makes isl generate one loop for each member instead of several for parts of its range, so that the body and its
/// barriers stand in the program once.
fn make_atomic(mut band: ScheduleNode) -> Result<ScheduleNode> {
    for member in 0..band.band_n_member()? {
        band = band.band_member_set_ast_loop_type(member, ASTLoopType::Atomic)?;
    }
    Ok(band)
}

fn tile_whole(band: ScheduleNode, sizes: &[u32]) -> Result<ScheduleNode> {
    set_tile_options();
    let sizes = multi_val(&band, sizes)?;
    Ok(band.band_tile(sizes)?)
}

/// *Rewrite:* `band (T0, …, Tn)` → `band (T0 + … + Tn) (band (T1, …, Tn))`; stays at the outer band.
fn skew(band: ScheduleNode) -> Result<ScheduleNode> {
    let members = band.band_n_member()? as usize;
    let schedule = sum_in_front(band.band_get_partial_schedule()?, members)?;
    let mut flags = vec![true; members];
    flags[0] = false;
    Ok(replace_band(band, schedule, &flags)?.band_split(1)?)
}

/// The same for tiles; of more than two members it leaves out the last in place of the first. The grid is a box around
/// the tiles of a wavefront, and the steps of time, which come first, are few beside the points of space.
///
/// *Rewrite:* `band (T0, …, Tn)` → `band (T0 + … + Tn) (band (T0, …, T(n-1)))`; stays at the outer band.
fn skew_tiles(band: ScheduleNode) -> Result<ScheduleNode> {
    let members = band.band_n_member()? as usize;
    if members < 3 {
        return skew(band);
    }
    let tiles = band.band_get_partial_schedule()?;
    let mut schedule = sum_in_front(tiles.copy()?, members)?;
    for member in 1..members {
        schedule = schedule.set_union_pw_aff(member as i32, tiles.get_at(member as i32 - 1)?)?;
    }
    let mut flags = vec![true; members];
    flags[0] = false;
    Ok(replace_band(band, schedule, &flags)?.band_split(1)?)
}

fn sum_in_front(schedule: MultiUnionPwAff, members: usize) -> Result<MultiUnionPwAff> {
    let mut sum = schedule.get_at(0)?;
    for member in 1..members {
        sum = sum.add(schedule.get_at(member as i32)?)?;
    }
    Ok(schedule.set_union_pw_aff(0, sum)?)
}

/// At `band (sum) (band (tiles) (band (points)))`: skews the points, ties the threads to them and puts a barrier
/// behind each step; stays at the outermost band.
fn skew_points(node: ScheduleNode, shape: &Shape) -> Result<ScheduleNode> {
    let points = make_atomic(skew(node.child(0)?.child(0)?)?)?;
    let thread = bind_threads(points.child(0)?, shape)?;
    let step = climb_to_band(crate::barrier::insert_after(thread)?)?;
    Ok(insert_mark(step, mark::TILE)?.parent()?.parent()?)
}

/// From a child of the band of steps, wherever the barrier put it, up to that band.
fn climb_to_band(mut node: ScheduleNode) -> Result<ScheduleNode> {
    while node.get_type()? != polyhedra::ScheduleNodeType::Band {
        node = node.parent()?;
    }
    Ok(node)
}

/// The instances of block (`bx`, …) at a band of tile loops.
fn block_filter(band: &ScheduleNode, axes: &[Axis]) -> Result<UnionSet> {
    let ties = axes.iter().enumerate().map(|(member, axis)| (axis.block_parameter(), format!("m{member}")));
    filter_by(band, ties.collect())
}

/// The instances of thread (`tx`, …) at a band of point loops.
fn thread_filter(band: &ScheduleNode, shape: &Shape) -> Result<UnionSet> {
    let sizes = shape.axes.iter().zip(&shape.threads).enumerate();
    let ties = sizes.map(|(member, (axis, size))| (axis.thread_parameter(), format!("m{member} mod {size}")));
    filter_by(band, ties.collect())
}

/// The instances at which each named parameter equals an expression in the members `m0`, `m1`, … of a band.
fn filter_by(band: &ScheduleNode, ties: Vec<(&str, String)>) -> Result<UnionSet> {
    let members = band.band_n_member()? as usize;
    let dims: Vec<String> = (0..members).map(|member| format!("m{member}")).collect();
    let names: Vec<&str> = ties.iter().map(|(name, _)| *name).collect();
    let equations: Vec<String> = ties.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    instances_at(
        band,
        &format!("[{}] -> {{ [{}] : {} }}", names.join(", "), dims.join(", "), equations.join(" and ")),
    )
}
