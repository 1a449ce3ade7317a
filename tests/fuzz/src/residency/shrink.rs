//! Makes a failing whole program smaller while it fails in the same way.

use std::collections::BTreeSet;

use crate::options::without;
use crate::reduce::{Pass, reduce};
use crate::setting::Language;

use super::program::{
    By, Condition, Exit, FunctionId, Host, How, Kind, LoopForm, Origin, Place, Program, Range, Reading,
    ResultUse, Selector, Shape, Slot, Statement, Variable, VariableId, Work, World, Writing,
};
use super::valid::is_valid;
use super::visit::{Named, bodies, bodies_mut, each, each_block, each_block_mut, each_mut};

/// The smallest program found for which `fails` holds.
pub fn shrink(program: Program, attempts: usize, fails: impl FnMut(&Program) -> bool) -> Program {
    const PASSES: [Pass<Program>; 11] = [
        fewer_runs,
        fewer_functions,
        shorter_blocks,
        fewer_statements,
        unwrapped_statements,
        fewer_choices,
        simpler_statements,
        simpler_functions,
        fewer_parameters,
        fewer_globals,
        simpler_program,
    ];
    reduce(program, attempts, &PASSES, is_valid, fails)
}

fn changed(program: &Program, change: impl FnOnce(&mut Program)) -> Program {
    let mut candidate = program.clone();
    change(&mut candidate);
    candidate
}

fn fewer_runs(program: &Program) -> Vec<Program> {
    if program.runs.len() == 1 {
        return Vec::new();
    }
    program.runs.iter().map(|run| changed(program, |candidate| candidate.runs = vec![*run])).collect()
}

/// Each function left out, with all calls of it.
fn fewer_functions(program: &Program) -> Vec<Program> {
    let without = |id: FunctionId| {
        changed(program, |candidate| {
            candidate.functions.retain(|function| function.id != id);
            bodies_mut(candidate).for_each(|body| drop_calls(body, id));
        })
    };
    program.functions.iter().map(|function| without(function.id)).collect()
}

fn drop_calls(block: &mut Vec<Statement>, id: FunctionId) {
    block.retain(|statement| !matches!(statement, Statement::Call(call) if call.function == id));
    for statement in block {
        if let Statement::Call(call) = statement
            && matches!(call.by, By::Either(other, _) if other == id)
        {
            call.by = By::Name;
        }
        super::visit::blocks_mut(statement).into_iter().for_each(|inner| drop_calls(inner, id));
    }
}

/// Each block without its first half, and without its second half.
fn shorter_blocks(program: &Program) -> Vec<Program> {
    let mut lengths = Vec::new();
    bodies(program).for_each(|body| each_block(body, &mut |block| lengths.push(block.len())));
    let mut candidates = Vec::new();
    for (place, length) in lengths.into_iter().enumerate().filter(|(_, length)| *length > 1) {
        for (first, end) in [(0, length / 2), (length / 2, length)] {
            candidates.push(changed(program, |candidate| {
                let mut number = 0;
                bodies_mut(candidate).for_each(|body| {
                    each_block_mut(body, &mut |block| {
                        if number == place {
                            block.drain(first..end);
                        }
                        number += 1;
                    });
                });
            }));
        }
    }
    candidates
}

/// Each statement left out.
fn fewer_statements(program: &Program) -> Vec<Program> {
    replaced(program, |_| Vec::new())
}

/// Each statement replaced by those in it.
fn unwrapped_statements(program: &Program) -> Vec<Program> {
    let mut candidates = replaced(program, |statement| match statement {
        Statement::Loop(nest) => nest.body,
        Statement::If { then, .. } => then,
        Statement::Switch { arms, .. } => arms.into_iter().flatten().collect(),
        Statement::Temporary(_, body) | Statement::Alias { body, .. } | Statement::Guard { body, .. } => body,
        other => vec![other],
    });
    candidates.extend(replaced(program, |statement| match statement {
        Statement::If { otherwise, .. } => otherwise,
        other => vec![other],
    }));
    candidates
}

/// One program for each statement, in which it is replaced.
fn replaced(program: &Program, replace: fn(Statement) -> Vec<Statement>) -> Vec<Program> {
    let mut count = 0;
    bodies(program).for_each(|body| each(body, &mut |_| count += 1));
    let of = |place: usize| {
        changed(program, |candidate| {
            let mut left = place;
            for body in bodies_mut(candidate) {
                replace_in(body, &mut left, replace);
            }
        })
    };
    (0..count).map(of).collect()
}

