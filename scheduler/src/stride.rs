//! Decides which loop should run along the threads of a warp.
//!
//! Adjacent threads should touch adjacent elements (C-to-CUDA, section 4.1). The half-warp alignment rules of 2010 no
//! longer apply. What counts today is the number of 32-byte sectors that a warp touches: least if all threads touch
//! one element, more if the elements are adjacent, and most if they are in different rows.

use polyhedra::{DimType, Map, Result, Set, Text, UnionMap, integer, maps_of};
use scop::{Access, LoopId, Model, Statement, StatementId};
use std::collections::BTreeSet;

use crate::order::involved_inputs;

/// Adjacent threads touch adjacent elements.
const ADJACENT: i64 = 2;
/// Adjacent threads touch the same element.
const SAME: i64 = 1;
/// Adjacent threads touch elements far from each other.
const APART: i64 = -4;

/// Scores how good it is to run `member` of a band along the threads of a warp: higher is better.
///
/// `schedule` is the band's partial schedule. Accesses in deeper loops weigh more, because they happen more often.
pub fn score(
    model: &Model,
    statements: &BTreeSet<StatementId>,
    schedule: &UnionMap,
    member: usize,
) -> Result<i64> {
    let mut total = 0;
    for map in maps_of(schedule)? {
        let id = map.get_tuple_name(DimType::In)?.parse::<StatementId>().ok();
        let Some(id) = id.filter(|id| statements.contains(id)) else { continue };
        total += score_statement(model.statement(id)?, &map, member)?;
    }
    Ok(total)
}

/// Returns the score of one statement; 0 if the member is not one of its own loops.
fn score_statement(statement: &Statement, schedule: &Map, member: usize) -> Result<i64> {
    let [iterator] = involved_inputs(schedule, member as i32)?[..] else { return Ok(0) };
    let weight = 8_i64.pow(statement.depth().min(6) as u32);
    let mut total = 0;
    for access in &statement.accesses {
        total += weight * score_access(statement, access, iterator as usize)?;
    }
    Ok(total)
}

/// Returns the loop of the source that a member of a band counts, if there is one. In all statements inside this
/// loop, a step of its iterator must be a step of the member, forwards or backwards, and no other iterator may move
/// the member in any statement.
pub fn loop_of(
    model: &Model,
    statements: &BTreeSet<StatementId>,
    schedule: &UnionMap,
    member: usize,
) -> Result<Option<LoopId>> {
    let mut found = None;
    for map in maps_of(schedule)? {
        let id = map.get_tuple_name(DimType::In)?.parse::<StatementId>().ok();
        let Some(id) = id.filter(|id| statements.contains(id)) else { continue };
        let statement = model.statement(id)?;
        let counted = match involved_inputs(&map, member as i32)?[..] {
            [] => None,
            [iterator] if is_unit_step(statement, map, member, iterator as usize)? => {
                Some(statement.loops[iterator as usize])
            }
            _ => return Ok(None),
        };
        match (counted, found) {
            (Some(counted), Some(found)) if counted != found => return Ok(None),
            (Some(counted), _) => found = Some(counted),
            (None, _) => {}
        }
    }
    Ok(found)
}

/// True if a step of an iterator is a step of a member, forwards or backwards.
fn is_unit_step(statement: &Statement, schedule: Map, member: usize, iterator: usize) -> Result<bool> {
    let step = Map::parse(&unit_step(statement, iterator))?;
    let steps = step.apply_domain(schedule.copy()?)?.apply_range(schedule)?.deltas()?;
    let least = integer(&steps.copy()?.dim_min_val(member as i32)?);
    let most = integer(&steps.dim_max_val(member as i32)?);
    // If isl returns no number, there is no such step: the loop has one iteration, or the distance depends on data.
    Ok(least.is_ok_and(|least| least.abs() == 1 && most.is_ok_and(|most| most == least)))
}

fn score_access(statement: &Statement, access: &Access, iterator: usize) -> Result<i64> {
    let relation = Map::parse(&access.relation.0)?;
    let dimensions = relation.dim(DimType::Out)? as usize;
    if dimensions == 0 || access.indirect {
        return Ok(0);
    }
    let distance = distance(statement, relation, iterator)?;
    if is_subset(&distance, dimensions, 0)? {
        Ok(SAME)
    } else if is_subset(&distance, dimensions, 1)? || is_subset(&distance, dimensions, -1)? {
        Ok(ADJACENT)
    } else {
        Ok(APART)
    }
}

/// True if an access touches the same element in all iterations of a loop.
pub fn is_fixed(statement: &Statement, access: &Access, iterator: usize) -> Result<bool> {
    let relation = Map::parse(&access.relation.0)?;
    let dimensions = relation.dim(DimType::Out)? as usize;
    Ok(dimensions == 0 || is_subset(&distance(statement, relation, iterator)?, dimensions, 0)?)
}

/// Returns the distance by which the element moves with a step of an iterator.
fn distance(statement: &Statement, relation: Map, iterator: usize) -> Result<Set> {
    let step = Map::parse(&unit_step(statement, iterator))?;
    Ok(step.apply_domain(relation.copy()?)?.apply_range(relation)?.deltas()?)
}

/// Returns the relation `{ S0[d0, d1] -> S0[d0, d1 + 1] }`.
fn unit_step(statement: &Statement, iterator: usize) -> String {
    let from = polyhedra::numbered("d", statement.depth());
    let mut to = from.clone();
    to[iterator].push_str(" + 1");
    format!("{{ {id}[{}] -> {id}[{}] }}", from.join(", "), to.join(", "), id = statement.id)
}

/// True if all distances are `(0, …, 0, last)`.
fn is_subset(distance: &Set, dimensions: usize, last: i32) -> Result<bool> {
    let name = distance.get_tuple_name()?;
    let mut point = vec!["0".to_owned(); dimensions - 1];
    point.push(last.to_string());
    let wanted = Set::parse(&format!("{{ {name}[{}] }}", point.join(", ")))?;
    Ok(distance.copy()?.is_subset(&wanted)?)
}
