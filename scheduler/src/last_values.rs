//! Puts the statements that store last values ([`scop::LastValues`]) next to those that write these values.
//!
//! isl's scheduler would shift or skew the loops of the writer, so that the added statement has the same coordinates
//! without negative constants. It therefore orders the source alone, and the added statements follow their writers: the
//! iteration that computes a last value also stores it.

use polyhedra::{
    Map, Result, Schedule, ScheduleNode, ScheduleNodeType, Set, Text, UnionMap, UnionPwMultiAff, UnionSet,
    maps_of,
};
use scop::{AccessId, Dependences, Model, Statement, StatementId};

use crate::constraints::Constraints;
use crate::local::Local;
use crate::sink::permutable;
use crate::tree::{coincident_members, has_band_below};

/// Adds statements to a tree without them.
///
/// *Rewrite:* `band (m…) (S1)` → `band (m…) (sequence (S1, S3))`, where `S3` gets the values that the `m` have for the
/// instance of `S1` from which it gets its value. If that breaks a dependence or takes parallelism, or if the loops are
/// on the host, `S3` comes after the whole tree instead.
pub fn with_last_values(
    mut schedule: Schedule,
    model: &Model,
    dependences: &Dependences,
    added: &[StatementId],
) -> Result<Schedule> {
    let mut later = added.to_vec();
    for &id in added {
        later.retain(|&other| other != id);
        let statement = model.statement(id)?;
        let constraints = Constraints::of(model, dependences, &later)?.involving(id)?;
        let instances = Set::parse(&statement.domain.0)?.intersect_params(constraints.context.copy()?)?;
        let instances = UnionSet::from_set(instances)?;
        if instances.is_empty()? {
            continue;
        }
        let beside = match writer(model, dependences, statement, &instances)? {
            Some(writer) => Addition { instances: &instances, writer }.beside(&schedule, &constraints)?,
            None => None,
        };
        schedule = match beside {
            Some(schedule) => schedule,
            None => schedule.sequence(in_a_band(statement, instances)?)?,
        };
    }
    Ok(schedule)
}

/// Returns the instance that writes the value which each instance of a statement stores, if one statement writes all
/// of them: the last one in the text.
fn writer(
    model: &Model,
    dependences: &Dependences,
    statement: &Statement,
    instances: &UnionSet,
) -> Result<Option<UnionMap>> {
    let is_own = |access: AccessId| statement.access(access).is_some();
    let mut found: Option<(StatementId, UnionMap)> = None;
    for flow in dependences.flow.iter().filter(|flow| is_own(flow.sink)) {
        let id = model.owner(flow.source)?.id;
        let writer = UnionMap::from_map(Map::parse(&flow.relation.0)?.reverse()?)?;
        let writer = writer.intersect_domain(instances.copy()?)?;
        let is_later = found.as_ref().is_none_or(|(other, _)| *other < id);
        if is_later && writer.is_single_valued()? && instances.is_subset(&writer.copy()?.domain()?)? {
            found = Some((id, writer));
        }
    }
    Ok(found.map(|(_, writer)| writer))
}

/// Returns the order of a statement's instances by themselves.
fn in_a_band(statement: &Statement, instances: UnionSet) -> Result<Schedule> {
    let schedule = Schedule::from_domain(instances)?;
    if statement.depth() == 0 {
        return Ok(schedule);
    }
    let names = polyhedra::numbered("i", statement.depth());
    let members: Vec<String> = names
        .iter()
        .map(|name| format!("{{ {}[{}] -> [({name})] }}", statement.id, names.join(", ")))
        .collect();
    let band = polyhedra::MultiUnionPwAff::read_from_str(
        polyhedra::context(),
        &format!("[{}]", members.join(", ")),
    )?;
    let mut node = schedule.insert_partial_schedule(band)?.get_root()?.child(0)?;
    for member in 0..node.band_n_member()? {
        node = node.band_member_set_coincident(member, 1)?;
    }
    Ok(node.band_set_permutable(1)?.get_schedule()?)
}

/// Instances that are added to a tree.
struct Addition<'a> {
    instances: &'a UnionSet,
    /// The instance beside which each of them goes.
    writer: UnionMap,
}

/// A part of a tree.
struct Part {
    schedule: Schedule,
    /// True if it has the added instances.
    has_added: bool,
    /// True if these are not in a loop that must run on the host, which is the outermost one if nothing in its band is
    /// parallel. Behind such a loop, isl's AST generator would put what runs only in the last iteration into a launch
    /// of its own, apart from the registers of the writer.
    in_kernel: bool,
}

