//! Divides the instances of selections among their results ([`scop::selections`]).
//!
//! As with [`crate::divide`], isl's scheduler does not find a loop over the results. The order of the source is
//! therefore taken, with such loops around each nest, and around the statements by which results go to fewer ones.

use polyhedra::{
    MultiUnionPwAff, Result, Schedule, ScheduleNode, ScheduleNodeType, Set, Text, UnionSet, context,
};
use scop::mark::statements_at;
use scop::selections::{Number, Stage};
use scop::{Model, Selection, Statement, StatementId};

use crate::constraints::Constraints;
use crate::last_values::are_in_order;
use crate::old_values::{above, joined, subtree};

/// Returns the order of a region in which each nest of a selection is inside of loops over its results; nothing if the
/// nest has other statements that cannot be divided in the same way.
///
/// *Rewrite:* `sequence (starts, band (i) (A), fewer, finish)` → `sequence (band (p) (sequence (start, band (i) (A))),
/// band (q) (sequence (start, band (p) (fewer))), finish)`.
pub fn divided(
    model: &Model,
    selections: &[Selection],
    constraints: &Constraints,
) -> Result<Option<Schedule>> {
    let order = Schedule::parse(&model.order.0)?.intersect_domain(constraints.domain.copy()?)?;
    let nests = Nests { model, selections };
    let Some(Some(schedule)) = nests.part(&order.get_root()?.get_child(0)?, 0)? else { return Ok(None) };
    Ok(are_in_order(&schedule, constraints)?.then_some(schedule))
}

struct Nests<'a> {
    model: &'a Model,
    selections: &'a [Selection],
}

/// A part of the new order, or nothing if its statements go elsewhere; nothing at all if a nest cannot be divided.
type Part = Option<Option<Schedule>>;

