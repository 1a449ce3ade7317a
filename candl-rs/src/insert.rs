//! Puts a statement before or after a loop of the source in the order of the instances.

use std::collections::BTreeSet;

use polyhedra::{
    Map, MultiUnionPwAff, Result, Schedule, ScheduleNode, ScheduleNodeType, Text, UnionMap, context, sets_of,
};
use scop::{LoopId, Model, Statement, StatementId};

use crate::kept::inner_order;

/// Where a statement goes.
pub struct Place<'a> {
    /// The model with the order.
    pub model: &'a Model,
    /// The loop beside which the statement goes.
    pub nest: LoopId,
    /// The number of loops around that loop, which are also the outermost ones around the statement.
    pub depth: usize,
    /// The statement.
    pub statement: &'a Statement,
    /// Statements that were inserted before.
    pub kept: &'a [Statement],
    /// Whether the statement goes after the loop instead.
    pub after: bool,
}

/// A part of an order.
struct Part {
    schedule: Schedule,
    /// True if it has the statement.
    has_statement: bool,
}

/// Returns the order with the statement.
///
/// *Rewrite:* `band (t) (… band (nest) (A) …)` → `band (t) (… sequence (statement, band (nest) (A)) …)`, or the same
/// with the statement after the nest.
///
/// Returns nothing if the bands of the order are not the loops of the source, one by one.
pub fn beside_nest(order: &Schedule, place: &Place<'_>) -> Result<Option<Schedule>> {
    let part = place.part(&order.get_root()?, 0)?;
    Ok(part.filter(|part| part.has_statement).map(|part| part.schedule))
}

impl Place<'_> {
    /// Returns the part of the tree below a node that is inside of some loops.
    fn part(&self, node: &ScheduleNode, outer: usize) -> Result<Option<Part>> {
        match node.get_type()? {
            ScheduleNodeType::Domain | ScheduleNodeType::Filter => self.part(&node.get_child(0)?, outer),
            ScheduleNodeType::Leaf => {
                Ok(Some(Part { schedule: Schedule::from_domain(node.get_domain()?)?, has_statement: false }))
            }
            ScheduleNodeType::Band => self.band(node, outer),
            ScheduleNodeType::Sequence => self.children(node, outer, |one, other| Ok(one.sequence(other)?)),
            ScheduleNodeType::Set => self.children(node, outer, |one, other| Ok(Schedule::set(one, other)?)),
            _ => Ok(None),
        }
    }

    fn children(
        &self,
        node: &ScheduleNode,
        outer: usize,
        join: impl Fn(Schedule, Schedule) -> Result<Schedule>,
    ) -> Result<Option<Part>> {
        let mut all: Option<Part> = None;
        for position in 0..node.n_children()? {
            let Some(part) = self.part(&node.get_child(position)?, outer)? else { return Ok(None) };
            all = Some(match all {
                None => part,
                Some(all) => Part {
                    schedule: join(all.schedule, part.schedule)?,
                    has_statement: all.has_statement || part.has_statement,
                },
            });
        }
        Ok(all)
    }

    fn band(&self, node: &ScheduleNode, outer: usize) -> Result<Option<Part>> {
        let inside = self.inside(node)?;
        let is_nest = outer == self.depth && inside.iter().all(|id| self.is_in_nest(*id));
        let Some(Part { schedule, mut has_statement }) = self.part(&node.get_child(0)?, outer + 1)? else {
            return Ok(None);
        };
        let mut partial = node.band_get_partial_schedule()?;
        if has_statement {
            if node.band_n_member()? != 1 || !self.is_loop(&partial, &inside, outer)? {
                return Ok(None);
            }
            let names = polyhedra::numbered("i", self.statement.depth());
            let own = format!("[{{ {}[{}] -> [({})] }}]", self.statement.id, names.join(", "), names[outer]);
            partial = partial.union_add(MultiUnionPwAff::read_from_str(context(), &own)?)?;
        }
        let mut schedule = schedule.insert_partial_schedule(partial)?;
        if is_nest && !has_statement {
            let own = inner_order(self.statement, self.depth)?;
            schedule = if self.after { schedule.sequence(own)? } else { own.sequence(schedule)? };
            has_statement = true;
        }
        Ok(Some(Part { schedule, has_statement }))
    }

    /// Returns the statements below a node.
    fn inside(&self, node: &ScheduleNode) -> Result<BTreeSet<StatementId>> {
        let mut inside = BTreeSet::new();
        for set in sets_of(&node.get_domain()?)? {
            inside.insert(set.get_tuple_name()?.parse().map_err(polyhedra::Error::new)?);
        }
        Ok(inside)
    }

    fn is_in_nest(&self, id: StatementId) -> bool {
        self.find(id).is_ok_and(|statement| statement.loops.get(self.depth) == Some(&self.nest))
    }

    fn find(&self, id: StatementId) -> Result<&Statement> {
        match self.kept.iter().find(|kept| kept.id == id) {
            Some(kept) => Ok(kept),
            None => self.model.statement(id),
        }
    }

    /// True if a band runs through the values of the iterator at a position around each statement.
    fn is_loop(
        &self,
        partial: &MultiUnionPwAff,
        inside: &BTreeSet<StatementId>,
        position: usize,
    ) -> Result<bool> {
        let found = UnionMap::from_multi_union_pw_aff(partial.copy()?)?;
        for id in inside {
            let names = polyhedra::numbered("i", self.find(*id)?.depth());
            let Some(name) = names.get(position) else { return Ok(false) };
            let own = Map::parse(&format!("{{ {id}[{}] -> [{name}] }}", names.join(", ")))?;
            let instances =
                found.copy()?.domain()?.intersect(polyhedra::UnionSet::from_set(own.copy()?.domain()?)?)?;
            let found = found.copy()?.intersect_domain(instances.copy()?)?;
            if !found.is_subset(&UnionMap::from_map(own)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
