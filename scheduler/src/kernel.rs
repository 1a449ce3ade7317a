//! Turns a band into a kernel: tiles it, and binds blocks and threads to its loops.

use std::collections::BTreeSet;

use gpu::target::COMMON_SHARED_MEMORY;
use polyhedra::schedule::set_tile_options;
use polyhedra::{ASTLoopType, MultiUnionPwAff, PwMultiAff, Result, ScheduleNode, Set, Text, UnionSet};
use scop::mark::{self, statements_at};
use scop::{AccessKind, ArrayId, Axis, BlockDimension, Kernel, KernelId, LoopId, MAX_THREADS, StatementId};

use crate::bins::bins;
use crate::cost::{Site, Subject};
use crate::grid::{Choice, Grid, grid, thread_context};
use crate::kernel_context::KernelContext;
use crate::other::Other;
use crate::plan::{Chosen, best, cheapest, steadiest, unrolled};
use crate::shape::{REGISTER_TILE, Shape};
use crate::sharing::{SharedSum, share, shared_sum};
use crate::sizing::{Sized, chosen_members, loops_of, shape_of, wavefront_shape};
use crate::space::{Loading, loading, several_points, shapes, shared_sums, with_loading};
use crate::tree::{coincident_members, has_band_below, insert_mark, instances_at, multi_val, replace_band};

/// A kernel that was made.
pub struct Made {
    /// The kernel.
    pub kernel: Kernel,
    /// The shape of its band.
    pub shape: Shape,
    /// Its loops and accesses, with which it is priced.
    pub subject: Option<Subject>,
    /// Its place, from which its loops and accesses follow for other sizes.
    pub site: Site,
    /// Shapes that were not taken, and their prices.
    pub others: Vec<Other>,
}

/// Makes a kernel from a band with parallel members.
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
pub fn parallel(context: KernelContext<'_>, band: ScheduleNode) -> Result<(ScheduleNode, Made)> {
    let statements = statements_at(&band)?;
    let depth = band.get_schedule_depth()?;
    let parallel = chosen_members(context, &band, &statements)?;
    let (band, order) = bring_forward(band, &parallel)?;
    let Sized { shape, extents, is_whole, is_plain } =
        shape_of(context, &band, &statements, parallel.len(), &order)?;
    let schedule = band.band_get_partial_schedule_union_map()?;
    let mut site = Site::at(&band, Some(schedule))?;
    site.bins = bins(context.model, context.dependences, &statements)?;
    let subject = Subject::new(&site, context.model, &context.pricing.places)?;
    let alternatives = match &subject {
        Some(subject) => Alternatives {
            sums: shared_shapes(context, &band, parallel.len(), &shape.loops)?,
            loading: loading_shapes(context, &band, &shape, subject)?,
        },
        None => Alternatives::default(),
    };
    let Chosen { shape, others } = match &subject {
        Some(subject) => {
            let priced = (&site, subject);
            planned(context, (shape, &extents), (is_whole, is_plain), priced)?.or(
                context,
                alternatives,
                priced,
            )?
        }
        None => Chosen { shape, others: Vec::new() },
    };
    let node = match &shape.shared_sum {
        Some(sum) => share_tiles(band, &shape, sum)?,
        None => tile(band, &shape)?,
    };
    let (node, shape, dimensions) = bind(context, node, shape, subject.as_ref())?;
    let made = describe(context.id, statements, depth, dimensions, (shape, subject, site));
    Ok((node, Made { others, ..made }))
}

/// Returns the shape by its price, as far as the user does not ask for sizes and factors.
fn planned(
    context: KernelContext<'_>,
    (default, extents): (Shape, &[Option<u64>]),
    (is_whole, is_plain): (bool, bool),
    (site, subject): (&Site, &Subject),
) -> Result<Chosen> {
    let KernelContext { model, wishes, pricing, id, .. } = context;
    let has_own_sums = site.bins.values().any(Option::is_some);
    if has_own_sums && is_whole && !wishes.has_sizes(id, &default.loops) {
        let alternatives = [shapes(&default, extents), several_points(&default, extents)].concat();
        return steadiest(default, alternatives, site, model, pricing);
    }
    let alternatives = match (wishes.has_sizes(id, &default.loops), is_plain) {
        (true, _) => Vec::new(),
        (false, _) if !pricing.fills_gpu(subject.mean_blocks(&default)) => shapes(&default, extents),
        (false, true) => several_points(&default, extents),
        (false, false) => Vec::new(),
    };
    let Chosen { shape, others } = cheapest(default, alternatives, (site, subject), model, pricing)?;
    let shape = if wishes.has_unrolling() { shape } else { unrolled(shape, subject, pricing) };
    Ok(Chosen { shape, others })
}

