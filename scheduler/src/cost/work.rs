//! What a kernel will do, estimated from its plan: the counts that the time model prices.

use std::collections::{BTreeMap, BTreeSet};

use gpu::counts::{Instructions, Memory, Phase, Shape as LaunchShape, Waits, Work};
use polyhedra::{Map, PwAff, Result, Set, Text, integer, maps_of, sets_of};
use scop::{Arithmetic, ArrayId, Kernel, Model, Statement};

use super::Places;
use super::count::count;
use super::footprint::{Group, SECTOR_BYTES, WARP, groups};
use super::geometry::Geometry;
use super::site::Site;
use crate::shape::Shape;

/// The launches for which the size of the grid is evaluated.
const GRIDS: usize = 4;
/// Instructions of a division or a function of the C library.
const LIBRARY_INSTRUCTIONS: f64 = 8.0;
/// Clocks from one dependent instruction to the next.
const STEP_CLOCKS: f64 = 4.0;
/// Of data that are used this often in a block, copies are put into shared memory.
const STAGED_REUSE: f64 = 2.0;

/// A kernel whose work is estimated.
pub struct Plan<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The shape of its band.
    pub shape: &'a Shape,
    /// The schedule of its band before tiling; nothing for a kernel of one thread.
    pub band: Option<&'a polyhedra::UnionMap>,
    /// Its place in the tree.
    pub site: &'a Site,
}

/// The work of a kernel, and what it needs of each array.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Estimate {
    /// The work. Device memory is not in it.
    pub work: Work,
    /// The arrays, with the bytes that a launch touches and the bytes that leave the L1 cache in all launches.
    pub arrays: Vec<(ArrayId, f64, f64)>,
}

/// Estimates the work of a kernel.
pub fn estimate(plan: &Plan<'_>, model: &Model, places: &Places) -> Result<Estimate> {
    let (launches, grid) = launches_and_blocks(plan, &places.context)?;
    let threads: f64 = plan.kernel.block.iter().map(|block| f64::from(block.size)).product();
    let mut parts = Vec::new();
    for set in sets_of(&plan.site.instances)? {
        let Ok(id) = set.get_tuple_name()?.parse() else { continue };
        let statement = model.statement(id)?;
        let domain = set.intersect_params(places.context.copy()?)?.project_out_all_params()?;
        if domain.is_empty()? {
            continue;
        }
        let prefix = map_of(&plan.site.prefix, &statement.id.to_string(), &places.context)?;
        let band = match plan.band {
            Some(band) => map_of(band, &statement.id.to_string(), &places.context)?,
            None => None,
        };
        let Some(prefix) = prefix else { continue };
        let geometry = Geometry::new(&domain, &prefix, band.as_ref(), plan.shape)?;
        let groups = groups(statement, &|array| places.bytes(array), &places.context)?;
        parts.push(Part { statement, geometry, groups });
    }
    let shared = shared_arrays(&parts);
    let mut result = Estimate::default();
    let mut phase = Phase::default();
    let (mut barriers, mut with_work) = (0.0_f64, 0.0_f64);
    for part in &parts {
        let own = part_work(part, plan.shape, (launches, grid * launches, threads), &shared, places);
        phase += own.phase;
        barriers = barriers.max(own.barriers);
        with_work = with_work.max(own.blocks_with_work);
        for (array, launch, all) in own.arrays {
            match result.arrays.iter_mut().find(|(known, ..)| *known == array) {
                Some((_, known_launch, known_all)) => {
                    *known_launch = known_launch.max(launch);
                    *known_all += all;
                }
                None => result.arrays.push((array, launch, all)),
            }
        }
    }
    let blocks = grid * launches;
    result.work = Work {
        shape: LaunchShape {
            launches: launches.round() as u64,
            blocks: blocks.round() as u64,
            blocks_with_work: with_work.min(blocks).round() as u64,
            block_threads: threads as u64,
            shared_bytes: 0,
            registers: None,
        },
        phases: vec![phase],
        barriers,
        is_estimated: true,
    };
    Ok(result)
}

/// The instances of a statement in a kernel.
struct Part<'a> {
    statement: &'a Statement,
    geometry: Geometry,
    groups: Vec<Group>,
}