/// Replaces the statement before which so many others are left.
fn replace_in(block: &mut Vec<Statement>, left: &mut usize, replace: fn(Statement) -> Vec<Statement>) {
    let mut place = 0;
    while place < block.len() {
        if *left == 0 {
            *left = usize::MAX;
            let old = block.remove(place);
            let new = replace(old);
            block.splice(place..place, new);
            return;
        }
        *left -= 1;
        for inner in super::visit::blocks_mut(&mut block[place]) {
            replace_in(inner, left, replace);
            if *left == usize::MAX {
                return;
            }
        }
        place += 1;
    }
}

fn fewer_choices(program: &Program) -> Vec<Program> {
    let without = |place| changed(program, |candidate| candidate.choices = without(&program.choices, place));
    (0..program.choices.len()).map(without).collect()
}

/// Each statement in each simpler form that `simpler` offers.
fn simpler_statements(program: &Program) -> Vec<Program> {
    let mut forms = Vec::new();
    bodies(program).for_each(|body| each(body, &mut |statement| forms.push(simpler(statement))));
    let mut candidates = Vec::new();
    for (place, forms) in forms.into_iter().enumerate() {
        for form in forms {
            candidates.push(changed(program, |candidate| {
                let mut number = 0;
                bodies_mut(candidate).for_each(|body| {
                    each_mut(body, &mut |statement| {
                        if number == place {
                            *statement = form.clone();
                        }
                        number += 1;
                    });
                });
            }));
        }
    }
    candidates
}

fn simpler(statement: &Statement) -> Vec<Statement> {
    let mut forms = Vec::new();
    let mut offer = |change: &dyn Fn(&mut Statement)| {
        let mut form = statement.clone();
        change(&mut form);
        if form != *statement {
            forms.push(form);
        }
    };
    match statement {
        Statement::Region(region) => {
            for place in 0..region.nests.len() {
                if region.nests.len() > 1 {
                    offer(&|form| of_region(form, |region| drop(region.nests.remove(place))));
                }
                for source in 0..region.nests[place].sources.len() {
                    offer(&|form| {
                        of_region(form, |region| {
                            let _ = region.nests[place].sources.remove(source);
                        })
                    });
                    offer(&|form| {
                        of_region(form, |region| {
                            let source = &mut region.nests[place].sources[source];
                            (source.rows, source.columns) = (0, 0);
                        });
                    });
                }
                offer(&|form| of_region(form, |region| region.nests[place].shape = Shape::All));
                offer(&|form| of_region(form, |region| region.nests[place].constant = 1));
                if matches!(region.nests[place].work, Work::Update | Work::Conditional) {
                    offer(&|form| of_region(form, |region| region.nests[place].work = Work::Set));
                }
                for slot in simpler_slot(region.nests[place].target.slot) {
                    offer(&|form| of_region(form, |region| region.nests[place].target.slot = slot));
                }
            }
            offer(&|form| of_region(form, |region| region.direct = false));
        }
        Statement::Host(host) => {
            for simple in simpler_host(host) {
                offer(&|form| *form = Statement::Host(simple));
            }
        }
        Statement::Loop(_) => {
            offer(&|form| of_loop(form, |nest| nest.condition = None));
            offer(&|form| of_loop(form, |nest| nest.form = LoopForm::For));
            offer(&|form| of_loop(form, |nest| nest.count = 2));
            offer(&|form| of_loop(form, |nest| nest.count = nest.count.min(3)));
        }
        Statement::If { condition, .. } => {
            offer(&|form| {
                if let Statement::If { otherwise, .. } = form {
                    otherwise.clear();
                }
            });
            offer(&|form| {
                if let Statement::If { bare, .. } = form {
                    *bare = false;
                }
            });
            for simple in simpler_condition(condition) {
                offer(&|form| {
                    if let Statement::If { condition, .. } = form {
                        *condition = simple.clone();
                    }
                });
            }
        }
        Statement::Switch { by, arms, .. } => {
            if let Selector::Element(element) = by {
                let by = Selector::Element(super::program::Element { place: Place::First, ..*element });
                offer(&|form| {
                    if let Statement::Switch { by: old, .. } = form {
                        *old = by;
                    }
                });
            }
            for place in (0..arms.len()).filter(|_| arms.len() > 1) {
                offer(&|form| {
                    if let Statement::Switch { arms, .. } = form {
                        arms.remove(place);
                    }
                });
            }
        }
        Statement::Call(_) => {
            offer(&|form| of_call(form, |call| call.by = By::Name));
            offer(&|form| of_call(form, |call| call.without_row = false));
            offer(&|form| of_call(form, |call| call.result = ResultUse::Ignored));
            offer(&|form| of_call(form, |call| call.result = ResultUse::Noted));
        }
        Statement::Swap { .. } => offer(&|form| {
            if let Statement::Swap { by_function, .. } = form {
                *by_function = false;
            }
        }),
        Statement::Reallocate(handle, _) => {
            offer(&|form| *form = Statement::Reallocate(*handle, How::Filled));
        }
        Statement::Temporary(variable, body) => {
            let usual = Variable { how: How::Filled, ..*variable };
            offer(&|form| *form = Statement::Temporary(usual, body.clone()));
            if matches!(
                variable.kind,
                Kind::VariableLine | Kind::VariableGrid | Kind::Grid | Kind::StaticLine | Kind::Kept
            ) {
                let line = Variable { kind: Kind::Line, ..usual };
                offer(&|form| *form = Statement::Temporary(line, body.clone()));
            }
        }
        Statement::Exit(exit, condition) => {
            if matches!(exit, Exit::Goto(_) | Exit::Return) {
                offer(&|form| *form = Statement::Exit(Exit::Break, condition.clone()));
            }
            for simple in simpler_condition(condition) {
                offer(&|form| *form = Statement::Exit(*exit, simple.clone()));
            }
        }
        Statement::Alias { of, .. } => {
            if let Origin::Either(one, two, _) | Origin::Picked(one, two, _) = *of {
                for origin in [Origin::Array(one), Origin::Array(two)] {
                    offer(&|form| {
                        if let Statement::Alias { of, .. } = form {
                            *of = origin;
                        }
                    });
                }
            }
        }
        Statement::Recur(_) | Statement::Guard { .. } => {}
    }
    forms
}

