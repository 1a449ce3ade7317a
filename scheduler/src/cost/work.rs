//! What a kernel will do, estimated from its plan: the counts that the time model prices.

use std::collections::{BTreeMap, BTreeSet};

use gpu::counts::{Instructions, Memory, Phase, Shape as LaunchShape, Waits, Work};
use gpu::place::{Uses, are_scattered, copies_pay};
use polyhedra::{
    DimType, Map, PwAff, PwQPolynomial, Result, Set, Simplify, Text, UnionMap, integer, maps_of, sets_of,
};
use scop::{Arithmetic, ArrayId, Kernel, Model, PricedArray, Statement};

use super::count::{Count, count};
use super::divided::Division;
use super::estimated::estimated;
use super::footprint::{Group, SECTOR_BYTES, WARP, groups};
use super::geometry::{Geometry, Nest};
use super::places::Places;
use super::site::Site;
use crate::shape::Shape;

/// The launches for which the size of the grid is evaluated.
const GRIDS: usize = 4;
/// The launches for which grids are compared.
const LAUNCHES: usize = 16;
/// Instructions of a division or a function of the C library.
const LIBRARY_INSTRUCTIONS: f64 = 8.0;
/// Clocks from one dependent instruction to the next.
const STEP_CLOCKS: f64 = 4.0;
/// The exchanges by which the threads of a warp combine their values, if their order is free; each takes the time of a
/// load from shared memory.
const EXCHANGES: f64 = 5.0;
/// Clocks until they have done that.
const COMBINATION_CLOCKS: f64 = 150.0;
/// The numbers that are added in order after each update of all threads.
const IN_ORDER: f64 = 32.0;
/// Clocks until they are added, and the element is loaded and stored.
const IN_ORDER_CLOCKS: f64 = 320.0;
const REGISTER_BYTES: f64 = 4.0;

/// The work of a kernel, and what it needs of each array.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Estimate {
    /// The work. Device memory is not in it.
    pub work: Work,
    /// What it needs of each array.
    pub uses: Vec<Use>,
}

/// What a kernel needs of an array, in bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Use {
    /// The array.
    pub array: ArrayId,
    /// What a launch touches.
    pub touched: f64,
    /// What leaves the L1 cache in all launches to be loaded.
    pub loaded: f64,
    /// The same of stores.
    pub stored: f64,
    /// What a tile does with elements that several threads use, if it does.
    pub shared: Option<Uses>,
}

impl Use {
    /// True if blocks have copies of some of its elements in shared memory.
    pub fn is_staged(&self) -> bool {
        self.shared.is_some_and(|uses| copies_pay(&uses))
    }

    /// Adds what other accesses need.
    fn add(&mut self, other: Self) {
        self.touched = self.touched.max(other.touched);
        self.loaded += other.loaded;
        self.stored += other.stored;
        self.shared = most_used(self.shared, other.shared);
    }
}

/// Returns those uses for which copies pay sooner.
fn most_used(one: Option<Uses>, other: Option<Uses>) -> Option<Uses> {
    let (Some(own), Some(others)) = (one, other) else { return one.or(other) };
    let rank = |uses: &Uses| (copies_pay(uses), uses.accesses as f64 / uses.elements.max(1) as f64);
    Some(if rank(&others) > rank(&own) { others } else { own })
}

/// The loops and accesses of a kernel, whatever the sizes of its tiles and blocks are.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Subject {
    parts: Vec<Part>,
    /// The number of launches.
    launches: f64,
    /// The values of the loops on the host in some of them.
    samples: Vec<Vec<i64>>,
    /// The values in more of them.
    more_samples: Vec<Vec<i64>>,
}

/// The instances of a statement in a kernel.
#[derive(Debug, Clone, PartialEq)]
struct Part {
    nest: Nest,
    groups: Vec<Group>,
    arithmetic: Arithmetic,
    accesses: f64,
    divides_loops: bool,
}

