//! Checks sums that the threads of a warp share, and finds those of which each block has a part
//! ([`super::block_sums`]).
//!
//! Each thread has a value of its own in a buffer, which begins with the neutral value; at the end, the values of the
//! warp are combined with the element. Such a sum is right if
//!
//! * each update runs between the two, in the same iteration of the loops around them, and updates the element with
//!   which it is combined ([`check`]);
//! * all threads of a warp take part in the combination, or none does;
//! * in every dependence, the combination, by the thread with `tx = 0`, may take the place of the updates
//!   ([`check_dependence`]). Among the updates of one combination, the reduction has to leave the order free; or the
//!   values are combined in order, and each update depends only on those of threads with smaller `tx`.

use std::collections::BTreeMap;

use polyhedra::{DimType, Map, PwMultiAff, Result, Set, Text};
use scop::ast::Node;
use scop::{AccessId, Axis, Buffer, BufferId, Dependence, Diagnostic, Memory, Placement, Reduction};

use super::barriers::diverging_along;
use super::block_sums::{self, BlockSum};
use super::compare::{Order, common, compare, is_before};
use super::data::{Buffers, Facts};
use super::instances::{Executed, function, pulled_back};
use super::leaf::{Launch, Leaf, Walked, dimensions};
use super::order::{between_points, check_points};
use crate::report::{self, Breach, Fault};

/// The threads of a warp.
const WARP: i32 = 32;

/// The shared sums of a program, by buffer and launch.
pub struct Sums<'a> {
    buffers: BTreeMap<BufferId, &'a Buffer>,
    found: BTreeMap<(BufferId, usize), Ends<'a>>,
}

/// The copies of a buffer in one launch.
#[derive(Default)]
struct Ends<'a> {
    begins: Vec<&'a Leaf<'a>>,
    combinations: Vec<&'a Leaf<'a>>,
}

/// A shared sum in one launch.
#[derive(Clone, Copy)]
struct Sum<'a> {
    /// Where the values are set.
    begin: &'a Leaf<'a>,
    /// Where they are combined.
    combination: &'a Leaf<'a>,
    /// The dimension of points that is `tx`.
    lane: usize,
}

impl<'a> Sums<'a> {
    /// Collects the shared sums.
    pub fn of(placement: &'a Placement, walked: &'a Walked<'a>) -> Self {
        let buffers = placement.kernels.iter().flat_map(|kernel| &kernel.buffers);
        let partial = buffers.filter(|buffer| buffer.partial.is_some());
        let mut sums =
            Self { buffers: partial.map(|buffer| (buffer.id, buffer)).collect(), found: BTreeMap::new() };
        for leaf in &walked.leaves {
            let (Node::Copy { buffer, into_buffer, .. }, Some(launch)) = (leaf.node, leaf.launch) else {
                continue;
            };
            if sums.buffers.contains_key(buffer) {
                let ends = sums.found.entry((*buffer, launch.grid)).or_default();
                if *into_buffer { ends.begins.push(leaf) } else { ends.combinations.push(leaf) }
            }
        }
        sums
    }

    /// True if an access of a leaf uses a value of a shared sum.
    pub fn has(&self, executed: &Executed<'_>, access: AccessId) -> bool {
        executed.buffer(access).is_some_and(|buffer| self.buffers.contains_key(&buffer))
    }

    /// Returns the two copies of a buffer in a launch, if its memory is this and there are no others.
    fn ends(
        &self,
        executed: &Executed<'_>,
        buffer: BufferId,
        memory: Memory,
    ) -> Option<(&'a Leaf<'a>, &'a Leaf<'a>, Launch)> {
        self.buffers.get(&buffer).filter(|buffer| buffer.memory == memory)?;
        let launch = executed.leaf.launch?;
        let ends = self.found.get(&(buffer, launch.grid))?;
        let ([begin], [combination]) = (&ends.begins[..], &ends.combinations[..]) else { return None };
        Some((begin, combination, launch))
    }