fn simpler_slot(slot: Slot) -> Vec<Slot> {
    match slot {
        Slot::Turning(..) => vec![Slot::Fixed(0), Slot::Fixed(1)],
        Slot::Fixed(_) => Vec::new(),
    }
}

fn of_region(statement: &mut Statement, change: impl FnOnce(&mut super::program::Region)) {
    if let Statement::Region(region) = statement {
        change(region);
    }
}

fn of_loop(statement: &mut Statement, change: impl FnOnce(&mut super::program::Loop)) {
    if let Statement::Loop(nest) = statement {
        change(nest);
    }
}

fn of_call(statement: &mut Statement, change: impl FnOnce(&mut super::program::Call)) {
    if let Statement::Call(call) = statement {
        change(call);
    }
}

fn simpler_host(host: &Host) -> Vec<Host> {
    let first = |element: super::program::Element| super::program::Element { place: Place::First, ..element };
    match *host {
        Host::Read(element, reading) => {
            vec![Host::Read(element, Reading::Plain), Host::Read(first(element), reading)]
        }
        Host::Write(element, writing, value) => vec![
            Host::Write(element, Writing::Plain, value),
            Host::Write(first(element), writing, value),
            Host::Write(element, writing, 7),
        ],
        Host::ReadAll(handle, _) => vec![Host::ReadAll(handle, Range::Up)],
        Host::WriteAll(handle, _) => vec![Host::WriteAll(handle, Range::Up)],
        Host::Modify(handle, _) => {
            vec![
                Host::ReadAll(handle, Range::Up),
                Host::WriteAll(handle, Range::Up),
                Host::Modify(handle, Range::Up),
            ]
        }
        Host::Clear(handle) => vec![Host::WriteAll(handle, Range::Up)],
        Host::Copy { from, to, distinct, .. } => vec![
            Host::ReadAll(from, Range::Up),
            Host::WriteAll(to, Range::Up),
            Host::Copy { from, to, distinct, half: false },
        ],
        Host::Compare(one, two) => vec![Host::ReadAll(one, Range::Up), Host::ReadAll(two, Range::Up)],
        Host::Sort(handle, _) => vec![Host::Modify(handle, Range::Up), Host::Sort(handle, true)],
    }
}

fn simpler_condition(condition: &Condition) -> Vec<Condition> {
    match condition {
        Condition::Size(0) => Vec::new(),
        Condition::Size(_) | Condition::Turn(..) => vec![Condition::Size(0)],
        Condition::Greater(..) | Condition::PartGreater(..) => vec![Condition::Size(0), Condition::Size(99)],
        Condition::Comma(_, rest) => vec![Condition::Size(0), (**rest).clone()],
        Condition::And(one, two) | Condition::Or(one, two) => {
            vec![Condition::Size(0), (**one).clone(), (**two).clone()]
        }
    }
}

