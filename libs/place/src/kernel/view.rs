//! The relations that describe one kernel's subtree.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use polyhedra::{
    Cuboid, DimType, End, Error, Id, Map, Result, ScheduleNode, ScheduleNodeType, Set, Simplify, Text,
    UnionMap, UnionSet, context, joined, optimum_of_set, within,
};
use scop::{
    Access, AccessId, AccessKind, ArrayId, Axis, IslMap, Kernel, Model, Statement, StatementId, mark,
};

use crate::kernel::nests::{Nest, order};

/// A limit on isl operations for a question whose answer only saves transfers.
const OPERATIONS: u64 = 300_000;

/// Prefixes that were computed before, by their number of schedule dimensions.
type Prefixes = RefCell<BTreeMap<u32, UnionMap>>;

/// A kernel and the relations that its data placement needs.
///
/// Everything is restricted to one block (parameters `bx`, `by`, `bz`); what concerns a thread is also restricted to
/// one thread (`tx`, `ty`, `tz`).
pub struct KernelView<'a> {
    /// The scop.
    pub model: &'a Model,
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The schedule depth of the block: the loops on the host and the parallel tile loops.
    pub block_depth: u32,
    /// The schedule depth of a tile.
    pub tile_depth: u32,
    /// The kernel's statements.
    statements: Vec<&'a Statement>,
    /// The accesses that are in question; nothing for all.
    class: RefCell<Option<BTreeSet<AccessId>>>,
    /// The bounds of `bx … tz`.
    bounds: Set,
    /// The map from instances to the schedule dimensions at the tile.
    tile_functions: UnionMap,
    /// The same map for the instances of one block.
    tile_schedule: UnionMap,
    /// The same map for the instances of one thread.
    thread_schedule: UnionMap,
    /// The map from instances to the schedule dimensions at the threads: those at the tile, and those of loops inside
    /// it in which all threads take part.
    step_functions: UnionMap,
    /// The schedule depth of the threads.
    step_depth: u32,
    /// The map from instances to the schedule dimensions of all loops of a thread that its statements share.
    iteration_functions: UnionMap,
    /// The number of these loops.
    iteration_depth: u32,
    /// The order of the statements in one iteration of these loops, as far as it is known.
    order: BTreeMap<StatementId, usize>,
    /// The map from the instances of one thread to the values of the unrolled loops, if there are any.
    unrolled: Option<UnionMap>,
    /// `tile_schedule` for all blocks, once computed.
    all_blocks: OnceCell<UnionMap>,
    /// The first schedule dimensions of the instances of all blocks, by their number, once computed.
    tile_prefixes: Prefixes,
    /// The same for the instances of one thread.
    thread_prefixes: Prefixes,
    /// Footprints that were computed before.
    footprints: RefCell<BTreeMap<(Part, String), Map>>,
    /// Whether unrolled loops determine elements, by relation and number of schedule dimensions, once computed.
    determined: RefCell<BTreeMap<(String, u32), bool>>,
    /// What the first warp does, by the instances of a statement, once computed.
    iterations: RefCell<BTreeMap<String, Rc<[Iteration]>>>,
}

/// What the first warp of a block does in one iteration of a statement.
pub struct Iteration {
    /// The map from threads and the schedule dimensions around them to instances: `{ [tz, ty, tx, h…] -> S0[i] }`.
    pub instances: Map,
    /// How often a thread executes the statement in a tile, as the average of the first and the last thread.
    pub times: u64,
}

/// The part of a kernel to which a footprint belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Block,
    Thread,
}