impl Subject {
    /// Describes a kernel: the instances that it executes, the loops on the host around it, and its band, if it has
    /// one. Returns nothing if it is too complicated for an estimate.
    pub fn new(site: &Site, model: &Model, places: &Places) -> Result<Option<Self>> {
        estimated(|| Self::described(site, model, places))
    }

    fn described(site: &Site, model: &Model, places: &Places) -> Result<Self> {
        let mut subject = Self::default();
        for set in sets_of(&site.instances)? {
            let Ok(id) = set.get_tuple_name()?.parse() else { continue };
            let statement = model.statement(id)?;
            let domain = set.copy()?.intersect_params(places.context.copy()?)?.project_out_all_params()?;
            if domain.is_empty()? {
                continue;
            }
            let Some(prefix) = map_of(&site.prefix, statement, &places.context)? else { continue };
            let band = match &site.band {
                Some(band) => map_of(band, statement, &places.context)?,
                None => None,
            };
            let mut division = Division::of(&domain, band.as_ref())?;
            subject.parts.push(Part {
                nest: Nest::new(&set, &domain, &prefix, band.as_ref(), &mut division)?,
                groups: groups(statement, &|array| places.bytes(array), &places.context, &division)?,
                arithmetic: Arithmetic::of(statement),
                accesses: statement.accesses.len() as f64,
                divides_loops: !division.is_empty(),
            });
        }
        let launches = launches(site, &places.context)?;
        let some = |most: usize| {
            let step = (launches.samples.len() / most).max(1);
            launches.samples.iter().skip(step / 2).step_by(step).cloned().collect()
        };
        subject.launches = launches.points;
        (subject.samples, subject.more_samples) = (some(GRIDS), some(LAUNCHES));
        Ok(subject)
    }

    /// True if a member of the band divides a loop among partial sums.
    pub fn divides_loops(&self) -> bool {
        self.parts.iter().any(|part| part.divides_loops)
    }

    /// Returns the registers that take the values which one iteration of an innermost loop loads. Statements that run
    /// much more seldom than others are outside.
    pub fn loaded_registers(&self) -> f64 {
        let most = self.parts.iter().map(|part| part.nest.instances()).fold(0.0, f64::max);
        let inside = self.parts.iter().filter(|part| 2.0 * part.nest.instances() >= most);
        let groups = inside.flat_map(|part| &part.groups);
        groups.map(|group| group.reads * group.bytes / REGISTER_BYTES).sum()
    }

    /// Returns the bytes that a tile reads of arrays that the kernel does not write.
    pub fn loaded_bytes(&self, shape: &Shape) -> f64 {
        let written = written(&self.parts);
        let of_part = |part: &Part| -> f64 {
            let geometry = part.nest.geometry(shape);
            let read = part.groups.iter().filter(|group| !group.irregular && !written.contains(&group.array));
            let elements =
                read.map(|group| (group, group.extents(&geometry.tile_spans).iter().product::<f64>()));
            elements
                .filter(|(_, elements)| *elements > 1.0)
                .map(|(group, elements)| group.bytes * elements)
                .sum()
        };
        self.parts.iter().map(of_part).sum()
    }

    /// Returns the values of the loops on the host in some launches.
    pub fn some_launches(&self) -> &[Vec<i64>] {
        &self.more_samples
    }

    /// Returns where the price of the kernel takes elements to be that several threads of a block use.
    pub fn priced_arrays(&self, shape: &Shape, places: &Places) -> Vec<PricedArray> {
        let uses = self.estimate(shape, self.mean_blocks(shape), places).uses;
        let of_array = |of_array: &Use| {
            let Uses { elements, accesses, are_written, are_scattered, .. } = of_array.shared?;
            Some(PricedArray {
                array: of_array.array,
                elements,
                accesses,
                written: are_written,
                scattered: are_scattered,
                in_shared: of_array.is_staged(),
            })
        };
        let mut priced: Vec<PricedArray> = uses.iter().filter_map(of_array).collect();
        priced.sort_by_key(|priced| priced.array);
        priced
    }