fn simpler_functions(program: &Program) -> Vec<Program> {
    let mut candidates = Vec::new();
    for place in 0..program.functions.len() {
        candidates.push(changed(program, |candidate| candidate.functions[place].returns = None));
        candidates.push(changed(program, |candidate| candidate.functions[place].recursive = false));
        candidates.push(changed(program, |candidate| candidate.functions[place].takes_world = false));
        candidates.push(changed(program, |candidate| candidate.functions[place].is_static = true));
    }
    candidates
}

/// Each parameter that is not used left out.
fn fewer_parameters(program: &Program) -> Vec<Program> {
    let mut candidates = Vec::new();
    for (place, function) in program.functions.iter().enumerate() {
        for parameter in 0..function.parameters.len() {
            candidates.push(changed(program, |candidate| {
                candidate.functions[place].parameters.remove(parameter);
                each_mut(&mut candidate.functions[place].body, &mut |statement| {
                    if let Statement::Recur(arguments) = statement {
                        arguments.remove(parameter);
                    }
                });
                bodies_mut(candidate).for_each(|body| {
                    each_mut(body, &mut |statement| {
                        let Statement::Call(call) = statement else { return };
                        if call.function == function.id {
                            call.arguments.remove(parameter);
                            call.by = if call.by == By::Pointer { By::Pointer } else { By::Name };
                        } else if matches!(call.by, By::Either(other, _) if other == function.id) {
                            call.by = By::Name;
                        }
                    });
                });
            }));
        }
    }
    candidates
}

/// Each variable of the file left out that nothing uses; each supplied in the usual way.
fn fewer_globals(program: &Program) -> Vec<Program> {
    let used = used(program);
    let mut candidates = Vec::new();
    for (place, variable) in program.globals.iter().enumerate() {
        if !used.contains(&variable.id) {
            candidates.push(changed(program, |candidate| {
                let _ = candidate.globals.remove(place);
            }));
        }
    }
    for (place, variable) in program.globals.iter().enumerate() {
        let mut kinds = vec![variable.kind];
        match variable.kind {
            Kind::Grid => kinds.push(Kind::Line),
            Kind::Member => kinds.push(Kind::Pointer),
            Kind::Bank { slots, in_world: true } => kinds.push(Kind::Bank { slots, in_world: false }),
            _ => {}
        }
        for kind in kinds {
            candidates.push(changed(program, |candidate| {
                candidate.globals[place] = Variable { kind, how: How::Filled, is_static: true, ..*variable };
            }));
        }
    }
    candidates
}

/// The variables of the file that something names.
fn used(program: &Program) -> BTreeSet<VariableId> {
    let mut used = BTreeSet::new();
    for body in bodies(program) {
        each(body, &mut |statement| {
            used.extend(Named::by(statement).handles.iter().map(|handle| handle.variable));
        });
    }
    used.extend(program.functions.iter().filter_map(|function| Some(function.returns?.of.variable)));
    used.extend(program.globals.iter().filter_map(|variable| match variable.kind {
        Kind::Cursor(of) | Kind::Spot(of) => Some(of),
        _ => None,
    }));
    used
}

fn simpler_program(program: &Program) -> Vec<Program> {
    vec![
        changed(program, |candidate| candidate.with_new = false),
        changed(program, |candidate| {
            candidate.language = Language::C;
            candidate.with_new = false;
        }),
        changed(program, |candidate| candidate.world = World::Global),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::draw::draw;
    use super::super::program::{Program, Statement};
    use super::super::{text, valid, visit};
    use super::shrink;
    use crate::setting::Language;

    fn swaps(program: &Program) -> usize {
        let mut count = 0;
        for body in visit::bodies(program) {
            visit::each(body, &mut |statement| {
                count += usize::from(matches!(statement, Statement::Swap { .. }));
            });
        }
        count
    }

    #[test]
    fn the_smallest_program_that_swaps_does_nothing_else() {
        for language in [Language::C, Language::Cxx] {
            let program = (0..).map(|number| draw(1, number, language)).find(|program| swaps(program) > 3);
            let smallest = shrink(program.unwrap(), 100_000, |candidate| swaps(candidate) > 0);
            assert!(valid::is_valid(&smallest));
            assert_eq!(swaps(&smallest), 1);
            assert!(smallest.functions.len() <= 1 && smallest.globals.len() <= 3, "{}", text(&smallest));
            assert!(smallest.choices.is_empty() && smallest.runs.len() == 1);
            assert_eq!(smallest.language, Language::C);
        }
    }
}