/// Shapes in which threads help others.
#[derive(Default)]
struct Alternatives {
    /// Threads share a sum.
    sums: Vec<Shape>,
    /// Some threads only copy what others read.
    loading: Vec<Shape>,
}

impl Chosen {
    /// Returns the choice between this shape and others in which threads help others.
    fn or(
        self,
        context: KernelContext<'_>,
        alternatives: Alternatives,
        (site, subject): (&Site, &Subject),
    ) -> Result<Self> {
        let KernelContext { model, wishes, pricing, id, .. } = context;
        let unroll = |shape| if wishes.has_unrolling() { shape } else { unrolled(shape, subject, pricing) };
        let unrolled = |shapes: Vec<Shape>| shapes.into_iter().map(unroll).collect::<Vec<Shape>>();
        let (sums, loading) = (unrolled(alternatives.sums), unrolled(alternatives.loading));
        // Partial sums are made for warps, whatever the sizes are.
        let shared = sums.first().and_then(|shape| shape.shared_sum.as_ref());
        let are_partial = subject.divides_loops() || shared.is_some_and(|sum| are_partial(context, sum));
        let Self { shape, mut others } = self;
        let asked = match (wishes.sum_threads(id), wishes.load_threads(id)) {
            _ if are_partial && !sums.is_empty() => Some(sums.clone()),
            (Some(_), _) if !sums.is_empty() => Some(sums.clone()),
            (_, Some(_)) if !loading.is_empty() => Some(loading.clone()),
            _ => None,
        };
        if let Some(asked) = asked {
            return Ok(Self { shape: best(asked, subject, pricing).unwrap_or(shape), others });
        }
        let helped = [sums, loading].concat();
        if helped.is_empty() {
            return Ok(Self { shape, others });
        }
        let chosen = cheapest(shape, helped, (site, subject), model, pricing)?;
        others.extend(chosen.others);
        others.sort_by(|one, other| one.microseconds.total_cmp(&other.microseconds));
        Ok(Self { shape: chosen.shape, others })
    }
}

/// True if each of these sums goes to another one whose order is free: it is read where that is updated.
fn are_partial(context: KernelContext<'_>, shared: &SharedSum) -> bool {
    let reductions = &context.dependences.reductions;
    let free = || reductions.iter().filter(|reduction| reduction.free.is_some());
    let goes_on = |array: ArrayId, id: StatementId| {
        let others = free().filter(|other| other.statement != id);
        let updates = others.filter_map(|other| context.model.statements.get(other.statement.index()));
        let mut accesses = updates.flat_map(|update| &update.accesses);
        accesses.any(|access| access.array == array && access.kind == AccessKind::Read)
    };
    shared.statements.iter().all(|&id| {
        let own = free().find(|reduction| reduction.statement == id);
        let write = own.and_then(|own| context.model.access(own.write).ok());
        write.is_some_and(|write| !shared.in_order && goes_on(write.array, id))
    })
}

/// Returns the shapes of a band in which the threads of a warp share a sum, if they can and the user does not ask for
/// something else.
fn shared_shapes(
    context: KernelContext<'_>,
    band: &ScheduleNode,
    parallel: usize,
    loops: &[Option<LoopId>],
) -> Result<Vec<Shape>> {
    let KernelContext { model, dependences, wishes, id, .. } = context;
    let asked = wishes.sum_threads(id);
    if wishes.has_sizes(id, loops) && asked.is_none() || asked == Some(1) {
        return Ok(Vec::new());
    }
    let sum = shared_sum(model, dependences, band, parallel)?;
    Ok(sum.map_or_else(Vec::new, |sum| shared_sums(&sum, parallel, loops)))
}