    /// Estimates the blocks of a launch from the mean length of the loops.
    pub fn mean_blocks(&self, shape: &Shape) -> f64 {
        let parallel = shape.first..shape.first + shape.threads.len();
        let blocks = |member: usize| {
            let extents = self.parts.iter().map(|part| part.nest.member_extent(member));
            (extents.fold(1.0, f64::max) / f64::from(shape.tiles[member].max(1))).ceil()
        };
        parallel.map(blocks).product()
    }

    /// Returns the mean number of blocks of a launch.
    pub fn blocks(&self, kernel: &Kernel, places: &Places) -> Result<f64> {
        let mut blocks = 0.0;
        for sample in &self.samples {
            let values: Vec<String> = sample.iter().map(ToString::to_string).collect();
            let point = Set::parse(&format!("{{ [{}] }}", values.join(", ")))?;
            if let Some(ranked) = &kernel.ranked {
                let blocks_there = PwQPolynomial::parse(&ranked.blocks.0)?
                    .intersect_params(places.context.copy()?)?
                    .intersect_domain(point)?;
                blocks += integer(&blocks_there.max()?).map_or(0.0, |blocks| blocks.max(0) as f64);
                continue;
            }
            let mut product = 1.0;
            for dimension in &kernel.grid {
                let extent = PwAff::parse(&dimension.extent.0)?
                    .intersect_params(places.context.copy()?)?
                    .intersect_domain(point.copy()?)?;
                product *= integer(&extent.max_val()?).map_or(0.0, |extent| extent.max(0) as f64);
            }
            blocks += product;
        }
        Ok(blocks / self.samples.len().max(1) as f64)
    }

    /// Estimates the work of the kernel with tiles and blocks of a shape, and so many blocks in a launch.
    pub fn estimate(&self, shape: &Shape, blocks_of_launch: f64, places: &Places) -> Estimate {
        let threads = shape.computing_threads();
        let geometries: Vec<Geometry> = self.parts.iter().map(|part| part.nest.geometry(shape)).collect();
        let written = WrittenArrays::new(&self.parts, &geometries);
        let blocks = blocks_of_launch * self.launches;
        let mut result = Estimate::default();
        let (mut phase, mut staging) = (Phase::default(), Phase::default());
        let (mut barriers, mut with_work) = (0.0_f64, 0.0_f64);
        // Statements in the same loops have their loads in flight together.
        let mut together = Waits::default();
        for (part, geometry) in self.parts.iter().zip(&geometries) {
            let own = part_work(part, geometry, shape, (self.launches, blocks, threads), &written, places);
            staging += own.staging;
            let waits = own.phase.waits;
            phase += Phase { waits: Waits::default(), ..own.phase };
            if geometry.has_own_loops {
                phase.waits += waits;
            } else {
                together = slowest(together, waits);
            }
            barriers = barriers.max(own.barriers);
            with_work = with_work.max(own.blocks_with_work);
            for own in own.uses {
                match result.uses.iter_mut().find(|known| known.array == own.array) {
                    Some(known) => known.add(own),
                    None => result.uses.push(own),
                }
            }
        }
        phase.waits += together;
        let warps = (shape.block_threads() / WARP).ceil();
        let searched = with_work.min(blocks) * warps * shape.search_instructions as f64;
        phase.instructions.integer += searched;
        phase.waits.arithmetic_clocks += STEP_CLOCKS * searched;
        let phases = if shape.ahead {
            // Those that compute never wait for those that copy the next tile, unless that takes longer.
            phase.busiest = phase.waits * (1.0 / (threads / WARP).ceil());
            vec![phase + staging]
        } else if shape.loading > 1 {
            // All warps copy, and wait for those that compute.
            phase.busiest = phase.waits * (1.0 / (threads / WARP).ceil());
            vec![staging, phase]
        } else {
            vec![phase + staging]
        };
        result.work = Work {
            shape: LaunchShape {
                launches: self.launches.round() as u64,
                blocks: blocks.round() as u64,
                blocks_with_work: with_work.min(blocks).round() as u64,
                block_threads: shape.block_threads() as u64,
                shared_bytes: 0,
                registers: None,
            },
            phases,
            barriers,
            is_estimated: true,
        };
        result
    }
}

