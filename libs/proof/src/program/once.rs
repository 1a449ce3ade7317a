//! Checks that every instance runs exactly once.

use polyhedra::{End, Map, Result, Set, Simplify, Text, unchecked_optimum};
use scop::Statement;

use super::instances::{Executed, pulled_back};
use super::leaf::Walked;
use crate::report::Fault;

/// Returns what is wrong with the instances of a statement that some leaves execute: instances outside the domain,
/// instances that run twice, and instances that never run; the first fault of each kind. Instances of a dead
/// statement need not run.
pub fn check_once(
    statement: &Statement,
    context: &Set,
    executed: &[Executed<'_>],
    walked: &Walked<'_>,
    is_dead: bool,
) -> Result<Vec<(Fault, Set)>> {
    let domain = Set::parse(&statement.domain.0)?.intersect_params(context.copy()?)?;
    let mut faults = Vec::new();
    let mut run: Vec<Set> = Vec::new();
    for executed in executed {
        if let Some(instances) = foreign(executed, &domain, walked)? {
            note(&mut faults, Fault::Foreign, instances);
        }
        let places = executed.places()?;
        if !executed.at_one_point {
            let others = places.copy()?.subtract(unchecked_optimum(&places, End::First)?)?;
            note(&mut faults, Fault::Repeated, others.domain()?);
        }
        let outside = unstarted(executed, walked)?;
        let places = match &outside {
            Some(points) => places.subtract_range(points.copy()?)?,
            None => places,
        };
        let instances = places.domain()?;
        for earlier in &run {
            let both = earlier.copy()?.intersect(instances.copy()?)?;
            if !both.is_empty()? {
                note(&mut faults, Fault::Repeated, both);
            }
        }
        run.push(instances);
    }
    if !is_dead {
        let mut missing = domain;
        for instances in run {
            missing = missing.subtract(instances)?;
        }
        if !missing.is_empty()? {
            note(&mut faults, Fault::Missing, missing);
        }
    }
    Ok(faults)
}

fn note(faults: &mut Vec<(Fault, Set)>, fault: Fault, instances: Set) {
    if faults.iter().all(|(known, _)| *known != fault) {
        faults.push((fault, instances));
    }
}

/// Returns the instances outside the domain that a leaf executes.
fn foreign(executed: &Executed<'_>, domain: &Set, walked: &Walked<'_>) -> Result<Option<Set>> {
    let inside = pulled_back(domain.copy()?, &executed.instance)?;
    let reached = executed.leaf.domain.copy()?;
    if reached.is_subset(&inside)? {
        return Ok(None);
    }
    let mut points = reached.subtract(inside)?;
    if let Some(grid) = walked.started(executed.leaf)? {
        points = points.intersect(grid)?;
    }
    if points.is_empty()? {
        return Ok(None);
    }
    Ok(Some(points.apply(Map::from_pw_multi_aff(executed.instance.copy()?)?)?))
}

/// Returns the points of a leaf whose block is not started.
fn unstarted(executed: &Executed<'_>, walked: &Walked<'_>) -> Result<Option<Set>> {
    let Some(grid) = walked.started(executed.leaf)? else { return Ok(None) };
    if executed.points.is_subset(&grid)? {
        return Ok(None);
    }
    Ok(Some(executed.points.copy()?.subtract(grid)?.simplified()?))
}