/// Returns the shapes of a band in which some threads only copy what others read, if its only sequential loop reads
/// arrays that the kernel does not write, and the user does not ask for something else.
fn loading_shapes(
    context: KernelContext<'_>,
    band: &ScheduleNode,
    default: &Shape,
    subject: &Subject,
) -> Result<Vec<Shape>> {
    let KernelContext { wishes, pricing, id, .. } = context;
    let asked = wishes.load_threads(id);
    let has_sizes = wishes.has_sizes(id, &default.loops);
    if asked == Some(1) || has_sizes && asked.is_none() {
        return Ok(Vec::new());
    }
    let is_free = asked.is_none() && pricing.fills_gpu(subject.mean_blocks(default));
    let sequential = (band.band_n_member()? as usize).saturating_sub(default.axes.len());
    // The loops of a block that computes with one thread can be tiled only by 1, but for the last.
    let is_nest = match default.axes.len() {
        0 => sequential > 0,
        1 => sequential == 1,
        _ => false,
    };
    if is_free || !is_nest || has_band_below(band)? {
        return Ok(Vec::new());
    }
    let ahead = wishes.load_ahead(id);
    let shapes = match asked {
        Some(loading) if has_sizes => {
            let tiles = || default.tiles.clone();
            let kinds = [false, true].into_iter().filter(|kind| ahead.is_none_or(|asked| asked == *kind));
            kinds.map(|kind| with_loading(default, &default.threads, tiles(), (loading, kind))).collect()
        }
        asked => loading(default, sequential, Loading { threads: asked, ahead }),
    };
    let has_room = |shape: &Shape| {
        let axis = shape.loading_axis().filter(|axis| shape.loading <= axis.most_threads());
        let copy = !shape.ahead || shape.loading > shape.never_copying();
        axis.is_some() && copy && shape.block_threads() <= f64::from(MAX_THREADS)
    };
    let fits = |shape: &Shape| {
        let tiles = if shape.ahead { 2.0 } else { 1.0 };
        (1.0..=COMMON_SHARED_MEMORY as f64 / tiles).contains(&subject.loaded_bytes(shape))
    };
    Ok(shapes.into_iter().filter(|shape| has_room(shape) && fits(shape)).collect())
}

/// Makes a kernel of one block for a band without parallel loops and with nothing but statements below, in which
/// threads share its sum, or help one thread to load what it reads. Returns nothing if they cannot, or if one thread is
/// as fast.
pub fn one_block(context: KernelContext<'_>, band: &ScheduleNode) -> Result<Option<(ScheduleNode, Made)>> {
    let schedule = band.band_get_partial_schedule_union_map()?;
    let statements = statements_at(band)?;
    let members = band.band_n_member()? as usize;
    let loops = loops_of(context.model, &schedule, &statements, members)?;
    let site = Site::at(band, Some(schedule))?;
    let subject = Subject::new(&site, context.model, &context.pricing.places)?;
    let Some(subject) = subject else { return Ok(None) };
    let asked = context.wishes.tile_sizes(context.id).and_then(<[u32]>::last);
    let tiles = std::iter::repeat_n(1, members - 1).chain([asked.copied().unwrap_or(1)]).collect();
    let alone = Shape { loops, ..Shape::default() };
    let alternatives = Alternatives {
        sums: shared_shapes(context, band, 0, &alone.loops)?,
        loading: loading_shapes(context, band, &Shape { tiles, ..alone.clone() }, &subject)?,
    };
    let alone = Chosen { shape: alone, others: Vec::new() };
    let Chosen { shape, others } = alone.or(context, alternatives, (&site, &subject))?;
    let depth = band.get_schedule_depth()?;
    let node = match &shape.shared_sum {
        Some(sum) => share_tiles(band.copy()?, &shape, sum)?,
        None if shape.loading > 1 => tile(band.copy()?, &shape)?,
        None => return Ok(None),
    };
    let (node, block) = block_of_threads(node, context.id, &shape)?;
    let made = made_of_block(context.id, statements, depth, block, (shape, Some(subject), site));
    Ok(Some((node, Made { others, ..made })))
}

/// *Rewrite:* `N` → `mark "kernel_K" (context (N))`, with the threads of a single block.
pub fn block_of_threads(
    node: ScheduleNode,
    id: KernelId,
    shape: &Shape,
) -> Result<(ScheduleNode, Vec<BlockDimension>)> {
    let block = block_dimensions(shape);
    let threads = thread_context(&node, &block)?;
    Ok((insert_mark(node.insert_context(threads)?, &mark::kernel(id))?, block))
}

/// Describes a kernel of one block.
pub fn made_of_block(
    id: KernelId,
    statements: BTreeSet<StatementId>,
    depth: i32,
    block: Vec<BlockDimension>,
    described: (Shape, Option<Subject>, Site),
) -> Made {
    describe(id, statements, depth, Dimensions { block, ..Dimensions::default() }, described)
}