/// Returns the waits of two statements whose loads are in flight together. Arithmetic adds up.
fn slowest(one: Waits, other: Waits) -> Waits {
    Waits {
        l1: one.l1.max(other.l1),
        l2: one.l2.max(other.l2),
        dram: one.dram.max(other.dram),
        shared: one.shared.max(other.shared),
        arithmetic_clocks: one.arithmetic_clocks + other.arithmetic_clocks,
    }
}

/// The arrays that a kernel writes.
struct WrittenArrays {
    all: BTreeSet<ArrayId>,
    /// Those whose elements belong to several threads: not all accesses move in the same way with the parallel members.
    /// No thread can keep such an element in a register.
    mixed: BTreeSet<ArrayId>,
}

fn written(parts: &[Part]) -> BTreeSet<ArrayId> {
    let groups = parts.iter().flat_map(|part| &part.groups);
    groups.filter(|group| group.writes > 0.0).map(|group| group.array).collect()
}

impl WrittenArrays {
    fn new(parts: &[Part], geometries: &[Geometry]) -> Self {
        let mut changes: BTreeMap<ArrayId, Vec<Option<Vec<Vec<f64>>>>> = BTreeMap::new();
        let all = written(parts);
        for (part, geometry) in parts.iter().zip(geometries) {
            for group in &part.groups {
                let known = changes.entry(group.array).or_default();
                let own = group.changes(geometry);
                if !known.contains(&own) {
                    known.push(own);
                }
            }
        }
        let is_mixed = |array: &&ArrayId| {
            changes.get(array).is_some_and(|changes| changes.len() > 1 || changes.contains(&None))
        };
        let mixed = all.iter().filter(is_mixed).copied().collect();
        Self { all, mixed }
    }
}

/// Returns the launches of a kernel.
fn launches(site: &Site, context: &Set) -> Result<Count> {
    let mut points: Option<Set> = None;
    for map in maps_of(&site.prefix.copy()?.intersect_domain(site.instances.copy()?)?)? {
        let range = map.range()?.intersect_params(context.copy()?)?.project_out_all_params()?;
        points = Some(match points {
            Some(others) => others.union(range)?.simplified()?,
            None => range,
        });
    }
    match points {
        Some(points) => count(&points),
        None => Ok(Count::default()),
    }
}

fn map_of(all: &UnionMap, statement: &Statement, context: &Set) -> Result<Option<Map>> {
    let name = statement.id.to_string();
    for map in maps_of(all)? {
        if map.get_tuple_name(DimType::In)? == name {
            return Ok(Some(map.intersect_params(context.copy()?)?.project_out_all_params()?));
        }
    }
    Ok(None)
}

struct PartWork {
    phase: Phase,
    /// Copies to shared memory.
    staging: Phase,
    barriers: f64,
    blocks_with_work: f64,
    uses: Vec<Use>,
}

