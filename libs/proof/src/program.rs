//! Checks whether a loop program runs every instance once, in an order that respects the dependences.
//!
//! [`mod@walk`] takes the program apart: every leaf gets the set of points at which it is reached. A point consists
//! of the values of the loops around the leaf and the coordinates of the block and the thread. The program is
//! correct if
//!
//! * every instance of a statement is executed at exactly one point, and only instances that the source executes are
//!   ([`once`]);
//! * every dependence leads forward in the program's own order, under the same rules for blocks and threads as in a
//!   tree ([`order`]);
//! * all threads of a block meet the same barriers ([`barriers`]);
//! * every access finds its element, in an array or a buffer, on the host or the device ([`data`]);
//! * sums that threads share are complete ([`partial`], [`block_sums`]);
//! * each specialised nest does what the general nest does that it replaces; everything else is proved for the
//!   general nests ([`apart`]).
//!
//! The schedule tree has no part in this: a loop program that passes is correct whatever tree it was made from.

mod apart;
mod barriers;
mod block_sums;
mod bounds;
mod compare;
mod data;
mod instances;
mod leaf;
mod once;
mod order;
mod partial;
mod polynomial;
mod rank;
mod value;
mod vanish;
mod walk;

use polyhedra::{Map, Result, Set, Text};
use scop::ast::{LoopProgram, Node};
use scop::{AccessKind, ArrayId, Dependence, Diagnostic, Model, Placement, Statement, StatementId};

use crate::groups::{Group, all_pairs, groups};
use crate::report::{self, Breach, Fault};
use crate::stage::Sections;
pub use apart::{Difference, Points};
use data::Facts;
use instances::{Executed, executed};
pub use leaf::Leaf;
use partial::{Broken, Sums, check_dependence};
pub use rank::is_bijection;
use walk::{Blocks, walk};

/// Returns the messages about a scop's loop program.
///
/// What holds for all possible blocks holds for those that are started. Only if a fault is found are the checks
/// repeated for the started blocks alone, whose points are more complicated sets.
pub fn check_program(
    path: &str,
    sections: &Sections<'_>,
    placement: &Placement,
    program: &LoopProgram,
) -> Result<Vec<Diagnostic>> {
    let messages = check_in(Blocks::Any, path, sections, placement, program)?;
    if messages.is_empty() {
        return Ok(messages);
    }
    check_in(Blocks::Started, path, sections, placement, program)
}