impl<'a> KernelView<'a> {
    /// Reads the subtree below the mark of `kernel`.
    pub fn new(model: &'a Model, kernel: &'a Kernel, mark: &ScheduleNode) -> Result<Self> {
        let tile = find_mark(mark.copy()?, mark::TILE)?
            .ok_or_else(|| Error::new(format!("kernel {} has no mark `tile`", kernel.id)))?;
        let thread = find_mark(mark.copy()?, mark::THREAD)?
            .ok_or_else(|| Error::new(format!("kernel {} has no mark `thread`", kernel.id)))?;
        let tile_domain = statement_instances(tile.get_domain()?, model)?;
        let step_functions = thread.get_prefix_schedule_union_map()?;
        let step_depth = thread.get_schedule_depth()? as u32;
        let mut thread = thread.child(0)?;
        while thread.get_type()? == ScheduleNodeType::Filter {
            thread = thread.child(0)?;
        }
        let unrolled = match find_mark(thread.copy()?, mark::UNROLL)? {
            Some(mark) => Some(mark.get_child(0)?.band_get_partial_schedule_union_map()?),
            None => None,
        };
        // Equalities with the block's coordinates determine the tile more directly than sums of quotients do.
        let tile_schedule = tile.get_prefix_schedule_union_map()?.intersect_domain(tile_domain)?;
        let tile_schedule = tile_schedule.detect_equalities()?;
        let thread_domain = statement_instances(thread.get_domain()?, model)?;
        let statements = model.statements_of(&kernel.statements)?;
        let inside = innermost_shared(thread)?;
        Ok(Self {
            model,
            kernel,
            order: order(&inside, &statements)?,
            statements,
            class: RefCell::default(),
            block_depth: kernel.host_depth + kernel.grid.len() as u32,
            tile_depth: tile.get_schedule_depth()? as u32,
            bounds: bounds(mark)?,
            tile_functions: tile.get_prefix_schedule_union_map()?,
            thread_schedule: tile_schedule.copy()?.intersect_domain(thread_domain)?,
            tile_schedule,
            step_functions,
            step_depth,
            iteration_functions: inside.get_prefix_schedule_union_map()?,
            iteration_depth: inside.get_schedule_depth()? as u32,
            unrolled,
            all_blocks: OnceCell::new(),
            tile_prefixes: RefCell::default(),
            thread_prefixes: RefCell::default(),
            footprints: RefCell::default(),
            determined: RefCell::default(),
            iterations: RefCell::default(),
        })
    }

    /// Returns the elements of an array that an access touches in a launch, given the launch of each instance.
    fn touched_in_launch(&self, launched: &UnionMap, access: &Access) -> Result<UnionMap> {
        let instances = launched.copy()?.intersect_domain(self.instances_of(access.id)?)?.reverse()?;
        Ok(instances.apply_range(UnionMap::parse(&access.relation.0)?)?)
    }

    /// Returns the elements of an array that a launch writes.
    fn written_in_launch(&self, array: ArrayId) -> Result<UnionMap> {
        let launched = self.prefix(self.tiles_of_all_blocks()?, self.kernel.host_depth)?;
        let mut written = UnionMap::parse("{ }")?;
        for write in self.all_accesses(array).filter(|access| access.kind == AccessKind::Write) {
            written = written.union(self.touched_in_launch(&launched, write)?)?;
        }
        Ok(written)
    }

    /// True if a launch writes some of the elements of an array that a tile copies, `[bx] -> { [h0, …] -> A0[x] }`.
    pub fn writes_any(&self, array: ArrayId, copied: &Map) -> Result<bool> {
        let (host, depth) = (self.kernel.host_depth, copied.dim(DimType::In)? as u32);
        let in_launch = copied.copy()?.project_out(DimType::In, host, depth - host)?;
        let mut in_launch = UnionMap::from_map(in_launch)?;
        for axis in Axis::ALL {
            in_launch = project_out_parameter(in_launch, axis.block_parameter())?;
        }
        Ok(!in_launch.is_disjoint(&self.written_in_launch(array)?)?)
    }

