//! V4, V5 and V8: domains, accesses and dependences are in the spaces of the statements and arrays that they
//! refer to.

use std::collections::BTreeMap;

use polyhedra::{Map, PwAff, Set};

use super::report::Report;
use super::space::{Tuple, domain_tuple, map_tuples, set_tuple};
use super::texts::{Parsed, Texts};
use crate::{
    Access, AccessId, AccessKind, Array, Dependence, DependenceKind, Dependences, LiveAccess, Model,
    Reduction, Statement, StatementId, contribution,
};

/// V4: checks that a domain has one dimension for each iterator, and that the context and the extents of arrays
/// depend only on parameters.
///
/// If the program is not `complete`, extents may be unknown.
pub fn check_domains(model: &Model, complete: bool, parsed: &Parsed, report: &mut Report) {
    check_instances(model, parsed, report);
    if let Some(context) = &parsed.context {
        check_conditions("the context", context, report);
    }
    check_assumptions(model, parsed, report);
    for array in &model.arrays {
        check_extents(array, complete, &parsed.texts, report);
    }
}

/// V4: checks that each domain is in the space of its statement.
pub fn check_instances(model: &Model, parsed: &Parsed, report: &mut Report) {
    for (statement, domain) in model.statements.iter().zip(&parsed.domains) {
        if let Some(domain) = domain {
            let what = format!("the domain of {}", statement.id);
            check_set(4, &what, domain, &Tuple::instances(statement), report);
        }
    }
}

fn check_conditions(what: &str, conditions: &Set, report: &mut Report) {
    let is_params = report.answer(4, what, conditions.is_params().map_err(polyhedra::Error::from));
    report.require(4, is_params != Some(false), || format!("{what} is not about parameters only"));
}

/// Checks that the assumptions contain the context. The context then implies all of them, so code that relies
/// on the context relies on what the generated program checks.
fn check_assumptions(model: &Model, parsed: &Parsed, report: &mut Report) {
    let what = "the set of assumptions";
    let text = model.assumptions.as_ref().map(|assumptions| &assumptions.0);
    let assumptions = text.and_then(|text| parsed.texts.read::<Set>(what, text, report));
    let (Some(assumptions), Some(context)) = (assumptions, &parsed.context) else { return };
    check_conditions(what, &assumptions, report);
    let answer = context.is_subset(&assumptions).map_err(polyhedra::Error::from);
    let covers = report.answer(4, what, answer);
    report.require(4, covers != Some(false), || format!("{what} is not part of the context"));
}

fn check_extents(array: &Array, complete: bool, texts: &Texts, report: &mut Report) {
    for (position, extent) in array.extents.iter().enumerate() {
        let what = format!("extent {position} of {}", array.id);
        match &extent.value {
            Some(value) => {
                if let Some(value) = texts.read::<PwAff>(&what, &value.0, report) {
                    check_expression(4, &what, &value, &Tuple::anonymous(0), report);
                }
            }
            None => {
                let around = position < array.scope_depth as usize || !complete;
                report.require(4, position == 0 || around, || format!("{what} is missing"));
            }
        }
    }
}

/// V5: checks that an access goes from its statement to its array.
pub fn check_accesses(model: &Model, parsed: &Parsed, report: &mut Report) {
    for statement in &model.statements {
        for access in &statement.accesses {
            let what = format!("access {} of {}", access.id, statement.id);
            let Some(array) = model.arrays.get(access.array.index()) else {
                report.fault(5, format!("{what} refers to array {}, which does not exist", access.array));
                continue;
            };
            let ends = [Tuple::instances(statement), Tuple::elements(array)];
            read_map(5, &what, &access.relation.0, ends, &parsed.texts, report);
        }
    }
}

/// V8: checks that a dependence goes between the statements of its accesses, of which at least one writes.
pub fn check_dependences(model: &Model, dependences: &Dependences, parsed: &Parsed, report: &mut Report) {
    use AccessKind::{Read, Write};
    let check = Check { texts: &parsed.texts, accesses: accesses_of(model), model };
    for dependence in &dependences.flow {
        check.dependence("flow", [Write, Read], dependence, report);
    }
    for dependence in &dependences.anti {
        check.dependence("anti", [Read, Write], dependence, report);
    }
    for dependence in &dependences.output {
        check.dependence("output", [Write, Write], dependence, report);
    }
    for waived in &dependences.waived {
        let (name, kinds) = match waived.kind {
            DependenceKind::Flow => ("waived flow", [Write, Read]),
            DependenceKind::Anti => ("waived anti", [Read, Write]),
            DependenceKind::Output => ("waived output", [Write, Write]),
        };
        check.dependence(name, kinds, &waived.dependence, report);
        let claimed = model.independent.iter().any(|claim| claim.around == waived.around);
        report.require(8, claimed, || {
            format!("a dependence is waived for {}, about which the program claims nothing", waived.around)
        });
    }
    for live in &dependences.live_in {
        check.live("live-in", Read, live, report);
    }
    for live in &dependences.live_out {
        check.live("live-out", Write, live, report);
    }
    for reduction in &dependences.reductions {
        check.reduction(reduction, report);
    }
    check_relaxed(model, dependences, report);
    check_dead(model, &dependences.dead, report);
}