fn check_in(
    blocks: Blocks,
    path: &str,
    sections: &Sections<'_>,
    placement: &Placement,
    program: &LoopProgram,
) -> Result<Vec<Diagnostic>> {
    let model = sections.model;
    let context = Set::parse(&model.context.0)?;
    let walked = walk(model, sections.kernels, &program.body, blocks)?;
    let executed = executed(model, &walked)?;
    let (mut messages, mut repeated) = (Vec::new(), false);
    for launch in &walked.numbered {
        if !rank::is_bijection(&launch.names, &launch.domain, launch.ranked)? {
            messages.push(report::describe_numbering(launch.kernel));
        }
    }
    for statement in &model.statements {
        let places = executed.get(&statement.id).map_or(&[][..], |places| places);
        let is_dead = sections.dependences.dead.contains(&statement.id);
        for (fault, instances) in once::check_once(statement, &context, places, &walked, is_dead)? {
            repeated |= fault == Fault::Repeated;
            messages.push(report::describe_statement(path, model, statement.id, fault, instances)?);
        }
        if is_dead && writes_for_others(model, &sections.dependences.dead, statement) {
            for executed in places {
                let instances = executed.places()?.domain()?;
                if !instances.is_empty()? {
                    messages.push(report::describe_statement(
                        path,
                        model,
                        statement.id,
                        Fault::Dead,
                        instances,
                    )?);
                }
            }
        }
    }
    // Whatever else is wrong with instances that run twice has the same cause.
    if repeated {
        return Ok(messages);
    }
    let barriers: Vec<&Leaf<'_>> =
        walked.leaves.iter().filter(|leaf| matches!(leaf.node, Node::Barrier)).collect();
    for barrier in &barriers {
        if let Some(points) = barriers::diverging(barrier)? {
            messages.push(report::describe_barrier(barrier, points)?);
        }
    }
    for nests in &walked.apart {
        if let Some(difference) = apart::difference(nests)? {
            messages.push(report::describe_specialised(path, model, difference)?);
        }
        for barrier in nests.specialised.iter().filter(|leaf| matches!(leaf.node, Node::Barrier)) {
            if let Some(points) = barriers::diverging(barrier)? {
                messages.push(report::describe_barrier(barrier, points)?);
            }
        }
    }
    let facts =
        Facts { path, sections, placement, slices: &program.arrays, walked: &walked, executed: &executed };
    messages.extend(data::check(&facts, &barriers)?);
    let sums = Sums::of(placement, &walked);
    messages.extend(partial::check(&facts, &sums, &barriers)?);
    for mut group in groups(sections) {
        let (Some(first), Some(second)) = (executed.get(&group.ends.0), executed.get(&group.ends.1)) else {
            continue;
        };
        let of_sum = |ends: &[Executed<'_>], access| ends.iter().any(|one| sums.has(one, access));
        let is_of_sum =
            |dependence: &Dependence| of_sum(first, dependence.source) || of_sum(second, dependence.sink);
        let (of_sums, others) =
            group.dependences.into_iter().partition(|(_, dependence)| is_of_sum(dependence));
        group.dependences = others;
        messages.extend(check_sums(path, sections, &context, &of_sums, (first, second), &sums, &barriers)?);
        if group.dependences.is_empty() {
            continue;
        }
        check_group(path, sections, &context, &group, (first, second), &barriers, &mut messages)?;
    }
    Ok(messages)
}

/// True if a dead statement writes an array that a living statement uses. No dependence covers such a write, so it
/// might come after a write whose value is needed.
fn writes_for_others(model: &Model, dead: &[StatementId], statement: &Statement) -> bool {
    let living = || model.statements.iter().filter(|other| !dead.contains(&other.id));
    let written = statement.accesses.iter().filter(|access| access.kind == AccessKind::Write);
    let is_used =
        |array: ArrayId| living().flat_map(|other| &other.accesses).any(|access| access.array == array);
    written.map(|access| access.array).any(is_used)
}

fn check_group(
    path: &str,
    sections: &Sections<'_>,
    context: &Set,
    group: &Group<'_>,
    ends: (&[Executed<'_>], &[Executed<'_>]),
    barriers: &[&Leaf<'_>],
    messages: &mut Vec<Diagnostic>,
) -> Result<()> {
    let pairs = |dependence: &Dependence| -> Result<Map> {
        Ok(Map::parse(&dependence.relation.0)?.intersect_params(context.copy()?)?)
    };
    if breach(ends, &all_pairs(group, pairs)?, barriers)?.is_none() {
        return Ok(());
    }
    let mut broken = Vec::new();
    for (kind, dependence) in &group.dependences {
        if let Some((breach, pairs)) = breach(ends, &pairs(dependence)?, barriers)? {
            broken.push(report::describe(path, sections.model, kind, dependence, breach, pairs)?);
        }
    }
    messages.extend(report::gathered(broken));
    Ok(())
}

/// Returns the messages about dependences from or to updates of shared sums.
fn check_sums(
    path: &str,
    sections: &Sections<'_>,
    context: &Set,
    dependences: &[(&'static str, &Dependence)],
    ends: (&[Executed<'_>], &[Executed<'_>]),
    sums: &Sums<'_>,
    barriers: &[&Leaf<'_>],
) -> Result<Vec<Diagnostic>> {
    let (model, reductions) = (sections.model, &sections.dependences.reductions);
    let mut broken = Vec::new();
    for (kind, dependence) in dependences {
        let pairs = Map::parse(&dependence.relation.0)?.intersect_params(context.copy()?)?;
        for first in ends.0 {
            for second in ends.1 {
                let both = (first, second);
                match check_dependence(dependence, both, &pairs, (sums, reductions), barriers)? {
                    Some(Broken::Order(breach, pairs)) => {
                        broken.push(report::describe(path, model, kind, dependence, breach, pairs)?);
                    }
                    Some(Broken::Within(pairs)) => {
                        let fault = Fault::Unshared(dependence.sink);
                        let statement = second.statement.id;
                        broken.push(report::describe_statement(
                            path,
                            model,
                            statement,
                            fault,
                            pairs.range()?,
                        )?);
                    }
                    None => {}
                }
            }
        }
    }
    Ok(report::gathered(broken))
}

/// Returns the first way in which some pairs of instances are not in order, with those pairs.
fn breach(
    (first, second): (&[Executed<'_>], &[Executed<'_>]),
    pairs: &Map,
    barriers: &[&Leaf<'_>],
) -> Result<Option<(Breach, Map)>> {
    for first in first {
        for second in second {
            let found = order::check_order(first, second, pairs, barriers)?;
            if found.is_some() {
                return Ok(found);
            }
        }
    }
    Ok(None)
}