    /// Returns the accesses of the kernel's statements to an array: all, or those of the class in question
    /// ([`KernelView::limit_to`]).
    pub fn accesses(&self, array: ArrayId) -> impl Iterator<Item = &'a Access> {
        let class = self.class.borrow().clone();
        let is_in_class =
            move |access: &&Access| class.as_ref().is_none_or(|class| class.contains(&access.id));
        self.all_accesses(array).filter(is_in_class)
    }

    fn all_accesses(&self, array: ArrayId) -> impl Iterator<Item = &'a Access> {
        let statements = self.statements.clone().into_iter();
        statements.flat_map(|statement| &statement.accesses).filter(move |access| access.array == array)
    }

    /// Limits the accesses that all questions are about to those of a class, until it is called again; nothing for all
    /// accesses.
    pub fn limit_to(&self, class: Option<BTreeSet<AccessId>>) {
        self.class.replace(class);
    }

    /// Divides the accesses to an array into those to elements that the kernel may write in the same launch, and those
    /// to elements that it only reads: they need not be in the same memory. Returns nothing if there is only one kind.
    ///
    /// In an update of a matrix by one of its own rows and columns, these are only read.
    pub fn written_and_read(&self, array: ArrayId) -> Result<Option<[BTreeSet<AccessId>; 2]>> {
        let is_write = |access: &&Access| access.kind == AccessKind::Write;
        let writes: Vec<&Access> = self.all_accesses(array).filter(is_write).collect();
        let is_known = |access: &Access| writes.iter().any(|write| write.relation == access.relation);
        let others: Vec<&Access> = self.all_accesses(array).filter(|access| !is_known(access)).collect();
        let is_indirect = self.all_accesses(array).any(|access| access.indirect);
        if writes.is_empty() || others.is_empty() || is_indirect {
            return Ok(None);
        }
        let written = self.written_in_launch(array)?;
        let launched = self.prefix(self.tiles_of_all_blocks()?, self.kernel.host_depth)?;
        let touched = |access: &Access| self.touched_in_launch(&launched, access);
        let mut only_read = BTreeSet::new();
        for access in others {
            if touched(access)?.is_disjoint(&written)? {
                only_read.insert(access.id);
            }
        }
        if only_read.is_empty() {
            return Ok(None);
        }
        let rest = self.all_accesses(array).map(|access| access.id).filter(|id| !only_read.contains(id));
        Ok(Some([rest.collect(), only_read]))
    }

    /// True if the kernel writes to an array.
    pub fn writes(&self, array: ArrayId) -> bool {
        self.accesses(array).any(|access| access.kind == AccessKind::Write)
    }

    /// Returns the elements that an access touches in one tile: `[bx] -> { [h0, …] -> A0[x, y] }`.
    pub fn tile_footprint(&self, access: &Access) -> Result<Map> {
        self.footprint(Part::Block, access)
    }

    /// Returns the elements that an access of one thread touches in one tile: `[bx, tx] -> { [h0, …] -> A0[x, y] }`.
    pub fn thread_tile_footprint(&self, access: &Access) -> Result<Map> {
        self.footprint(Part::Thread, access)
    }

    /// Returns the instances of the statement of an access that one thread executes in one tile:
    /// `[bx, tx] -> { [h0, …] -> S0[i] }`.
    pub fn thread_instances(&self, access: &Access) -> Result<Option<Map>> {
        let own = UnionMap::parse(&access.relation.0)?.domain()?;
        let instances = self.thread_schedule.copy()?.intersect_domain(own)?.reverse()?;
        let instances = instances.intersect_params(self.bounds.copy()?)?;
        Ok(if instances.is_empty()? { None } else { Some(instances.as_map()?) })
    }

    /// Returns what the first warp does for the statement with these instances. It is computed once.
    pub fn iterations(
        &self,
        instances: String,
        find: impl FnOnce() -> Result<Vec<Iteration>>,
    ) -> Result<Rc<[Iteration]>> {
        if let Some(known) = self.iterations.borrow().get(&instances) {
            return Ok(Rc::clone(known));
        }
        let found: Rc<[Iteration]> = find()?.into();
        self.iterations.borrow_mut().insert(instances, Rc::clone(&found));
        Ok(found)
    }

    /// True if the threads of a block execute a tile in steps and wait for each other between them.
    pub fn has_steps(&self) -> bool {
        self.step_depth > self.tile_depth
    }

    /// Returns those of the given instances that belong to one step, after `percent` percent of the steps.
    pub fn of_step(&self, instances: Set, percent: i64) -> Result<Set> {
        let left = UnionSet::from_set(instances)?;
        let mut steps = left.copy()?.apply(self.step_functions.copy()?)?.as_set()?;
        for dimension in self.tile_depth..self.step_depth {
            let least = |steps: &Set| -> Result<i64> {
                let values = steps.copy()?.project_out_all_params()?;
                Ok(values.dim_min_val(dimension as i32)?.get_num_si()?)
            };
            let values = steps.copy()?.project_out_all_params()?;
            let (first, last) = (least(&steps)?, values.dim_max_val(dimension as i32)?.get_num_si()?);
            let from = i32::try_from(first + (last - first) * percent / 100).unwrap_or(i32::MAX);
            let step = least(&steps.copy()?.lower_bound_si(DimType::Set, dimension, from)?)?;
            steps = steps.fix_si(DimType::Set, dimension, i32::try_from(step).unwrap_or(from))?;
        }
        let in_steps = UnionSet::from_set(steps)?.apply(self.step_functions.copy()?.reverse()?)?;
        Ok(left.intersect(in_steps)?.as_set()?)
    }

    /// Returns the elements that an access of one thread touches, with the first `depth` schedule dimensions fixed.
    /// `depth` is at most [`KernelView::tile_depth`].
    pub fn thread_footprint(&self, access: &Access, depth: u32) -> Result<Map> {
        let all = self.thread_tile_footprint(access)?;
        Ok(all.project_out(DimType::In, depth, self.tile_depth - depth)?)
    }

    /// Returns the elements of an array that one thread touches in one iteration of the loops that all statements
    /// share: `[bx, tx] -> { [h0, …] -> A0[x, y] }`; nothing if it touches none.
    pub fn iteration_footprint(&self, array: ArrayId) -> Result<Option<Map>> {
        let instances = self.iterations_of_thread()?.reverse()?;
        let mut footprint: Option<Map> = None;
        for access in self.accesses(array) {
            let touched = instances.copy()?.apply_range(UnionMap::parse(&access.relation.0)?)?;
            if !touched.is_empty()? {
                footprint = polyhedra::add(footprint, touched.as_map()?)?;
            }
        }
        footprint.map(Map::simplified).transpose()
    }

    /// True if the statements that access an array certainly share one nest of the loops in a thread that all
    /// statements of the kernel can share.
    pub fn have_one_nest(&self, array: ArrayId) -> Result<bool> {
        self.share_loops(array, self.iteration_depth)
    }

    /// True if the statements that access an array certainly share one nest of loops over tiles.
    pub fn have_one_nest_of_tiles(&self, array: ArrayId) -> Result<bool> {
        self.share_loops(array, self.tile_depth)
    }

    fn share_loops(&self, array: ArrayId, depth: u32) -> Result<bool> {
        let uses = |statement: &&&Statement| statement.accesses.iter().any(|access| access.array == array);
        let asked: Vec<&Statement> = self.statements.iter().filter(uses).copied().collect();
        let iterations = self.iterations_of_thread()?;
        Nest { statements: &self.statements, iterations, depth, order: &self.order }.is_one(&asked)
    }

    /// Returns the map from the instances of one thread to the iterations of the loops that all statements share.
    fn iterations_of_thread(&self) -> Result<UnionMap> {
        let own = self.thread_schedule.copy()?.domain()?;
        let iterations = self.iteration_functions.copy()?.intersect_domain(own)?;
        Ok(iterations.intersect_params(self.bounds.copy()?)?)
    }

    /// Returns the part of [`KernelView::thread_footprint`] that belongs to the given instances.
    pub fn thread_footprint_of(&self, access: &Access, instances: UnionSet, depth: u32) -> Result<Map> {
        let whole = self.thread_footprint(access, depth)?;
        self.part_of_footprint(whole, &self.thread_schedule, access, instances, depth)
    }

    /// Returns the part of [`KernelView::tile_footprint`] that belongs to the given instances.
    pub fn tile_footprint_of(&self, access: &Access, instances: UnionSet) -> Result<Map> {
        let whole = self.tile_footprint(access)?;
        self.part_of_footprint(whole, &self.tile_schedule, access, instances, self.tile_depth)
    }

    fn part_of_footprint(
        &self,
        whole: Map,
        schedule: &UnionMap,
        access: &Access,
        instances: UnionSet,
        depth: u32,
    ) -> Result<Map> {
        if self.instances_of(access.id)?.is_subset(&instances)? {
            return Ok(whole);
        }
        let schedule = schedule.copy()?.intersect_domain(instances)?;
        let touched =
            self.prefix(schedule, depth)?.reverse()?.apply_range(UnionMap::parse(&access.relation.0)?)?;
        let touched = touched.intersect_params(self.bounds.copy()?)?.extract_map(whole.get_space()?)?;
        touched.simplified()
    }

    /// True if a block other than that of a tile may write some of the tile's `elements` in the same launch:
    /// `[bx] -> { [h0, …] -> A0[x] }`. Requires that no two blocks write the same element.
    pub fn others_write(&self, array: ArrayId, elements: Map) -> Result<bool> {
        let host = self.kernel.host_depth;
        let meanwhile = elements.project_out(DimType::In, host, self.tile_depth - host)?;
        if meanwhile.is_empty()? {
            return Ok(false);
        }
        let launched = self.prefix(self.tiles_of_all_blocks()?, host)?;
        let space = || meanwhile.get_space();
        let (mut all, mut own) = (Map::empty(space()?)?, Map::empty(space()?)?);
        for access in self.accesses(array).filter(|access| access.kind == AccessKind::Write) {
            let instances = launched.copy()?.intersect_domain(self.instances_of(access.id)?)?.reverse()?;
            let written = instances.apply_range(UnionMap::parse(&access.relation.0)?)?;
            all = all.union(written.extract_map(space()?)?)?;
            let footprint = self.tile_footprint(access)?;
            own = own.union(footprint.project_out(DimType::In, host, self.tile_depth - host)?)?;
        }
        Ok(!meanwhile.intersect(all)?.is_subset(&own)?)
    }

    /// Returns the instances of an access's statement that this kernel executes, in all blocks.
    pub fn instances_of(&self, access: AccessId) -> Result<UnionSet> {
        let all = self.tiles_of_all_blocks()?.domain()?;
        let own = UnionSet::parse(&self.model.owner(access)?.domain.0)?;
        Ok(all.intersect(own)?)
    }

    /// Returns the pairs of a relation between instances of this kernel that agree in the first `depth` schedule
    /// dimensions.
    pub fn at_equal_prefix(&self, pairs: UnionMap, depth: u32) -> Result<UnionMap> {
        let schedule = || self.tiles_of_all_blocks();
        let of_statements = |instances: UnionSet| -> Result<UnionMap> {
            let prefix = self.known_prefix(&self.tile_prefixes, schedule, depth)?;
            Ok(prefix.intersect_domain(instances.universe()?)?)
        };
        // Only the statements of these pairs: a kernel's statements have very many pairs.
        let sources = of_statements(pairs.copy()?.domain()?)?;
        let sinks = of_statements(pairs.copy()?.range()?)?;
        Ok(pairs.intersect(sources.apply_range(sinks.reverse()?)?)?)
    }

    /// True if one thread of a block touches an element of an access more than once.
    pub fn repeats_in_thread(&self, access: &Access) -> Result<bool> {
        let depth = self.block_depth.min(self.tile_depth);
        let schedule = || Ok(self.thread_schedule.copy()?);
        let prefix = self.known_prefix(&self.thread_prefixes, schedule, depth)?;
        let touched = prefix.range_product(UnionMap::parse(&access.relation.0)?)?;
        Ok(!touched.is_injective()?)
    }

    /// True if an access of one thread touches one element for each combination of values of the unrolled loops and
    /// the first `depth` schedule dimensions.
    pub fn unrolled_loops_determine(&self, access: &Access, depth: u32) -> Result<bool> {
        let Some(unrolled) = &self.unrolled else { return Ok(false) };
        let key = (access.relation.0.clone(), depth);
        if let Some(known) = self.determined.borrow().get(&key) {
            return Ok(*known);
        }
        let elements = UnionMap::parse(&access.relation.0)?;
        let statement = elements.copy()?.domain()?.universe()?;
        let prefix = self.prefix(self.thread_schedule.copy()?.intersect_domain(statement)?, depth)?;
        let prefix = prefix.intersect_params(self.bounds.copy()?)?;
        let values = prefix.range_product(unrolled.copy()?)?.reverse()?;
        let determined = values.apply_range(elements)?.is_single_valued()?;
        self.determined.borrow_mut().insert(key, determined);
        Ok(determined)
    }

    /// Maps the instances of each access to the places of its elements in a buffer. `index` is the buffer's index
    /// function on the first `depth` schedule dimensions and the element.
    pub fn places(&self, accesses: &[AccessId], depth: u32, index: &IslMap) -> Result<Vec<IslMap>> {
        let index = Map::parse(&index.0)?;
        let mut places = Vec::new();
        for statement in &self.model.statements {
            for access in statement.accesses.iter().filter(|access| accesses.contains(&access.id)) {
                let relation = Map::parse(&access.relation.0)?;
                let outer = self.prefix(self.tile_functions.copy()?, depth)?;
                let element = outer.range_product(UnionMap::from_map(relation.copy()?)?)?;
                // If isl knows only the sum of some quotients, this step determines each of them.
                let place = element.apply_range(UnionMap::from_map(index.copy()?)?)?.detect_equalities()?;
                // The union contains no relation for an access that is never executed.
                let space =
                    Map::from_domain_and_range(relation.domain()?, index.copy()?.range()?)?.get_space()?;
                places.push((access.id, IslMap(place.extract_map(space)?.text()?)));
            }
        }
        places.sort_by_key(|(id, _)| accesses.iter().position(|access| access == id));
        Ok(places.into_iter().map(|(_, place)| place).collect())
    }

    /// Returns the smallest box that contains all elements of an array that this kernel uses. If only its subscripts
    /// show the rows of an array, its memory may end with the last used element, and so does the box.
    pub fn elements_in_use(&self, array: ArrayId) -> Result<Set> {
        let mut used: Option<Set> = None;
        for access in self.accesses(array) {
            let relation = UnionMap::parse(&access.relation.0)?;
            let touched = self.instances_of(access.id)?.apply(relation)?;
            if touched.is_empty()? {
                continue;
            }
            let touched = touched.as_set()?;
            used = polyhedra::add(used, touched)?;
        }
        match used {
            Some(used) => {
                let used = used.simplified()?;
                let universe = Set::universe(used.get_space()?)?.intersect_params(used.copy()?.params()?)?;
                let all = joined(Cuboid::around(&used)?.part_of(universe)?)?;
                if self.has_whole_rows(array)? {
                    return Ok(all);
                }
                Ok(all.lex_le_set(optimum_of_set(&used, End::Last)?)?.domain()?.simplified()?)
            }
            None => Set::parse("{ [] : false }"),
        }
    }

    /// Returns the elements of an array that *must* accesses read in each launch of this kernel. Only elements that
    /// do not depend on the launch are found, and none if that takes too many operations.
    pub fn always_read(&self, array: ArrayId) -> Result<Set> {
        within(OPERATIONS, || self.found_always_read(array))?.map_or_else(|| self.no_elements(array), Ok)
    }

    fn found_always_read(&self, array: ArrayId) -> Result<Set> {
        let depth = self.kernel.host_depth;
        let launched = self.prefix(self.tiles_of_all_blocks()?, depth)?;
        let launches = launched.copy()?.range()?;
        let is_certain = |access: &&Access| access.kind == AccessKind::Read && access.certainty.is_must();
        let mut always = self.no_elements(array)?;
        for access in self.accesses(array).filter(is_certain) {
            let own = self.instances_of(access.id)?;
            let instances = launched.copy()?.intersect_domain(own)?.reverse()?;
            let read = instances.apply_range(UnionMap::parse(&access.relation.0)?)?;
            let read = read.gist_domain(launches.copy()?)?;
            if read.is_empty()? {
                continue;
            }
            let read = read.as_map()?;
            if !read.involves_dims(DimType::In, 0, depth)? {
                always = always.union(read.range()?)?;
            }
        }
        always.intersect_params(launches.params()?)?.simplified()
    }

    fn no_elements(&self, array: ArrayId) -> Result<Set> {
        Set::parse(&format!("{{ {array}[{}] : false }}", self.dimensions(array)?))
    }

    /// Returns names for an array's dimensions, such as `x0, x1`.
    fn dimensions(&self, array: ArrayId) -> Result<String> {
        Ok(names("x", self.model.array(array)?.extents.len() as u32))
    }

    /// True if the memory of an array certainly contains all of the last row.
    fn has_whole_rows(&self, array: ArrayId) -> Result<bool> {
        let array = self.model.array(array)?;
        Ok(!array.visible || array.declares_rows())
    }

    /// Returns the bounds of `bx … tz`.
    pub fn bounds(&self) -> Result<Set> {
        Ok(self.bounds.copy()?)
    }

    /// Returns the first `depth` dimensions of a schedule, which are computed once.
    fn known_prefix(
        &self,
        known: &Prefixes,
        schedule: impl Fn() -> Result<UnionMap>,
        depth: u32,
    ) -> Result<UnionMap> {
        if let Some(prefix) = known.borrow().get(&depth) {
            return Ok(prefix.copy()?);
        }
        let prefix = self.prefix(schedule()?, depth)?;
        known.borrow_mut().insert(depth, prefix.copy()?);
        Ok(prefix)
    }

    /// Returns the first `depth` dimensions of a schedule.
    fn prefix(&self, schedule: UnionMap, depth: u32) -> Result<UnionMap> {
        let all = names("h", self.tile_depth);
        let project = UnionMap::parse(&format!("{{ [{all}] -> [{}] }}", names("h", depth)))?;
        Ok(schedule.apply_range(project)?)
    }

    /// Returns the map from the instances of all blocks to the schedule dimensions at the tile.
    fn tiles_of_all_blocks(&self) -> Result<UnionMap> {
        if let Some(known) = self.all_blocks.get() {
            return Ok(known.copy()?);
        }
        let mut tiles = self.tile_schedule.copy()?;
        for axis in Axis::ALL {
            tiles = project_out_parameter(tiles, axis.block_parameter())?;
        }
        Ok(self.all_blocks.get_or_init(|| tiles).copy()?)
    }

    fn footprint(&self, part: Part, access: &Access) -> Result<Map> {
        let key = (part, access.relation.0.clone());
        if let Some(known) = self.footprints.borrow().get(&key) {
            return Ok(known.copy()?);
        }
        let footprint = self.new_footprint(part, access)?;
        self.footprints.borrow_mut().insert(key, footprint.copy()?);
        Ok(footprint)
    }

    fn new_footprint(&self, part: Part, access: &Access) -> Result<Map> {
        let relation = UnionMap::parse(&access.relation.0)?;
        let schedule = match part {
            Part::Block => &self.tile_schedule,
            Part::Thread => &self.thread_schedule,
        };
        let footprint = schedule.copy()?.reverse()?.apply_range(relation)?;
        let footprint = footprint.intersect_params(self.bounds.copy()?)?.simplified()?;
        if footprint.is_empty()? {
            return Map::parse(&format!(
                "{{ [{}] -> {}[{}] : false }}",
                names("h", self.tile_depth),
                access.array,
                self.dimensions(access.array)?
            ));
        }
        Ok(footprint.as_map()?)
    }
}

