//! Divides the updates of sums among their partial sums ([`scop::partial_sums`]).
//!
//! isl's scheduler does not find such a loop: the number of the partial sum that an iteration updates is no affine
//! function of it. The order of the source is therefore taken, with a loop over the partial sums around each nest.

use polyhedra::{MultiUnionPwAff, Result, Schedule, ScheduleNode, ScheduleNodeType, Text, context};
use scop::mark::statements_at;
use scop::{Model, PartialSum, Statement, StatementId};

use crate::constraints::Constraints;
use crate::last_values::are_in_order;
use crate::old_values::{above, joined, subtree};

/// Returns the order of a region in which each nest of a sum is inside of a loop over the partial sums; nothing if the
/// nest has other statements that cannot be divided in the same way.
///
/// *Rewrite:* `band (t) (sequence (start, band (i) (A), finish))` → `band (t) (sequence (band (p) (sequence (start,
/// band (i) (A))), finish))`. If a sum has several elements, `start` stays before the loop over the partial sums.
pub fn divided(model: &Model, sums: &[PartialSum], constraints: &Constraints) -> Result<Option<Schedule>> {
    let order = Schedule::parse(&model.order.0)?.intersect_domain(constraints.domain.copy()?)?;
    let Some(Some(schedule)) = (Nests { model, sums }).part(&order.get_root()?, 0)? else { return Ok(None) };
    Ok(are_in_order(&schedule, constraints)?.then_some(schedule))
}

struct Nests<'a> {
    model: &'a Model,
    sums: &'a [PartialSum],
}

/// A part of the new order, or nothing if its statements begin partial sums in their nest; nothing at all if a nest
/// cannot be divided.
type Part = Option<Option<Schedule>>;

impl Nests<'_> {
    /// Returns the part of the tree below a node that is inside of some loops.
    fn part(&self, node: &ScheduleNode, outer: usize) -> Result<Part> {
        match node.get_type()? {
            ScheduleNodeType::Domain | ScheduleNodeType::Filter => self.part(&node.get_child(0)?, outer),
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
        let is_start = |id: &StatementId| self.sums.iter().any(|sum| sum.start.id == *id && is_in_nest(sum));
        if inside.iter().all(is_start) {
            return Ok(Some(None));
        }
        let own = |sum: &&PartialSum| sum.depth as usize == outer && inside.contains(&sum.statement);
        let own: Vec<&PartialSum> = self.sums.iter().filter(own).collect();
        if let Some(&first) = own.first() {
            return Ok(self.nest(node, first, &own)?.map(Some));
        }
        let members = node.band_n_member()? as usize;
        let Some(Some(schedule)) = self.part(&node.get_child(0)?, outer + members)? else { return Ok(None) };
        Ok(Some(Some(above(node, node.band_get_partial_schedule()?, schedule)?)))
    }

    /// Puts a loop over the partial sums around a nest.
    fn nest(&self, node: &ScheduleNode, first: &PartialSum, own: &[&PartialSum]) -> Result<Option<Schedule>> {
        let is_alike =
            |sum: &&&PartialSum| (sum.divided, sum.count, sum.run) == (first.divided, first.count, first.run);
        let position = first.divided as usize;
        let divided = self.model.statement(first.statement)?.loops[position];
        let statements = statements_at(node)?.into_iter().map(|id| self.model.statement(id));
        let statements = statements.collect::<Result<Vec<&Statement>>>()?;
        let have_loop = statements.iter().all(|statement| statement.loops.get(position) == Some(&divided));
        if !own.iter().all(|sum| is_alike(&sum)) || !have_loop {
            return Ok(None);
        }
        let Some(count) = first.count else { return self.rows(node, first, own) };
        let mut members = Vec::new();
        for statement in statements {
            let names = polyhedra::numbered("i", statement.depth());
            let (id, all, iterator) = (statement.id, names.join(", "), &names[position]);
            let run = first.run;
            members.push(format!("{id}[{all}] -> [((floor(({iterator})/{run})) mod {count})]"));
        }
        members.extend(own.iter().filter(|sum| is_in_nest(sum)).map(|sum| start_member(sum)));
        let schedule = self.after_starts(subtree(node)?, own)?;
        let band = MultiUnionPwAff::read_from_str(context(), &format!("[{{ {} }}]", members.join("; ")))?;
        Ok(Some(schedule.insert_partial_schedule(band)?))
    }

    /// Lets the partial sums of rows begin in the loop of the nest that counts them, if that is its outermost loop.
    fn rows(&self, node: &ScheduleNode, first: &PartialSum, own: &[&PartialSum]) -> Result<Option<Schedule>> {
        let starts = own.iter().filter(|sum| is_in_nest(sum)).map(|sum| start_member(sum));
        let starts: Vec<String> = starts.collect();
        if starts.is_empty() {
            return Ok(Some(subtree(node)?));
        }
        if first.divided != first.depth || node.band_n_member()? != 1 {
            return Ok(None);
        }
        let starts = MultiUnionPwAff::read_from_str(context(), &format!("[{{ {} }}]", starts.join("; ")))?;
        let schedule = self.after_starts(subtree(&node.get_child(0)?)?, own)?;
        let band = node.band_get_partial_schedule()?.union_add(starts)?;
        Ok(Some(schedule.insert_partial_schedule(band)?))
    }

    /// Puts the statements that begin partial sums in the loop over them before a part of the order.
    fn after_starts(&self, mut schedule: Schedule, own: &[&PartialSum]) -> Result<Schedule> {
        for sum in own.iter().rev().filter(|sum| is_in_nest(sum)) {
            let domain = polyhedra::Set::parse(&sum.start.domain.0)?;
            let domain = domain.intersect_params(polyhedra::Set::parse(&self.model.context.0)?)?;
            schedule = Schedule::from_domain(polyhedra::UnionSet::from_set(domain)?)?.sequence(schedule)?;
        }
        Ok(schedule)
    }
}

/// Returns the value of the loop over the partial sums for the statement that begins one: `S1[t, p] -> [(p)]`.
fn start_member(sum: &PartialSum) -> String {
    let names = polyhedra::numbered("i", sum.start.depth());
    format!("{}[{}] -> [({})]", sum.start.id, names.join(", "), names[sum.depth as usize])
}

/// True if a partial sum begins in the loop over the partial sums: it has a single element there.
fn is_in_nest(sum: &PartialSum) -> bool {
    sum.start.depth() == sum.depth as usize + 1
}
