//! Macros: those whose expansion changes those behind it, and the names of all.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use std::collections::{BTreeSet, HashMap};

use clang_sys::CXCursor_MacroDefinition;
use scop::{Model, SourceRange, Storage, c_syntax};

use crate::clang::{Cursor, Unit};

/// The macro that has another value each time.
const COUNTER: &str = "__COUNTER__";

/// Where the main file mentions `__COUNTER__` or a macro that may expand to it.
pub fn counters(unit: &Unit) -> Vec<SourceRange> {
    let mut definitions: HashMap<String, Vec<Cursor>> = HashMap::new();
    for cursor in definitions_of(unit) {
        definitions.entry(cursor.spelling()).or_default().push(cursor);
    }
    let mut search = Search { definitions, known: HashMap::from([(COUNTER.to_owned(), true)]) };
    let tokens = unit.tokens().into_iter();
    tokens.filter(|token| search.counts(&token.text)).map(|token| token.range).collect()
}

fn definitions_of(unit: &Unit) -> impl Iterator<Item = Cursor<'_>> {
    unit.root().children().into_iter().filter(|cursor| cursor.kind() == CXCursor_MacroDefinition)
}

/// Everything that is a macro somewhere in a file or its headers.
pub fn names(unit: &Unit) -> BTreeSet<String> {
    definitions_of(unit).map(|cursor| cursor.spelling()).collect()
}

/// The words in the call of a region that are among some names of macros: those of its variables and members, and the
/// keywords of types in conversions.
pub fn in_call(model: &Model, macros: &BTreeSet<String>) -> Vec<String> {
    let parameters = model.parameters.iter().map(|parameter| parameter.expression.as_str());
    let arrays = model.arrays.iter().flat_map(|array| {
        let structures = match &array.storage {
            Storage::Member { base, member, .. } => vec![base.as_str(), member.as_str()],
            _ => Vec::new(),
        };
        [&*array.expression, array.expansion_of.as_deref().unwrap_or_default()].into_iter().chain(structures)
    });
    let iterators = model.loops.iter().map(|around| around.iterator.as_str());
    let types = ["const", "void", "signed", "unsigned", "short", "int", "long", "char", "float", "double"];
    let texts = parameters.chain(arrays).chain(iterators).chain(types);
    let words: BTreeSet<&str> = texts.flat_map(|text| text.split(|c| !c_syntax::is_letter(c))).collect();
    words.into_iter().filter(|word| macros.contains(*word)).map(str::to_owned).collect()
}

struct Search<'u> {
    definitions: HashMap<String, Vec<Cursor<'u>>>,
    known: HashMap<String, bool>,
}

impl Search<'_> {
    /// True for a name with `__COUNTER__` in its definition, or in those of the macros there.
    fn counts(&mut self, name: &str) -> bool {
        if let Some(&known) = self.known.get(name) {
            return known;
        }
        let Some(definitions) = self.definitions.get(name).cloned() else { return false };
        // A macro is not expanded within itself.
        self.known.insert(name.to_owned(), false);
        let words: Vec<String> = definitions.into_iter().flat_map(Cursor::words).collect();
        let counts = words.iter().any(|word| self.counts(word));
        self.known.insert(name.to_owned(), counts);
        counts
    }
}