fn project_out_parameter(relation: UnionMap, name: &str) -> Result<UnionMap> {
    if relation.find_dim_by_name(DimType::Param, name)? < 0 {
        return Ok(relation);
    }
    Ok(relation.project_out_param_id(Id::read_from_str(context(), name)?)?)
}

/// Makes a parameter the first input dimension of a relation. If the relation does not have the parameter, the new
/// dimension is unconstrained.
pub fn parameter_as_input(relation: Map, name: &str) -> Result<Map> {
    let position = relation.find_dim_by_name(DimType::Param, name)?;
    if position < 0 {
        return Ok(relation.insert_dims(DimType::In, 0, 1)?);
    }
    Ok(relation.move_dims(DimType::In, 0, DimType::Param, position as u32, 1)?)
}

/// Returns the names `h0, h1, …`.
pub fn names(stem: &str, count: u32) -> String {
    (0..count).map(|k| format!("{stem}{k}")).collect::<Vec<_>>().join(", ")
}

/// Returns the bounds of block and thread coordinates, from the kernel's context node.
fn bounds(mark: &ScheduleNode) -> Result<Set> {
    let below = mark.get_child(0)?;
    if below.get_type()? == ScheduleNodeType::Context {
        return Ok(below.context_get_context()?.params()?);
    }
    Set::parse("{ : }")
}

