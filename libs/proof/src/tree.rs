//! Checks whether a schedule tree runs every instance once, in an order that respects the dependences.
//!
//! The tree is flattened ([`leaves`]): every statement instance gets the time at which it runs and, in a kernel, the
//! launch, the block and the thread that run it ([`places`]). Then, for every dependence ([`mod@breach`]),
//!
//! * the first instance must run at an earlier time than the second;
//! * if the same launch of a kernel runs both, the same block must run both, because blocks do not wait for each
//!   other;
//! * if different threads of a block run them, a barrier must be between them ([`barriers`]).
//!
//! Every instance must also run in only one thread ([`places`]) of a block that is started ([`grid`]).
//!
//! In a tree, only the order of the statements is checked. Copies between memories, which gpulocalizer adds, are not
//! statements; whether a buffer holds the right elements is checked in loop programs.

mod barriers;
mod breach;
mod grid;
mod leaves;
mod places;

use polyhedra::{Map, Result, Schedule, Set, Text};
use scop::{AccessId, Dependence, Diagnostic, IslSchedule};

use crate::groups::{Group, all_pairs, groups};
use crate::report::{self, Fault};
use crate::stage::Sections;
use breach::breach;
use places::Places;

/// True if an access is one by which the threads of a warp share a sum. The thread with `tx = 0` changes the element.
fn is_of_sum(sections: &Sections<'_>, access: AccessId) -> bool {
    let mut shared = sections.kernels.iter().flat_map(|kernel| &kernel.shared_sums);
    shared.any(|sum| {
        let mut own = sections.dependences.reductions.iter().filter(|reduction| reduction.statement == *sum);
        own.any(|reduction| reduction.updates_by(access))
    })
}

/// Splits groups so that the dependences of each have an update of a shared sum at the same ends.
fn apart_from_sums<'a>(groups: Vec<Group<'a>>, sections: &Sections<'_>) -> Vec<Group<'a>> {
    if sections.kernels.iter().all(|kernel| kernel.shared_sums.is_empty()) {
        return groups;
    }
    let mut apart: Vec<(bool, bool, Group<'_>)> = Vec::new();
    for Group { ends, dependences } in groups {
        for (kind, dependence) in dependences {
            let of_sums = (is_of_sum(sections, dependence.source), is_of_sum(sections, dependence.sink));
            let known = apart
                .iter_mut()
                .find(|(source, sink, group)| (*source, *sink) == of_sums && group.ends == ends);
            match known {
                Some((.., group)) => group.dependences.push((kind, dependence)),
                None => {
                    apart.push((of_sums.0, of_sums.1, Group { ends, dependences: vec![(kind, dependence)] }))
                }
            }
        }
    }
    apart.into_iter().map(|(.., group)| group).collect()
}

/// Returns the messages about a scop's schedule tree.
pub fn check_tree(path: &str, sections: &Sections<'_>, schedule: &IslSchedule) -> Result<Vec<Diagnostic>> {
    let model = sections.model;
    let context = Set::parse(&model.context.0)?;
    let places = Places::new(&Schedule::parse(&schedule.0)?, &context, sections.kernels)?;
    let mut messages = Vec::new();
    let started = grid::started(sections.kernels)?;
    for (&id, statement) in &places.statements {
        if let Some(instances) = statement.repeated()? {
            messages.push(report::describe_statement(path, model, id, Fault::Repeated, instances)?);
        }
        if let Some(instances) = grid::outside(statement, &started)? {
            messages.push(report::describe_statement(path, model, id, Fault::Outside, instances)?);
        }
    }
    for group in apart_from_sums(groups(sections), sections) {
        let (Some(first), Some(second)) =
            (places.statements.get(&group.ends.0), places.statements.get(&group.ends.1))
        else {
            continue;
        };
        let of_sum = |access| is_of_sum(sections, access);
        let (source, sink) = group
            .dependences
            .first()
            .map_or((false, false), |(_, dependence)| (of_sum(dependence.source), of_sum(dependence.sink)));
        let in_place = |statement: &places::Statement, moves| {
            if moves { statement.in_first_threads().map(Some) } else { Ok::<_, polyhedra::Error>(None) }
        };
        let (moved_first, moved_second) = (in_place(first, source)?, in_place(second, sink)?);
        let (first, second) =
            (moved_first.as_ref().unwrap_or(first), moved_second.as_ref().unwrap_or(second));
        let pairs = |dependence: &Dependence| -> Result<Map> {
            Ok(Map::parse(&dependence.relation.0)?.intersect_params(context.copy()?)?)
        };
        let all = all_pairs(&group, pairs)?;
        if breach(first, second, &places.barriers, all)?.is_none() {
            continue;
        }
        let mut broken = Vec::new();
        for (kind, dependence) in group.dependences {
            if let Some((breach, pairs)) = breach(first, second, &places.barriers, pairs(dependence)?)? {
                broken.push(report::describe(path, model, kind, dependence, breach, pairs)?);
            }
        }
        messages.extend(report::gathered(broken));
    }
    Ok(messages)
}
