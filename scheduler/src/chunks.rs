//! Divides prefix sums into chunks ([`scop::prefix_sums`]).
//!
//! As with [`crate::divide`], isl's scheduler does not find a loop over chunks. The order of the source is therefore
//! taken, with such a loop around each nest, and around the statements that add up and pass on.

use polyhedra::{
    MultiUnionPwAff, Result, Schedule, ScheduleNode, ScheduleNodeType, Set, Text, UnionSet, context,
};
use scop::mark::statements_at;
use scop::prefix_sums::{Level, chunk};
use scop::{Model, PrefixSum, Statement};

use crate::constraints::Constraints;
use crate::last_values::are_in_order;
use crate::old_values::{above, joined, subtree};

/// Returns the order of a region in which each nest of a prefix sum is inside of a loop over its chunks; nothing if the
/// nest has other statements that cannot be divided in the same way.
///
/// *Rewrite:* `sequence (starts, updates, offsets, band (i) (A, B))` → `sequence (band (c) (sequence (start, band (i)
/// (update))), …, band (c) (band (d) (offset)), band (c) (band (i) (A, B)))`.
pub fn divided(model: &Model, sums: &[PrefixSum], constraints: &Constraints) -> Result<Option<Schedule>> {
    let order = Schedule::parse(&model.order.0)?.intersect_domain(constraints.domain.copy()?)?;
    let nests = Nests { model, sums };
    let Some(Some(schedule)) = nests.part(&order.get_root()?.get_child(0)?, 0)? else { return Ok(None) };
    Ok(are_in_order(&schedule, constraints)?.then_some(schedule))
}

struct Nests<'a> {
    model: &'a Model,
    sums: &'a [PrefixSum],
}

/// A part of the new order, or nothing if its statements go elsewhere; nothing at all if a nest cannot be divided.
type Part = Option<Option<Schedule>>;

