//! What a kernel will do, estimated from its plan: the counts that the time model prices.

use std::collections::{BTreeMap, BTreeSet};

use gpu::counts::Work;
use gpu::place::{Uses, are_scattered, copies_pay};
use gpu::target::Rates;
use polyhedra::{
    DimType, Map, PwAff, PwQPolynomial, Result, Set, Simplify, Text, UnionMap, integer, maps_of, sets_of,
};
use scop::{
    AccessId, Arithmetic, ArrayId, Kernel, Model, Operation, Passing, PricedArray, Statement, carried,
    ways_to_result,
};

use super::blocks::Blocks;
use super::count::{Count, count};
use super::divided::Division;
use super::estimated::estimated;
use super::footprint::{Group, SECTOR_BYTES, WARP, groups};
use super::geometry::{Geometry, InnermostLoop, Nest};
use super::linear::Row;
use super::lines::{Access, Estimated, Innermost, Launched, Lines};
use super::places::Places;
use super::site::Site;
use crate::shape::Shape;

/// The launches for which the size of the grid is evaluated.
const GRIDS: usize = 8;
/// The launches for which grids are compared.
const LAUNCHES: usize = 16;
/// The steps by which the threads of a warp combine their values, if their order is free: sums and exchanges.
const EXCHANGES: f64 = 5.0;
/// The numbers that are added in order after each update of all threads.
const IN_ORDER: f64 = 32.0;
const REGISTER_BYTES: f64 = 4.0;

/// The work of a kernel, and what it needs of each array.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Estimate {
    /// What its lines do.
    pub lines: Lines,
    /// How it is launched.
    pub launched: Launched,
    /// What it needs of each array.
    pub uses: Vec<Use>,
}

impl Estimate {
    /// Returns the work, given the shares of the bytes of arrays, read and written, that device memory moves.
    pub fn work(&self, shares: &BTreeMap<ArrayId, [f64; 2]>, rates: &Rates) -> Work {
        gpu::counts::work(&self.lines.kernel(shares, self.launched), None, rates)
    }
}

