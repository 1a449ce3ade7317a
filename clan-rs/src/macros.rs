//! Macros whose expansion changes those behind it.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use std::collections::HashMap;

use clang_sys::CXCursor_MacroDefinition;
use scop::SourceRange;

use crate::clang::{Cursor, Unit};

/// The macro that has another value each time.
const COUNTER: &str = "__COUNTER__";

/// Where the main file mentions `__COUNTER__` or a macro that may expand to it.
pub fn counters(unit: &Unit) -> Vec<SourceRange> {
    let mut definitions: HashMap<String, Vec<Cursor>> = HashMap::new();
    for cursor in unit.root().children() {
        if cursor.kind() == CXCursor_MacroDefinition {
            definitions.entry(cursor.spelling()).or_default().push(cursor);
        }
    }
    let mut search = Search { definitions, known: HashMap::from([(COUNTER.to_owned(), true)]) };
    let tokens = unit.tokens().into_iter();
    tokens.filter(|token| search.counts(&token.text)).map(|token| token.range).collect()
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
