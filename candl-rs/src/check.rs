//! Does a schedule respect the dependences?
//!
//! The tree is flattened ([`leaves`]): every statement instance gets the time at which it runs, and, in a kernel, the launch,
//! the block and the thread that runs it ([`places`]). Then, for every dependence ([`breach`]),
//!
//! * the first instance must run at an earlier time than the second;
//! * if the same launch of a kernel runs both, the same block must: blocks wait for nobody;
//! * if different threads of a block run them, a barrier must stand between them ([`barriers`]).
//!
//! And every instance must run in one thread ([`places`]) of a block that is started ([`grid`]).
//!
//! What is checked is the order of the statements. Copies between memories, which gpulocalizer adds, are not
//! statements: that a buffer holds the right element at the right time is not checked here.

mod barriers;
mod breach;
mod grid;
mod leaves;
mod places;
mod report;

use polyhedra::{Map, Result, Schedule, Set, Simplify, Text, limit_work};
use scop::{Dependence, Diagnostic, Diagnostics, Outcome, Program, Scheduled, Scop, StatementId};

use crate::NAME;
use crate::dead::owners;
use breach::breach;
use places::Places;
use report::Fault;

/// Names every dependence that the schedule of a document breaks. There is no output besides the messages.
///
/// # Errors
/// One message for each dependence that is broken, and for each statement that runs more than once or not at all.
pub fn check(program: Program<Scheduled>) -> std::result::Result<Outcome<String>, Diagnostics> {
    let mut messages = Vec::new();
    for scop in &program.scops {
        match limit_work(crate::LIMIT, || check_scop(&program.source.path, scop)) {
            Ok(found) => messages.extend(found),
            Err(error) if error.is_limit() => messages.push(
                Diagnostic::error(
                    "E0206",
                    format!("the schedule of {} is too complicated to check", scop.model.name),
                )
                .with_help("split the region into smaller ones, or ask the scheduler for something simpler"),
            ),
            Err(error) => messages.push(Diagnostic::bug(NAME, format!("scop {}: {error}", scop.model.name))),
        }
    }
    if messages.is_empty() { Ok(Outcome::new(String::new())) } else { Err(Diagnostics(messages)) }
}

fn check_scop(path: &str, scop: &Scop<Scheduled>) -> Result<Vec<Diagnostic>> {
    let model = &scop.model;
    let context = Set::parse(&model.context.0)?;
    let places = Places::new(&Schedule::parse(&scop.stage.schedule.0)?, &context, &scop.stage.mapping)?;
    let mut messages = Vec::new();
    let started = grid::started(&scop.stage.mapping)?;
    for (&id, statement) in &places.statements {
        if let Some(instances) = statement.repeated()? {
            messages.push(report::describe_statement(path, model, id, Fault::Repeated, instances)?);
        }
        if let Some(instances) = grid::outside(statement, &started)? {
            messages.push(report::describe_statement(path, model, id, Fault::Outside, instances)?);
        }
    }
    for group in groups(scop) {
        let (Some(first), Some(second)) =
            (places.statements.get(&group.ends.0), places.statements.get(&group.ends.1))
        else {
            continue;
        };
        let pairs = |dependence: &Dependence| -> Result<Map> {
            Ok(Map::parse(&dependence.relation.0)?.intersect_params(context.copy()?)?)
        };
        let all = all_pairs(&group, pairs)?;
        if breach(first, second, &places.barriers, all)?.is_none() {
            continue;
        }
        for (kind, dependence) in group.dependences {
            if let Some((breach, pairs)) = breach(first, second, &places.barriers, pairs(dependence)?)? {
                messages.push(report::describe(path, model, kind, dependence, breach, pairs)?);
            }
        }
    }
    Ok(messages)
}

/// The dependences between two statements. Most of them are of the same distances, and nearly always all are kept.
struct Group<'a> {
    ends: (StatementId, StatementId),
    dependences: Vec<(&'static str, &'a Dependence)>,
}

/// The dependences of a scop, by the statements at their ends.
fn groups(scop: &Scop<Scheduled>) -> Vec<Group<'_>> {
    let owners = owners(&scop.model);
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (kind, dependence) in dependences(scop) {
        let ends = owners.get(&dependence.source).zip(owners.get(&dependence.sink));
        let Some((&source, &sink)) = ends else { continue };
        match groups.iter_mut().find(|group| group.ends == (source, sink)) {
            Some(group) => group.dependences.push((kind, dependence)),
            None => groups.push(Group { ends: (source, sink), dependences: vec![(kind, dependence)] }),
        }
    }
    groups
}

fn all_pairs(group: &Group<'_>, pairs: impl Fn(&Dependence) -> Result<Map>) -> Result<Map> {
    let mut all: Option<Map> = None;
    for (_, dependence) in &group.dependences {
        let more = pairs(dependence)?;
        all = Some(match all {
            Some(all) => all.union(more)?,
            None => more,
        });
    }
    all.map_or_else(|| Map::parse("{ [] -> [] }"), Simplify::simplified)
}

fn dependences(scop: &Scop<Scheduled>) -> impl Iterator<Item = (&'static str, &Dependence)> {
    let dependences = &scop.stage.analysed.dependences;
    let kinds = [("flow", &dependences.flow), ("anti", &dependences.anti), ("output", &dependences.output)];
    kinds.into_iter().flat_map(|(kind, list)| list.iter().map(move |dependence| (kind, dependence)))
}
