//! From clang's syntax tree to ours.
//!
//! clang has expanded macros, resolved names and typed everything; implicit conversions are nodes of its tree (libclang
//! calls them unexposed expressions). Only what the C standard leaves to compound assignment is missing there.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

mod by_hand;
mod descending;
mod expressions;
mod functions;
mod linkage;
mod linkage_of_cxx;
mod objects;
mod operators;
mod ranges;
mod statement_expressions;
mod statements;
mod variables;
mod words;

use std::collections::{BTreeSet, HashMap, HashSet};

use clang_sys::*;
use scop::SourceRange;

use crate::c::clang::{Cursor, Unit};
use crate::c::ctree::{Peculiar, Tree, VariableId};
use crate::c::source::SourceText;
use crate::directives::directive;
use crate::import::attributes::Attributes;
use crate::import::constructors::Classes;
use crate::import::endings;
use crate::import::hidden;
use crate::import::members;
use crate::import::streams;
use crate::preprocessor::macros;

/// The functions of the main file. Requires that clang found no errors.
pub fn import(unit: &Unit, is_cxx: bool, before_c99: bool) -> Tree {
    let mut functions = Vec::new();
    collect_functions(unit.root(), &mut functions);
    let mut importer = Importer {
        tree: Tree { is_cxx, ..Tree::default() },
        before_c99,
        this: None,
        attributes: Attributes::of(unit),
        known: HashMap::new(),
        names: HashMap::new(),
        written: functions.iter().map(|function| function.declaration().identity()).collect(),
        imported: HashSet::new(),
        by_value: HashMap::new(),
        classes: Classes::default(),
        lines: macros::lines_of_calls(unit, unit.text()),
    };
    for &function in &functions {
        let imported = importer.function(function);
        importer.tree.functions.extend(imported);
    }
    importer.tree.hidden = hidden::mentions(unit, &functions, &importer.tree, |variable| {
        importer.known.get(&variable.declaration().identity()).copied()
    });
    importer.tree.peculiar =
        macros::peculiar(unit).into_iter().chain(importer.lines.iter().copied()).collect();
    importer.tree.has_streams_to_memory = streams::may_lead_to_memory(unit);
    importer.tree.handles_signals = endings::handles_signals(unit);
    importer.tree.catches = endings::catches(unit);
    importer.tree.macros = macros::names(unit, &importer.tree.variables);
    importer.tree.includes_itself = unit.includes_itself();
    importer.tree.marked_in_headers = marked_in_headers(unit);
    if is_cxx {
        importer.note_linkage_of_cxx(unit, &functions);
    } else {
        importer.note_linkage(unit);
    }
    members::resolve(&mut importer.tree);
    importer.tree
}

/// Where headers of the user's have `#pragma scop`.
fn marked_in_headers(unit: &Unit) -> Vec<(String, SourceRange)> {
    let headers: BTreeSet<usize> = unit.files_of_user().into_iter().collect();
    let mut found = Vec::new();
    for file in headers.into_iter().filter(|&file| !unit.is_main_file(file)) {
        let bytes = unit.contents(file).to_vec();
        if !bytes.windows(4).any(|word| word == b"scop") {
            continue;
        }
        let text = SourceText { bytes, macro_uses: Vec::new() };
        let directives = directive::directives(&unit.tokens_of(file), &unit.skipped_in(file), &text);
        let marks = directives.into_iter().filter(|directive| directive.starts_with(&["pragma", "scop"]));
        let path = unit.name_of(file).to_string_lossy().into_owned();
        found.extend(marks.map(|directive| (path.clone(), directive.range)));
    }
    found.sort_by(|(one, at), (other, there)| (one, at.start).cmp(&(other, there.start)));
    found
}

/// The uses of macros in the main file, as pairs of offsets.
pub fn macro_uses(unit: &Unit) -> Vec<(u32, u32)> {
    let uses = unit.top_level_of(CXCursor_MacroExpansion).filter(|cursor| cursor.is_in_main_file());
    uses.map(|cursor| cursor.range()).map(|range| (range.start, range.end)).collect()
}

/// The headers that files of the user include, as they are named there and where they are found, with the directives in
/// the main file.
pub fn included_by_user(unit: &Unit) -> impl Iterator<Item = (String, Option<SourceRange>)> {
    let directives = unit.top_level_of(CXCursor_InclusionDirective);
    let directives = directives.filter(|directive| !directive.is_in_system_header());
    directives.flat_map(|directive| {
        let place = directive.is_in_main_file().then(|| directive.range());
        names_of_included(directive).map(move |name| (name, place))
    })
}

/// The names of files that headers include which are neither the user's nor those of C and C++.
pub fn included_by_libraries(unit: &Unit) -> impl Iterator<Item = String> {
    let directives = unit.top_level_of(CXCursor_InclusionDirective);
    let directives = directives.filter(|directive| directive.is_in_system_header());
    directives.filter(|directive| !directive.is_of_language()).flat_map(names_of_included)
}

/// What an inclusion directive says, and the name of the header of C or C++ that it leads to.
fn names_of_included(directive: Cursor) -> impl Iterator<Item = String> {
    std::iter::once(directive.spelling()).chain(directive.included_of_language())
}

struct Importer {
    tree: Tree,
    /// True if the file is written in C89, or in C++98.
    before_c99: bool,
    attributes: Attributes,
    known: HashMap<usize, VariableId>,
    /// The names of functions, by their declarations.
    names: HashMap<usize, String>,
    /// The functions whose bodies are written in the main file.
    written: HashSet<usize>,
    /// The functions of headers, and those made of templates, that are imported.
    imported: HashSet<usize>,
    /// What is known of functions: see [`crate::import::by_value::takes_values`].
    by_value: HashMap<usize, bool>,
    classes: Classes,
    /// Where macros with `__LINE__` are used over several lines.
    lines: Vec<Peculiar>,
    /// The pointer to the object of the member function that is imported, if it was needed.
    this: Option<VariableId>,
}

/// The functions with a body among declarations, and those in namespaces and classes of C++.
fn collect_functions<'u>(around: Cursor<'u>, found: &mut Vec<Cursor<'u>>) {
    for cursor in around.children().into_iter().filter(|child| child.is_in_main_file()) {
        match cursor.kind() {
            CXCursor_FunctionDecl
            | CXCursor_CXXMethod
            | CXCursor_Constructor
            | CXCursor_Destructor
            | CXCursor_ConversionFunction
            | CXCursor_FunctionTemplate => found.extend(block_of(cursor).map(|_| cursor)),
            CXCursor_Namespace
            | CXCursor_LinkageSpec
            | CXCursor_UnexposedDecl
            | CXCursor_ClassDecl
            | CXCursor_ClassTemplate
            | CXCursor_ClassTemplatePartialSpecialization
            | CXCursor_StructDecl
            | CXCursor_UnionDecl
            | CXCursor_FriendDecl => collect_functions(cursor, found),
            _ => {}
        }
    }
}

/// The body of a function, which may be a `try` with what catches.
fn block_of(function: Cursor<'_>) -> Option<Cursor<'_>> {
    let is_block = |child: &Cursor| [CXCursor_CompoundStmt, CXCursor_CXXTryStmt].contains(&child.kind());
    function.children().into_iter().find(is_block)
}
