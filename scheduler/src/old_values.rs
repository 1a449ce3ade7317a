//! Puts the statements that store old values ([`scop::OldValues`]) before those that overwrite them.
//!
//! isl's scheduler orders the source alone. It would fuse the copy with the nest that reads it, along loops that suit
//! neither.

use polyhedra::{
    DimType, Map, MultiUnionPwAff, Result, Schedule, ScheduleNode, ScheduleNodeType, Set, Text, UnionMap,
    UnionSet, context,
};
use scop::{AccessKind, Dependences, Model, Statement, StatementId};

use crate::constraints::Constraints;
use crate::last_values::{are_in_order, keeps_flags};
use crate::tree::insert_band;

/// Adds statements to a tree without them.
///
/// *Rewrite:* `band (t) (A)` → `band (t) (sequence (band (x…) (S3), A))`, where `t` are the loops of the source around
/// `S3`. In a sequence, `S3` comes directly before the first part that needs it.
///
/// Returns nothing if the tree runs these loops in another way, or if the result would break a dependence or take
/// parallelism.
pub fn with_old_values(
    mut schedule: Schedule,
    model: &Model,
    dependences: &Dependences,
    kept: &[StatementId],
    later: &[StatementId],
) -> Result<Option<Schedule>> {
    for (position, &id) in kept.iter().enumerate() {
        let statement = model.statement(id)?;
        let absent: Vec<StatementId> = kept[position + 1..].iter().chain(later).copied().collect();
        let constraints = Constraints::of(model, dependences, &absent)?.involving(id)?;
        let instances = Set::parse(&statement.domain.0)?.intersect_params(constraints.context.copy()?)?;
        if instances.is_empty()? {
            continue;
        }
        let added = Kept {
            instances: UnionSet::from_set(instances)?,
            depth: outer_loops(statement)?,
            statement,
            needed_by: needed_by(statement, &constraints)?,
        };
        let Some(Part { schedule: with_statement, has_added: true }) =
            added.part(&schedule.get_root()?, 0)?
        else {
            return Ok(None);
        };
        let is_sound = are_in_order(&with_statement, &constraints)?
            && keeps_flags(&with_statement.get_root()?, &constraints)?;
        if !is_sound {
            return Ok(None);
        }
        schedule = with_statement;
    }
    Ok(Some(schedule))
}

/// Returns the number of loops of the source around a statement: those that are not subscripts of the array.
fn outer_loops(statement: &Statement) -> Result<usize> {
    let read = statement.accesses.iter().find(|access| access.kind == AccessKind::Read);
    let subscripts = match read {
        Some(read) => Map::parse(&read.relation.0)?.dim(DimType::Out)? as usize,
        None => 0,
    };
    Ok(statement.depth().saturating_sub(subscripts))
}

/// Returns the instances that read or overwrite what a statement stores, in the same iteration of the loops around it:
/// `{ S3[t, x] -> S0[t, i] }`.
fn needed_by(statement: &Statement, constraints: &Constraints) -> Result<UnionMap> {
    let mut needed = UnionMap::parse("{ }")?;
    let outer = outer_loops(statement)? as i32;
    for map in polyhedra::maps_of(&constraints.validity)? {
        let is_from = map.get_tuple_name(DimType::In)? == statement.id.to_string();
        if is_from && map.dim(DimType::Out)? >= outer {
            let same = (0..outer).try_fold(map, |map, position| {
                Ok::<_, polyhedra::Error>(map.equate(DimType::In, position, DimType::Out, position)?)
            })?;
            needed = needed.add_map(same)?;
        }
    }
    Ok(needed)
}

/// A statement that is added to a tree.
struct Kept<'a> {
    statement: &'a Statement,
    instances: UnionSet,
    /// The number of loops of the source around it.
    depth: usize,
    /// The instances before which each of its instances goes.
    needed_by: UnionMap,
}

/// A part of a tree.
struct Part {
    schedule: Schedule,
    /// True if it has the statement.
    has_added: bool,
}