/// Makes a kernel for each wavefront of tiles through a band without parallel members (C-to-CUDA, Algorithm 1).
///
/// ```text
/// band (m0, …, mn)   →   band (T0 + … + Tn)                    on the host
///                          mark "kernel_K"
///                            context, filter block
///                              band (T0, …, T(n-1))            for two members: band (T1)
///                                mark "tile"
///                                  band (m0 + … + mn)          steps, with a barrier after each
///                                    mark "thread"
///                                      filter thread
///                                        band (m1, …, mn)
/// ```
///
/// Legal because every dependence has non-negative distance along each member of a permutable band: between
/// instances with equal sums all distances are zero, so they are the same tile, or the same point.
///
/// Requires: the band is permutable and has two or more members.
pub fn wavefront(context: KernelContext<'_>, band: ScheduleNode) -> Result<(ScheduleNode, Made)> {
    let statements = statements_at(&band)?;
    let depth = band.get_schedule_depth()?;
    let shape = wavefront_shape(context, &band, &statements)?;
    let schedule = band.band_get_partial_schedule_union_map()?;
    let node = skew_tiles(tile_whole(band, &shape.tiles)?)?;
    let node = skew_points(node, &shape)?;
    let site = Site::at(&node.get_child(0)?, Some(schedule))?;
    let subject = Subject::new(&site, context.model, &context.pricing.places)?;
    let (node, shape, dimensions) = bind(context, node.child(0)?, shape, subject.as_ref())?;
    let kernel = describe(context.id, statements, depth + 1, dimensions, (shape, subject, site));
    Ok((node.parent()?, kernel))
}

/// Makes a kernel of one thread that executes a subtree in order.
///
/// *Rewrite:* `N` → `mark "kernel_K" (mark "tile" (mark "thread" (N)))`
pub fn sequential(context: KernelContext<'_>, node: ScheduleNode) -> Result<(ScheduleNode, Made)> {
    let statements = statements_at(&node)?;
    let depth = node.get_schedule_depth()?;
    let site = Site::at(&node, None)?;
    let subject = Subject::new(&site, context.model, &context.pricing.places)?;
    let node = insert_mark(node, mark::THREAD)?;
    let node = insert_mark(node, mark::TILE)?;
    let node = insert_mark(node, &mark::kernel(context.id))?;
    let reasons = vec!["one thread: no loop here can run in parallel".to_owned()];
    let shape = Shape { reasons, ..Shape::default() };
    Ok((node, describe(context.id, statements, depth, Dimensions::default(), (shape, subject, site))))
}

/// *Rewrite:* `band (tile loops) (…)` → `guard (mark "kernel_K" (context (filter block (band (…)))))`; returns the
/// guard, and the shape with what is decided about the grid.
fn bind(
    kernel: KernelContext<'_>,
    node: ScheduleNode,
    mut shape: Shape,
    subject: Option<&Subject>,
) -> Result<(ScheduleNode, Shape, Dimensions)> {
    let block = block_dimensions(&shape);
    let time = |blocks: (f64, f64), search_instructions: u64| {
        let shape = Shape { search_instructions, ..shape.clone() };
        subject.map_or(0.0, |subject| kernel.pricing.time_with_blocks(subject, &shape, blocks))
    };
    let choice = Choice {
        wanted: kernel.wishes.grid(kernel.id),
        launches: subject.map_or(&[], Subject::some_launches),
        time: &time,
        context: &Set::parse(&kernel.model.context.0)?,
        pricing: kernel.pricing,
    };
    let axes = shape.grid_axes();
    let grid = grid(&node, &axes, &choice)?;
    let filter = block_filter(&node, &axes, &grid.coordinates)?;
    shape.grid = Some((grid.kind(), grid.refused));
    shape.search_instructions = grid.search_instructions;
    shape.reasons.extend(grid.reasons);
    let Grid { dimensions, ranked, context, guard, .. } = grid;
    let threads = thread_context(&node, &block)?;
    let context = match context {
        Some(blocks) => blocks.intersect(threads)?,
        None => threads,
    };
    let node = node.insert_filter(filter)?.insert_context(context)?;
    let node = insert_mark(node, &mark::kernel(kernel.id))?.insert_guard(guard)?;
    Ok((node, shape, Dimensions { grid: dimensions, ranked, block }))
}

