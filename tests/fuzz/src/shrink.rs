//! Makes a failing program smaller while it fails in the same way.

use std::collections::{BTreeMap, BTreeSet};

use crate::affine::{Affine, Symbol};
use crate::options::without;
use crate::program::{
    Bound, Condition, Counter, Expression, Loop, Node, Program, Regions, Storage, Subscript, Type, Update,
};
use crate::reduce::reduce;
use crate::setting::{By, Element, FunctionKind, Home, Language, Reference, Scope, Setting};
use crate::visit;

/// The smallest program found for which `fails` holds.
pub fn shrink(program: Program, attempts: usize, fails: impl FnMut(&Program) -> bool) -> Program {
    const PASSES: [fn(&Program) -> Vec<Program>; 11] = [
        fewer_runs,
        simpler_setting,
        fewer_regions,
        fewer_nodes,
        fewer_choices,
        simpler_nodes,
        simpler_loops,
        simpler_values,
        simpler_conditions,
        simpler_subscripts,
        simpler_arrays,
    ];
    let is_defined = |candidate: &Program| crate::defined::extents(candidate).is_some();
    reduce(program, attempts, &PASSES, is_defined, fails)
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

/// The usual setting, in C at first; else each part of it is left out or becomes the usual one.
fn simpler_setting(program: &Program) -> Vec<Program> {
    let old = &program.setting;
    let in_language = |language| Setting { language, ..Setting::default() };
    let mut settings = vec![in_language(Language::C), in_language(old.language)];
    let for_c = old.references.iter().filter(|(_, reference)| **reference == Reference::Read);
    settings.push(Setting {
        language: Language::C,
        references: for_c.map(|(place, reference)| (*place, *reference)).collect(),
        homes: BTreeMap::new(),
        function: FunctionKind::Plain,
        ..old.clone()
    });
    settings.push(Setting { function: FunctionKind::Plain, ..old.clone() });
    settings.push(Setting { interleaved: None, ..old.clone() });
    let mut without = |change: &dyn Fn(&mut Setting)| {
        let mut setting = old.clone();
        change(&mut setting);
        settings.push(setting);
    };
    without(&|setting| setting.interleaved.iter_mut().for_each(|pair| pair.offset = 1));
    for place in 0..old.host.len() {
        without(&|setting| {
            setting.host.remove(place);
        });
        without(&|setting| setting.host[place].by = By::Pointer);
        without(&|setting| setting.host[place].element = Element::First);
    }
    for iterator in old.outside.keys() {
        without(&|setting| {
            setting.outside.remove(iterator);
        });
        without(&|setting| {
            setting.outside.insert(*iterator, false);
        });
    }
    for place in old.references.keys() {
        without(&|setting| {
            setting.references.remove(place);
        });
    }
    for (place, home) in &old.homes {
        without(&|setting| {
            setting.homes.remove(place);
        });
        let simpler = [
            Home { twin: false, ..home.clone() },
            Home { using: false, ..home.clone() },
            Home { scope: Scope::Namespace, ..home.clone() },
        ];
        for home in simpler {
            without(&|setting| {
                setting.homes.insert(*place, home.clone());
            });
        }
    }
    settings.into_iter().map(|setting| changed(program, |candidate| candidate.setting = setting)).collect()
}

/// One region; else each loop around regions, each beginning of one and each node that is left out becomes a part of
/// a region.
fn fewer_regions(program: &Program) -> Vec<Program> {
    let Regions { around, begin, left_out } = &program.regions;
    let mut candidates = vec![Regions::default()];
    let without =
        |all: &BTreeSet<usize>, one: &usize| all.iter().copied().filter(|other| other != one).collect();
    for one in around {
        candidates.push(Regions { around: without(around, one), ..program.regions.clone() });
    }
    for one in begin {
        candidates.push(Regions { begin: without(begin, one), ..program.regions.clone() });
    }
    for one in left_out {
        candidates.push(Regions { left_out: without(left_out, one), ..program.regions.clone() });
    }
    candidates.into_iter().map(|regions| changed(program, |candidate| candidate.regions = regions)).collect()
}

fn fewer_choices(program: &Program) -> Vec<Program> {
    (0..program.choices.len())
        .map(|place| changed(program, |candidate| candidate.choices = without(&program.choices, place)))
        .collect()
}

/// Each node left out; each replaced by what is in it.
fn fewer_nodes(program: &Program) -> Vec<Program> {
    let mut count = 0;
    visit::each_mut(&mut program.body.clone(), &mut |_| count += 1);
    let mut candidates = Vec::new();
    for replace in [|_| Vec::new(), unwrapped] {
        for place in 0..count {
            candidates.push(changed(program, |candidate| {
                replace_node(&mut candidate.body, &mut { place }, replace);
            }));
        }
    }
    candidates
}

/// Replaces the node with this number, counted from the outside in.
fn replace_node(block: &mut Vec<Node>, left: &mut usize, replace: fn(Node) -> Vec<Node>) -> bool {
    for place in 0..block.len() {
        if *left == 0 {
            let node = block.remove(place);
            block.splice(place..place, replace(node));
            return true;
        }
        *left -= 1;
        let inside = visit::children_mut(&mut block[place]);
        if inside.into_iter().any(|inner| replace_node(inner, left, replace)) {
            return true;
        }
    }
    false
}

/// The body of a loop with the iterator at its first value, or the first branch of a condition.
fn unwrapped(node: Node) -> Vec<Node> {
    match node {
        Node::For(nest) => {
            let Loop { iterator, first, mut body, .. } = *nest;
            let first = if let Bound::Affine(form) = first { form } else { Affine::constant(0) };
            visit::forms_mut(&mut body, &mut |form| *form = substituted(form, iterator, &first));
            body
        }
        Node::If(_, then, otherwise) if then.is_empty() => otherwise,
        Node::If(_, then, _) => then,
        Node::While(_, body) => body,
        Node::Assign(_) | Node::Declare(..) => vec![node],
    }
}

fn substituted(form: &Affine, iterator: usize, value: &Affine) -> Affine {
    let symbol = Symbol::Iterator(iterator);
    let by = form.terms.get(&symbol).copied().unwrap_or(0);
    let rest = form.clone().plus(symbol, -by).shifted(by * value.constant);
    value.terms.iter().fold(rest, |sum, (symbol, coefficient)| sum.plus(*symbol, by * coefficient))
}

/// The candidates that change one item of a kind: `each` calls its argument for every item, and `edits` gives the
/// replacements of one.
fn edited<T: Clone>(
    program: &Program,
    each: impl Fn(&mut Program, &mut dyn FnMut(&mut T)),
    edits: impl Fn(&T) -> Vec<T>,
) -> Vec<Program> {
    let mut replacements = Vec::new();
    each(&mut program.clone(), &mut |item| replacements.push(edits(item)));
    let mut candidates = Vec::new();
    for (place, items) in replacements.into_iter().enumerate() {
        for item in items {
            candidates.push(changed(program, |candidate| {
                let mut number = 0;
                each(candidate, &mut |old| {
                    if number == place {
                        *old = item.clone();
                    }
                    number += 1;
                });
            }));
        }
    }
    candidates
}

fn simpler_nodes(program: &Program) -> Vec<Program> {
    edited(
        program,
        |candidate, see| visit::each_mut(&mut candidate.body, see),
        |node| match node {
            Node::If(condition, then, otherwise) if !otherwise.is_empty() => vec![
                Node::If(condition.clone(), then.clone(), Vec::new()),
                Node::If(condition.clone(), otherwise.clone(), Vec::new()),
            ],
            Node::Assign(assignment) if assignment.operator != Update::Set => {
                let mut simpler = assignment.clone();
                simpler.operator = Update::Set;
                vec![Node::Assign(simpler)]
            }
            _ => Vec::new(),
        },
    )
}

fn simpler_loops(program: &Program) -> Vec<Program> {
    edited(
        program,
        |candidate, see| visit::loops_mut(&mut candidate.body, see),
        |nest| {
            let zero = Bound::Affine(Affine::constant(0));
            let n = Bound::Affine(Affine::of(Symbol::N));
            let few = Bound::Affine(Affine::constant(3));
            vec![
                Loop { step: 1, ..nest.clone() },
                Loop { descending: false, ..nest.clone() },
                Loop { counter: Counter::Int, ..nest.clone() },
                Loop { first: zero, ..nest.clone() },
                Loop { end: few, ..nest.clone() },
                Loop { end: n, ..nest.clone() },
            ]
        },
    )
}

fn simpler_values(program: &Program) -> Vec<Program> {
    edited(
        program,
        |candidate, see| visit::expressions_mut(&mut candidate.body, see),
        |value| {
            if matches!(value, Expression::Integer(_) | Expression::Real(_)) {
                return Vec::new();
            }
            let mut simpler = vec![Expression::Integer(1)];
            simpler.extend(visit::operands(value).into_iter().cloned());
            simpler
        },
    )
}

fn simpler_conditions(program: &Program) -> Vec<Program> {
    edited(
        program,
        |candidate, see| visit::conditions_mut(&mut candidate.body, see),
        |condition| match condition {
            Condition::And(a, b) | Condition::Or(a, b) => vec![(**a).clone(), (**b).clone()],
            Condition::Not(inner) => vec![(**inner).clone()],
            _ => Vec::new(),
        },
    )
}

fn simpler_subscripts(program: &Program) -> Vec<Program> {
    let plain = edited(
        program,
        |candidate, see| visit::subscripts_mut(&mut candidate.body, see),
        |subscript| match subscript {
            Subscript::Modulo(form, _) | Subscript::Quotient(form, _) => {
                vec![Subscript::Affine(form.clone())]
            }
            Subscript::Load(..) | Subscript::Hash(..) => vec![Subscript::Affine(Affine::constant(0))],
            Subscript::Affine(_) => Vec::new(),
        },
    );
    let forms = edited(
        program,
        |candidate, see| visit::forms_mut(&mut candidate.body, see),
        |form| {
            let dropped = form.terms.iter().map(|(symbol, by)| form.clone().plus(*symbol, -by));
            let single = form.terms.iter().map(|(symbol, by)| form.clone().plus(*symbol, 1 - by));
            dropped.chain(single).chain([form.clone().shifted(-form.constant)]).collect()
        },
    );
    plain.into_iter().chain(forms).collect()
}

fn simpler_arrays(program: &Program) -> Vec<Program> {
    edited(
        program,
        |candidate, see| candidate.arrays.iter_mut().for_each(see),
        |array| {
            let mut simpler = Vec::new();
            if array.storage != Storage::Temporary {
                simpler.push(crate::program::Array { storage: Storage::Parameter, ..array.clone() });
            }
            simpler.push(crate::program::Array { element: Type::Double, ..array.clone() });
            simpler
        },
    )
}

#[cfg(test)]
mod tests {
    use super::shrink;
    use crate::defined::extents;
    use crate::generate::generate;
    use crate::program::{Expression, Program};
    use crate::setting::{Language, Setting};
    use crate::visit::expressions;

    fn reads(program: &Program) -> usize {
        let mut count = 0;
        expressions(&program.body, &mut |value| count += usize::from(matches!(value, Expression::Read(_))));
        count
    }

    #[test]
    fn the_smallest_program_that_reads_twice_does_nothing_else() {
        let program = (0..).map(|number| generate(1, number, Language::C)).find(|program| reads(program) > 5);
        let smallest = shrink(program.unwrap(), 10_000, |candidate| reads(candidate) >= 2);
        assert_eq!(reads(&smallest), 2);
        assert!(extents(&smallest).is_some());
        assert!(smallest.choices.is_empty() && smallest.runs.len() == 1);
        assert!(smallest.body.len() <= 2);
    }

    #[test]
    fn what_is_special_about_the_text_goes() {
        let programs = (0..).map(|number| generate(1, number, Language::Cxx));
        let mut special = programs.filter(|program| {
            let setting = &program.setting;
            setting.interleaved.is_some() && !setting.host.is_empty() && !setting.outside.is_empty()
        });
        let smallest = shrink(special.next().unwrap(), 10_000, |_| true);
        assert_eq!(smallest.setting, Setting::default());
        let smallest = shrink(special.next().unwrap(), 10_000, |candidate| {
            candidate.setting.language == Language::Cxx && !candidate.setting.host.is_empty()
        });
        let Setting { host, outside, interleaved, references, homes, .. } = smallest.setting;
        assert!(host.len() == 1 && outside.is_empty() && interleaved.is_none());
        assert!(references.is_empty() && homes.is_empty());
    }
}