/// What a kernel needs of an array.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Use {
    /// The array.
    pub array: ArrayId,
    /// The bytes that all launches touch.
    pub touched: f64,
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
    operations: Vec<Computed>,
    /// For each group that is read, the operations from there to what the statement stores.
    ways: Vec<(usize, Arithmetic)>,
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
            let blocks = Blocks::of(&prefix)?;
            let of_function = |function: Map| match &blocks {
                Some(blocks) => blocks.of_function(function),
                None => Ok(function),
            };
            let band = match &site.band {
                Some(band) => map_of(band, statement, &places.context)?,
                None => None,
            };
            let band = band.map(of_function).transpose()?;
            let (set, domain, prefix) = match &blocks {
                Some(blocks) => (blocks.of_set(set)?, blocks.of_set(domain)?, blocks.of_prefix(prefix)?),
                None => (set, domain, prefix),
            };
            let mut division = Division::of(&domain, band.as_ref())?;
            let nest = Nest::new(&set, &domain, &prefix, band.as_ref(), &mut division)?;
            let subscripts = |access: &scop::Access| {
                let relation = Map::parse(&access.relation.0)?.intersect_params(places.context.copy()?)?;
                of_function(relation.project_out_all_params()?)
            };
            let (groups, group_of) = groups(statement, &|array| places.bytes(array), &subscripts, &division)?;
            subject.parts.push(Part {
                nest,
                groups,
                operations: operations(statement, &group_of),
                ways: ways(statement, &group_of),
                divides_loops: !division.is_empty(),
            });
        }
        let launches = launches(site, &places.context)?;
        let some = |samples: &[Vec<i64>], most: usize| {
            let step = (samples.len() / most).max(1);
            samples.iter().skip(step / 2).step_by(step).cloned().collect()
        };
        let mut sorted = launches.samples.clone();
        sorted.sort_unstable();
        subject.launches = launches.points;
        subject.samples = some(&sorted, GRIDS);
        subject.more_samples = some(&launches.samples, LAUNCHES);
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
        let ranked = match &kernel.ranked {
            Some(ranked) => {
                Some(PwQPolynomial::parse(&ranked.blocks.0)?.intersect_params(places.context.copy()?)?)
            }
            None => None,
        };
        let mut extents = Vec::new();
        for dimension in &kernel.grid {
            extents.push(PwAff::parse(&dimension.extent.0)?.intersect_params(places.context.copy()?)?);
        }
        let mut blocks = 0.0;
        for sample in &self.samples {
            let values: Vec<String> = sample.iter().map(ToString::to_string).collect();
            let point = Set::parse(&format!("{{ [{}] }}", values.join(", ")))?;
            if let Some(ranked) = &ranked {
                let blocks_there = ranked.copy()?.intersect_domain(point)?;
                blocks += integer(&blocks_there.max()?).map_or(0.0, |blocks| blocks.max(0) as f64);
                continue;
            }
            let mut product = 1.0;
            for extent in &extents {
                let extent = extent.copy()?.intersect_domain(point.copy()?)?;
                product *= integer(&extent.max_val()?).map_or(0.0, |extent| extent.max(0) as f64);
            }
            blocks += product;
        }
        Ok(blocks / self.samples.len().max(1) as f64)
    }

    /// Estimates the work of the kernel with tiles and blocks of a shape, and so many blocks in a launch.
    pub fn estimate(&self, shape: &Shape, blocks_of_launch: f64, places: &Places) -> Estimate {
        self.estimate_with(shape, (blocks_of_launch, blocks_of_launch), places)
    }

    /// Estimates the work if so many blocks are in a launch, of which at most so many have work.
    pub fn estimate_with(&self, shape: &Shape, blocks_of_launch: (f64, f64), places: &Places) -> Estimate {
        let geometries: Vec<Geometry> = self.parts.iter().map(|part| part.nest.geometry(shape)).collect();
        let written = WrittenArrays::new(&self.parts, &geometries);
        let [blocks, most] = [blocks_of_launch.0, blocks_of_launch.1].map(|blocks| blocks * self.launches);
        let mut result = Estimate::default();
        let mut known = Known::new(&self.parts, &geometries, &written);
        let together = geometries.iter().filter(|geometry| !geometry.has_own_loops);
        let most_instances = together.map(|geometry| geometry.instances).fold(0.0, f64::max);
        let (mut barriers, mut with_work) = (0.0_f64, 0.0_f64);
        // Statements without loops of their own are in the same loops, unless they run much more seldom.
        let innermost = |(number, geometry): (usize, &Geometry)| match geometry.has_own_loops {
            true => Some(1 + number as u64),
            false => (2.0 * geometry.instances >= most_instances).then_some(0),
        };
        let innermost: Vec<Option<u64>> = geometries.iter().enumerate().map(innermost).collect();
        let carried = carried_in_loops(&self.parts, &geometries, &innermost);
        for (number, (part, geometry)) in self.parts.iter().zip(&geometries).enumerate() {
            let (innermost, carried) = (innermost[number], carried[number]);
            let kernel =
                KernelPart { shape, launches: self.launches, most, written: &written, innermost, carried };
            let own = part_work(part, geometry, &kernel, places, (&mut known, &mut result));
            barriers = barriers.max(own.barriers);
            with_work = with_work.max(own.blocks_with_work);
        }
        let with_work = with_work.min(most);
        if shape.search_instructions > 0 {
            let warps = with_work * (shape.block_threads() / WARP).ceil();
            let integer = warps * shape.search_instructions as f64;
            result.lines.add(&Estimated { executions: warps, integer, ..Estimated::default() });
        }
        result.lines.add_barriers(barriers);
        result.launched = Launched {
            launches: self.launches,
            blocks,
            blocks_with_work: with_work,
            threads: shape.block_threads() as u64,
            copies_ahead: shape.ahead,
            ..result.launched
        };
        result
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
        let mut changes: BTreeMap<ArrayId, Vec<Changes>> = BTreeMap::new();
        let all = written(parts);
        for (part, geometry) in parts.iter().zip(geometries) {
            for group in &part.groups {
                let known = changes.entry(group.array).or_default();
                let own = group.changes(geometry);
                if !known.iter().any(|known| agree(known, &own)) {
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

    /// True if other threads access the elements of a group. The element of a shared sum is read and written once.
    fn is_mixed(&self, group: &Group, geometry: &Geometry) -> bool {
        let is_sum = geometry.updates.is_some_and(|updates| updates > 1.0) && group.writes > 0.0;
        self.mixed.contains(&group.array) && !is_sum
    }
}

/// How an element changes with each parallel member.
type Changes = Option<Vec<Option<Vec<f64>>>>;

/// True if two accesses of different statements move alike with the members along which both move.
fn agree(one: &Changes, other: &Changes) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return one == other };
    one.iter().zip(other).all(|(one, other)| one.is_none() || other.is_none() || one == other)
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

/// What is known of a kernel when a part of it is estimated.
struct KernelPart<'a> {
    shape: &'a Shape,
    launches: f64,
    /// The most blocks with work.
    most: f64,
    written: &'a WrittenArrays,
    /// The number of the innermost loop, if the statement is in one.
    innermost: Option<u64>,
    /// The operations that wait for the iteration before.
    carried: Arithmetic,
}

/// What statements that were estimated before leave for others.
struct Known {
    /// The innermost loop around the last statement.
    innermost: Option<u64>,
    /// The values that it has in registers.
    loaded: Vec<(ArrayId, Vec<Row>)>,
    /// What is copied to shared memory.
    staged: Vec<(ArrayId, Vec<Row>)>,
    /// The arrays of which a thread keeps an element in a register through loops.
    in_registers: BTreeMap<ArrayId, InRegister>,
}

/// An element that a thread keeps in a register while loops run.
struct InRegister {
    /// True if a statement sets it before it is read.
    is_set: bool,
    is_loaded: bool,
    is_stored: bool,
}

impl InRegister {
    /// Leaves of the accesses of a statement what is not done in a register: one load in front of the loops, and one
    /// store after them. Statements without loops, such as the one that sets a sum to zero, have the value in it.
    fn of_loops(&mut self, traffic: &mut Traffic) {
        if traffic.kept <= 1.0 || self.is_set || self.is_loaded {
            traffic.reads = 0.0;
        }
        if traffic.kept <= 1.0 || self.is_stored {
            traffic.writes = 0.0;
        }
        self.is_loaded |= traffic.reads > 0.0;
        self.is_stored |= traffic.writes > 0.0;
    }
}

impl Known {
    fn new(parts: &[Part], geometries: &[Geometry], written: &WrittenArrays) -> Self {
        let mut in_registers: BTreeMap<ArrayId, InRegister> = BTreeMap::new();
        let groups = || {
            let all = parts.iter().zip(geometries);
            all.flat_map(|(part, geometry)| part.groups.iter().map(move |group| (group, geometry)))
        };
        for (group, geometry) in groups().filter(|(group, _)| written.all.contains(&group.array)) {
            if kept(group, geometry, written) > 1.0 {
                let new = InRegister { is_set: false, is_loaded: false, is_stored: false };
                in_registers.entry(group.array).or_insert(new);
            }
        }
        for (group, geometry) in groups() {
            if let Some(own) = in_registers.get_mut(&group.array) {
                own.is_set |= group.reads == 0.0 && kept(group, geometry, written) <= 1.0;
            }
        }
        Self { innermost: None, loaded: Vec::new(), staged: Vec::new(), in_registers }
    }

    /// True if what a group reads is not copied to shared memory yet. From now on it is.
    fn stage(&mut self, group: &Group) -> bool {
        let is_new = !self
            .staged
            .iter()
            .any(|(array, subscripts)| *array == group.array && group.subscripts == *subscripts);
        if is_new {
            self.staged.push((group.array, group.subscripts.clone()));
        }
        is_new
    }

    /// Comes to a statement in a loop.
    fn enter(&mut self, innermost: Option<u64>) {
        if self.innermost != innermost {
            self.loaded.clear();
            self.innermost = innermost;
        }
    }

    /// True if what a group reads is in a register: another statement of the same iteration has loaded or stored it.
    fn has(&self, group: &Group) -> bool {
        self.loaded.iter().any(|(array, element)| *array == group.array && group.is_one(element))
    }

    /// After a statement, what it has loaded is known, unless it stores to memory, which may have changed all else.
    fn load_and_store(&mut self, groups: &[Group], shares_sum: bool) {
        let stores = |group: &Group| {
            group.writes > 0.0 && !shares_sum && !self.in_registers.contains_key(&group.array)
        };
        let stores_any = groups.iter().any(stores);
        let known = groups.iter().filter(|group| !stores_any || stores(group));
        let known: Vec<_> = known.map(|group| (group.array, group.subscripts.clone())).collect();
        if stores_any {
            self.loaded.clear();
        }
        self.loaded.extend(known);
    }
}

struct PartWork {
    barriers: f64,
    blocks_with_work: f64,
}

/// Adds the lines of a statement and of its copies, and what it needs of arrays.
fn part_work(
    part: &Part,
    geometry: &Geometry,
    kernel: &KernelPart<'_>,
    places: &Places,
    (known, result): (&mut Known, &mut Estimate),
) -> PartWork {
    let KernelPart { shape, launches, most, written, innermost: innermost_number, carried } = *kernel;
    let threads = shape.computing_threads();
    let lanes = threads.clamp(1.0, WARP);
    // Of the threads that share a sum, one executes the other statements.
    let is_sum = geometry.updates.is_none_or(|updates| updates > 1.0);
    let computing = if is_sum { threads } else { threads / f64::from(shape.sum_threads()) };
    let per_block = geometry.of_thread * computing;
    let has_steps = shape.first > 0;
    let mut work = PartWork {
        barriers: 0.0,
        blocks_with_work: (geometry.instances / per_block.max(1.0)).max(launches).min(most),
    };
    let executions = if shape.skewed {
        let steps: f64 = shape.tiles.iter().map(|tile| f64::from(*tile) - 1.0).sum::<f64>() + 1.0;
        work.blocks_with_work = geometry.tiles.max(launches).min(most);
        work.barriers = steps * work.blocks_with_work;
        // A warp works in those steps in which one of its lanes does.
        let sequential: f64 = shape.tiles[..shape.first].iter().map(|tile| f64::from(*tile)).product();
        let active = (sequential + geometry.lanes.along_x + geometry.lanes.rows - 2.0).min(steps);
        work.blocks_with_work * active * (threads / WARP).ceil()
    } else if has_steps {
        work.blocks_with_work = geometry.tiles.max(launches).min(most);
        let steps: f64 = shape.tiles[..shape.first].iter().map(|tile| f64::from(*tile)).product();
        work.barriers = steps * work.blocks_with_work;
        geometry.instances / lanes
    } else if let Some(updates) = geometry.updates {
        geometry.instances / updates * (updates / WARP).ceil()
    } else {
        geometry.instances / lanes
    };
    // Of threads that help others to load, none executes statements.
    let busiest = (shape.loading > 1).then(|| 1.0 / (threads / WARP).ceil());
    let innermost = innermost_number.zip(geometry.innermost.as_ref());
    let innermost = innermost.map(|(number, InnermostLoop { iterations, factor, .. })| Innermost {
        number,
        iterations: *iterations,
        factor: *factor,
    });
    let mut line = Estimated {
        executions,
        operations: arithmetic(part, geometry, written),
        carried: [carried.fp32, carried.fp64, carried.library].map(|operations| operations as f64),
        busiest,
        innermost,
        ..Estimated::default()
    };
    let mut is_staged = false;
    known.enter(innermost_number);
    for group in &part.groups {
        let tile = (executions, work.blocks_with_work, threads);
        let mut traffic = traffic((group, &part.groups), geometry, tile, shape.loading > 1, written);
        let own = Use {
            array: group.array,
            touched: touched_bytes(group, geometry).min(places.array_bytes(group.array)),
            shared: traffic.shared,
        };
        match result.uses.iter_mut().find(|known| known.array == own.array) {
            Some(known) => known.add(own),
            None => result.uses.push(own),
        }
        if traffic.shared.is_some_and(|uses| copies_pay(&uses)) {
            is_staged = true;
            if known.has(group) {
                traffic.reads = 0.0;
            }
            let wavefronts = group.wavefronts_of_request(geometry);
            for (of_kind, requests) in line.shared.iter_mut().zip([traffic.reads, traffic.writes]) {
                of_kind.0 += requests;
                of_kind.1 += requests * wavefronts;
            }
            if known.stage(group) {
                copies(group, &traffic, shape, &mut result.lines);
                let tiles = if shape.ahead { 2.0 } else { 1.0 };
                result.launched.shared_bytes +=
                    tiles * group.bytes * traffic.shared.map_or(0, |uses| uses.elements) as f64;
            }
        } else {
            if known.has(group) {
                traffic.reads = 0.0;
            }
            if !written.is_mixed(group, geometry)
                && let Some(values) = known.in_registers.get_mut(&group.array)
            {
                values.of_loops(&mut traffic);
            }
            let accesses = accesses(group, &traffic, geometry, lanes);
            if traffic.kept > 1.0 {
                // A value in a register has lines of its own, in front of the loops and after them.
                for access in accesses {
                    let executions = access.requests;
                    let global = vec![access];
                    result.lines.add(&Estimated { executions, global, busiest, ..Estimated::default() });
                }
            } else {
                line.global.extend(accesses);
            }
        }
    }
    known.load_and_store(&part.groups, geometry.updates.is_some());
    result.lines.add(&line);
    if is_staged && !has_steps {
        // Threads wait for the copies, and before the next copies for each other.
        let each = if shape.ahead { 1.0 } else { 2.0 };
        let times = if geometry.staged_steps > 1.0 { each * geometry.staged_steps } else { 1.0 };
        work.barriers = work.barriers.max(times * work.blocks_with_work);
    }
    if let Some(updates) = geometry.updates.filter(|updates| *updates > 1.0) {
        combine(part, geometry, (executions, updates), result);
    }
    work
}

/// Returns the bytes that a group of accesses touches in all launches: no more than those of a box, and no more than it
/// has different values of the iterators that select an element.
fn touched_bytes(group: &Group, geometry: &Geometry) -> f64 {
    let of_box = group.sectors(&group.extents(&geometry.all_spans)) * SECTOR_BYTES;
    let accesses = 1.0 + group.spread.iter().sum::<f64>();
    match geometry.prefixes.get(group.selecting_iterators()) {
        Some(points) if !group.irregular => of_box.min(points * accesses * group.bytes),
        _ => of_box,
    }
}

/// An operation of a statement: what it counts as, and the groups of accesses that it depends on; nothing if it depends
/// on other values as well.
#[derive(Debug, Clone, PartialEq)]
struct Computed {
    arithmetic: Arithmetic,
    groups: Option<Vec<usize>>,
}

fn operations(statement: &Statement, group_of: &BTreeMap<AccessId, usize>) -> Vec<Computed> {
    let computed = |Operation { arithmetic, reads }| {
        let groups = reads.and_then(|reads: Vec<AccessId>| {
            reads.iter().map(|read| group_of.get(read).copied()).collect::<Option<Vec<usize>>>()
        });
        Computed { arithmetic, groups }
    };
    Arithmetic::operations(statement).into_iter().map(computed).collect()
}

fn ways(statement: &Statement, group_of: &BTreeMap<AccessId, usize>) -> Vec<(usize, Arithmetic)> {
    let ways = ways_to_result(statement).into_iter();
    ways.filter_map(|(access, way)| Some((*group_of.get(&access)?, way))).collect()
}

/// Returns for each part of a kernel the operations that wait, in its innermost loop, for the iteration before. Parts
/// with the same number of an innermost loop are in the same one.
fn carried_in_loops(parts: &[Part], geometries: &[Geometry], innermost: &[Option<u64>]) -> Vec<Arithmetic> {
    let passing = |part: &Part, geometry: &Geometry| {
        let is_same = |group: &Group| {
            geometry.innermost.as_ref().is_some_and(|innermost| group.is_fixed(&innermost.change))
        };
        let reads = part.ways.iter().map(|(group, way)| (&part.groups[*group], way));
        let writes = part.groups.iter().filter(|group| group.writes > 0.0 && is_same(group));
        Passing {
            reads: reads
                .filter(|(group, _)| is_same(group))
                .map(|(group, way)| (group.array, *way))
                .collect(),
            writes: writes.map(|group| group.array).collect(),
        }
    };
    let mut all = vec![Arithmetic::default(); parts.len()];
    let numbers: BTreeSet<u64> = innermost.iter().copied().flatten().collect();
    for number in numbers {
        let own: Vec<usize> = (0..parts.len()).filter(|&part| innermost[part] == Some(number)).collect();
        let body: Vec<Passing> = own.iter().map(|&part| passing(&parts[part], &geometries[part])).collect();
        for (part, carried) in own.into_iter().zip(carried(&body)) {
            all[part] = carried;
        }
    }
    all
}

/// Returns the mean arithmetic of an execution: single and double precision, and the library. The loops over the points
/// of a register tile are unrolled, and what has the same operands in several of them is computed once.
fn arithmetic(part: &Part, geometry: &Geometry, written: &WrittenArrays) -> [f64; 3] {
    let mut all = [0.0; 3];
    for Computed { arithmetic, groups } in &part.operations {
        let groups: Option<Vec<&Group>> =
            groups.as_ref().map(|groups| groups.iter().map(|group| &part.groups[*group]).collect());
        let is_fixed = |change: &[f64]| {
            groups.as_ref().is_some_and(|groups| {
                groups.iter().all(|group| !written.all.contains(&group.array) && group.is_fixed(change))
            })
        };
        let fixed = geometry.register_loops.iter().filter(|(change, _)| is_fixed(change));
        let times: f64 = fixed.map(|(_, points)| points).product();
        let Arithmetic { fp32, fp64, library } = *arithmetic;
        for (sum, number) in all.iter_mut().zip([fp32, fp64, library]) {
            *sum += number as f64 / times;
        }
    }
    all
}

/// Adds the line that combines the values of a warp's threads.
fn combine(part: &Part, geometry: &Geometry, (executions, updates): (f64, f64), result: &mut Estimate) {
    let (executions, steps) = match geometry.in_order {
        true => (executions, IN_ORDER),
        false => (geometry.instances / updates, EXCHANGES),
    };
    let written = part.groups.iter().filter(|group| group.writes > 0.0);
    let bytes = written.map(|group| group.bytes).fold(REGISTER_BYTES, f64::max);
    let operations = if bytes > REGISTER_BYTES { [0.0, steps, 0.0] } else { [steps, 0.0, 0.0] };
    let exchanges = executions * steps * (bytes / REGISTER_BYTES);
    result.lines.add(&Estimated { executions, operations, exchanges, ..Estimated::default() });
}

/// Adds the lines that copy elements to shared memory, and back if they are written.
fn copies(group: &Group, traffic: &Traffic, shape: &Shape, lines: &mut Lines) {
    let elements = traffic.shared.map_or(1.0, |uses| uses.elements as f64);
    let rounds = (elements / shape.copying_threads()).max(1.0);
    // Warps that compute meanwhile are waited for.
    let busiest = if shape.ahead { 0.0 } else { rounds.ceil() / (elements / WARP).ceil().max(1.0) };
    let sectors_of_request = (group.bytes * WARP / SECTOR_BYTES).max(1.0);
    let requests = traffic.sectors / sectors_of_request;
    let wavefronts = requests * (group.bytes / REGISTER_BYTES).max(1.0);
    let access = Access {
        array: group.array,
        stores: false,
        requests,
        lines: requests * (group.bytes / REGISTER_BYTES).max(1.0),
        touched: traffic.sectors,
        sectors: traffic.sectors,
    };
    let number = COPIES + lines.len() as u64;
    let innermost = (rounds > 1.0).then_some(Innermost { number, iterations: rounds, factor: None });
    let line = Estimated { executions: requests, busiest: Some(busiest), innermost, ..Estimated::default() };
    if group.reads > 0.0 {
        let shared = [(0.0, 0.0), (requests, wavefronts)];
        lines.add(&Estimated { global: vec![access], shared, ..line.clone() });
    }
    if group.writes > 0.0 {
        let shared = [(requests, wavefronts), (0.0, 0.0)];
        lines.add(&Estimated { global: vec![Access { stores: true, ..access }], shared, ..line });
    }
}

/// The number of the first loop that copies.
const COPIES: u64 = 100_000;

/// Returns the accesses to global memory. Loads find what the block has loaded in the L1 cache; stores go through it,
/// one by one.
fn accesses(group: &Group, traffic: &Traffic, geometry: &Geometry, lanes: f64) -> Vec<Access> {
    let of_request = |bytes: f64| group.pieces_of_request(geometry, bytes).min(lanes.max(1.0));
    let (touched, lines) = (of_request(SECTOR_BYTES), of_request(LINE_BYTES));
    let of = |stores: bool, requests: f64, sectors: f64| Access {
        array: group.array,
        stores,
        requests,
        lines: requests * lines,
        touched: requests * touched,
        sectors,
    };
    let loads = of(false, traffic.reads, traffic.sectors.min(traffic.reads * touched));
    let stores = of(true, traffic.writes, traffic.writes * touched);
    [loads, stores].into_iter().filter(|access| access.requests > 0.0).collect()
}

/// The bytes of a line of the L1 cache.
const LINE_BYTES: f64 = 128.0;

struct Traffic {
    reads: f64,
    writes: f64,
    /// How many accesses in a row find the value in a register.
    kept: f64,
    /// The sectors that are loaded, or, of data in shared memory, that are copied in or out.
    sectors: f64,
    /// What a tile does with elements that several threads use, if it does.
    shared: Option<Uses>,
}

/// Returns what a group of accesses does: the requests that are left if a value stays in a register as long as a
/// thread's loops do not change its element, and the sectors that the blocks need.
fn traffic(
    (group, all): (&Group, &[Group]),
    geometry: &Geometry,
    (executions, blocks, threads): (f64, f64, f64),
    loading: bool,
    written: &WrittenArrays,
) -> Traffic {
    let is_mixed = written.is_mixed(group, geometry);
    let kept = kept(group, geometry, written);
    let (reads, writes) = (group.reads * executions / kept, group.writes * executions / kept);
    if group.irregular {
        return Traffic { reads, writes, kept, sectors: (reads + writes) * WARP, shared: None };
    }
    let extents = group.extents(&geometry.tile_spans);
    let steps: f64 =
        geometry.steps.iter().filter(|(change, _)| !group.is_fixed(change)).map(|(_, steps)| steps).product();
    let sectors = group.sectors(&extents) * steps * blocks;
    let shared = match is_mixed {
        true => None,
        false => shared_uses((group, all), geometry, (threads, loading), written.all.contains(&group.array)),
    };
    Traffic { reads, writes, kept, sectors, shared }
}

/// Returns how many accesses in a row are to the same element, which is then in a register.
fn kept(group: &Group, geometry: &Geometry, written: &WrittenArrays) -> f64 {
    if written.is_mixed(group, geometry) {
        return 1.0;
    }
    let in_registers = geometry.register_loops.iter().filter(|(change, _)| group.is_fixed(change));
    let kept: f64 = in_registers.map(|(_, points)| points).product();
    let innermost = geometry.thread_loops.iter().rev();
    let fixed = innermost.take_while(|(change, _)| group.is_fixed(change));
    kept * fixed.map(|(_, iterations)| iterations).product::<f64>()
}

/// Returns what a full tile does with the elements of a group, if several threads of its block use the same one, or if
/// some threads only load for others. `all` are the groups of the statement: those of an array that the kernel writes
/// have one buffer.
fn shared_uses(
    (group, all): (&Group, &[Group]),
    geometry: &Geometry,
    (threads, loading): (f64, bool),
    are_written: bool,
) -> Option<Uses> {
    let staged = &geometry.staged;
    let is_beside = |other: &&Group| {
        std::ptr::eq(*other, group) || are_written && other.array == group.array && !other.irregular
    };
    let together = || all.iter().filter(is_beside);
    let elements: f64 = together().map(|group| group.extents(&staged.spans).iter().product::<f64>()).sum();
    let of_thread: f64 =
        together().map(|group| group.extents(&staged.thread_spans).iter().product::<f64>()).sum();
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
        accesses: (together().map(|group| group.reads + group.writes).sum::<f64>() * staged.points).round()
            as u64,
        are_shared,
        for_others,
        are_written,
        are_scattered: are_scattered(
            group.pieces_of_request(geometry, SECTOR_BYTES),
            group.bytes * WARP / SECTOR_BYTES,
        ),
    })
}