/// Returns the arrays that a kernel writes and whose elements belong to several threads: not all accesses move in the same
/// way with the parallel members. No thread can keep such an element in a register.
fn shared_arrays(parts: &[Part<'_>]) -> BTreeSet<ArrayId> {
    let mut changes: BTreeMap<ArrayId, Vec<Option<Vec<Vec<f64>>>>> = BTreeMap::new();
    let mut written = BTreeSet::new();
    for Part { geometry, groups, .. } in parts {
        for group in groups {
            let known = changes.entry(group.array).or_default();
            let own = group.changes(geometry);
            if !known.contains(&own) {
                known.push(own);
            }
            if group.writes > 0.0 {
                written.insert(group.array);
            }
        }
    }
    let is_shared = |array: &ArrayId| {
        changes.get(array).is_some_and(|changes| changes.len() > 1 || changes.contains(&None))
    };
    written.into_iter().filter(is_shared).collect()
}

/// Returns the number of launches, and the mean number of blocks in each of them.
fn launches_and_blocks(plan: &Plan<'_>, context: &Set) -> Result<(f64, f64)> {
    let mut points: Option<Set> = None;
    for map in maps_of(&plan.site.prefix.copy()?.intersect_domain(plan.site.instances.copy()?)?)? {
        let range = map.range()?.intersect_params(context.copy()?)?.project_out_all_params()?;
        points = Some(match points {
            Some(others) => others.union(range)?.coalesce()?,
            None => range,
        });
    }
    let Some(points) = points else { return Ok((0.0, 0.0)) };
    let counted = count(&points)?;
    let step = (counted.samples.len() / GRIDS).max(1);
    let samples: Vec<_> = counted.samples.iter().skip(step / 2).step_by(step).collect();
    let mut blocks = 0.0;
    for sample in &samples {
        let values: Vec<String> = sample.iter().map(ToString::to_string).collect();
        let point = Set::parse(&format!("{{ [{}] }}", values.join(", ")))?;
        let mut product = 1.0;
        for dimension in &plan.kernel.grid {
            let extent = PwAff::parse(&dimension.extent.0)?
                .intersect_params(context.copy()?)?
                .intersect_domain(point.copy()?)?;
            product *= integer(&extent.max_val()?).map_or(0.0, |extent| extent.max(0) as f64);
        }
        blocks += product;
    }
    Ok((counted.points, blocks / samples.len().max(1) as f64))
}

fn map_of(all: &polyhedra::UnionMap, statement: &str, context: &Set) -> Result<Option<Map>> {
    for map in maps_of(all)? {
        if map.get_tuple_name(polyhedra::DimType::In)? == statement {
            return Ok(Some(map.intersect_params(context.copy()?)?.project_out_all_params()?));
        }
    }
    Ok(None)
}

struct PartWork {
    phase: Phase,
    barriers: f64,
    blocks_with_work: f64,
    arrays: Vec<(ArrayId, f64, f64)>,
}

fn part_work(
    Part { statement, geometry, groups }: &Part<'_>,
    shape: &Shape,
    (launches, blocks, threads): (f64, f64, f64),
    shared: &BTreeSet<ArrayId>,
    places: &Places,
) -> PartWork {
    let lanes = threads.clamp(1.0, WARP);
    let loops = geometry.thread_loops.iter().chain(&geometry.register_loops);
    let per_block: f64 = loops.map(|(_, iterations)| iterations).product::<f64>() * threads;
    let is_wavefront = shape.first > 0;
    let mut work = PartWork {
        phase: Phase::default(),
        barriers: 0.0,
        blocks_with_work: (geometry.instances / per_block.max(1.0)).max(launches).min(blocks),
        arrays: Vec::new(),
    };
    let executions = if is_wavefront {
        // A block goes through all steps with all of its warps, whatever they have to do.
        let points: f64 = shape.tiles.iter().map(|tile| f64::from(*tile)).product();
        let steps: f64 = shape.tiles.iter().map(|tile| f64::from(*tile) - 1.0).sum::<f64>() + 1.0;
        work.blocks_with_work = (geometry.instances / points).max(launches).min(blocks);
        work.barriers = steps * work.blocks_with_work;
        work.blocks_with_work * steps * (threads / WARP).ceil()
    } else {
        geometry.instances / lanes
    };
    let block_launches = work.blocks_with_work;
    let (mut misses, mut loads) = (0.0_f64, 0.0_f64);
    let mut is_staged = false;
    for group in groups {
        let traffic = traffic(group, geometry, executions, block_launches, shared.contains(&group.array));
        let requests = traffic.reads + traffic.writes;
        let of_request = group.sectors_of_request(geometry).min(lanes.max(1.0));
        let launch_bytes = group.sectors(&group.extents(&geometry.launch_spans)) * SECTOR_BYTES;
        work.arrays.push((
            group.array,
            launch_bytes.min(places.array_bytes(group.array)),
            traffic.sectors * SECTOR_BYTES,
        ));
        if traffic.staged {
            is_staged = true;
            work.phase.shared_wavefronts += requests * (group.bytes / 4.0).clamp(1.0, 4.0);
            work.phase.instructions.shared += requests;
            let copies = traffic.sectors / (group.bytes * WARP / SECTOR_BYTES).max(1.0);
            work.phase.memory += memory(copies, traffic.sectors, traffic.sectors, group.bytes);
            work.phase.instructions.global += copies;
            work.phase.instructions.integer += copies * 4.0;
            work.phase.waits.l2 += copies;
            work.phase.waits.shared += traffic.reads;
        } else {
            let touched = requests * of_request;
            work.phase.memory += memory(requests, touched, traffic.sectors.min(touched), group.bytes);
            work.phase.instructions.global += requests;
            loads = loads.max(traffic.reads);
            misses = misses.max((traffic.sectors / of_request).min(traffic.reads));
        }
    }
    work.phase.waits += Waits { l1: (loads - misses).max(0.0), l2: misses, ..Waits::default() };
    if is_staged && !is_wavefront {
        let steps: f64 = geometry.steps.iter().map(|(_, steps)| steps).product();
        work.barriers = work.barriers.max(2.0 * steps * block_launches);
    }
    let Arithmetic { fp32, fp64, library } = Arithmetic::of(statement);
    let accesses = statement.accesses.len() as f64;
    work.phase.instructions += Instructions {
        fp32: fp32 as f64,
        fp64: fp64 as f64,
        special: library as f64,
        integer: accesses + LIBRARY_INSTRUCTIONS * library as f64,
        branch: 1.0,
        ..Instructions::default()
    } * executions;
    let chain = (fp32 + fp64) as f64 + LIBRARY_INSTRUCTIONS * library as f64;
    work.phase.waits.arithmetic_clocks = executions * STEP_CLOCKS * chain.max(1.0);
    work
}

fn memory(requests: f64, touched: f64, sectors: f64, bytes: f64) -> Memory {
    let lines = if touched > requests * bytes { touched } else { requests * (bytes / 4.0).max(1.0) };
    Memory { requests, lines, touched_sectors: touched, sectors }
}

struct Traffic {
    reads: f64,
    writes: f64,
    sectors: f64,
    staged: bool,
}

/// Returns what a group of accesses does: the requests that are left if a value stays in a register as long as a
/// thread's loops do not change its element, and the sectors that the blocks need.
fn traffic(group: &Group, geometry: &Geometry, executions: f64, blocks: f64, is_shared: bool) -> Traffic {
    if is_shared {
        let (reads, writes) = (group.reads * executions, group.writes * executions);
        let sectors = (reads + writes) * group.sectors_of_request(geometry);
        return Traffic { reads, writes, sectors, staged: false };
    }
    let in_registers = geometry.register_loops.iter().filter(|(change, _)| group.is_fixed(change));
    let mut kept: f64 = in_registers.map(|(_, points)| points).product();
    for (change, iterations) in geometry.thread_loops.iter().rev() {
        if !group.is_fixed(change) {
            break;
        }
        kept *= iterations;
    }
    let (reads, writes) = (group.reads * executions / kept, group.writes * executions / kept);
    if group.irregular {
        return Traffic { reads, writes, sectors: (reads + writes) * WARP, staged: false };
    }
    let extents = group.extents(&geometry.tile_spans);
    let steps: f64 =
        geometry.steps.iter().filter(|(change, _)| !group.is_fixed(change)).map(|(_, steps)| steps).product();
    let sectors = group.sectors(&extents) * steps * blocks;
    let elements = extents.iter().product::<f64>() * steps * blocks;
    let uses = (reads + writes) * WARP;
    let changes_in_block = !group.is_fixed(&geometry.lane) || geometry.parallel_points > WARP;
    let staged = changes_in_block && !group.subscripts.is_empty() && uses >= STAGED_REUSE * elements;
    let both = if group.reads > 0.0 && group.writes > 0.0 { 2.0 } else { 1.0 };
    Traffic { reads, writes, sectors: sectors * both, staged }
}
