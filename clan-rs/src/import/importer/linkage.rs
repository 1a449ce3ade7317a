//! What code outside of the tree can name, and initialisers at file scope.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use std::collections::{HashMap, HashSet};

use clang_sys::*;
use scop::SourceRange;

use super::expressions::called_function;
use super::{Importer, block_of};
use crate::c::clang::{Cursor, Token, Unit};
use crate::c::ctree::{Function, Lifetime, Tree, Variable, VariableId};

/// Words that may stand before the name of a function or variable in an attribute or a pragma.
const NAMING: [&str; 9] = [
    "alias",
    "__alias__",
    "cleanup",
    "__cleanup__",
    "ifunc",
    "__ifunc__",
    "redefine_extname",
    "weakref",
    "__weakref__",
];

/// How C compilers write inline assembly.
const ASSEMBLY: [&str; 3] = ["asm", "__asm", "__asm__"];

impl Importer {
    /// Notes what code outside of the tree can name. Requires that all functions of the tree are imported.
    pub(super) fn note_linkage(&mut self, unit: &Unit) {
        let declarations = unit.top_level().filter(|child| child.is_declaration() && !child.is_of_language());
        let declarations: Vec<Cursor> = declarations.collect();
        for &variable in declarations.iter().filter(|child| child.kind() == CXCursor_VarDecl) {
            if let Some(initial) = variable.initialiser() {
                let id = self.variable(variable);
                let value = self.expr(initial);
                self.tree.linkage.initials.push((id, value));
            }
        }
        let mut mentions: HashMap<usize, (Cursor, i64)> = HashMap::new();
        for &declaration in &declarations {
            let is_known = self.has(declaration);
            for mention in declaration.mentions_below() {
                let of = mention.referenced();
                match of.kind() {
                    CXCursor_FunctionDecl => {
                        mentions.entry(of.declaration().identity()).or_insert((of, 0)).1 += 1;
                    }
                    CXCursor_VarDecl if !is_known => {
                        if let Some(&id) = self.known.get(&of.declaration().identity()) {
                            self.tree.linkage.mentioned.insert(id);
                        }
                    }
                    _ => {}
                }
            }
            // A call by a function outside of the tree is a mention like any other.
            for call in declaration.calls_below().into_iter().filter(|_| is_known) {
                if let Some(function) = call.children().first().and_then(|callee| called_function(*callee)) {
                    let identity = function.declaration().identity();
                    mentions.entry(identity).or_insert((function, 0)).1 -= 1;
                }
            }
        }
        self.note_hidden_parts(&declarations);
        let named = mentions.into_values().filter(|(_, count)| *count > 0).map(|(function, _)| function);
        let mut named: Vec<Cursor> = named.collect();
        named.sort_by_key(|function| function.spelling());
        for function in named {
            let name = self.name(function);
            self.tree.linkage.named.insert(name);
        }
        self.tree.linkage.by_text |= names_by_text(unit, self);
    }

    /// Notes the functions of headers with code of which the tree has no expressions, and what that code mentions.
    pub(super) fn note_hidden_parts(&mut self, declarations: &[Cursor]) {
        for declaration in declarations.iter().filter(|child| !child.is_in_main_file()) {
            if !self.has(*declaration) {
                continue;
            }
            let Some(name) = self.names.get(&declaration.declaration().identity()) else { continue };
            let Some(at) = self.tree.header_functions.iter().position(|function| function.name == *name)
            else {
                continue;
            };
            let seen = Seen::of(&self.tree, &self.tree.header_functions[at]);
            let (mentions, calls) = self.hidden_in(*declaration, seen);
            if mentions || calls {
                let body = self.tree.header_functions[at].body.range;
                self.tree.header_functions[at].hidden_part = Some(body);
            }
            self.tree.linkage.by_text |= calls;
        }
    }

    /// Notes the variables that a function mentions where the tree does not have expressions. Returns whether there are
    /// any, and whether it has calls there.
    fn hidden_in(&mut self, function: Cursor, mut seen: Seen) -> (bool, bool) {
        let mut any = false;
        for mention in function.mentions_below() {
            let variable = mention.referenced();
            if ![CXCursor_VarDecl, CXCursor_ParmDecl].contains(&variable.kind()) {
                continue;
            }
            let id = self.known.get(&variable.declaration().identity()).copied();
            if !id.is_some_and(|id| seen.takes(id, mention.range())) {
                any = true;
                self.tree.linkage.mentioned.extend(id);
            }
        }
        let is_hidden = |call: &Cursor| !seen.places.contains(&(call.range().start, call.range().end));
        (any, function.calls_below().iter().any(is_hidden))
    }