/// Removes the barriers and copies in the tree from a domain.
fn statement_instances(domain: UnionSet, model: &Model) -> Result<UnionSet> {
    let mut all = UnionSet::parse("{ }")?;
    for statement in &model.statements {
        all = all.union(UnionSet::parse(&statement.domain.0)?)?;
    }
    Ok(domain.intersect(all)?)
}

/// Finds the first node with this mark in a subtree.
pub fn find_mark(node: ScheduleNode, name: &str) -> Result<Option<ScheduleNode>> {
    if node.get_type()? == ScheduleNodeType::Mark && node.mark_get_id()?.get_name()? == name {
        return Ok(Some(node));
    }
    for position in 0..node.n_children()? {
        if let Some(found) = find_mark(node.get_child(position)?, name)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Returns the node below the loops that all statements of a subtree share.
fn innermost_shared(mut node: ScheduleNode) -> Result<ScheduleNode> {
    while matches!(node.get_type()?, ScheduleNodeType::Band | ScheduleNodeType::Mark) {
        node = node.child(0)?;
    }
    Ok(node)
}

/// Finds the node of a kernel's mark below `root`.
pub fn kernel_node(root: ScheduleNode, kernel: &Kernel) -> Result<ScheduleNode> {
    find_mark(root, &mark::kernel(kernel.id))?
        .ok_or_else(|| Error::new(format!("the tree has no mark for kernel {}", kernel.id)))
}

/// Returns the arrays that a kernel touches, ordered by id.
pub fn arrays_of(model: &Model, kernel: &Kernel) -> Result<BTreeSet<ArrayId>> {
    let accesses =
        model.statements_of(&kernel.statements)?.into_iter().flat_map(|statement| &statement.accesses);
    Ok(accesses.map(|access| access.array).collect())
}
