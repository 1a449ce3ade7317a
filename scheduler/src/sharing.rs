//! Sums that the threads of a warp share.
//!
//! A band may be sequential only because statements update one element each in all of its iterations. If these updates
//! may run in another order, the threads of a warp can share them: each updates a value of its own, and the values are
//! combined at the end (`docs/proof.md`, shared sums). If the order has to be kept, the threads compute what 32 updates
//! add, and these numbers are then added one after the other.

use polyhedra::{Result, ScheduleNode, Set, Text, UnionMap, UnionSet, divisions};
use scop::mark::statements_at;
use scop::{Dependence, Dependences, Model, Reduction, Statement, StatementId, can_be_in_order};

use crate::tree::has_band_below;

/// The threads that share a sum: those of a warp, which exchange values without memory.
pub const SUM_THREADS: u32 = 32;

/// Sums that threads share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedSum {
    /// The statements that make the updates.
    pub statements: Vec<StatementId>,
    /// Whether the order of the updates is kept.
    pub in_order: bool,
}

/// Returns the statements whose updates the threads of a warp can share in a band: its first `parallel` members are
/// parallel, and those after them are not. There is one of the latter if the order of the updates is kept.
///
/// All instances of such a statement with the same values of the parallel members and of the loops around the band
/// update one element. Other statements have at most one instance there, and it runs before them.
pub fn shared_sum(
    model: &Model,
    dependences: &Dependences,
    band: &ScheduleNode,
    parallel: usize,
) -> Result<Option<SharedSum>> {
    let sequential = (band.band_n_member()? as usize).saturating_sub(parallel);
    if sequential == 0 || has_band_below(band)? {
        return Ok(None);
    }
    let outer = outer_members(band, parallel)?;
    let statements = model.statements_of(&statements_at(band)?.into_iter().collect::<Vec<_>>())?;
    let mut repeated = Vec::new();
    for statement in &statements {
        if !runs_once(statement, &outer)? {
            repeated.push(*statement);
        }
    }
    let mut in_order = false;
    for statement in &repeated {
        // With integer divisions in the domain beside those by which threads share it, the proof takes too long.
        if divisions(&Set::parse(&statement.domain.0)?)? > 0 {
            return Ok(None);
        }
        let mut own = dependences.reductions.iter().filter(|reduction| reduction.statement == statement.id);
        let (Some(reduction), None) = (own.next(), own.next()) else { return Ok(None) };
        let place = Place { statement, statements: &statements, repeated: &repeated, outer: &outer };
        let is_plain = can_be_shared(model, reduction) && updates_one_element(statement, reduction, &outer)?;
        if !is_plain || !depends_only_on_sum(dependences, reduction, &place)? {
            return Ok(None);
        }
        in_order |= reduction.free.is_none();
    }
    let is_possible = !repeated.is_empty() && (!in_order || repeated.len() == 1 && sequential == 1);
    let statements = repeated.into_iter().map(|statement| statement.id).collect();
    Ok(is_possible.then_some(SharedSum { statements, in_order }))
}

/// A statement whose updates are to be shared.
struct Place<'a> {
    statement: &'a Statement,
    /// All statements of the band.
    statements: &'a [&'a Statement],
    /// Those with several instances for the same outer members.
    repeated: &'a [&'a Statement],
    outer: &'a UnionMap,
}

/// True if threads can share the updates of a reduction, whose order is free, or which they can do in order.
pub fn can_be_shared(model: &Model, reduction: &Reduction) -> bool {
    let statement = model.statement(reduction.statement);
    let in_order = || statement.is_ok_and(|statement| can_be_in_order(statement, reduction));
    !reduction.relaxed && (reduction.free.is_some() || in_order())
}

/// Returns the map from instances to the loops around a band and its first members.
fn outer_members(band: &ScheduleNode, members: usize) -> Result<UnionMap> {
    let prefix = band.get_prefix_schedule_union_map()?.intersect_domain(band.get_domain()?)?;
    if members == 0 {
        return Ok(prefix);
    }
    let all = polyhedra::numbered("m", members + 1).join(", ");
    let first = polyhedra::numbered("m", members).join(", ");
    let first = UnionMap::parse(&format!("{{ [{all}] -> [{first}] }}"))?;
    let own = band.band_get_partial_schedule_union_map()?.apply_range(first)?;
    Ok(prefix.flat_range_product(own)?)
}

fn own(outer: &UnionMap, statement: &Statement) -> Result<UnionMap> {
    Ok(outer.copy()?.intersect_domain(UnionSet::parse(&statement.domain.0)?.universe()?)?)
}

fn runs_once(statement: &Statement, outer: &UnionMap) -> Result<bool> {
    Ok(own(outer, statement)?.is_injective()?)
}

