//! What code outside of the tree can name, and initialisers at file scope.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use std::collections::HashMap;

use clang_sys::*;

use super::expressions::called_function;
use super::{Importer, block_of};
use crate::c::clang::{Cursor, Unit};

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
        self.tree.linkage.by_text = names_by_text(unit, self);
    }

    /// Notes the functions of headers that mention variables where the tree does not have expressions.
    fn note_hidden_parts(&mut self, declarations: &[Cursor]) {
        for declaration in declarations.iter().filter(|child| !child.is_in_main_file()) {
            if !self.has(*declaration) {
                continue;
            }
            let of_variables = |mention: &Cursor| {
                [CXCursor_VarDecl, CXCursor_ParmDecl].contains(&mention.referenced().kind())
            };
            let written = declaration.mentions_below().into_iter().filter(of_variables).count();
            let Some(name) = self.names.get(&declaration.declaration().identity()) else { continue };
            let Some(at) = self.tree.header_functions.iter().position(|function| function.name == *name)
            else {
                continue;
            };
            let mut known = 0;
            let function = &self.tree.header_functions[at];
            function
                .body
                .walk_expressions(&self.tree, &mut |expr| known += usize::from(expr.as_variable().is_some()));
            if known < written {
                let body = function.body.range;
                self.tree.header_functions[at].hidden_part = Some(body);
            }
        }
    }

    /// True for a declaration whose expressions the tree has: a function in it, or anything that is not a function.
    fn has(&self, declaration: Cursor) -> bool {
        let is_function = declaration.kind() == CXCursor_FunctionDecl && block_of(declaration).is_some();
        !is_function || declaration.is_in_main_file() || self.imported.contains(&declaration.identity())
    }
}

/// True if the user's files contain words that may name any function or variable: in attributes, or in assembly
/// outside of functions.
fn names_by_text(unit: &Unit, importer: &Importer) -> bool {
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
    tokens.iter().any(|token| {
        if token.text == "#" {
            let start = token.range.start;
            let end = crate::c::source::end_of_joined_line(unit.contents(file), start as usize) as u32;
            directives = start..end;
        }
        let text = token.text.as_str();
        let in_function = functions.iter().any(|range| token.range.is_within(*range));
        let in_macro = directives.contains(&token.range.start);
        NAMING.contains(&text) || ASSEMBLY.contains(&text) && (in_macro || !in_function)
    })
}