impl Kept<'_> {
    /// Returns the part of a tree below a node inside of some members of bands; nothing for a tree that has no place
    /// for the statement.
    fn part(&self, node: &ScheduleNode, outer: usize) -> Result<Option<Part>> {
        let kind = node.get_type()?;
        if matches!(kind, ScheduleNodeType::Domain | ScheduleNodeType::Filter) {
            return self.part(&node.get_child(0)?, outer);
        }
        let here = node.get_domain()?;
        if here.is_disjoint(&self.needed_by.copy()?.range()?)? {
            return Ok(Some(Part { schedule: subtree(node)?, has_added: false }));
        }
        let is_place = outer == self.depth;
        match kind {
            ScheduleNodeType::Sequence => self.sequence(node, outer),
            ScheduleNodeType::Set => self.set(node, outer),
            _ if is_place => {
                let schedule = self.alone()?.sequence(subtree(node)?)?;
                Ok(Some(Part { schedule, has_added: true }))
            }
            ScheduleNodeType::Band => self.band(node, outer),
            _ => Ok(None),
        }
    }

    /// Puts the statement before the first child that needs it, or into it if loops of the source are still missing.
    fn sequence(&self, node: &ScheduleNode, outer: usize) -> Result<Option<Part>> {
        let wanted = self.needed_by.copy()?.range()?;
        let mut all: Option<Schedule> = None;
        let mut has_added = false;
        for position in 0..node.n_children()? {
            let child = node.get_child(position)?.get_child(0)?;
            let needs = !has_added && !child.get_domain()?.is_disjoint(&wanted)?;
            let schedule = if needs && outer == self.depth {
                self.alone()?.sequence(subtree(&child)?)?
            } else if needs {
                let Some(Part { schedule, has_added: true }) = self.part(&child, outer)? else {
                    return Ok(None);
                };
                schedule
            } else {
                subtree(&child)?
            };
            has_added |= needs;
            all = Some(match all {
                Some(all) => all.sequence(schedule)?,
                None => schedule,
            });
        }
        Ok(all.map(|schedule| Part { schedule, has_added }))
    }

    /// The children of a set have no order, so the statement goes before all, or into the only child that needs it.
    fn set(&self, node: &ScheduleNode, outer: usize) -> Result<Option<Part>> {
        if outer == self.depth {
            let schedule = self.alone()?.sequence(subtree(node)?)?;
            return Ok(Some(Part { schedule, has_added: true }));
        }
        let mut all: Option<Part> = None;
        for position in 0..node.n_children()? {
            let Some(part) = self.part(&node.get_child(position)?, outer)? else { return Ok(None) };
            all = Some(match all {
                Some(all) if all.has_added && part.has_added => return Ok(None),
                Some(all) => Part {
                    schedule: Schedule::set(all.schedule, part.schedule)?,
                    has_added: all.has_added || part.has_added,
                },
                None => part,
            });
        }
        Ok(all)
    }

    /// Splits a band of more members than there are loops of the source around the statement.
    fn band(&self, node: &ScheduleNode, outer: usize) -> Result<Option<Part>> {
        let members = node.band_n_member()? as usize;
        let missing = self.depth - outer;
        let node = match members > missing {
            true => node.copy()?.band_split(missing as i32)?,
            false => node.copy()?,
        };
        let members = node.band_n_member()?;
        let Some(own) = self.members(&node)? else { return Ok(None) };
        let inside = self.part(&node.get_child(0)?, outer + members as usize)?;
        let Some(Part { schedule, has_added: true }) = inside else { return Ok(None) };
        let partial = node.band_get_partial_schedule()?.union_add(own)?;
        Ok(Some(Part { schedule: above(&node, partial, schedule)?, has_added: true }))
    }

    /// Returns the values that the members of a band have for the statement's instances: those of all instances that
    /// need one of them, if they are the same.
    fn members(&self, band: &ScheduleNode) -> Result<Option<MultiUnionPwAff>> {
        let partial = UnionMap::from_multi_union_pw_aff(band.band_get_partial_schedule()?)?;
        let own = self.needed_by.copy()?.apply_range(partial)?;
        let is_known = own.is_single_valued()? && self.instances.is_subset(&own.copy()?.domain()?)?;
        Ok(match is_known {
            true => Some(MultiUnionPwAff::from_union_map(own)?),
            false => None,
        })
    }

    /// Returns the order of the statement's instances in an iteration of the loops around it.
    fn alone(&self) -> Result<Schedule> {
        let schedule = Schedule::from_domain(self.instances.copy()?)?;
        let names = polyhedra::numbered("i", self.statement.depth());
        let (id, all) = (self.statement.id, names.join(", "));
        let inner = &names[self.depth..];
        if inner.is_empty() {
            return Ok(schedule);
        }
        let members: Vec<String> =
            inner.iter().map(|name| format!("{{ {id}[{all}] -> [({name})] }}")).collect();
        let band = MultiUnionPwAff::read_from_str(context(), &format!("[{}]", members.join(", ")))?;
        let node = schedule.get_root()?.child(0)?;
        Ok(insert_band(node, band, &vec![true; inner.len()])?.get_schedule()?)
    }
}

/// Joins the schedules that `part` makes of the children of a node. It makes none of some; if it returns nothing, the
/// whole has none.
pub fn joined(
    node: &ScheduleNode,
    part: impl Fn(&ScheduleNode) -> Result<Option<Option<Schedule>>>,
    join: impl Fn(Schedule, Schedule) -> Result<Schedule>,
) -> Result<Option<Option<Schedule>>> {
    let mut all = None;
    for position in 0..node.n_children()? {
        let Some(part) = part(&node.get_child(position)?)? else { return Ok(None) };
        all = match (all, part) {
            (Some(all), Some(part)) => Some(join(all, part)?),
            (all, part) => all.or(part),
        };
    }
    Ok(Some(all))
}

/// Returns the part of a tree below a node of a kind that schedulers write.
pub fn subtree(node: &ScheduleNode) -> Result<Schedule> {
    match node.get_type()? {
        ScheduleNodeType::Domain | ScheduleNodeType::Filter => subtree(&node.get_child(0)?),
        ScheduleNodeType::Band => {
            above(node, node.band_get_partial_schedule()?, subtree(&node.get_child(0)?)?)
        }
        kind @ (ScheduleNodeType::Sequence | ScheduleNodeType::Set) => {
            let mut all = subtree(&node.get_child(0)?)?;
            for position in 1..node.n_children()? {
                let child = subtree(&node.get_child(position)?)?;
                all = match kind {
                    ScheduleNodeType::Set => Schedule::set(all, child)?,
                    _ => all.sequence(child)?,
                };
            }
            Ok(all)
        }
        _ => Ok(Schedule::from_domain(node.get_domain()?)?),
    }
}

/// Puts a band with the flags of another one above a schedule.
pub fn above(band: &ScheduleNode, partial: MultiUnionPwAff, schedule: Schedule) -> Result<Schedule> {
    let mut node = schedule.insert_partial_schedule(partial)?.get_root()?.child(0)?;
    for member in 0..band.band_n_member()? {
        let coincident = i32::from(band.band_member_get_coincident(member)?);
        node = node.band_member_set_coincident(member, coincident)?;
    }
    Ok(node.band_set_permutable(i32::from(band.band_get_permutable()?))?.get_schedule()?)
}