fn describe(
    id: KernelId,
    statements: BTreeSet<StatementId>,
    depth: i32,
    dimensions: Dimensions,
    (shape, subject, site): (Shape, Option<Subject>, Site),
) -> Made {
    let kernel = Kernel {
        id,
        statements: statements.into_iter().collect(),
        host_depth: depth as u32,
        grid: dimensions.grid,
        ranked: dimensions.ranked,
        block: dimensions.block,
        shared_sums: shape.shared_sum.iter().flat_map(|sum| sum.statements.clone()).collect(),
        loading: shape.loading_axis(),
        ahead: shape.ahead,
        tile_sizes: shape.tiles.clone(),
        reasons: shape.reasons.clone(),
        priced: None,
    };
    Made { kernel, shape, subject, site, others: Vec::new() }
}

#[derive(Default)]
struct Dimensions {
    grid: Vec<scop::GridDimension>,
    ranked: Option<scop::Ranked>,
    block: Vec<BlockDimension>,
}

fn block_dimensions(shape: &Shape) -> Vec<BlockDimension> {
    let mut block: Vec<BlockDimension> =
        shape.axes.iter().zip(&shape.threads).map(|(&axis, &size)| BlockDimension { axis, size }).collect();
    if shape.shared_sum.is_some() {
        block.push(BlockDimension { axis: Axis::X, size: shape.sum_threads() });
    }
    block.extend(shape.loading_axis().map(|axis| BlockDimension { axis, size: shape.loading }));
    block.sort_by_key(|dimension| dimension.axis);
    block
}

/// *Rewrite:* `band (m0, m1, …)` → `band (members in front, then the others)`; also returns the old positions of the
/// members in their new order.
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

/// Tiles a band whose first members are parallel, and binds the threads to its points. The sequential loops are tiled
/// as well; their tile loops are below in a band of their own. Returns the band of the parallel tile loops.
fn tile(band: ScheduleNode, shape: &Shape) -> Result<ScheduleNode> {
    let node = make_atomic(tile_whole(band, &shape.tiles)?)?;
    let members = node.band_n_member()? as usize;
    let points = node.child(0)?;
    let filter = thread_filter(&points, shape)?;
    let thread = insert_mark(register_tile(points, shape)?.insert_filter(filter)?, mark::THREAD)?;
    let node = insert_mark(thread, mark::TILE)?.parent()?;
    let parallel = shape.axes.len();
    // What stays in registers during the last loop is copied between the others and this one.
    let outer = if parallel == 0 && shape.loading > 1 { members - 1 } else { parallel };
    if (1..members).contains(&outer) { Ok(node.band_split(outer as i32)?) } else { Ok(node) }
}

/// Tiles the parallel members of a band, and binds threads along y and z to their points and those along x to the
/// iterations of a sum. Returns the band of the parallel tile loops, or the mark of the tile if there are none.
///
/// ```text
/// band (m0, m1)   →   band (parallel tile loops)
///                       mark "tile"
///                         mark "thread"
///                           filter thread
///                             band (m0)
///                               sequence
///                                 filter others (band (m1))
///                                 filter sum (band (m1))
/// ```
///
/// If the order of the updates is kept, a loop over the tiles of the sum is above the mark of the tile: a tile has one
/// update for each thread.
fn share_tiles(band: ScheduleNode, shape: &Shape, sum: &SharedSum) -> Result<ScheduleNode> {
    let parallel = shape.axes.len();
    let mut tiles = shape.tiles.clone();
    if sum.in_order {
        tiles.push(shape.sum_threads());
    }
    if tiles.is_empty() {
        let (node, threads) = share(band, &sum.statements)?;
        let thread = insert_mark(node.insert_filter(threads)?, mark::THREAD)?;
        return insert_mark(thread, mark::TILE);
    }
    let node = match sum.in_order {
        true => make_atomic(tile_whole(band, &tiles)?)?,
        false => make_atomic(tile_whole(band.band_split(parallel as i32)?, &tiles)?)?,
    };
    let points = node.child(0)?;
    let own = thread_filter(&points, shape)?;
    let points = if sum.in_order && parallel > 0 { points.band_split(parallel as i32)? } else { points };
    let inner = if parallel > 0 { points.child(0)? } else { points };
    let (inner, threads) = share(inner, &sum.statements)?;
    let points = if parallel > 0 { inner.parent()? } else { inner };
    let thread = insert_mark(points.insert_filter(own.intersect(threads)?)?, mark::THREAD)?;
    let node = insert_mark(thread, mark::TILE)?.parent()?;
    if sum.in_order && parallel > 0 { Ok(node.band_split(parallel as i32)?) } else { Ok(node) }
}

