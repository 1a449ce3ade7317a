//! Mentions of variables that the syntax tree does not have: in types (`(int (*)[n])a`, `typeof(int[n])`), in pragmas
//! such as OpenMP's, and in files that a function includes. What reads a variable there reads what a region left in it.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use std::collections::{BTreeMap, BTreeSet};

use clang_sys::*;
use scop::SourceRange;

use crate::c::clang::{Cursor, Token, Unit};
use crate::c::ctree::{ExprKind, Function, HiddenMentions, Tree, VariableId};
use crate::c::source::end_of_joined_line;

/// What is missing in a tree with these functions of a unit.
pub fn mentions(
    unit: &Unit,
    functions: &[Cursor],
    tree: &Tree,
    variable: impl Fn(Cursor) -> Option<VariableId>,
) -> HiddenMentions {
    let mut hidden = HiddenMentions::default();
    let mut seen = seen(tree);
    let unevaluated = unevaluated(functions);
    for mention in functions.iter().flat_map(|function| function.mentions_below()) {
        if unevaluated.contains(&mention.identity_of_node()) {
            continue;
        }
        let Some(id) = variable(mention.referenced()) else { continue };
        let place = mention.is_in_main_file().then(|| mention.range());
        let times = place.and_then(|range| seen.get_mut(&(id, range.start, range.end)));
        match times {
            Some(times) if *times > 0 => *times -= 1,
            _ => hidden.variables.entry(id).or_default().push(place),
        }
    }
    let known = expressions(tree);
    for call in functions.iter().flat_map(|function| function.calls_below()) {
        let range = call.range();
        if is_of_language(call) {
            continue;
        }
        if !known.contains(&(range.start, range.end)) {
            hidden.calls.push(call.is_in_main_file().then_some(range));
        }
    }
    for file in unit.files_of_user() {
        note_pragmas(&mut hidden, unit, file);
    }
    hidden
}

/// True for the constructor of a plain structure that C++ adds to its declaration, and that does nothing.
fn is_of_language(call: Cursor) -> bool {
    let constructor = call.referenced();
    constructor.kind() == CXCursor_Constructor
        && call.children().is_empty()
        && call.ctype().canonical().is_plain_old_data()
}

/// The mentions in `typeof` and the like that nothing evaluates: the type has no length that varies.
fn unevaluated(functions: &[Cursor]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut note = |part: Cursor| {
        let own = std::iter::once(part).filter(|part| part.kind() == CXCursor_DeclRefExpr);
        found.extend(own.chain(part.mentions_below()).map(Cursor::identity_of_node));
    };
    for function in functions {
        for variable in function.declarations_below() {
            let is_variable = variable.kind() == CXCursor_VarDecl;
            if !is_variable || variable.ctype().varies() {
                continue;
            }
            let initial = variable.initialiser();
            let in_type = variable
                .children()
                .into_iter()
                .filter(|child| child.is_expression() && !initial.is_some_and(|initial| initial.is(*child)));
            in_type.for_each(&mut note);
        }
        for cast in function.casts() {
            let parts = cast.children();
            if let ([in_type @ .., _], false) = (&parts[..], cast.ctype().varies()) {
                in_type.iter().filter(|part| part.is_expression()).for_each(|part| note(*part));
            }
        }
    }
    found
}

fn note_pragmas(hidden: &mut HiddenMentions, unit: &Unit, file: usize) {
    let tokens = unit.tokens_of(file);
    let text = unit.contents(file);
    for (position, token) in tokens.iter().enumerate() {
        let following = &tokens[position + 1..];
        match (token.text.as_str(), following) {
            ("#", [pragma, what, ..]) if pragma.text == "pragma" && !is_ours(&what.text) => {
                let end = end_of_joined_line(text, token.range.start as usize);
                let inside = following.iter().take_while(|token| (token.range.start as usize) < end);
                inside.for_each(|token| note(hidden, &token.text, unit.in_main_file(file, token.range)));
            }
            ("_Pragma", [_, argument, ..]) => {
                note_operator(hidden, argument, unit.in_main_file(file, argument.range))
            }
            _ => {}
        }
    }
}

/// `_Pragma("omp parallel num_threads(n)")`
fn note_operator(hidden: &mut HiddenMentions, argument: &Token, place: Option<SourceRange>) {
    let is_literal = argument.text.ends_with('"');
    hidden.any |= !is_literal;
    let words = argument.text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| is_literal && !word.is_empty()).for_each(|word| note(hidden, word, place));
}

fn note(hidden: &mut HiddenMentions, word: &str, place: Option<SourceRange>) {
    if word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        hidden.names.entry(word.to_owned()).or_default().push(place);
    }
}

/// How often the tree mentions each variable at each place.
fn seen(tree: &Tree) -> BTreeMap<(VariableId, u32, u32), usize> {
    let mut seen = BTreeMap::new();
    for Function { body, .. } in &tree.functions {
        body.walk_expressions(tree, &mut |expr| {
            if let ExprKind::Variable(id) = expr.kind {
                *seen.entry((id, expr.range.start, expr.range.end)).or_default() += 1;
            }
        });
    }
    seen
}

/// The places of all expressions of the tree.
fn expressions(tree: &Tree) -> BTreeSet<(u32, u32)> {
    let mut places = BTreeSet::new();
    for Function { body, .. } in &tree.functions {
        body.walk_expressions(tree, &mut |expr| {
            places.insert((expr.range.start, expr.range.end));
        });
    }
    places
}

/// True for what begins the pragmas of regions.
fn is_ours(word: &str) -> bool {
    ["scop", "endscop", "c2cuda"].contains(&word)
}
