//! Makes a kernel of one block that runs a sequential loop, with a barrier after each step.
//!
//! Where the iterations of a sequential loop have little parallel work each, as in a tile on the diagonal of a matrix,
//! a launch for each iteration takes longer than the work. The threads of one block can wait for each other instead.

use polyhedra::{
    ASTLoopType, MultiUnionPwAff, PwAff, Result, ScheduleNode, ScheduleNodeType, Text, UnionMap, UnionPwAff,
    UnionSet, integer, sets_of,
};
use scop::Axis;
use scop::mark::{self, statements_at};

use crate::cost::{Site, Subject};
use crate::kernel::{Made, bind_threads, block_of_threads, climb_to_band, made_of_block};
use crate::kernel_context::KernelContext;
use crate::owner::{product, written_elements};
use crate::shape::Shape;
use crate::tree::{coincident_members, insert_band, insert_mark, replace_band};

/// The most elements along a dimension for which a block has threads.
const MOST_ELEMENTS: u32 = 64;

/// The most iterations of the loop.
const MOST_STEPS: u32 = 256;

/// The threads along x, and the most along y.
const THREADS: (u32, u32) = (32, 16);

/// Makes a kernel of one block that executes the iterations of a band one after another, if the loops below it are
/// parallel and short, and the user does not ask for other sizes. The threads divide the elements that are written
/// among themselves.
///
/// ```text
/// band (k) (sequence (A, B))   →   mark "kernel_K"
///                                    context
///                                      mark "tile"
///                                        band (k, number of the child)     steps, with a barrier after each
///                                          mark "thread"
///                                            filter thread
///                                              band (element)
/// ```
pub fn one_block_in_steps(
    context: KernelContext<'_>,
    band: &ScheduleNode,
) -> Result<Option<(ScheduleNode, Made)>> {
    if band.band_n_member()? != 1 || !coincident_members(band)?.is_empty() {
        return Ok(None);
    }
    let Some(phases) = phases_below(band)? else { return Ok(None) };
    let Some(elements) = written_elements(context.model, band)? else { return Ok(None) };
    let outer = band.get_prefix_schedule_union_map()?.intersect_domain(band.get_domain()?)?;
    let Some(extents) =
        elements.iter().map(|element| extent(&outer, element)).collect::<Result<Option<Vec<_>>>>()?
    else {
        return Ok(None);
    };
    let loop_ = band.band_get_partial_schedule_union_map()?.intersect_domain(band.get_domain()?)?;
    let Some(steps) = extent(&outer, &loop_)?.filter(|steps| *steps <= MOST_STEPS) else { return Ok(None) };
    let Some(shape) = shape_for(&extents, steps * phases.len() as u32) else { return Ok(None) };
    // Other sizes can be had with a launch for each step.
    let is_as_asked = |asked: Option<&[u32]>, own: &[u32]| asked.is_none_or(|asked| asked == own);
    let (tiles, blocks) = (context.wishes.tile_sizes(context.id), context.wishes.block_sizes(context.id));
    // Block sizes are listed for all loops, also for those without threads.
    let threads = [&vec![1; shape.first][..], &shape.threads].concat();
    if !is_as_asked(tiles, &shape.tiles) || !is_as_asked(blocks, &threads) {
        return Ok(None);
    }
    let (statements, depth) = (statements_at(band)?, band.get_schedule_depth()?);

    let points = product(&elements)?;
    let members = loop_.copy()?.flat_range_product(points.copy()?)?;
    let site = Site::in_steps(band, members)?;
    let subject = Subject::new(&site, context.model, &context.pricing.places)?;

    let whole = band.get_domain()?;
    let number = number_of(&phases, &whole)?;
    let leaf = with_phases(band.copy()?.child(0)?.cut()?.parent()?, number)?.child(0)?;
    let points = MultiUnionPwAff::from_union_map(points)?.gist(whole)?;
    let points = insert_band(leaf, points, &vec![true; elements.len()])?;
    let thread = bind_threads(points, &shape)?;
    let step = climb_to_band(crate::barrier::insert_after(thread)?)?;
    let node = insert_mark(step, mark::TILE)?;
    let (node, block) = block_of_threads(node, context.id, &shape)?;
    let made = made_of_block(context.id, statements, depth, block, (shape, subject, site));
    Ok(Some((node, made)))
}

/// The instances of each child of a sequence.
type Phases = Vec<UnionSet>;

