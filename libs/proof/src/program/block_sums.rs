//! Checks sums into elements that data choose of which each block has values of its own.
//!
//! A buffer in shared memory takes the place of the whole array. Copies into it set its values to the neutral one, the
//! updates of the block change them by atomic operations, and copies out of it combine them with the elements, by
//! atomic operations as well. The order of the updates is free, so these sums are right if
//!
//! * the place of an element has its subscripts, as the subscripts that data choose are those of the array;
//! * each update runs between the two, in the same iteration of the loops around them and in the same block, and all
//!   elements that it may change are set before it and combined after it, each by one thread ([`check`]);
//! * there is a barrier between each two of the three, also from one iteration to the next;
//! * in every dependence, the combination may take the place of the update ([`super::partial::check_dependence`]).

use polyhedra::{DimType, Map, PwMultiAff, Result, Set, Text};
use scop::ast::{AstExpr, Node};
use scop::{AccessKind, Buffer, Diagnostic};

use super::compare::{common, is_before};
use super::data::{Buffers, Facts};
use super::instances::{Executed, function};
use super::leaf::{Leaf, dimensions};
use super::order::check_race;
use crate::report::{self, Fault};

/// The sums of each block of a launch.
#[derive(Clone, Copy)]
pub struct BlockSum<'a> {
    /// Where the values are set.
    pub begin: &'a Leaf<'a>,
    /// Where they are combined with the elements.
    pub combination: &'a Leaf<'a>,
}

impl BlockSum<'_> {
    /// The number of steps that the paths to both copies share.
    fn steps(&self) -> usize {
        common(&self.begin.path, &self.combination.path)
    }

    /// True if a leaf is between the two copies in the text, in the loops around both.
    fn encloses(&self, leaf: &Leaf<'_>) -> bool {
        let steps = self.steps();
        let is_in_launch = self.combination.launch.is_some_and(|launch| launch.step < steps);
        let is_around = |copy: &Leaf<'_>| common(&copy.path, &leaf.path) == steps;
        is_in_launch
            && is_around(self.begin)
            && is_around(self.combination)
            && is_before(&self.begin.path, &leaf.path)
            && is_before(&leaf.path, &self.combination.path)
    }

    /// Returns the function from the points of a leaf to the block and to the values of the loops around both copies.
    fn key(&self, leaf: &Leaf<'_>) -> Result<PwMultiAff> {
        let threads = leaf.launch.map_or(0..0, |launch| launch.thread_dimensions());
        let around = dimensions(&leaf.path[..self.steps().min(leaf.path.len())]);
        let names = leaf.names.iter().take(around).enumerate();
        let names = names.filter(|(position, _)| !threads.contains(position));
        let values: Vec<AstExpr> = names.map(|(_, name)| AstExpr::Name(name.clone())).collect();
        function(leaf, &values)
    }

    /// Returns the relation from the points of an update to those at which its block changes elements.
    pub fn combined(&self, executed: &Executed<'_>) -> Result<Map> {
        let own =
            Map::from_pw_multi_aff(self.key(executed.leaf)?)?.intersect_domain(executed.points.copy()?)?;
        let all = Map::from_pw_multi_aff(self.key(self.combination)?)?;
        let all = all.intersect_domain(self.combination.domain.copy()?)?;
        Ok(own.apply_range(all.reverse()?)?)
    }

    /// Returns the relation from the points of a copy to the key and the element.
    fn moved(&self, copy: &Leaf<'_>) -> Result<Map> {
        let Node::Copy { element, .. } = copy.node else { return Map::parse("{ [] -> [] : false }") };
        let moved = self.key(copy)?.flat_range_product(function(copy, element)?)?;
        Ok(Map::from_pw_multi_aff(moved)?.intersect_domain(copy.domain.copy()?)?)
    }

    /// Returns the keys of an update with the elements that it may change.
    fn changed(&self, executed: &Executed<'_>, elements: Map) -> Result<Set> {
        let points =
            Map::from_pw_multi_aff(executed.instance.copy()?)?.intersect_domain(executed.points.copy()?)?;
        let elements = points.apply_range(elements)?.reset_tuple_id(DimType::Out)?;
        Ok(Map::from_pw_multi_aff(self.key(executed.leaf)?)?.flat_range_product(elements)?.range()?)
    }
}

