//! Which members of a band become blocks and threads, and the sizes of tiles and blocks.

use std::collections::BTreeSet;

use polyhedra::{Map, Result, ScheduleNode, Text, UnionMap};
use scop::{AccessKind, Axis, LoopId, MAX_THREADS, Model, Statement, StatementId, Step};

use crate::kernel_context::KernelContext;
use crate::reuse::is_product;
use crate::shape::Shape;
use crate::sizes::{extents, parallel_tiles, point_tiles, product_tile};
use crate::stride;
use crate::tree::{coincident_members, has_band_below};
use crate::wishes::Wishes;

/// The tile size of a sequential loop whose tiles bring data into fast memory.
const SEQUENTIAL_TILE: u32 = 32;

/// The threads along each parallel loop of a matrix product, and the tile size of the sequential loops.
const PRODUCT_THREADS: u32 = 16;
const PRODUCT_DEPTH: u32 = 16;

/// The tile sizes of a wavefront through two and three loops.
const WAVEFRONT_TILES: [u32; 2] = [32, 16];

/// The tile size of each loop but the first of a deeper wavefront. The first is not tiled: for tiles in four
/// dimensions whose sizes are unknown, isl and the proof would have to distinguish more cases than they have time
/// for.
const DEEP_WAVEFRONT_TILE: u32 = 8;

/// Returns the parallel members that become blocks and threads, in the order of the band: at most three, including
/// the one that suits a warp best.
pub fn chosen_members(
    context: KernelContext<'_>,
    band: &ScheduleNode,
    statements: &BTreeSet<StatementId>,
) -> Result<Vec<usize>> {
    let mut members = coincident_members(band)?;
    if members.len() > Axis::ALL.len() {
        let best =
            best_for_warp(context.model, &band.band_get_partial_schedule_union_map()?, statements, &members)?;
        members.retain(|&member| member != best);
        members.truncate(Axis::ALL.len() - 1);
        members.push(best);
        members.sort_unstable();
    }
    Ok(members)
}

/// Returns the member along which warps should run; the innermost of equally good ones.
fn best_for_warp(
    model: &Model,
    schedule: &UnionMap,
    statements: &BTreeSet<StatementId>,
    members: &[usize],
) -> Result<usize> {
    let mut best = (i64::MIN, 0);
    for &member in members {
        best = best.max((stride::score(model, statements, schedule, member)?, member));
    }
    Ok(best.1)
}

/// A shape, and the lengths of its parallel members where they are constant.
pub struct Sized {
    /// The shape.
    pub shape: Shape,
    /// The lengths.
    pub extents: Vec<Option<u64>>,
    /// Whether the band is parallel as a whole and contains nothing but statements.
    pub is_whole: bool,
    /// Whether it also contains one statement alone, which has no loops.
    pub is_plain: bool,
}

/// Returns the sizes and axes of a band whose first `parallel` members are parallel.
pub fn shape_of(
    context: KernelContext<'_>,
    band: &ScheduleNode,
    statements: &BTreeSet<StatementId>,
    parallel: usize,
    order: &[usize],
) -> Result<Sized> {
    let schedule = band.band_get_partial_schedule_union_map()?;
    let warp = best_for_warp(context.model, &schedule, statements, &(0..parallel).collect::<Vec<_>>())?;
    let default = axes_of(parallel, warp);
    let axes =
        context.wishes.axes(context.id).filter(|axes| axes.len() == parallel).unwrap_or(&default).to_vec();
    let sequential = order.len() - parallel;
    let loops = loops_of(context.model, &schedule, statements, order.len())?;
    let along_x = axes.iter().position(|&axis| axis == Axis::X).unwrap_or(warp);
    let why = if axes == default { "its accesses are the most contiguous" } else { "as was asked for" };
    let mut reasons = vec![format!("loop {} of the band runs along x: {why}", order[along_x])];
    let extents = extents(context.model, &schedule, parallel)?;
    let is_product = parallel == 2
        && sequential > 0
        && context.wishes.tile_sizes(context.id).is_none()
        && is_product(context.model, statements, &schedule, parallel)?;
    let is_whole = sequential == 0 && !has_band_below(band)?;
    let is_plain = is_whole && is_plain(context.model, statements)?;
    let (mut tiles, mut threads) = if let Some(tile) = product_tile(&extents).filter(|_| is_product) {
        reasons.push(
            "each thread has a tile of registers: its operands are reused along a whole side".to_owned(),
        );
        let tiles = [&[tile; 2][..], &vec![PRODUCT_DEPTH; sequential]].concat();
        (tiles, vec![PRODUCT_THREADS; parallel])
    } else if let Some(sizes) = points_of_threads(context, is_plain, (&axes, &extents))? {
        reasons
            .push("each thread has several points: computing one is less work than locating it".to_owned());
        sizes
    } else {
        let mut tiles = parallel_tiles(&axes, &extents);
        tiles.extend(std::iter::repeat_n(SEQUENTIAL_TILE, sequential));
        force(&mut tiles, context.wishes.tile_sizes(context.id));
        let threads = tiles[..parallel].to_vec();
        (tiles, threads)
    };
    if force_loops(context.wishes, &mut tiles, &loops) {
        threads = tiles[..parallel].to_vec();
    }
    force(&mut threads, context.wishes.block_sizes(context.id));
    let shape = fit(Shape { loops, axes, threads, tiles, reasons, ..Shape::default() });
    Ok(Sized { shape, extents, is_whole, is_plain })
}

