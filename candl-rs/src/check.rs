//! Does a schedule, or the loop program made from it, respect the dependences?
//!
//! A document with a loop program is checked by that, because it is what runs ([`program`]). Of all others the tree is flattened
//! ([`leaves`]): every statement instance gets the time at which it runs, and, in a kernel, the launch,
//! the block and the thread that runs it ([`places`]). Then, for every dependence ([`mod@breach`]),
//!
//! * the first instance must run at an earlier time than the second;
//! * if the same launch of a kernel runs both, the same block must: blocks wait for nobody;
//! * if different threads of a block run them, a barrier must stand between them ([`barriers`]).
//!
//! And every instance must run in one thread ([`places`]) of a block that is started ([`grid`]).
//!
//! What is checked of a tree is the order of the statements. Copies between memories, which gpulocalizer adds, are not
//! statements: whether a buffer holds the right elements is checked of loop programs.

mod barriers;
mod breach;
mod grid;
mod leaves;
mod places;
mod program;
mod report;
mod stage;

use polyhedra::{Map, Result, Schedule, Set, Simplify, Text};
use scop::{
    Analysed, Dependence, Diagnostic, Diagnostics, IslSchedule, Outcome, Program, Region, Stage, StatementId,
    allowance,
};
use tool::Verdict;

use crate::NAME;
use crate::dead::owners;
use breach::breach;
use places::Places;
use report::Fault;
pub use report::pair_in_words;
pub use stage::Checkable;
use stage::{Order, Sections};

/// The operations of isl that the check of one scop may take; nearly all take less than a hundredth of it.
const OPERATIONS: u64 = 30_000_000;

/// Names every dependence that the loop program of a document breaks, or its schedule where it has no loop program yet: one message
/// for each dependence that is broken, for each statement that runs more than once or not at all, and for each access that does not
/// find its element. Where instances of a loop program run twice, nothing else is asked of it. A scop that is too
/// complicated to check, or has numbers that are too large for it, is undecided.
pub fn check<S: Stage>(program: &Program<S>) -> Verdict {
    let mut verdict = Verdict::default();
    for (number, scop) in program.scops.iter().enumerate() {
        let Some(sections) = Sections::of(scop) else { continue };
        let region = program.source.regions.get(number);
        let why = too_complicated(&scop.model.name, &program.source.path, region);
        let check = || check_scop(&program.source.path, &sections);
        match allowance::spend(OPERATIONS, why.clone(), check) {
            Ok(found) => verdict.refuted.extend(found),
            Err(error) if error.is_limit() => {
                verdict.undecided.insert(number, why);
            }
            Err(error) => {
                let failure = program.source.failure(NAME, &scop.model.name, region, &error);
                if error.is_too_large() {
                    verdict.undecided.insert(number, failure);
                } else {
                    verdict.refuted.push(failure);
                }
            }
        }
    }
    verdict
}

fn too_complicated(scop: &str, path: &str, region: Option<&Region>) -> Diagnostic {
    let diagnostic =
        Diagnostic::error("E0206", format!("the schedule of {scop} is too complicated to check"))
            .with_help("split the region into smaller ones, or ask the scheduler for something simpler");
    match region {
        Some(region) => diagnostic.at(path, region.range, "given up after a bounded number of steps"),
        None => diagnostic,
    }
}

/// Takes a document whose order came from elsewhere, if it respects the dependences. They were found in the order of the source and stay
/// what every later stage compares with.
///
/// # Errors
/// One message for each dependence that is broken.
pub fn check_order(
    program: Program<Analysed>,
) -> std::result::Result<Outcome<Program<Analysed>>, Diagnostics> {
    let path = &program.source.path;
    let mut messages = Vec::new();
    for (number, scop) in program.scops.iter().enumerate() {
        let name = &scop.model.name;
        let sections = Sections {
            model: &scop.model,
            dependences: &scop.stage.dependences,
            kernels: &[],
            order: Order::Tree(&scop.model.order),
        };
        let region = program.source.regions.get(number);
        let refusal = too_complicated(name, path, region);
        match allowance::spend(OPERATIONS, refusal.clone(), || check_scop(path, &sections)) {
            Ok(found) => messages.extend(found),
            Err(error) if error.is_limit() => messages.push(refusal),
            Err(error) => messages.push(program.source.failure(NAME, name, region, &error)),
        }
    }
    if messages.is_empty() { Ok(Outcome::new(program)) } else { Err(Diagnostics(messages)) }
}

fn check_scop(path: &str, sections: &Sections<'_>) -> Result<Vec<Diagnostic>> {
    match sections.order {
        Order::Program(placement, program) => program::check_program(path, sections, placement, program),
        Order::Tree(schedule) => check_tree(path, sections, schedule),
    }
}

fn check_tree(path: &str, sections: &Sections<'_>, schedule: &IslSchedule) -> Result<Vec<Diagnostic>> {
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
    for group in groups(sections) {
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
fn groups<'a>(sections: &Sections<'a>) -> Vec<Group<'a>> {
    let owners = owners(sections.model);
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (kind, dependence) in dependences(sections) {
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

fn dependences<'a>(sections: &Sections<'a>) -> impl Iterator<Item = (&'static str, &'a Dependence)> {
    let dependences = sections.dependences;
    let kinds = [("flow", &dependences.flow), ("anti", &dependences.anti), ("output", &dependences.output)];
    kinds.into_iter().flat_map(|(kind, list)| list.iter().map(move |dependence| (kind, dependence)))
}
