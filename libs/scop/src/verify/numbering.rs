//! V1, V2 and V16: ids, names and loops.

use std::collections::BTreeSet;
use std::fmt::Display;

use super::report::Report;
use crate::{Function, Model, Program, Stage, Step, names};

/// Checks V2 for the names of the scops, which become names of functions.
pub fn check_scop_names<S>(program: &Program<S>, report: &mut Report) {
    let mut taken = BTreeSet::new();
    for scop in &program.scops {
        check_name("scop", &scop.model.name, &mut taken, report);
    }
}

/// V1: checks that every id is the position of what it names.
pub fn check_ids<S: Stage>(model: &Model, stage: &S, report: &mut Report) {
    let accesses = model.statements.iter().flat_map(|statement| &statement.accesses);
    check_sequence("array", model.arrays.iter().map(|array| (array.id.index(), array.id)), report);
    check_sequence("loop", model.loops.iter().map(|around| (around.id.index(), around.id)), report);
    check_sequence("statement", model.statements.iter().map(|s| (s.id.index(), s.id)), report);
    check_sequence("access", accesses.map(|access| (access.id.index(), access.id)), report);
    if let Some(mapping) = stage.mapping() {
        check_sequence("kernel", mapping.kernels.iter().map(|kernel| (kernel.id.index(), kernel.id)), report);
    }
    if let Some(placement) = stage.placement() {
        let buffers = placement.kernels.iter().flat_map(|kernel| &kernel.buffers);
        check_sequence("buffer", buffers.map(|buffer| (buffer.id.index(), buffer.id)), report);
    }
}

/// V16: checks that loops come after those around them, and that the loops of a statement are nested in each
/// other.
pub fn check_loops(model: &Model, report: &mut Report) {
    for around in &model.loops {
        let Some(parent) = around.parent else { continue };
        report.require(16, parent.index() < around.id.index(), || {
            format!("{} is in {parent}, which does not come before it", around.id)
        });
    }
    for claim in &model.independent {
        report.require(16, claim.around.index() < model.loops.len(), || {
            format!("the iterations of {}, which does not exist, are said to be independent", claim.around)
        });
    }
    for statement in &model.statements {
        let mut parent = None;
        for &id in &statement.loops {
            let found = model.loops.get(id.index());
            report.require(16, found.is_some_and(|around| around.parent == parent), || {
                let place = parent
                    .map_or("directly in the region".to_owned(), |parent| format!("directly in {parent}"));
                format!("{} names {id} as a loop {place}, which it is not", statement.id)
            });
            parent = Some(id);
        }
    }
}

fn check_sequence<I: Display>(kind: &str, ids: impl Iterator<Item = (usize, I)>, report: &mut Report) {
    for (position, (number, id)) in ids.enumerate() {
        report.require(1, number == position, || format!("{kind} number {position} has the id {id}"));
    }
}

/// V2: checks that what generated code declares has free and distinct names.
pub fn check_names(model: &Model, report: &mut Report) {
    let mut taken = BTreeSet::new();
    for parameter in &model.parameters {
        check_name("parameter", &parameter.name, &mut taken, report);
    }
    for array in &model.arrays {
        check_name("array", &array.name, &mut taken, report);
    }
    for statement in &model.statements {
        check_temporaries(&statement.body, &mut taken, report);
    }
}

/// V2: checks that the names of functions are free and distinct, and that the parameters and temporaries of
/// each function have free and distinct names.
pub fn check_function_names(functions: &[Function], report: &mut Report) {
    let mut taken = BTreeSet::new();
    for function in functions {
        check_name("function", &function.name, &mut taken, report);
        let mut own = BTreeSet::new();
        for parameter in &function.parameters {
            check_name("parameter", &parameter.name, &mut own, report);
        }
        check_temporaries(&function.body, &mut own, report);
    }
}

fn check_temporaries<'a>(steps: &'a [Step], taken: &mut BTreeSet<&'a str>, report: &mut Report) {
    for step in steps {
        step.walk(&mut |step| {
            if let Some(name) = step.defined_name() {
                check_name("temporary", name, taken, report);
            }
        });
    }
}

fn check_name<'a>(kind: &str, name: &'a str, taken: &mut BTreeSet<&'a str>, report: &mut Report) {
    report.require(2, names::is_free(name), || format!("{kind} `{name}` has a name that is not free"));
    report.require(2, taken.insert(name), || format!("{kind} `{name}` has a name that something else has"));
}