impl Addition<'_> {
    /// Returns the tree with the instances beside their writers, if that respects the constraints and leaves parallel
    /// loops parallel.
    fn beside(&self, schedule: &Schedule, constraints: &Constraints) -> Result<Option<Schedule>> {
        let Some(Part { schedule, has_added: true, in_kernel: true }) = self.part(&schedule.get_root()?)?
        else {
            return Ok(None);
        };
        let is_sound =
            are_in_order(&schedule, constraints)? && keeps_flags(&schedule.get_root()?, constraints)?;
        Ok(is_sound.then_some(schedule))
    }

    /// Returns the part of the tree below a node, with the instances if their writer is there; nothing if the writer
    /// is in several places, or for a tree that no scheduler writes.
    fn part(&self, node: &ScheduleNode) -> Result<Option<Part>> {
        match node.get_type()? {
            ScheduleNodeType::Domain | ScheduleNodeType::Filter => self.part(&node.get_child(0)?),
            ScheduleNodeType::Leaf => self.leaf(node),
            ScheduleNodeType::Band => self.band(node),
            ScheduleNodeType::Sequence => self.sequence(node),
            ScheduleNodeType::Set => self.set(node),
            _ => Ok(None),
        }
    }

    fn leaf(&self, node: &ScheduleNode) -> Result<Option<Part>> {
        let here = node.get_domain()?;
        let wanted = self.writer.copy()?.range()?;
        if here.is_disjoint(&wanted)? {
            let schedule = Schedule::from_domain(here)?;
            return Ok(Some(Part { schedule, has_added: false, in_kernel: false }));
        }
        if !wanted.is_subset(&here)? {
            return Ok(None);
        }
        let added = Schedule::from_domain(self.instances.copy()?)?;
        let schedule = Schedule::from_domain(here)?.sequence(added)?;
        Ok(Some(Part { schedule, has_added: true, in_kernel: true }))
    }

    fn band(&self, node: &ScheduleNode) -> Result<Option<Part>> {
        let Some(Part { schedule, has_added, .. }) = self.part(&node.get_child(0)?)? else { return Ok(None) };
        let mut partial = node.band_get_partial_schedule()?;
        if has_added {
            let writer = UnionPwMultiAff::from_union_map(self.writer.copy()?)?;
            partial = partial.copy()?.union_add(partial.pullback_union_pw_multi_aff(writer)?)?;
            partial = partial.gist(schedule.get_domain()?)?;
        }
        let mut band = schedule.insert_partial_schedule(partial)?.get_root()?.child(0)?;
        for member in 0..node.band_n_member()? {
            band =
                band.band_member_set_coincident(member, i32::from(node.band_member_get_coincident(member)?))?;
        }
        let band = band.band_set_permutable(i32::from(node.band_get_permutable()?))?;
        let in_kernel = has_added && !coincident_members(node)?.is_empty();
        Ok(Some(Part { schedule: band.get_schedule()?, has_added, in_kernel }))
    }

    fn sequence(&self, node: &ScheduleNode) -> Result<Option<Part>> {
        let mut all: Option<Part> = None;
        for position in 0..node.n_children()? {
            let Some(part) = self.part(&node.get_child(position)?)? else { return Ok(None) };
            all = Some(match all {
                None => part,
                Some(all) => Part {
                    schedule: all.schedule.sequence(part.schedule)?,
                    has_added: all.has_added || part.has_added,
                    in_kernel: all.in_kernel || part.in_kernel,
                },
            });
        }
        Ok(all)
    }

    /// The children of a set have no order. The added instances may have to wait for any of them, and none waits for
    /// the added instances, so the child that gets them comes last.
    fn set(&self, node: &ScheduleNode) -> Result<Option<Part>> {
        let (mut others, mut last, mut in_kernel) = (None, None, false);
        for position in 0..node.n_children()? {
            let Some(part) = self.part(&node.get_child(position)?)? else { return Ok(None) };
            let schedule = part.schedule;
            if part.has_added {
                (last, in_kernel) = (Some(schedule), part.in_kernel);
                continue;
            }
            others = Some(match others {
                None => schedule,
                Some(others) => Schedule::set(others, schedule)?,
            });
        }
        let has_added = last.is_some();
        let schedule = match (others, last) {
            (Some(others), Some(last)) => others.sequence(last)?,
            (Some(schedule), None) | (None, Some(schedule)) => schedule,
            (None, None) => return Ok(None),
        };
        Ok(Some(Part { schedule, has_added, in_kernel }))
    }
}

/// True if a tree respects all constraints.
pub fn are_in_order(schedule: &Schedule, constraints: &Constraints) -> Result<bool> {
    let times = schedule.get_map()?;
    let pairs = constraints.validity.copy()?.apply_domain(times.copy()?)?.apply_range(times)?;
    for pairs in maps_of(&pairs)? {
        let later = Map::lex_lt(pairs.get_space()?.domain()?)?;
        if !pairs.is_subset(&later)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// True if all bands below a node are as permutable and as parallel as they say.
pub fn keeps_flags(node: &ScheduleNode, constraints: &Constraints) -> Result<bool> {
    keeps_flags_among(node, &Local::at(node, constraints)?)
}

fn keeps_flags_among(node: &ScheduleNode, local: &Local) -> Result<bool> {
    if node.get_type()? == ScheduleNodeType::Band && node.band_get_permutable()? {
        let schedule = node.band_get_partial_schedule()?;
        let Some(parallel) = permutable(local, &schedule)? else { return Ok(false) };
        for (member, parallel) in parallel.into_iter().enumerate() {
            if node.band_member_get_coincident(member as i32)? && !parallel {
                return Ok(false);
            }
        }
    }
    if !has_band_below(node)? {
        return Ok(true);
    }
    let below = local.below(node)?;
    for position in 0..node.n_children()? {
        if !keeps_flags_among(&node.get_child(position)?, &below)? {
            return Ok(false);
        }
    }
    Ok(true)
}
