//! Checks that buffers hold what is read from them, and that what is written to them comes back.
//!
//! For each buffer:
//!
//! * a place holds one element only, in each iteration of the loops around all users of the buffer, and if
//!   statements write to the buffer, an element has one place only ([`Used::is_consistent`]);
//! * what is read was copied in, perhaps in an earlier iteration of a loop in the kernel ([`super::reuse`]), or is
//!   the value of a statement that wrote it to the same buffer ([`Used::unprovided`]);
//! * what is written is copied out, or read through the same buffer only ([`Used::lost`]);
//! * what is copied out was copied in or written ([`Used::undefined`]);
//! * if a thread puts a value at a place that another thread uses, a barrier is between the two
//!   ([`Used::has_race`]), and the same holds for threads that copy one element from and to the array
//!   ([`Used::races_on_array`]);
//! * no block moves an element that another block of the launch copies out ([`Used::met_by_other_blocks`]).

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use polyhedra::{DimType, Map, PwMultiAff, Result, Set, Simplify, Text};
use scop::{Access, AccessId, AccessKind, Certainty, Dependence, Dependences, Memory};

use super::reuse::provided;
use super::users::{Role, User};
use crate::program::compare::{apart, common, is_before};
use crate::program::instances::{Executed, pulled_back};
use crate::program::leaf::{Leaf, Step, dimensions};
use crate::program::order::{between_points, check_race};

/// A buffer with its users.
pub struct Used<'a> {
    /// Its users: copies in text order, then statements.
    pub users: &'a [User<'a>],
    /// The memory.
    pub memory: Memory,
    /// The dependences of the scop.
    pub dependences: &'a Dependences,
    /// The keys of users that were computed so far: many statements need those of the same copies.
    keys: RefCell<BTreeMap<(*const User<'a>, usize), Set>>,
    /// Whether each place holds one element throughout a launch, once this was computed.
    still: OnceCell<bool>,
}