fn part_work(
    part: &Part,
    geometry: &Geometry,
    shape: &Shape,
    (launches, blocks, threads): (f64, f64, f64),
    written: &WrittenArrays,
    places: &Places,
) -> PartWork {
    let lanes = threads.clamp(1.0, WARP);
    let loops = geometry.thread_loops.iter().chain(&geometry.register_loops);
    let per_block: f64 = loops.map(|(_, iterations)| iterations).product::<f64>() * threads;
    let is_wavefront = shape.first > 0;
    let mut work = PartWork {
        phase: Phase::default(),
        staging: Phase::default(),
        barriers: 0.0,
        blocks_with_work: (geometry.instances / per_block.max(1.0)).max(launches).min(blocks),
        uses: Vec::new(),
    };
    let executions = if is_wavefront {
        // A block goes through all steps with all of its warps, whatever they have to do.
        let points: f64 = shape.tiles.iter().map(|tile| f64::from(*tile)).product();
        let steps: f64 = shape.tiles.iter().map(|tile| f64::from(*tile) - 1.0).sum::<f64>() + 1.0;
        work.blocks_with_work = (geometry.instances / points).max(launches).min(blocks);
        work.barriers = steps * work.blocks_with_work;
        work.blocks_with_work * steps * (threads / WARP).ceil()
    } else if let Some(updates) = geometry.updates {
        geometry.instances / updates * (updates / WARP).ceil()
    } else {
        geometry.instances / lanes
    };
    let block_launches = work.blocks_with_work;
    let (mut misses, mut loads, mut stores_inside) = (0.0_f64, 0.0_f64, false);
    let mut is_staged = false;
    for group in &part.groups {
        let tile = (executions, block_launches, threads);
        let traffic = traffic(group, geometry, tile, shape.loading > 1, written);
        let requests = traffic.reads + traffic.writes;
        let of_request = group.sectors_of_request(geometry).min(lanes.max(1.0));
        let launch_bytes = group.sectors(&group.extents(&geometry.launch_spans)) * SECTOR_BYTES;
        let bytes = |requests: f64| if requests > 0.0 { traffic.sectors * SECTOR_BYTES } else { 0.0 };
        work.uses.push(Use {
            array: group.array,
            touched: launch_bytes.min(places.array_bytes(group.array)),
            loaded: bytes(traffic.reads),
            stored: bytes(traffic.writes),
            shared: traffic.shared,
        });
        stores_inside |= traffic.writes >= executions;
        if traffic.shared.is_some_and(|uses| copies_pay(&uses)) {
            is_staged = true;
            work.phase.shared_wavefronts += requests * (group.bytes / 4.0).clamp(1.0, 4.0);
            work.phase.instructions.shared += requests;
            let copies = traffic.sectors / (group.bytes * WARP / SECTOR_BYTES).max(1.0);
            work.staging.memory += memory(copies, traffic.sectors, traffic.sectors, group.bytes);
            work.staging.instructions.global += copies;
            work.staging.instructions.integer += copies * 4.0;
            work.staging.waits.l2 += copies / geometry.together;
            work.phase.waits.shared += traffic.reads / geometry.together;
        } else {
            // Stores go through the L1 cache, one by one.
            let loaded = traffic.sectors.min(traffic.reads * of_request);
            let sectors = loaded + traffic.writes * of_request;
            work.phase.memory += memory(requests, requests * of_request, sectors, group.bytes);
            work.phase.instructions.global += requests;
            loads = loads.max(traffic.reads);
            misses = misses.max(loaded / of_request);
        }
    }
    // Stores in the loop keep loads of later iterations behind them.
    let together = if stores_inside { 1.0 } else { geometry.together };
    work.phase.waits +=
        Waits { l1: (loads - misses).max(0.0) / together, l2: misses / together, ..Waits::default() };
    if is_staged && !is_wavefront {
        let each = if shape.ahead { 1.0 } else { 2.0 };
        work.barriers = work.barriers.max(each * geometry.staged_steps * block_launches);
    }
    let Arithmetic { fp32, fp64, library } = part.arithmetic;
    work.phase.instructions += Instructions {
        fp32: fp32 as f64,
        fp64: fp64 as f64,
        special: library as f64,
        integer: part.accesses + LIBRARY_INSTRUCTIONS * library as f64,
        branch: 1.0,
        ..Instructions::default()
    } * executions;
    if let Some(updates) = geometry.updates.filter(|updates| *updates > 1.0) {
        let sums = geometry.instances / updates;
        let (times, steps, clocks) = match geometry.in_order {
            true => (executions, IN_ORDER, IN_ORDER_CLOCKS),
            false => (sums, EXCHANGES, COMBINATION_CLOCKS),
        };
        let written = part.groups.iter().filter(|group| group.writes > 0.0);
        let words = written.map(|group| (group.bytes / REGISTER_BYTES).max(1.0)).fold(1.0, f64::max);
        work.phase.instructions.shared += times * steps * words;
        work.phase.shared_wavefronts += times * steps * words;
        work.phase.instructions.integer += times * steps;
        work.phase.waits.arithmetic_clocks += times * clocks;
    }
    let chain = (fp32 + fp64) as f64 + LIBRARY_INSTRUCTIONS * library as f64;
    work.phase.waits.arithmetic_clocks += executions * STEP_CLOCKS * chain.max(1.0);
    work
}

