//! Decides whether a register tile pays.
//!
//! In a matrix product, each element of one matrix is used with each element of a row of the other. A thread that
//! computes a square of the result loads each operand once for a whole side of the square, and keeps the sums in
//! registers.

use std::collections::BTreeSet;

use polyhedra::{DimType, Map, Result, Set, Text, UnionMap, maps_of};
use scop::{AccessKind, Model, Statement, StatementId};

use crate::order::involved_inputs;
use crate::stride;

/// True if a statement adds up an element along the other members for each point of the first `parallel` members of a
/// band, and has an operand that does not change along each parallel member. No other loop's range may depend on the
/// points; otherwise the points of one thread would have different steps, and the indices in these loops would not be
/// constant.
///
/// `schedule` is the band's partial schedule.
pub fn is_product(
    model: &Model,
    statements: &BTreeSet<StatementId>,
    schedule: &UnionMap,
    parallel: usize,
) -> Result<bool> {
    let mut found = false;
    for map in maps_of(schedule)? {
        let id = map.get_tuple_name(DimType::In)?.parse::<StatementId>().ok();
        let Some(id) = id.filter(|id| statements.contains(id)) else { continue };
        let statement = model.statement(id)?;
        if !is_rectangular(statement, map.copy()?, parallel)? {
            return Ok(false);
        }
        found |= is_product_of(statement, &map, parallel)?;
    }
    Ok(found)
}

/// True if the values of the other members are the same for all points of the parallel ones.
fn is_rectangular(statement: &Statement, schedule: Map, parallel: usize) -> Result<bool> {
    let points = Set::parse(&statement.domain.0)?.apply(schedule)?;
    let members = points.dim(DimType::Set)? as u32;
    let (parallel, others) = (parallel as u32, members - parallel as u32);
    let all_points = points.copy()?.project_out(DimType::Set, parallel, others)?;
    let all_steps = points.copy()?.project_out(DimType::Set, 0, parallel)?;
    Ok(all_points.flat_product(all_steps)?.is_subset(&points)?)
}

fn is_product_of(statement: &Statement, schedule: &Map, parallel: usize) -> Result<bool> {
    let mut iterators = Vec::new();
    for member in 0..schedule.dim(DimType::Out)? {
        match involved_inputs(schedule, member)?[..] {
            [iterator] => iterators.push(iterator as usize),
            _ => return Ok(false),
        }
    }
    let (parallel, sequential) = iterators.split_at(parallel);
    let (mut sums, mut shared) = (false, vec![false; parallel.len()]);
    for access in statement.accesses.iter().filter(|access| !access.indirect) {
        let fixed = |iterator: &usize| stride::is_fixed(statement, access, *iterator);
        let still = all(sequential, fixed)?;
        match access.kind {
            AccessKind::Write => sums |= still,
            AccessKind::Read if !still => {
                for (iterator, shared) in parallel.iter().zip(&mut shared) {
                    *shared |= fixed(iterator)?;
                }
            }
            AccessKind::Read => {}
        }
    }
    Ok(sums && shared.into_iter().all(|shared| shared))
}

fn all(iterators: &[usize], mut holds: impl FnMut(&usize) -> Result<bool>) -> Result<bool> {
    for iterator in iterators {
        if !holds(iterator)? {
            return Ok(false);
        }
    }
    Ok(true)
}