impl<'a> Nests<'a> {
    /// Returns the part of the tree below a node that is inside of some loops.
    fn part(&self, node: &ScheduleNode, outer: usize) -> Result<Part> {
        let inside = statements_at(node)?;
        let mut stages = self.selections.iter().flat_map(|selection| &selection.stages);
        let finishes = |id: &StatementId| self.selections.iter().any(|selection| selection.finish.id == *id);
        if inside.iter().all(|id| finishes(id) || stages.clone().any(|stage| stage.start.id == *id)) {
            return Ok(Some(None));
        }
        let is_one = |stage: &&Stage| inside.len() == 1 && inside.contains(&stage.update.id);
        if let Some(stage) = stages.find(is_one).filter(|stage| !self.is_first(stage))
            && node.get_type()? == ScheduleNodeType::Band
        {
            return Ok(Some(Some(self.fewer(stage)?)));
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

    fn is_first(&self, stage: &Stage) -> bool {
        self.selections.iter().any(|selection| selection.stages.first() == Some(stage))
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
        let first = |selection: &'a Selection| selection.stages.first().map(|stage| (selection.depth, stage));
        let firsts = self.selections.iter().filter_map(first);
        let own =
            firsts.filter(|(depth, stage)| *depth as usize == outer && inside.contains(&stage.update.id));
        let own: Vec<&Stage> = own.map(|(_, stage)| stage).collect();
        if let Some(&first) = own.first() {
            return Ok(self.nest(node, first, &own)?.map(Some));
        }
        let members = node.band_n_member()? as usize;
        let Some(Some(schedule)) = self.part(&node.get_child(0)?, outer + members)? else { return Ok(None) };
        Ok(Some(Some(above(node, node.band_get_partial_schedule()?, schedule)?)))
    }

    /// Puts loops over the results around a nest.
    fn nest(&self, node: &ScheduleNode, first: &Stage, own: &[&Stage]) -> Result<Option<Schedule>> {
        let inside = statements_at(node)?.into_iter().map(|id| self.model.statement(id));
        let statements = inside.collect::<Result<Vec<&Statement>>>()?;
        let has_loops = |statement: &&Statement| {
            first.numbers.iter().all(|number| {
                let position = number.coordinate as usize;
                statement.loops.get(position) == first.update.loops.get(position)
            })
        };
        if !own.iter().all(|stage| stage.numbers == first.numbers) || !statements.iter().all(has_loops) {
            return Ok(None);
        }
        let updates: Vec<(StatementId, usize)> =
            statements.iter().map(|statement| (statement.id, statement.depth())).collect();
        let depth = self.depth(first.update.id);
        let Some(schedule) = self.strided(node, depth, first)? else { return Ok(None) };
        self.around((schedule, None), own, &updates).map(Some)
    }

    /// Returns the order of a nest in which loops run through the instances that update one result: `floor(i / P)` in
    /// the place of `i`.
    fn strided(&self, node: &ScheduleNode, outer: usize, stage: &Stage) -> Result<Option<Schedule>> {
        if node.get_type()? != ScheduleNodeType::Band {
            return Ok(Some(subtree(node)?));
        }
        if node.band_n_member()? != 1 {
            return Ok(None);
        }
        let Some(schedule) = self.strided(&node.get_child(0)?, outer + 1, stage)? else { return Ok(None) };
        let Some(number) = stage.numbers.iter().find(|number| number.coordinate as usize == outer) else {
            return Ok(Some(schedule.insert_partial_schedule(node.band_get_partial_schedule()?)?));
        };
        let mut selections = self.selections.iter();
        let own = selections.find(|selection| selection.stages.first() == Some(stage));
        let is_downward = own.is_some_and(|selection| selection.downward.contains(&number.coordinate));
        let members = statements_at(node)?.into_iter().map(|id| {
            let names = polyhedra::numbered("i", self.model.statement(id)?.depth());
            let sign = if is_downward { "-" } else { "" };
            Ok(format!("{id}[{}] -> [({sign}{})]", names.join(", "), number.quotient(&names)))
        });
        let members = members.collect::<Result<Vec<String>>>()?.join("; ");
        let band = MultiUnionPwAff::read_from_str(context(), &format!("[{{ {members} }}]"))?;
        Ok(Some(schedule.insert_partial_schedule(band)?))
    }

    /// Returns the order of a statement by which results go to fewer ones.
    fn fewer(&self, stage: &Stage) -> Result<Schedule> {
        let Stage { update, .. } = stage;
        let names = polyhedra::numbered("i", update.depth());
        let member = |(position, name): (usize, &String)| {
            let mut numbers = stage.numbers.iter();
            let own = numbers.find(|number| number.coordinate as usize == position);
            let value = own.map_or_else(|| format!("({name})"), |number| number.quotient(&names));
            format!("{{ {}[{}] -> [{value}] }}", update.id, names.join(", "))
        };
        let depth = self.depth(update.id);
        let members: Vec<String> = names.iter().enumerate().skip(depth).map(member).collect();
        let band = MultiUnionPwAff::read_from_str(context(), &format!("[{}]", members.join(", ")))?;
        let schedule = Schedule::from_domain(self.instances(update)?)?.insert_partial_schedule(band)?;
        let mut selections = self.selections.iter();
        let last = selections.find(|selection| selection.stages.last() == Some(stage));
        let finish = last.map(|selection| &selection.finish);
        self.around((schedule, finish), &[stage], &[(update.id, update.depth())])
    }

    /// Returns the number of loops of the source around an added statement.
    fn depth(&self, statement: StatementId) -> usize {
        let mut selections = self.selections.iter();
        let own = selections.find(|selection| selection.statements().any(|added| added.id == statement));
        own.map_or(0, |selection| selection.depth as usize)
    }

    /// Puts the statements that begin results before a part of the order, one that reads the last result after it, and
    /// loops over the results around all. A single result has a loop with one iteration, so that one kernel does all.
    fn around(
        &self,
        (mut schedule, finish): (Schedule, Option<&Statement>),
        stages: &[&Stage],
        updates: &[(StatementId, usize)],
    ) -> Result<Schedule> {
        for stage in stages.iter().rev() {
            schedule = Schedule::from_domain(self.instances(&stage.start)?)?.sequence(schedule)?;
        }
        if let Some(finish) = finish {
            schedule = schedule.sequence(Schedule::from_domain(self.instances(finish)?)?)?;
        }
        let numbers = stages.first().map_or(&[][..], |stage| &stage.numbers);
        if numbers.is_empty() {
            let single = statements_at(&schedule.get_root()?.get_child(0)?)?.into_iter().map(|id| {
                let names = polyhedra::numbered("i", self.model.statement(id)?.depth());
                Ok(format!("{id}[{}] -> [(0)]", names.join(", ")))
            });
            let single = single.collect::<Result<Vec<String>>>()?.join("; ");
            let band = MultiUnionPwAff::read_from_str(context(), &format!("[{{ {single} }}]"))?;
            return Ok(schedule.insert_partial_schedule(band)?);
        }
        let member = |(position, number): (usize, &Number)| {
            let updates = updates.iter().map(|(id, depth)| {
                let names = polyhedra::numbered("i", *depth);
                format!("{id}[{}] -> [{}]", names.join(", "), number.text(&names))
            });
            let starts = stages.iter().map(|stage| {
                let names = polyhedra::numbered("i", stage.start.depth());
                let own = &names[names.len() - numbers.len() + position];
                format!("{}[{}] -> [({own})]", stage.start.id, names.join(", "))
            });
            format!("{{ {} }}", updates.chain(starts).collect::<Vec<String>>().join("; "))
        };
        let members: Vec<String> = numbers.iter().enumerate().map(member).collect();
        let band = MultiUnionPwAff::read_from_str(context(), &format!("[{}]", members.join(", ")))?;
        Ok(schedule.insert_partial_schedule(band)?)
    }

    fn instances(&self, statement: &Statement) -> Result<UnionSet> {
        let domain = Set::parse(&statement.domain.0)?;
        Ok(UnionSet::from_set(domain.intersect_params(Set::parse(&self.model.context.0)?)?)?)
    }
}
