//! Mentions of variables that the syntax tree does not have: in types (`(int (*)[n])a`, `typeof(int[n])`), in pragmas
//! such as OpenMP's, and in files that a function includes. What reads a variable there reads what a region left in it.

use std::collections::{BTreeMap, BTreeSet};

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
    for mention in functions.iter().flat_map(|function| function.mentions_below()) {
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
        if !known.contains(&(range.start, range.end)) {
            hidden.calls.push(call.is_in_main_file().then_some(range));
        }
    }
    for file in unit.files_of_user() {
        note_pragmas(&mut hidden, unit, file);
    }
    hidden
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