/// V19: checks that updates in any order are single atomic operations, and that no dependence orders them.
fn check_relaxed(model: &Model, dependences: &Dependences, report: &mut Report) {
    for reduction in dependences.relaxed() {
        let statement = model.statements.get(reduction.statement.index());
        let is_atomic = statement.is_some_and(|statement| contribution(statement, reduction).is_some());
        report.require(19, is_atomic, || {
            format!("the updates of {} run in any order, but are not atomic operations", reduction.statement)
        });
        let own = |access| [reduction.read, reduction.write].contains(access);
        let all = dependences.flow.iter().chain(&dependences.anti).chain(&dependences.output);
        let is_free = all.filter(|kept| own(&kept.source) && own(&kept.sink)).count() == 0;
        report.require(19, is_free, || {
            format!("the updates of {} run in any order, but dependences order them", reduction.statement)
        });
    }
}

fn check_dead(model: &Model, dead: &[StatementId], report: &mut Report) {
    for (position, id) in dead.iter().enumerate() {
        let exists = id.index() < model.statements.len() && !dead[..position].contains(id);
        report.require(8, exists, || format!("{id} is dead twice, or does not exist"));
    }
}

fn accesses_of(model: &Model) -> BTreeMap<AccessId, (&Statement, &Access)> {
    let statements = model.statements.iter();
    statements
        .flat_map(|statement| statement.accesses.iter().map(move |access| (access.id, (statement, access))))
        .collect()
}

struct Check<'a> {
    texts: &'a Texts,
    accesses: BTreeMap<AccessId, (&'a Statement, &'a Access)>,
    model: &'a Model,
}

impl<'a> Check<'a> {
    fn access(
        &self,
        what: &str,
        id: AccessId,
        kind: AccessKind,
        report: &mut Report,
    ) -> Option<(&'a Statement, &'a Access)> {
        let Some(&(statement, access)) = self.accesses.get(&id) else {
            report.fault(8, format!("{what} belongs to access {id}, which does not exist"));
            return None;
        };
        report.require(8, access.kind == kind, || {
            let should = if kind == AccessKind::Read { "read" } else { "write" };
            format!("{what} belongs to access {id}, which does not {should}")
        });
        Some((statement, access))
    }

    fn dependence(&self, name: &str, kinds: [AccessKind; 2], dependence: &Dependence, report: &mut Report) {
        let what = format!("the {name} dependence from {} to {}", dependence.source, dependence.sink);
        let source = self.access(&what, dependence.source, kinds[0], report);
        let sink = self.access(&what, dependence.sink, kinds[1], report);
        let (Some((source, _)), Some((sink, _))) = (source, sink) else { return };
        let ends = [Tuple::instances(source), Tuple::instances(sink)];
        read_map(8, &what, &dependence.relation.0, ends, self.texts, report);
    }

    fn reduction(&self, reduction: &Reduction, report: &mut Report) {
        let what = format!("the reduction of {}", reduction.statement);
        let read = self.access(&what, reduction.read, AccessKind::Read, report);
        let write = self.access(&what, reduction.write, AccessKind::Write, report);
        let (Some((reader, read)), Some((writer, write))) = (read, write) else { return };
        let own = reader.id == reduction.statement && writer.id == reduction.statement;
        report.require(8, own, || format!("{what} has accesses of another statement"));
        report.require(8, read.array == write.array, || format!("{what} reads another array than it writes"));
        let ends = [Tuple::instances(reader), Tuple::instances(writer)];
        read_map(8, &what, &reduction.relation.0, ends, self.texts, report);
    }

    fn live(&self, name: &str, kind: AccessKind, live: &LiveAccess, report: &mut Report) {
        let what = format!("the {name} access {}", live.access);
        let Some((statement, access)) = self.access(&what, live.access, kind, report) else { return };
        let Some(array) = self.model.arrays.get(access.array.index()) else { return };
        report.require(8, array.visible, || {
            format!("{what} refers to {}, which does not exist outside the region", array.id)
        });
        let ends = [Tuple::instances(statement), Tuple::elements(array)];
        read_map(8, &what, &live.relation.0, ends, self.texts, report);
        if let Some(elements) = self.texts.read::<Set>(&what, &live.elements.0, report) {
            check_set(8, &what, &elements, &Tuple::elements(array), report);
        }
    }
}

/// Parses a relation and checks both of its sides.
pub fn read_map(
    invariant: u32,
    what: &str,
    text: &str,
    ends: [Tuple; 2],
    texts: &Texts,
    report: &mut Report,
) {
    let Some(map) = texts.read::<Map>(what, text, report) else { return };
    let Some((domain, range)) = report.answer(invariant, what, map_tuples(&map)) else { return };
    let [from, to] = ends;
    report.require(invariant, domain == from, || format!("{what} starts at {domain}, not at {from}"));
    report.require(invariant, range == to, || format!("{what} leads to {range}, not to {to}"));
}

/// Checks the space of a set.
pub fn check_set(invariant: u32, what: &str, set: &Set, tuple: &Tuple, report: &mut Report) {
    let Some(found) = report.answer(invariant, what, set_tuple(set)) else { return };
    report.require(invariant, found == *tuple, || format!("{what} is in {found}, not in {tuple}"));
}

/// Checks what an expression depends on.
pub fn check_expression(invariant: u32, what: &str, value: &PwAff, tuple: &Tuple, report: &mut Report) {
    let Some(found) = report.answer(invariant, what, domain_tuple(value)) else { return };
    report.require(invariant, found == *tuple, || format!("{what} depends on {found}, not on {tuple}"));
}