/// True if the element that a reduction updates depends on the outer members alone. One that data may leave as it is,
/// as in `if (e > m) m = e`, is at least read.
fn updates_one_element(statement: &Statement, reduction: &Reduction, outer: &UnionMap) -> Result<bool> {
    let Some(write) = statement.access(reduction.write) else { return Ok(false) };
    let is_read = reduction.accesses().filter_map(|access| statement.access(access));
    let is_read = is_read.filter(|access| access.certainty.is_must() && !access.indirect).count() > 0;
    let is_certain = write.certainty.is_must() || is_read && reduction.free.is_some();
    if write.indirect || !is_certain {
        return Ok(false);
    }
    let elements = own(outer, statement)?.reverse()?.apply_range(UnionMap::parse(&write.relation.0)?)?;
    Ok(elements.is_single_valued()?)
}

/// True if, for fixed outer members, the updates depend on each other only through the element, and as the reduction
/// leaves free if their order is not kept, and other statements only have to run before them because of the element.
fn depends_only_on_sum(dependences: &Dependences, reduction: &Reduction, place: &Place<'_>) -> Result<bool> {
    let Place { statement, statements, repeated, outer } = place;
    let together = outer.copy()?.apply_range(outer.copy()?.reverse()?)?;
    let all = dependences.flow.iter().chain(&dependences.anti).chain(&dependences.output);
    let here = |access| statements.iter().find(|one| one.access(access).is_some()).map(|one| one.id);
    let updates = |access| reduction.updates_by(access);
    for Dependence { source, sink, relation } in all {
        let (Some(first), Some(second)) = (here(*source), here(*sink)) else { continue };
        if first != statement.id && second != statement.id {
            continue;
        }
        let is_before = first != statement.id && !repeated.iter().any(|other| other.id == first);
        if is_before && updates(*sink) {
            continue;
        }
        let pairs = UnionMap::parse(&relation.0)?.intersect(together.copy()?)?;
        let is_own = updates(*source) && updates(*sink);
        let left = match reduction.free {
            None if is_own => continue,
            Some(_) if is_own => pairs.subtract(UnionMap::parse(&reduction.relation.0)?)?,
            _ => pairs,
        };
        if !left.is_empty()? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Gives the iterations of the innermost member of a sequential band below the parallel members to the threads of a
/// warp in turn, and all statements but those of the sums to its first thread.
///
/// *Rewrite:* `band (m…)` → `sequence (filter others (band (m…)), filter sums (band (m…)))`; also returns the instances
/// of each thread.
pub fn share(band: ScheduleNode, sums: &[StatementId]) -> Result<(ScheduleNode, UnionSet)> {
    let schedule = band.band_get_partial_schedule_union_map()?;
    let (mut threads, mut others) = (UnionSet::parse("{ }")?, UnionSet::parse("{ }")?);
    let members = polyhedra::numbered("m", band.band_n_member()? as usize);
    let (all, last) = (members.join(", "), members.last().map_or("0", String::as_str));
    let every = UnionMap::parse(&format!("[tx] -> {{ [{all}] -> [] : tx = {last} mod {SUM_THREADS} }}"))?;
    let of_threads = schedule.intersect_range(every.domain()?)?.domain()?;
    let first = polyhedra::Set::parse("[tx] -> { : tx = 0 }")?;
    for set in polyhedra::sets_of(&band.get_domain()?)? {
        let name = set.get_tuple_name()?.to_owned();
        let all = UnionSet::from_set(set)?;
        if sums.iter().any(|sum| name == sum.to_string()) {
            threads = threads.union(all.intersect(of_threads.copy()?)?)?;
        } else {
            threads = threads.union(all.copy()?.intersect_params(first.copy()?)?)?;
            others = others.union(all.universe()?)?;
        }
    }
    if others.is_empty()? {
        return Ok((band, threads));
    }
    let height = band.get_tree_depth()?;
    let inner = band.order_before(others)?;
    let below = inner.get_tree_depth()? - height;
    Ok((inner.ancestor(below)?, threads))
}

#[cfg(test)]
mod tests {
    use polyhedra::Schedule;

    use super::*;

    /// Returns the band at the root of a tree.
    fn band(domain: &str, schedule: &str) -> ScheduleNode {
        let tree =
            format!("{{ domain: \"{domain}\", child: {{ schedule: \"[{schedule}]\", permutable: 1 }} }}");
        Schedule::parse(&tree).unwrap().get_root().unwrap().child(0).unwrap()
    }

    #[test]
    fn iterations_go_to_threads_in_turn_and_other_statements_to_the_first() {
        let domain = "{ S0[i, k] : 0 <= i, k < 64; S1[i] : 0 <= i < 64 }";
        let node = band(domain, "{ S0[i, k] -> [k]; S1[i] -> [0] }");
        let (node, threads) = share(node, &[StatementId(0)]).unwrap();
        assert_eq!(node.get_type().unwrap(), polyhedra::ScheduleNodeType::Sequence);
        let expected = UnionSet::parse(
            "[tx] -> { S0[i, k] : 0 <= i, k < 64 and k mod 32 = tx; S1[i] : tx = 0 and 0 <= i < 64 }",
        )
        .unwrap();
        assert!(threads.is_equal(&expected).unwrap(), "{}", threads.text().unwrap());
    }
}