/// Returns the sizes of tiles and blocks if each thread is to have several points. This is for plain bands, unless the
/// user asks for other sizes.
fn points_of_threads(
    context: KernelContext<'_>,
    is_plain: bool,
    (axes, extents): (&[Axis], &[Option<u64>]),
) -> Result<Option<(Vec<u32>, Vec<u32>)>> {
    let asked =
        context.wishes.tile_sizes(context.id).is_some() || context.wishes.block_sizes(context.id).is_some();
    Ok(if asked || !is_plain { None } else { point_tiles(axes, extents) })
}

/// True for one statement without loops. With several statements, the conditions of each would be checked for each
/// point.
fn is_plain(model: &Model, statements: &BTreeSet<StatementId>) -> Result<bool> {
    let [statement] = model.statements_of(statements)?[..] else { return Ok(false) };
    Ok(!has_loops(statement) && !keeps_elements(statement)?)
}

/// Returns the sizes and axes of a wavefront through a band.
pub fn wavefront_shape(
    context: KernelContext<'_>,
    band: &ScheduleNode,
    statements: &BTreeSet<StatementId>,
) -> Result<Shape> {
    let members = band.band_n_member()? as usize;
    let loops = loops_of(context.model, &band.band_get_partial_schedule_union_map()?, statements, members)?;
    let mut tiles = match members {
        2 => vec![WAVEFRONT_TILES[0]; 2],
        3 => vec![WAVEFRONT_TILES[1]; 3],
        _ => vec![DEEP_WAVEFRONT_TILE; members],
    };
    if members > 3 {
        tiles[0] = 1;
    }
    force(&mut tiles, context.wishes.tile_sizes(context.id));
    force_loops(context.wishes, &mut tiles, &loops);
    let parallel = (members - 1).min(Axis::ALL.len());
    let default = axes_of(parallel, parallel - 1);
    let axes =
        context.wishes.axes(context.id).filter(|axes| axes.len() == parallel).unwrap_or(&default).to_vec();
    let mut threads = tiles.clone();
    force(&mut threads, context.wishes.block_sizes(context.id));
    let threads = threads[1..=parallel].to_vec();
    let reasons = vec!["a wavefront of tiles: no loop here is parallel as it stands".to_owned()];
    Ok(fit(Shape { loops, axes, threads, tiles, first: 1, skewed: true, reasons, ..Shape::default() }))
}

/// Returns the loop of the source that each member of a band counts. For all statements of the band inside this loop,
/// the member follows the loop's iterator step by step; for the others it is constant.
pub fn loops_of(
    model: &Model,
    schedule: &UnionMap,
    statements: &BTreeSet<StatementId>,
    members: usize,
) -> Result<Vec<Option<LoopId>>> {
    (0..members).map(|member| stride::loop_of(model, statements, schedule, member)).collect()
}

/// Overwrites the sizes of members that count loops for which the user asks for sizes. Returns true if there are any.
fn force_loops(wishes: &Wishes<'_>, tiles: &mut [u32], loops: &[Option<LoopId>]) -> bool {
    let mut forced = false;
    for (tile, source_loop) in tiles.iter_mut().zip(loops) {
        if let Some(size) = source_loop.and_then(|source_loop| wishes.tile_size(source_loop)) {
            (*tile, forced) = (size, true);
        }
    }
    forced
}

fn has_loops(statement: &Statement) -> bool {
    let mut loops = false;
    for step in &statement.body {
        step.walk(&mut |step| loops |= matches!(step, Step::For { .. } | Step::While { .. }));
    }
    loops
}

/// True if a statement may use an element that it writes more than once. Registers would keep it, one for each point.
fn keeps_elements(statement: &Statement) -> Result<bool> {
    for write in statement.accesses.iter().filter(|access| access.kind == AccessKind::Write) {
        let written = Map::parse(&write.relation.0)?;
        let mut uses = 0;
        for access in statement.accesses.iter().filter(|access| access.array == write.array) {
            uses += usize::from(!Map::parse(&access.relation.0)?.is_disjoint(&written)?);
        }
        if uses > 2 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Overwrites sizes by those that the user asks for, of which the last is repeated.
fn force(sizes: &mut [u32], forced: Option<&[u32]>) {
    let Some((forced, last)) = forced.and_then(|forced| Some((forced, forced.last()?))) else { return };
    for (position, size) in sizes.iter_mut().enumerate() {
        *size = *forced.get(position).unwrap_or(last);
    }
}

/// Halves the largest number of threads until a block is within the limit, and makes each number divide its tile.
/// If the user asked for these numbers, the result is the nearest possible choice; the wish is then refused.
fn fit(mut shape: Shape) -> Shape {
    while shape.threads.iter().map(|&size| u64::from(size)).product::<u64>() > MAX_THREADS.into() {
        if let Some(largest) = shape.threads.iter_mut().max() {
            *largest = largest.div_ceil(2);
        }
    }
    let tiles = shape.parallel_tiles().to_vec();
    for ((threads, tile), &axis) in shape.threads.iter_mut().zip(tiles).zip(&shape.axes) {
        *threads = largest_divisor(tile, (*threads).min(axis.most_threads()));
    }
    shape
}

/// Returns the axis of each of `parallel` members: x for `warp`, then y and z from the innermost of the others
/// outwards.
fn axes_of(parallel: usize, warp: usize) -> Vec<Axis> {
    let mut axes = vec![Axis::X; parallel];
    let others = (0..parallel).rev().filter(|&member| member != warp);
    for (member, axis) in others.zip([Axis::Y, Axis::Z]) {
        axes[member] = axis;
    }
    axes
}

/// Returns the largest divisor of `number` that is no larger than `bound`.
fn largest_divisor(number: u32, bound: u32) -> u32 {
    (1..=bound.min(number)).rev().find(|candidate| number.is_multiple_of(*candidate)).unwrap_or(1)
}