impl<'a> Used<'a> {
    /// Returns a buffer in `memory` with these users.
    pub fn new(users: &'a [User<'a>], memory: Memory, dependences: &'a Dependences) -> Self {
        Self { users, memory, dependences, keys: RefCell::default(), still: OnceCell::new() }
    }

    /// Returns the keys of a user, see [`User::keys`].
    fn keys_of(&self, user: &User<'a>, steps: usize) -> Result<Set> {
        let name = (std::ptr::from_ref(user), steps);
        let known = self.keys.borrow().get(&name).map(Set::copy);
        if let Some(known) = known {
            return Ok(known?);
        }
        let keys = user.keys(steps, self.memory)?;
        self.keys.borrow_mut().insert(name, keys.copy()?);
        Ok(keys)
    }

    /// True if each place holds one element in each iteration of the loops around all users, and an element that may
    /// be written has only one place there: a value written to one place would not be found at another.
    pub fn is_consistent(&self) -> Result<bool> {
        self.is_consistent_in(self.steps_around_all())
    }

    /// Returns the number of leading steps that the paths of all users share.
    fn steps_around_all(&self) -> usize {
        let Some(first) = self.users.first() else { return 0 };
        let shared = self.users.iter().map(|user| common(&first.leaf.path, &user.leaf.path));
        shared.min().unwrap_or(0).min(first.leaf.path.len())
    }

    /// As [`Used::is_consistent`], for points that agree in the first `steps` steps.
    fn is_consistent_in(&self, steps: usize) -> Result<bool> {
        let Some(first) = self.users.first() else { return Ok(true) };
        let mut elements = self.elements(first, steps)?;
        if let Some(function) = affine(&elements)?
            && self.all_agree(&function, steps)?
            && (!self.is_written() || is_one_place(Map::from_pw_multi_aff(function)?, first.place.len())?)
        {
            return Ok(true);
        }
        for user in &self.users[1..] {
            elements = elements.union(self.elements(user, steps)?)?;
        }
        Ok(elements.is_single_valued()? && (!self.is_written() || self.have_one_place(steps)?))
    }

    fn is_written(&self) -> bool {
        self.of(|role| matches!(role, Role::Write(..))).next().is_some()
    }

    /// True if no element has two places among those that statements use and that are copied out, at points that
    /// agree in the first `steps` steps.
    fn have_one_place(&self, steps: usize) -> Result<bool> {
        let mut users = self.of(|role| role != Role::CopyIn);
        let Some(first) = users.next() else { return Ok(true) };
        let mut elements = self.elements(first, steps)?;
        for user in users {
            elements = elements.union(self.elements(user, steps)?)?;
        }
        is_one_place(elements, first.place.len())
    }

    /// Returns the relation from the keys of a user to its elements.
    fn elements(&self, user: &User<'_>, steps: usize) -> Result<Map> {
        let keys = Map::from_pw_multi_aff(user.key(steps, self.memory)?)?.intersect_domain(user.points()?)?;
        Ok(Map::from_pw_multi_aff(user.element.copy()?)?.apply_domain(keys)?)
    }

    /// True if a function gives the element of every key of every user, at any point.
    fn all_agree(&self, function: &PwMultiAff, steps: usize) -> Result<bool> {
        for user in self.users {
            let element = function.copy()?.pullback_pw_multi_aff(user.key(steps, self.memory)?)?;
            if !element.plain_is_equal(&user.element)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the points at which a statement reads a place that does not hold the value it needs.
    pub fn unprovided(&self, reader: &User<'_>, access: AccessId) -> Result<Option<Set>> {
        let mut open = reader.points()?;
        for copy in self.of(|role| role == Role::CopyIn) {
            open = self.without(open, reader, copy, precedes(copy, reader))?;
            if open.is_empty()? {
                return Ok(None);
            }
        }
        if let Some(executed) = reader.executed {
            open = open.subtract(self.written(reader, executed, access)?)?;
        }
        if let (Some(executed), false) = (reader.executed, open.is_empty()?) {
            open = self.without_own(open, reader, executed, access)?;
        }
        if !open.is_empty()? {
            open = self.without_reused(open, reader)?;
        }
        Ok(if open.is_empty()? { None } else { Some(open) })
    }

    /// Returns the points of a reader at which all values that it may read were written to its place in the buffer.
    /// If a write may not happen, the value may come from another write instead, or from before the region.
    fn written(&self, reader: &User<'_>, executed: &Executed<'_>, access: AccessId) -> Result<Set> {
        let space = || Ok::<_, polyhedra::Error>(reader.points()?.get_space()?);
        let (mut here, mut elsewhere) = (Set::empty(space()?)?, Set::empty(space()?)?);
        for flow in self.dependences.flow.iter().filter(|flow| flow.sink == access) {
            let mut others: Option<Map> = None;
            for writer in self.of(|role| role.is_write_of(flow.source)) {
                let Some(source) = writer.executed else { continue };
                let pairs = self.in_buffer(flow, writer, reader)?;
                here = here.union(pairs.copy()?.range()?)?;
                let pairs = pairs.apply_domain(Map::from_pw_multi_aff(source.instance.copy()?)?)?;
                let left = match others {
                    Some(left) => left,
                    None => to_points(&flow.relation.0, executed)?,
                };
                others = Some(left.subtract(pairs)?);
            }
            let others = match others {
                Some(others) => others,
                None => to_points(&flow.relation.0, executed)?,
            };
            elsewhere = elsewhere.union(others.range()?)?;
        }
        for live in self.dependences.live_in.iter().filter(|live| live.access == access) {
            let readers = Map::parse(&live.relation.0)?.domain()?;
            elsewhere = elsewhere.union(pulled_back(readers, &executed.instance)?)?;
        }
        Ok(here.subtract(elsewhere)?)
    }

    /// Removes from `open` the points of a reader at which its own instance wrote the value to the same place. Such
    /// a value is in no dependence. The points at which a read is in no dependence and the instance did not write
    /// its element are removed as well: there the element has no value in C.
    fn without_own(
        &self,
        mut open: Set,
        reader: &User<'_>,
        executed: &Executed<'_>,
        access: AccessId,
    ) -> Result<Set> {
        let mut own = open.copy()?;
        for flow in self.dependences.flow.iter().filter(|flow| flow.sink == access) {
            let sinks = Map::parse(&flow.relation.0)?.range()?;
            own = own.subtract(pulled_back(sinks, &executed.instance)?)?;
        }
        for live in self.dependences.live_in.iter().filter(|live| live.access == access) {
            let readers = Map::parse(&live.relation.0)?.domain()?;
            own = own.subtract(pulled_back(readers, &executed.instance)?)?;
        }
        open = open.subtract(without_value(own.copy()?, executed, access)?)?;
        let writers = self.of(|role| matches!(role, Role::Write(_, Certainty::Must)));
        for writer in writers.filter(|writer| std::ptr::eq(writer.leaf, reader.leaf)) {
            let here = Map::from_pw_multi_aff(reader.element.copy()?)?;
            let same = here.intersect(Map::from_pw_multi_aff(writer.element.copy()?)?)?.domain()?;
            open = open.subtract(own.copy()?.intersect(same)?)?;
        }
        Ok(open)
    }

    /// Removes from `open` the points of a reader at whose place a copy left its element, possibly in an earlier
    /// iteration of the innermost loop around the reader and the copies.
    fn without_reused(&self, open: Set, reader: &User<'_>) -> Result<Set> {
        let copies: Vec<&User<'_>> = self.of(|role| role == Role::CopyIn).collect();
        let Some(launch) = reader.leaf.launch.filter(|_| self.memory == Memory::Shared) else {
            return Ok(open);
        };
        let shared = copies.iter().map(|copy| common(&reader.leaf.path, &copy.leaf.path));
        let Some(steps) = shared.clone().min().filter(|steps| shared.max() == Some(*steps)) else {
            return Ok(open);
        };
        let around = &reader.leaf.path[..steps];
        let inner_loop =
            around.iter().rposition(|step| *step == Step::Loop).filter(|step| *step > launch.step);
        let (Some(inner_loop), None) = (inner_loop, self.of(|role| matches!(role, Role::Write(..))).next())
        else {
            return Ok(open);
        };
        let time = dimensions(&around[..inner_loop]) - launch.threads;
        let mut copied: Option<Map> = None;
        for copy in &copies {
            let own = self.elements(copy, steps)?;
            copied = polyhedra::add(copied, own)?;
        }
        let Some(copied) = copied else { return Ok(open) };
        let key = reader.key(steps, self.memory)?;
        let keys = Map::from_pw_multi_aff(key.copy()?)?.intersect_domain(open.copy()?)?;
        let reads = Map::from_pw_multi_aff(reader.element.copy()?)?.apply_domain(keys)?;
        let before = copies.iter().all(|copy| precedes(copy, reader));
        let provided = provided(&reads.simplified()?, &copied.simplified()?, time, before)?;
        Ok(open.subtract(pulled_back(provided, &key)?)?)
    }

    /// Returns the points at which a statement writes a value that is needed elsewhere and does not leave the
    /// buffer.
    pub fn lost(&self, writer: &User<'_>, access: AccessId) -> Result<Option<Set>> {
        let mut open = writer.points()?;
        for copy in self.of(|role| role == Role::CopyOut) {
            let in_order = precedes(writer, copy) && !self.is_brought_between(writer, copy);
            open = self.without(open, writer, copy, in_order)?;
            if open.is_empty()? {
                return Ok(None);
            }
        }
        let Some(executed) = writer.executed else { return Ok(None) };
        let instances = Map::from_pw_multi_aff(executed.instance.copy()?)?;
        let mut needed = Set::empty(open.get_space()?)?;
        for live in self.dependences.live_out.iter().filter(|live| live.access == access) {
            let live = Map::parse(&live.relation.0)?.domain()?;
            needed = needed.union(live.apply(instances.copy()?.reverse()?)?)?;
        }
        for flow in self.dependences.flow.iter().filter(|flow| flow.source == access) {
            let mut elsewhere = Map::parse(&flow.relation.0)?.apply_domain(instances.copy()?.reverse()?)?;
            for reader in self.of(|role| role == Role::Read(flow.sink)) {
                let Some(sink) = reader.executed else { continue };
                let kept = self.in_buffer(flow, writer, reader)?;
                elsewhere =
                    elsewhere.subtract(kept.apply_range(Map::from_pw_multi_aff(sink.instance.copy()?)?)?)?;
            }
            needed = needed.union(elsewhere.domain()?)?;
        }
        let lost = open.intersect(needed)?;
        Ok(if lost.is_empty()? { None } else { Some(lost) })
    }

    /// True if a copy in may come between a write and the copy out after it: between them in the text, or in a loop
    /// with one of the two that is not around the other. The copy in may then overwrite what was written.
    fn is_brought_between(&self, writer: &User<'_>, out: &User<'_>) -> bool {
        let together = common(&writer.leaf.path, &out.leaf.path);
        let in_inner_loop = |copy: &User<'_>, other: &User<'_>| {
            let shared = common(&copy.leaf.path, &other.leaf.path);
            shared > together && other.leaf.path[together..shared].contains(&Step::Loop)
        };
        let is_between = |copy: &User<'_>| {
            precedes(writer, copy) && precedes(copy, out)
                || in_inner_loop(copy, writer)
                || in_inner_loop(copy, out)
        };
        self.of(|role| role == Role::CopyIn).any(is_between)
    }

    /// Returns the points at which a copy takes the value of a place of the buffer that holds nothing.
    pub fn undefined(&self, copy: &User<'_>) -> Result<Option<Set>> {
        let mut open = copy.points()?;
        let puts = |role| matches!(role, Role::CopyIn | Role::Write(_, Certainty::Must));
        for put in self.of(puts) {
            open = self.without(open, copy, put, precedes(put, copy))?;
            if open.is_empty()? {
                return Ok(None);
            }
        }
        Ok(Some(open))
    }

    /// True if a thread may put a value at a place that another thread uses, without a barrier between the two.
    pub fn has_race(&self, barriers: &[&Leaf<'_>]) -> Result<bool> {
        if self.memory == Memory::Private {
            return Ok(false);
        }
        for put in self.of(|role| matches!(role, Role::CopyIn | Role::Write(..))) {
            for user in self.users {
                let there = |dimensions| of_one_place(put, user, dimensions);
                let back = |dimensions| of_one_place(user, put, dimensions);
                if check_race(put.leaf, user.leaf, there, barriers)?.is_some()
                    || check_race(user.leaf, put.leaf, back, barriers)?.is_some()
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// True if a thread may copy an element out that another thread of its block copies in or out, without a barrier
    /// between the two.
    pub fn races_on_array(&self, barriers: &[&Leaf<'_>]) -> Result<bool> {
        for out in self.of(|role| role == Role::CopyOut) {
            for copy in self.of(|role| matches!(role, Role::CopyIn | Role::CopyOut)) {
                let there = |dimensions| of_one_element(out, copy, dimensions);
                let back = |dimensions| of_one_element(copy, out, dimensions);
                if check_race(out.leaf, copy.leaf, there, barriers)?.is_some()
                    || check_race(copy.leaf, out.leaf, back, barriers)?.is_some()
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Returns points at which a copy moves an element that another block of the same launch copies out.
    pub fn met_by_other_blocks(&self, copy: &User<'_>) -> Result<Option<Set>> {
        let Some(launch) = copy.leaf.launch else { return Ok(None) };
        for out in self.of(|role| role == Role::CopyOut) {
            for dimension in launch.first..launch.first + launch.blocks {
                let pairs = of_one_element(copy, out, dimension)?;
                if let Some(apart) = apart(&pairs, dimension)?.pop() {
                    return Ok(Some(apart.domain()?));
                }
            }
        }
        Ok(None)
    }

    fn of(&self, wanted: impl Fn(Role) -> bool) -> impl Iterator<Item = &'a User<'a>> {
        self.users.iter().filter(move |user| wanted(user.role))
    }

    /// Removes from `open` the points of `user` whose place `other` uses in the same iteration of the loops around
    /// both; none if `in_order` is false.
    fn without(&self, open: Set, user: &User<'_>, other: &User<'a>, in_order: bool) -> Result<Set> {
        if !in_order {
            return Ok(open);
        }
        let steps = common(&user.leaf.path, &other.leaf.path);
        let keys = self.keys_of(other, steps)?;
        let key = user.key(steps, self.memory)?;
        let met = pulled_back(keys, &key)?;
        if open.is_subset(&met)? { Ok(Set::empty(open.get_space()?)?) } else { Ok(open.subtract(met)?) }
    }

    /// Returns the pairs of points of a dependence between which the value stays in the buffer. The same thread, or
    /// the same block if the memory is shared, runs both points in one launch, and no copy in comes between them. If
    /// places hold other elements in other iterations, both points are in one iteration.
    fn in_buffer(&self, flow: &Dependence, writer: &User<'_>, reader: &User<'_>) -> Result<Map> {
        let (Some(source), Some(sink)) = (writer.executed, reader.executed) else {
            return Map::parse("{ [] -> [] : false }");
        };
        let mut pairs = between_points(source, sink, &Map::parse(&flow.relation.0)?)?;
        let launch =
            writer.leaf.launch.filter(|launch| launch.step < common(&writer.leaf.path, &reader.leaf.path));
        let Some(launch) = launch else { return Ok(Map::empty(pairs.get_space()?)?) };
        let last = match self.memory {
            Memory::Private => launch.thread_dimensions().end,
            Memory::Shared => launch.thread_dimensions().start,
        };
        for dimension in 0..last as i32 {
            pairs = pairs.equate(DimType::In, dimension, DimType::Out, dimension)?;
        }
        let copies = || self.of(|role| role == Role::CopyIn);
        let together = common(&writer.leaf.path, &reader.leaf.path);
        let is_between = |copy: &User<'_>| {
            precedes(writer, copy)
                && (precedes(copy, reader) || common(&copy.leaf.path, &reader.leaf.path) > together)
        };
        if copies().any(is_between) {
            return Ok(Map::empty(pairs.get_space()?)?);
        }
        let mut steps = copies().map(|copy| common(&copy.leaf.path, &reader.leaf.path)).max().unwrap_or(0);
        if !self.stands_still(launch.step + 1)? {
            steps = steps.max(self.steps_around_all());
        }
        for dimension in launch.thread_dimensions().end..dimensions(&reader.leaf.path[..together.min(steps)])
        {
            let dimension = dimension as i32;
            pairs = pairs.equate(DimType::In, dimension, DimType::Out, dimension)?;
        }
        Ok(pairs)
    }

    /// True if each place holds one element throughout a launch, into which the first `steps` steps lead.
    fn stands_still(&self, steps: usize) -> Result<bool> {
        if self.steps_around_all() <= steps {
            return Ok(true);
        }
        if let Some(known) = self.still.get() {
            return Ok(*known);
        }
        let found = self.is_consistent_in(steps)?;
        Ok(*self.still.get_or_init(|| found))
    }
}

/// Converts a relation between instances to one from its first instances to the points at which a leaf executes its
/// second ones.
fn to_points(relation: &str, executed: &Executed<'_>) -> Result<Map> {
    let points =
        Map::from_pw_multi_aff(executed.instance.copy()?)?.intersect_domain(executed.points.copy()?)?;
    Ok(Map::parse(relation)?.apply_range(points.reverse()?)?)
}

/// True if each element has only one place wherever the other dimensions of the keys are equal. The relation leads
/// from keys to elements, and the last `place` dimensions of a key are the place.
fn is_one_place(elements: Map, place: usize) -> Result<bool> {
    if place == 0 {
        return Ok(true);
    }
    let keys: Vec<String> = (0..elements.dim(DimType::In)?).map(|k| format!("k{k}")).collect();
    let first = keys[..keys.len() - place].join(", ");
    let first = Map::parse(&format!("{{ [{}] -> [{first}] }}", keys.join(", ")))?;
    Ok(elements.flat_range_product(first)?.is_injective()?)
}

/// Returns the pairs of points of two users that use the same place and agree in the first `dimensions` coordinates.
fn of_one_place(first: &User<'_>, second: &User<'_>, dimensions: usize) -> Result<Map> {
    let places = |user: &User<'_>| user.with_coordinates(dimensions, user.places()?);
    Ok(places(first)?.apply_range(places(second)?.reverse()?)?)
}

/// Returns the pairs of points of two copies that move the same element and agree in the first `dimensions`
/// coordinates.
fn of_one_element(first: &User<'_>, second: &User<'_>, dimensions: usize) -> Result<Map> {
    let elements = |user: &User<'_>| user.with_coordinates(dimensions, user.element.copy()?);
    Ok(elements(first)?.apply_range(elements(second)?.reverse()?)?)
}

/// Returns the function of which a relation is a part, if the relation's equalities alone determine one.
fn affine(relation: &Map) -> Result<Option<PwMultiAff>> {
    let hull = Map::from_basic_map(relation.copy()?.affine_hull()?)?;
    if !hull.is_single_valued()? {
        return Ok(None);
    }
    let function = PwMultiAff::from_map(hull)?;
    Ok(if function.isa_multi_aff()? { Some(function) } else { None })
}

impl Role {
    fn is_write_of(self, access: AccessId) -> bool {
        matches!(self, Self::Write(own, _) if own == access)
    }
}

/// True if the first user precedes the second in the text, within a block of both.
fn precedes(first: &User<'_>, second: &User<'_>) -> bool {
    is_before(&first.leaf.path, &second.leaf.path)
}

/// Returns the points at which an executed statement has not written the element that it reads.
fn without_value(mut points: Set, executed: &Executed<'_>, read: AccessId) -> Result<Set> {
    let statement = executed.statement;
    let Some(read) = statement.access(read) else { return Ok(points) };
    let read_elements = Map::parse(&read.relation.0)?;
    let is_before = |write: &&Access| {
        write.kind == AccessKind::Write
            && write.array == read.array
            && statement.position(write.id) < statement.position(read.id)
    };
    for write in statement.accesses.iter().filter(is_before) {
        let same = Map::parse(&write.relation.0)?.intersect(read_elements.copy()?)?.domain()?;
        points = points.subtract(pulled_back(same, &executed.instance)?)?;
    }
    Ok(points)
}