/// Returns the parts of an iteration that run one after another; nothing if one of them has a loop that is not
/// parallel. A sequence in a parallel loop becomes a sequence of loops: the iterations of that loop are independent.
fn phases_below(node: &ScheduleNode) -> Result<Option<Phases>> {
    let mut phases = Vec::new();
    for position in 0..node.n_children()? {
        let child = node.get_child(position)?;
        let inside = match child.get_type()? {
            // A filter does not count for its own domain.
            ScheduleNodeType::Filter => child.get_child(0)?,
            _ => child,
        };
        if is_parallel(&inside)? {
            phases.push(inside.get_domain()?);
            continue;
        }
        let inner = match inside.get_type()? {
            ScheduleNodeType::Sequence => phases_below(&inside)?,
            ScheduleNodeType::Band if has_only_parallel(&inside)? => phases_below(&inside)?,
            _ => None,
        };
        let Some(inner) = inner else { return Ok(None) };
        phases.extend(inner);
    }
    Ok(Some(phases))
}

fn has_only_parallel(band: &ScheduleNode) -> Result<bool> {
    Ok(coincident_members(band)?.len() == band.band_n_member()? as usize)
}

/// True if all instances of a subtree that agree in the loops around it are independent.
fn is_parallel(node: &ScheduleNode) -> Result<bool> {
    match node.get_type()? {
        ScheduleNodeType::Leaf => return Ok(true),
        ScheduleNodeType::Filter | ScheduleNodeType::Set => {}
        ScheduleNodeType::Band if has_only_parallel(node)? => {}
        _ => return Ok(false),
    }
    for position in 0..node.n_children()? {
        if !is_parallel(&node.get_child(position)?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the number of values of a function of instances that agree in others, from the least to the most; nothing if
/// it has no bound that is a constant.
fn extent(outer: &UnionMap, function: &UnionMap) -> Result<Option<u32>> {
    let at = outer.copy()?.reverse()?.apply_range(function.copy()?)?;
    let pairs = at.copy()?.reverse()?.apply_range(at)?;
    let [distances] = &sets_of(&pairs.deltas()?)?[..] else { return Ok(None) };
    let most = distances.copy()?.project_out_all_params()?.dim_max_val(0)?;
    Ok(integer(&most).ok().and_then(|most| u32::try_from(most).ok()).map(|most| most.saturating_add(1)))
}

/// Returns the shape of a block for elements with these extents.
fn shape_for(extents: &[u32], steps: u32) -> Option<Shape> {
    if extents.iter().any(|extent| *extent > MOST_ELEMENTS) {
        return None;
    }
    let (x, most) = THREADS;
    let (axes, threads) = match extents {
        [_] => (vec![Axis::X], vec![x]),
        [rows, _] => (vec![Axis::Y, Axis::X], vec![(*rows).min(most), x]),
        _ => return None,
    };
    let loops = vec![None; 1 + extents.len()];
    let tiles = [&[steps], extents].concat();
    let reasons = vec![
        "one block: a launch for each step would take longer than its work; the threads of the block wait for each \
         other"
            .to_owned(),
    ];
    Some(Shape { loops, axes, threads, tiles, first: 1, reasons, ..Shape::default() })
}

/// Returns for each of the instances the number of its part of an iteration; nothing if there is one part. Conditions
/// are only needed where a statement is in several parts.
fn number_of(phases: &Phases, whole: &UnionSet) -> Result<Option<UnionPwAff>> {
    let mut all: Option<UnionPwAff> = None;
    for (position, instances) in phases.iter().enumerate().filter(|_| phases.len() > 1) {
        let mut own = instances.copy()?.universe()?;
        for (_, other) in phases.iter().enumerate().filter(|(other, _)| *other != position) {
            let apart = other.copy()?.universe()?;
            let shared = instances.copy()?.intersect(apart.copy()?)?.gist(whole.copy()?)?;
            own = own.subtract(apart)?.union(shared)?;
        }
        let number = PwAff::parse(&format!("{{ [({position})] }}"))?;
        let own = UnionPwAff::pw_aff_on_domain(own, number)?;
        all = Some(match all {
            Some(all) => all.union_add(own)?,
            None => own,
        });
    }
    Ok(all)
}

/// *Rewrite:* `band (k)` → `band (k, number of the part)`. The loop over the parts is unrolled, so that the program has
/// no loop for them.
fn with_phases(band: ScheduleNode, number: Option<UnionPwAff>) -> Result<ScheduleNode> {
    let band = band.band_member_set_ast_loop_type(0, ASTLoopType::Atomic)?;
    let Some(number) = number else { return Ok(band) };
    let schedule = band.band_get_partial_schedule()?;
    let schedule = schedule.flat_range_product(MultiUnionPwAff::from_union_pw_aff(number)?)?;
    let band = replace_band(band, schedule, &[false, false])?.band_set_permutable(0)?;
    let band = band.band_member_set_ast_loop_type(0, ASTLoopType::Atomic)?;
    Ok(band.band_member_set_ast_loop_type(1, ASTLoopType::Unroll)?)
}