/// Makes the points that a thread computes along the parallel members of a tile innermost, if they are a register
/// tile.
///
/// ```text
/// band (m0, m1, k)   →   band (k)
///                          mark "unroll"
///                            band (index of m0 among the thread's values, the same of m1)
/// ```
///
/// Legal because the band is permutable. Returns the outermost node.
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
    let all = polyhedra::numbered("m", members);
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

/// *Rewrite:* `band (point loops) (…)` → `mark "thread" (filter thread (band (…)))`; returns the mark.
pub fn bind_threads(points: ScheduleNode, shape: &Shape) -> Result<ScheduleNode> {
    let filter = thread_filter(&points, shape)?;
    insert_mark(points.insert_filter(filter)?, mark::THREAD)
}

/// Makes isl generate one loop for each member instead of several for parts of its range, so that the body and its
/// barriers occur only once in the program.
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

/// *Rewrite:* `band (T0, …, Tn)` → `band (T0 + … + Tn) (band (T1, …, Tn))`; returns the outer band.
fn skew(band: ScheduleNode) -> Result<ScheduleNode> {
    let members = band.band_n_member()? as usize;
    let schedule = sum_in_front(band.band_get_partial_schedule()?, members)?;
    let mut flags = vec![true; members];
    flags[0] = false;
    Ok(replace_band(band, schedule, &flags)?.band_split(1)?)
}

/// Skews tiles as [`skew`] does, but of three or more members leaves out the last instead of the first. The grid is a
/// box around the tiles of a wavefront, and the steps of time, which come first, are few compared with the points of
/// space.
///
/// *Rewrite:* `band (T0, T1)` → `band (T0 + T1) (band (T1))`, and of three or more members `band (T0, …, Tn)` →
/// `band (T0 + … + Tn) (band (T0, …, T(n-1)))`; returns the outer band.
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

/// At `band (sum) (band (tiles) (band (points)))`: skews the points, binds the threads to them and inserts a barrier
/// after each step. Returns the outermost band.
fn skew_points(node: ScheduleNode, shape: &Shape) -> Result<ScheduleNode> {
    let points = make_atomic(skew(node.child(0)?.child(0)?)?)?;
    let thread = bind_threads(points.child(0)?, shape)?;
    let step = climb_to_band(crate::barrier::insert_after(thread)?)?;
    Ok(insert_mark(step, mark::TILE)?.parent()?.parent()?)
}

/// Returns the band of steps above a node, whose depth depends on how the barrier was inserted.
pub fn climb_to_band(mut node: ScheduleNode) -> Result<ScheduleNode> {
    while node.get_type()? != polyhedra::ScheduleNodeType::Band {
        node = node.parent()?;
    }
    Ok(node)
}

/// Returns the instances of block (`bx`, …) at a band of tile loops.
fn block_filter(band: &ScheduleNode, axes: &[Axis], coordinates: &[String]) -> Result<UnionSet> {
    let ties = axes.iter().zip(coordinates).map(|(axis, value)| (axis.block_parameter(), value.clone()));
    filter_by(band, ties.collect())
}

/// Returns the instances of thread (`tx`, …) at a band of point loops. Threads that only copy have none.
fn thread_filter(band: &ScheduleNode, shape: &Shape) -> Result<UnionSet> {
    let sizes = shape.axes.iter().zip(&shape.threads).enumerate();
    let ties = sizes.map(|(member, (axis, size))| (axis.thread_parameter(), format!("m{member} mod {size}")));
    let computing = shape.loading_axis().map(|axis| (axis.thread_parameter(), "0".to_owned()));
    filter_by(band, ties.chain(computing).collect())
}

/// Returns the instances at which each named parameter equals an expression in the members `m0`, `m1`, … of a band.
fn filter_by(band: &ScheduleNode, ties: Vec<(&str, String)>) -> Result<UnionSet> {
    let members = band.band_n_member()? as usize;
    let dims = polyhedra::numbered("m", members);
    let names: Vec<&str> = ties.iter().map(|(name, _)| *name).collect();
    let equations: Vec<String> = ties.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    instances_at(
        band,
        &format!("[{}] -> {{ [{}] : {} }}", names.join(", "), dims.join(", "), equations.join(" and ")),
    )
}