    /// Returns the sums of a block in a buffer in which an instance has part.
    fn block_sum(&self, executed: &Executed<'_>, buffer: BufferId) -> Option<BlockSum<'a>> {
        let (begin, combination, _) = self.ends(executed, buffer, Memory::Shared)?;
        Some(BlockSum { begin, combination })
    }

    fn sum(&self, executed: &Executed<'_>, access: AccessId) -> Option<Sum<'a>> {
        let buffer = executed.buffer(access)?;
        let (begin, combination, launch) = self.ends(executed, buffer, Memory::Private)?;
        let lane = launch.thread_dimensions().start;
        let is_warp = combination.names.get(lane).is_some_and(|name| name == Axis::X.thread_parameter());
        (is_warp && launch.threads > 0 && launch.sizes[0] == WARP).then_some(Sum { begin, combination, lane })
    }
}

/// Returns the messages about updates that are not between the setting and the combination of their buffer, and about
/// warps that do not combine as a whole.
pub fn check(facts: &Facts<'_>, sums: &Sums<'_>, barriers: &[&Leaf<'_>]) -> Result<Vec<Diagnostic>> {
    let mut messages = Vec::new();
    if sums.buffers.is_empty() {
        return Ok(messages);
    }
    let buffers = Buffers::of(facts.placement);
    for buffer in sums.buffers.values().filter(|buffer| buffer.memory == Memory::Shared) {
        let of = |executed: &Executed<'_>| sums.block_sum(executed, buffer.id);
        messages.extend(block_sums::check(facts, &buffers, buffer, &of, barriers)?);
    }
    let of_warp = |id: Option<BufferId>| {
        id.and_then(|id| sums.buffers.get(&id)).filter(|buffer| buffer.memory == Memory::Private)
    };
    for executed in facts.executed() {
        for place in executed.accesses.iter().filter(|place| of_warp(place.buffer).is_some()) {
            if let Some(points) = apart(executed, place.access, &buffers, sums)? {
                messages.push(facts.message(executed, Fault::Unshared(place.access), points)?);
            }
        }
        for buffer in executed.accesses.iter().filter_map(|place| of_warp(place.buffer)) {
            let mut all = executed.statement.accesses.iter().filter(|one| buffer.accesses.contains(&one.id));
            if let Some(other) = all.find(|access| executed.buffer(access.id) != Some(buffer.id)) {
                messages.push(facts.message(executed, Fault::Unshared(other.id), executed.points.copy()?)?);
            }
        }
    }
    for (_, ends) in sums.found.iter().filter(|((buffer, _), _)| of_warp(Some(*buffer)).is_some()) {
        for combination in &ends.combinations {
            let Some(launch) = combination.launch else { continue };
            let lane = launch.thread_dimensions().start;
            if let Some(points) = diverging_along(combination, lane..lane + 1)? {
                messages.push(report::describe_combination(combination, points)?);
            }
        }
    }
    Ok(messages)
}

/// Returns the points of an update that are not part of a shared sum of its element.
fn apart(
    executed: &Executed<'_>,
    access: AccessId,
    buffers: &Buffers<'_>,
    sums: &Sums<'_>,
) -> Result<Option<Set>> {
    let all = || executed.points.copy().map(Some);
    let Some(sum) = sums.sum(executed, access) else { return Ok(all()?) };
    let Some(access) = executed.statement.access(access) else { return Ok(all()?) };
    let Node::Copy { element, .. } = sum.combination.node else { return Ok(all()?) };
    if !sum.encloses(executed.leaf) {
        return Ok(all()?);
    }
    let project = sum.project(executed)?;
    let reached = sum.begin.domain.copy()?.intersect(sum.combination.domain.copy()?)?;
    let mut open = executed.points.copy()?.subtract(pulled_back(reached, &project)?)?;
    let own = executed.at_points(buffers.element(executed.statement, access)?)?;
    let combined = function(sum.combination, element)?.pullback_pw_multi_aff(project)?;
    let (own, combined) = (Map::from_pw_multi_aff(own)?, Map::from_pw_multi_aff(combined)?);
    let wrong = own.intersect_domain(executed.points.copy()?)?.subtract(combined)?.domain()?;
    open = open.union(wrong)?;
    if !sum.combination.domain.is_subset(&sum.begin.domain)? {
        return Ok(all()?);
    }
    Ok(if open.is_empty()? { None } else { Some(open) })
}

impl Sum<'_> {
    /// True if a leaf is between the setting and the combination in the text, in the loops around both.
    fn encloses(&self, leaf: &Leaf<'_>) -> bool {
        let steps = common(&self.begin.path, &self.combination.path);
        let is_around = common(&self.begin.path, &leaf.path) == steps
            && common(&leaf.path, &self.combination.path) == steps;
        let around = dimensions(&self.combination.path[..steps]);
        is_around
            && is_before(&self.begin.path, &leaf.path)
            && is_before(&leaf.path, &self.combination.path)
            && self.begin.names.len() == around
            && self.combination.names.len() == around
            && self.combination.launch.is_some_and(|launch| launch.step < steps)
    }

    /// Returns the function from the points of an update to the point of its own thread at the combination.
    fn project(&self, executed: &Executed<'_>) -> Result<PwMultiAff> {
        let names = &executed.leaf.names[..self.combination.names.len()];
        let values: Vec<_> = names.iter().cloned().map(scop::ast::AstExpr::Name).collect();
        function(executed.leaf, &values)
    }

    /// Returns the function from the points of an update to the point at which its sum changes the element.
    fn combined(&self, executed: &Executed<'_>) -> Result<Map> {
        let own =
            Map::from_pw_multi_aff(self.project(executed)?)?.intersect_domain(executed.points.copy()?)?;
        let lane = self.lane as u32;
        let first = own.project_out(DimType::Out, lane, 1)?.insert_dims(DimType::Out, lane, 1)?;
        Ok(first.fix_si(DimType::Out, lane, 0)?)
    }
}

/// What is wrong with a dependence.
pub enum Broken {
    /// The combination is not in order.
    Order(Breach, Map),
    /// The order of updates within one combination is not free for these pairs.
    Within(Map),
}

/// Returns the first way in which a dependence from or to an update is not respected, with the pairs of instances.
pub fn check_dependence(
    dependence: &Dependence,
    (first, second): (&Executed<'_>, &Executed<'_>),
    pairs: &Map,
    (sums, reductions): (&Sums<'_>, &[Reduction]),
    barriers: &[&Leaf<'_>],
) -> Result<Option<Broken>> {
    let points = between_points(first, second, pairs)?;
    if points.is_empty()? {
        return Ok(None);
    }
    let (one, other) = (sums.sum(first, dependence.source), sums.sum(second, dependence.sink));
    let (end_of_first, from) = sums.event(first, dependence.source)?;
    let (end_of_second, to) = sums.event(second, dependence.sink)?;
    let mut points = points;
    let is_one = first.buffer(dependence.source) == second.buffer(dependence.sink);
    if let (Some(_), Some(_), true) = (one, other, is_one) {
        let within = points.copy()?.intersect(from.copy()?.apply_range(to.copy()?.reverse()?)?)?;
        let in_order = first.buffer(dependence.source).and_then(|id| sums.buffers.get(&id));
        let in_order = in_order.is_some_and(|buffer| buffer.in_order);
        let free = reductions.iter().find(|reduction| {
            !in_order
                && reduction.free.is_some()
                && reduction.updates_by(dependence.source)
                && reduction.updates_by(dependence.sink)
        });
        let mut left = within.copy()?;
        if let Some(reduction) = free {
            left = left.subtract(between_points(first, second, &Map::parse(&reduction.relation.0)?)?)?;
        }
        if let (Some(sum), true) = (one, in_order) {
            left = left.subtract(compare(&within, sum.lane, Order::Before)?)?;
        }
        if !left.is_empty()? {
            return Ok(Some(Broken::Within(of_instances(left, first, second)?)));
        }
        points = points.subtract(within)?;
    }
    let between = points.copy()?.apply_domain(from.copy()?)?.apply_range(to.copy()?)?;
    let found = check_points(end_of_first, end_of_second, between, barriers)?;
    let Some((breach, found)) = found else { return Ok(None) };
    let back = from.apply_range(found)?.apply_range(to.reverse()?)?.intersect(points)?;
    Ok(Some(Broken::Order(breach, of_instances(back, first, second)?)))
}

impl<'a> Sums<'a> {
    /// Returns the leaf at which an access happens, and the relation from the points of its instance to those at which
    /// it happens: an update of a shared sum changes the element where that is combined.
    fn event<'e>(&self, executed: &Executed<'e>, access: AccessId) -> Result<(&'e Leaf<'e>, Map)>
    where
        'a: 'e,
    {
        if let Some(sum) = self.sum(executed, access) {
            return Ok((sum.combination, sum.combined(executed)?));
        }
        match executed.buffer(access).and_then(|buffer| self.block_sum(executed, buffer)) {
            Some(sum) => Ok((sum.combination, sum.combined(executed)?)),
            None => Ok((executed.leaf, identity(&executed.points)?)),
        }
    }
}

fn identity(points: &Set) -> Result<Map> {
    let all = Map::identity(points.get_space()?.map_from_set()?)?;
    Ok(all.intersect_domain(points.copy()?)?)
}

fn of_instances(points: Map, first: &Executed<'_>, second: &Executed<'_>) -> Result<Map> {
    let pairs = points.apply_domain(Map::from_pw_multi_aff(first.instance.copy()?)?)?;
    Ok(pairs.apply_range(Map::from_pw_multi_aff(second.instance.copy()?)?)?)
}