/// Returns the messages about the sums of blocks in one buffer. `of` returns those that an instance has part in.
pub fn check<'a>(
    facts: &Facts<'_>,
    buffers: &Buffers<'_>,
    buffer: &Buffer,
    of: &dyn Fn(&Executed<'_>) -> Option<BlockSum<'a>>,
    barriers: &[&Leaf<'_>],
) -> Result<Vec<Diagnostic>> {
    let mut messages = Vec::new();
    for executed in facts.executed() {
        let mut own = executed.accesses.iter().filter(|place| place.buffer == Some(buffer.id));
        let Some(place) = own.next() else { continue };
        let is_sound = match of(executed) {
            Some(sum) => {
                let is_one = buffers.has_no_origin(buffer.array);
                is_one && sum.encloses(executed.leaf) && is_complete(&sum, executed, buffer)?
            }
            None => false,
        };
        if !is_sound {
            messages.push(facts.message(executed, Fault::Unshared(place.access), executed.points.copy()?)?);
            continue;
        }
        let Some(sum) = of(executed) else { continue };
        messages.extend(check_copies(facts, buffer, &sum)?);
        let [begin, update, end] = [sum.begin, executed.leaf, sum.combination];
        let pairs = [(begin, update), (update, end), (begin, end)];
        for (first, second) in pairs.into_iter().chain(pairs.map(|(first, second)| (second, first))) {
            if check_race(first, second, |shared| of_one_block(first, second, shared), barriers)?.is_some() {
                let words = "a thread uses what another one stores, without a barrier between them, in";
                messages.push(report::describe_buffer(buffer, "E0214", words));
                break;
            }
        }
    }
    Ok(messages)
}

/// True if all accesses of an instance to the array use the buffer, and all elements that they may change are set
/// before and combined after it, each by one thread.
fn is_complete(sum: &BlockSum<'_>, executed: &Executed<'_>, buffer: &Buffer) -> Result<bool> {
    let (begun, ended) = (sum.moved(sum.begin)?, sum.moved(sum.combination)?);
    let all = begun.copy()?.range()?;
    if !begun.is_injective()? || !ended.is_injective()? || !ended.copy()?.range()?.is_subset(&all)? {
        return Ok(false);
    }
    let ended = ended.range()?;
    for access in executed.statement.accesses.iter().filter(|access| access.array == buffer.array) {
        let changed = sum.changed(executed, Map::parse(&access.relation.0)?)?;
        let uses_buffer =
            executed.buffer(access.id) == Some(buffer.id) && buffer.accesses.contains(&access.id);
        if !uses_buffer || !access.indirect || !changed.is_subset(&all)? || !changed.is_subset(&ended)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the messages about copies that do not put an element at the place of its subscripts, that leave the memory
/// of the buffer, or the part of the array that the device holds.
fn check_copies(facts: &Facts<'_>, buffer: &Buffer, sum: &BlockSum<'_>) -> Result<Vec<Diagnostic>> {
    let mut messages = Vec::new();
    let names = polyhedra::numbered("x", buffer.sizes.len());
    let bounds = names.iter().zip(&buffer.sizes).map(|(name, size)| format!("0 <= {name} < {size}"));
    let bounds: Vec<String> = bounds.collect();
    let inside = Set::parse(&format!("{{ [{}] : {} }}", names.join(", "), bounds.join(" and ")))?;
    for copy in [sum.begin, sum.combination] {
        let Node::Copy { element, place, .. } = copy.node else { continue };
        let own = |values: &[AstExpr]| -> Result<Map> {
            Ok(Map::from_pw_multi_aff(function(copy, values)?)?.intersect_domain(copy.domain.copy()?)?)
        };
        if !own(element)?.is_equal(&own(place)?)? || !buffer.layout.is_plain() {
            let words = "an element that data choose has another place than its subscripts, in";
            messages.push(report::describe_buffer(buffer, "E0213", words));
        }
        let beyond = own(place)?.subtract_range(inside.copy()?)?.domain()?;
        if !beyond.is_empty()? {
            messages.push(report::describe_copy(
                buffer,
                "E0218",
                "is used beyond the memory of",
                copy,
                beyond,
            )?);
        }
        let outside = facts.outside(copy, &copy.domain, (buffer.array, AccessKind::Write), element)?;
        if let Some(points) = outside.filter(|_| std::ptr::eq(copy, sum.combination)) {
            let words = "that is not on the device is copied by";
            messages.push(report::describe_copy(buffer, "E0215", words, copy, points)?);
        }
    }
    Ok(messages)
}

/// Returns the pairs of points of two leaves that agree in so many leading coordinates.
fn of_one_block(first: &Leaf<'_>, second: &Leaf<'_>, shared: usize) -> Result<Map> {
    let leading = |leaf: &Leaf<'_>| -> Result<Map> {
        let names = leaf.names.iter().take(shared).map(|name| AstExpr::Name(name.clone()));
        let leading = function(leaf, &names.collect::<Vec<_>>())?;
        Ok(Map::from_pw_multi_aff(leading)?.intersect_domain(leaf.domain.copy()?)?)
    };
    Ok(leading(first)?.apply_range(leading(second)?.reverse()?)?)
}