impl Nests<'_> {
    /// Returns the part of the tree below a node that is inside of some loops.
    fn part(&self, node: &ScheduleNode, outer: usize) -> Result<Part> {
        let inside = statements_at(node)?;
        let levels = || self.sums.iter().flat_map(|sum| &sum.levels);
        if inside.iter().all(|id| levels().any(|level| level.start.id == *id)) {
            return Ok(Some(None));
        }
        if node.get_type()? == ScheduleNodeType::Band && inside.len() == 1 {
            let is_one = |statement: &Statement| inside.contains(&statement.id);
            if let Some(level) = levels().find(|level| is_one(&level.update)) {
                return Ok(self.up(node, level, outer)?.map(Some));
            }
            for sum in self.sums {
                if let Some(position) = sum.levels.iter().position(|level| is_one(&level.offset)) {
                    return Ok(self.down(node, sum, position)?.map(Some));
                }
            }
        }
        match node.get_type()? {
            ScheduleNodeType::Filter => self.part(&node.get_child(0)?, outer),
            ScheduleNodeType::Band => self.band(node, outer),
            ScheduleNodeType::Sequence => self.children(node, outer, |one, other| Ok(one.sequence(other)?)),
            ScheduleNodeType::Set => self.children(node, outer, |one, other| Ok(Schedule::set(one, other)?)),
            ScheduleNodeType::Leaf => Ok(Some(Some(Schedule::from_domain(node.get_domain()?)?))),
            _ => Ok(None),
        }
    }

    fn children(
        &self,
        node: &ScheduleNode,
        outer: usize,
        join: impl Fn(Schedule, Schedule) -> Result<Schedule>,
    ) -> Result<Part> {
        joined(node, |child| self.part(child, outer), join)
    }

    fn band(&self, node: &ScheduleNode, outer: usize) -> Result<Part> {
        let inside = statements_at(node)?;
        let own = |sum: &&PrefixSum| sum.depth as usize == outer && inside.contains(&sum.statement);
        let mut own = self.sums.iter().filter(own);
        if let Some(first) = own.next() {
            let size = |sum: &PrefixSum| sum.levels.first().map(|level| level.size);
            let is_alike = own.all(|sum| size(sum) == size(first));
            return if is_alike { Ok(self.nest(node, first, outer)?.map(Some)) } else { Ok(None) };
        }
        let members = node.band_n_member()? as usize;
        let Some(Some(schedule)) = self.part(&node.get_child(0)?, outer + members)? else { return Ok(None) };
        Ok(Some(Some(above(node, node.band_get_partial_schedule()?, schedule)?)))
    }

    /// Puts a loop over the chunks around a nest.
    fn nest(&self, node: &ScheduleNode, sum: &PrefixSum, outer: usize) -> Result<Option<Schedule>> {
        let update = self.model.statement(sum.statement)?;
        let Some(level) = sum.levels.first() else { return Ok(None) };
        let inside = statements_at(node)?.into_iter().map(|id| self.model.statement(id));
        let statements = inside.collect::<Result<Vec<&Statement>>>()?;
        if !statements.iter().all(|statement| statement.loops.get(outer) == update.loops.get(outer)) {
            return Ok(None);
        }
        self.within(node, &statements, (outer, level.size))
    }

    /// Puts the loop over the chunks around what adds up a level, after what begins it.
    fn up(&self, node: &ScheduleNode, level: &Level, outer: usize) -> Result<Option<Schedule>> {
        let size = u64::from(level.size);
        let Some(schedule) = inside(node, &[&level.update], (outer, size))? else { return Ok(None) };
        let start = Set::parse(&level.start.domain.0)?;
        let start = start.intersect_params(Set::parse(&self.model.context.0)?)?;
        let start = Schedule::from_domain(UnionSet::from_set(start)?)?;
        let members = [member(&level.update, (outer, size), chunk), member(&level.start, (outer, 1), chunk)];
        around(start.sequence(schedule)?, &members).map(Some)
    }

    /// Puts the loop over the chunks of the next level around what passes on the values before the chunks of one.
    fn down(&self, node: &ScheduleNode, sum: &PrefixSum, position: usize) -> Result<Option<Schedule>> {
        match sum.levels.get(position + 1) {
            Some(next) => {
                let offset = &sum.levels[position].offset;
                self.within(node, &[offset], (sum.depth as usize, next.size))
            }
            None => Ok(Some(subtree(node)?)),
        }
    }

    /// Puts a loop over chunks around another one, which then counts within its chunk.
    fn within(
        &self,
        node: &ScheduleNode,
        statements: &[&Statement],
        (outer, size): (usize, u32),
    ) -> Result<Option<Schedule>> {
        let size = u64::from(size);
        let Some(schedule) = inside(node, statements, (outer, size))? else { return Ok(None) };
        let members: Vec<String> =
            statements.iter().map(|statement| member(statement, (outer, size), chunk)).collect();
        around(schedule, &members).map(Some)
    }
}

/// Returns the part of an order that one chunk runs: the loop counts from zero.
fn inside(
    node: &ScheduleNode,
    statements: &[&Statement],
    (outer, size): (usize, u64),
) -> Result<Option<Schedule>> {
    if node.band_n_member()? != 1 {
        return Ok(None);
    }
    let schedule = subtree(&node.get_child(0)?)?;
    if size == 1 {
        return Ok(Some(schedule));
    }
    let own = |name: &str, size: u64| format!("(({name}) mod {size})");
    let members: Vec<String> =
        statements.iter().map(|statement| member(statement, (outer, size), own)).collect();
    around(schedule, &members).map(Some)
}

fn around(schedule: Schedule, members: &[String]) -> Result<Schedule> {
    let band = format!("[{{ {} }}]", members.join("; "));
    Ok(schedule.insert_partial_schedule(MultiUnionPwAff::read_from_str(context(), &band)?)?)
}

/// Returns the value of a loop for a statement: `S1[t, i] -> [(floor((i)/64))]`.
fn member(statement: &Statement, (outer, size): (usize, u64), value: impl Fn(&str, u64) -> String) -> String {
    let names = polyhedra::numbered("i", statement.depth());
    format!("{}[{}] -> [{}]", statement.id, names.join(", "), value(&names[outer], size))
}