fn memory(requests: f64, touched: f64, sectors: f64, bytes: f64) -> Memory {
    let lines = if touched > requests * bytes { touched } else { requests * (bytes / 4.0).max(1.0) };
    Memory { requests, lines, touched_sectors: touched, sectors }
}

struct Traffic {
    reads: f64,
    writes: f64,
    /// The sectors that are loaded, or, of data in shared memory, that are copied in and out.
    sectors: f64,
    /// What a tile does with elements that several threads use, if it does.
    shared: Option<Uses>,
}

/// Returns what a group of accesses does: the requests that are left if a value stays in a register as long as a
/// thread's loops do not change its element, and the sectors that the blocks need.
fn traffic(
    group: &Group,
    geometry: &Geometry,
    (executions, blocks, threads): (f64, f64, f64),
    loading: bool,
    written: &WrittenArrays,
) -> Traffic {
    // The element of a shared sum is read and written once, and the warps of a block share the lines of the rest.
    if written.mixed.contains(&group.array) && geometry.updates.is_none() {
        let (reads, writes) = (group.reads * executions, group.writes * executions);
        let sectors = (reads + writes) * group.sectors_of_request(geometry);
        return Traffic { reads, writes, sectors, shared: None };
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
        return Traffic { reads, writes, sectors: (reads + writes) * WARP, shared: None };
    }
    let extents = group.extents(&geometry.tile_spans);
    let steps: f64 =
        geometry.steps.iter().filter(|(change, _)| !group.is_fixed(change)).map(|(_, steps)| steps).product();
    let sectors = group.sectors(&extents) * steps * blocks;
    let shared = shared_uses(group, geometry, (threads, loading), written.all.contains(&group.array));
    let staged = shared.is_some_and(|uses| copies_pay(&uses));
    let both = if staged && group.reads > 0.0 && group.writes > 0.0 { 2.0 } else { 1.0 };
    Traffic { reads, writes, sectors: sectors * both, shared }
}

/// Returns what a full tile does with the elements of a group, if several threads of its block use the same one, or if
/// some threads only load for others.
fn shared_uses(
    group: &Group,
    geometry: &Geometry,
    (threads, loading): (f64, bool),
    are_written: bool,
) -> Option<Uses> {
    let staged = &geometry.staged;
    let elements: f64 = group.extents(&staged.spans).iter().product();
    let of_thread: f64 = group.extents(&staged.thread_spans).iter().product();
    let are_shared = threads * of_thread > elements;
    let for_others = loading && !are_written;
    // Of what a kernel with a shared sum writes, each thread has a sum of its own.
    let stays_in_register = match are_written {
        true => geometry.updates.is_some(),
        false => group.is_operand(geometry),
    };
    let has_box = staged.unbounded.iter().all(|change| group.is_fixed(change));
    let is_candidate = (for_others || are_shared) && !stays_in_register;
    if group.irregular || group.subscripts.is_empty() || !has_box || !is_candidate {
        return None;
    }
    Some(Uses {
        elements: elements.round() as u64,
        accesses: ((group.reads + group.writes) * staged.points).round() as u64,
        are_shared,
        for_others,
        are_written,
        are_scattered: are_scattered(group.sectors_of_request(geometry), group.bytes * WARP / SECTOR_BYTES),
    })
}