    /// True for a declaration whose expressions the tree has: a function in it, or anything that is not a function.
    fn has(&self, declaration: Cursor) -> bool {
        let is_function = declaration.kind() == CXCursor_FunctionDecl && block_of(declaration).is_some();
        !is_function || declaration.is_in_main_file() || self.imported.contains(&declaration.identity())
    }
}

/// What the tree has of a function.
#[derive(Default)]
struct Seen {
    /// How often it mentions each variable at each place.
    variables: HashMap<(VariableId, u32, u32), usize>,
    /// The places of all expressions.
    places: HashSet<(u32, u32)>,
}

impl Seen {
    fn of(tree: &Tree, function: &Function) -> Self {
        let mut seen = Self::default();
        function.body.walk_expressions(tree, &mut |expr| {
            let (start, end) = (expr.range.start, expr.range.end);
            seen.places.insert((start, end));
            if let Some(id) = expr.as_variable() {
                *seen.variables.entry((id, start, end)).or_default() += 1;
            }
        });
        seen
    }

    /// Takes away one mention at a place, and returns true if there was one.
    fn takes(&mut self, id: VariableId, range: SourceRange) -> bool {
        match self.variables.get_mut(&(id, range.start, range.end)) {
            Some(times) if *times > 0 => {
                *times -= 1;
                true
            }
            _ => false,
        }
    }
}

/// True if the user's files contain words that may name any function or variable: in attributes, or in assembly
/// outside of functions.
pub(super) fn names_by_text(unit: &Unit, importer: &Importer) -> bool {
    let hidden = &importer.tree.hidden;
    if hidden.any || ["weak", "redefine_extname"].iter().any(|word| hidden.names.contains_key(*word)) {
        return true;
    }
    unit.files_of_user().into_iter().any(|file| {
        let words = unit.contents(file).split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        let mut suspects =
            words.filter(|word| NAMING.iter().chain(&ASSEMBLY).any(|name| name.as_bytes() == *word));
        suspects.next().is_some() && has_naming_word(unit, file, importer)
    })
}

fn has_naming_word(unit: &Unit, file: usize, importer: &Importer) -> bool {
    let is_main = unit.is_main_file(file);
    let functions = importer.tree.functions.iter().filter_map(|function| function.range);
    let functions: Vec<_> = functions.filter(|_| is_main).collect();
    let tokens = unit.tokens_of(file);
    let mut directives = 0..0;
    tokens.iter().enumerate().any(|(at, token)| {
        if token.text == "#" {
            let start = token.range.start;
            let end = crate::c::source::end_of_joined_line(unit.contents(file), start as usize) as u32;
            directives = start..end;
        }
        let text = token.text.as_str();
        let in_function = functions.iter().any(|range| token.range.is_within(*range));
        let in_macro = directives.contains(&token.range.start);
        let is_assembly = ASSEMBLY.contains(&text);
        let names_something = || names_in_assembly(&tokens[at..], &importer.tree);
        NAMING.contains(&text) || is_assembly && (in_macro || !in_function || names_something())
    })
}

/// True if the text of assembly in a function contains the name of a function or a static variable. Tokens that a macro
/// replaces may give any text.
fn names_in_assembly(tokens: &[Token], tree: &Tree) -> bool {
    let statement = tokens.iter().take_while(|token| token.text != ";");
    let is_known = |word: &str| {
        let is_static = |variable: &Variable| variable.lifetime == Lifetime::Static && variable.name == word;
        tree.functions.iter().any(|function| function.shown == word) || tree.variables.iter().any(is_static)
    };
    statement.into_iter().any(|token| {
        let mut words = token.text.split(|c: char| !c.is_alphanumeric() && c != '_');
        match token.text.contains('"') {
            true => words.any(|word| !word.is_empty() && is_known(word)),
            false => tree.macros.contains(&token.text),
        }
    })
}
