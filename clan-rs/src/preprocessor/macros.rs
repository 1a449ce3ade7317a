//! Macros: those whose expansion changes those after it, and the names of all.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use std::collections::{BTreeSet, HashMap};

use clang_sys::{CXCursor_MacroDefinition, CXCursor_MacroExpansion};
use scop::{Model, SourceRange, Storage, c_syntax};

use crate::c::clang::{Cursor, Unit};
use crate::c::ctree::{Peculiar, Variable};

/// The macro that has another value each time.
pub const COUNTER: &str = "__COUNTER__";

/// The macro that is the number of a line.
pub const LINE: &str = "__LINE__";

/// What clang, which reads the file, answers otherwise than the compiler that builds the program.
const ANSWERS: [&str; 9] = [
    "__PRETTY_FUNCTION__",
    "is_standard_layout",
    "is_standard_layout_v",
    "has_unique_object_representations",
    "has_unique_object_representations_v",
    "is_literal_type",
    "is_literal_type_v",
    "is_pod",
    "is_pod_v",
];

/// What asks who computes a value.
const WHO_COMPUTES: &str = "consteval";

/// Where the main file mentions `__COUNTER__`, or something of which clang thinks otherwise, or a macro that may expand
/// to it.
pub fn peculiar(unit: &Unit) -> Vec<Peculiar> {
    let mut search = Search::new(unit, ANSWERS.into_iter().chain([COUNTER]));
    let tokens = unit.tokens().into_iter();
    let mentions =
        tokens.filter_map(|token| Some(Peculiar { name: search.found_in(&token.text)?, range: token.range }));
    mentions.collect()
}

/// Where the main file uses a macro with `__LINE__` in its text over several lines. Compilers do not agree on which of
/// them it is.
pub fn lines_of_calls(unit: &Unit, text: &[u8]) -> Vec<Peculiar> {
    let mut search = Search::new(unit, [LINE]);
    let uses = unit.top_level_of(CXCursor_MacroExpansion).filter(|cursor| cursor.is_in_main_file());
    let uses = uses.map(|cursor| (cursor.spelling(), cursor.range()));
    let has_lines = |range: SourceRange| {
        text.get(range.start as usize..range.end as usize).is_some_and(|text| text.contains(&b'\n'))
    };
    uses.filter(|(name, range)| has_lines(*range) && search.found_in(name).is_some())
        .map(|(_, range)| Peculiar { range, name: LINE })
        .collect()
}

/// Something of which clang thinks otherwise, in a declaration or an expression, or behind a macro there.
pub fn peculiar_word(code: Cursor) -> Option<&'static str> {
    named_in(code, |name| name != WHO_COMPUTES)
}

/// True if code has such a word, or `consteval`.
pub fn has_own_answers(code: Cursor) -> bool {
    named_in(code, |_| true).is_some()
}

fn named_in(code: Cursor, counts: impl Fn(&str) -> bool) -> Option<&'static str> {
    let unit = code.unit();
    let names = unit.macros_with(|| {
        let mut search = Search::new(unit, ANSWERS.into_iter().chain([WHO_COMPUTES]));
        let own = definitions_of(unit).filter(|definition| !definition.is_of_language());
        let own: Vec<String> = own.map(|definition| definition.spelling()).collect();
        let words = own.into_iter().chain(ANSWERS.into_iter().chain([WHO_COMPUTES]).map(str::to_owned));
        words
            .filter_map(|word| Some((search.found_in(&word)?, word)))
            .map(|(name, word)| (word, name))
            .collect()
    });
    let known = |word: &str| names.get(word).copied().filter(|name| counts(name));
    let spelled = code.words();
    let mut written = code.written_text().split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    spelled
        .iter()
        .find_map(|word| known(word))
        .or_else(|| written.find_map(|word| known(std::str::from_utf8(word).ok()?)))
}

fn definitions_of(unit: &Unit) -> impl Iterator<Item = Cursor<'_>> {
    unit.top_level_of(CXCursor_MacroDefinition)
}

/// Everything that is a macro somewhere in a file or its headers, without those that stand for the variables of the same
/// name: `#define stderr stderr`.
pub fn names(unit: &Unit, variables: &[Variable]) -> BTreeSet<String> {
    let variables: BTreeSet<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
    let changes_nothing =
        |name: &str, definition: &Cursor| variables.contains(name) && definition.words() == [name, name];
    let is_macro = |name: &&str| unit.definitions_of_macro(name).any(|one| !changes_nothing(name, &one));
    unit.names_of_macros().filter(is_macro).map(str::to_owned).collect()
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
    unit: &'u Unit,
    known: HashMap<String, Option<&'static str>>,
}

impl<'u> Search<'u> {
    fn new(unit: &'u Unit, names: impl IntoIterator<Item = &'static str>) -> Self {
        let known = names.into_iter().map(|name| (name.to_owned(), Some(name)));
        Self { unit, known: known.collect() }
    }

    /// What of that is in the definition of a name, or in those of the macros there.
    fn found_in(&mut self, name: &str) -> Option<&'static str> {
        if let Some(&known) = self.known.get(name) {
            return known;
        }
        let unit = self.unit;
        let mut definitions = unit.definitions_of_macro(name).peekable();
        definitions.peek()?;
        // A macro is not expanded within itself.
        self.known.insert(name.to_owned(), None);
        let found = definitions.find_map(|definition| {
            let found = definition.words().iter().find_map(|word| self.found_in(word))?;
            // Headers of the system are written for clang as well.
            (found == COUNTER || !definition.is_of_language()).then_some(found)
        });
        self.known.insert(name.to_owned(), found);
        found
    }
}
