//! Predefined macros that a file reaches without naming them: through macros of C's own headers, and by names that `##`
//! puts together.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use clang_sys::CXCursor_MacroDefinition;

use crate::c::clang::{Cursor, Token, Unit};
use crate::c::source::end_of_joined_line;
use crate::preprocessor::reserved::{Mention, is_candidate, is_reserved, words_in};

/// Names for the place where they stand, or that count, besides the macros that compilers list.
const SPECIAL: [&str; 14] = [
    "__COUNTER__",
    "__LINE__",
    "__FILE__",
    "__FILE_NAME__",
    "__BASE_FILE__",
    "__INCLUDE_LEVEL__",
    "__DATE__",
    "__TIME__",
    "__TIMESTAMP__",
    "__func__",
    "__FUNCTION__",
    "__PRETTY_FUNCTION__",
    "__has_include",
    "__has_builtin",
];

/// No part is shorter: each name has one that is as long.
const SHORTEST: usize = 4;

/// A way to a predefined macro.
#[derive(Debug, Clone)]
pub struct Reached {
    /// The predefined macro.
    pub name: String,
    /// What the user's file has: a macro of a header, or a part of the name.
    pub by: String,
    /// Where, unless it stands in a flag.
    pub mention: Option<Mention>,
}

/// What asks the compiler for something: clang answers otherwise than the compiler that builds the program.
const QUESTIONS: [&str; 9] = [
    "__has_attribute",
    "__has_builtin",
    "__has_c_attribute",
    "__has_cpp_attribute",
    "__has_declspec_attribute",
    "__has_extension",
    "__has_feature",
    "__has_include",
    "__has_include_next",
];

/// Where the user's files ask the compiler something outside of conditions of the preprocessor, themselves or through
/// macros.
pub fn questions(unit: &Unit) -> Vec<Reached> {
    let words = words_of_user(unit);
    let mut asking: BTreeMap<String, Option<&'static str>> =
        QUESTIONS.into_iter().map(|name| (name.to_owned(), Some(name))).collect();
    let asked: BTreeMap<&str, &'static str> =
        words.iter().filter_map(|word| Some((word.as_str(), question(unit, word, &mut asking)?))).collect();
    let mentions = mentions(unit, Where::Code, |word| asked.contains_key(word)).into_iter();
    mentions
        .filter_map(|(by, mention)| {
            Some(Reached { name: (*asked.get(by.as_str())?).to_owned(), by, mention: Some(mention) })
        })
        .collect()
}

/// The question that a word asks, or a macro that it leads to.
fn question(
    unit: &Unit,
    word: &str,
    known: &mut BTreeMap<String, Option<&'static str>>,
) -> Option<&'static str> {
    if let Some(known) = known.get(word) {
        return *known;
    }
    let mut definitions = unit.definitions_of_macro(word).peekable();
    definitions.peek()?;
    // A macro is not expanded within itself.
    known.insert(word.to_owned(), None);
    let mut texts = definitions.map(|definition| definition.words());
    let found = texts.find_map(|text| text.iter().skip(1).find_map(|word| question(unit, word, known)));
    known.insert(word.to_owned(), found);
    found
}

/// The predefined macros in the texts of macros of C's own headers that the user's files use, or in those of macros
/// there. Which lines conditions of the preprocessor leave is asked otherwise.
pub fn through_headers(unit: &Unit) -> Vec<Reached> {
    let words = words_of_user(unit);
    let mut search = Search { unit, found: HashMap::new() };
    let mut wanted: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for word in &words {
        let found = search.names_after(word);
        if !found.is_empty() {
            wanted.insert(word, found);
        }
    }
    let mut reached = Vec::new();
    for (by, mention) in mentions(unit, Where::Values, |word| wanted.contains_key(word)) {
        let names = wanted.get(by.as_str()).into_iter().flatten();
        reached.extend(names.map(|name| Reached {
            name: name.clone(),
            by: by.clone(),
            mention: Some(mention.clone()),
        }));
    }
    reached
}

/// Reserved words that are no names by themselves, and with which the name of one of these macros begins or ends, in
/// files that use `##` and in flags.
pub fn in_parts(unit: &Unit, flags: &[u8], predefined: impl FnOnce() -> BTreeSet<String>) -> Vec<Reached> {
    let mut words = words_of_user(unit);
    words.extend(words_in(flags));
    let is_macro = |word: &str| unit.definitions_of_macro(word).next().is_some();
    let may_be_part = |word: &&String| {
        let is_end = is_reserved(word.as_bytes()) || word.ends_with("__");
        word.len() >= SHORTEST && is_end && !is_macro(word)
    };
    let parts: Vec<&String> = words.iter().filter(may_be_part).collect();
    if parts.is_empty() || !has_paste(unit, flags, &words) {
        return Vec::new();
    }
    let mut all = predefined();
    all.extend(
        definitions(unit).filter(|definition| definition.spot().file == 0).map(|cursor| cursor.spelling()),
    );
    all.extend(SPECIAL.map(str::to_owned));
    let whole_of = |part: &str| {
        let is_whole =
            |name: &&String| name.len() > part.len() && (name.starts_with(part) || name.ends_with(part));
        (!all.contains(part)).then(|| all.iter().filter(is_whole).min_by_key(|name| name.len()).cloned())?
    };
    let wholes: BTreeMap<&str, String> =
        parts.into_iter().filter_map(|part| Some((part.as_str(), whole_of(part)?))).collect();
    let mut found: Vec<Reached> = mentions(unit, Where::Values, |word| wholes.contains_key(word))
        .into_iter()
        .filter_map(|(by, mention)| {
            Some(Reached { name: wholes.get(by.as_str())?.clone(), by, mention: Some(mention) })
        })
        .collect();
    let in_flags = words_in(flags).into_iter();
    found.extend(
        in_flags.filter_map(|by| Some(Reached { name: wholes.get(by.as_str())?.clone(), by, mention: None })),
    );
    found
}

/// True if a file of the user's, a flag, or a macro that one of these words leads to has `##`.
fn has_paste(unit: &Unit, flags: &[u8], words: &BTreeSet<String>) -> bool {
    let pastes = |text: &[u8]| {
        text.windows(2).any(|pair| pair == b"##" || pair == b"%:")
            || text.windows(3).any(|sign| sign == b"??=")
    };
    if pastes(flags) || unit.files_of_user().into_iter().any(|file| pastes(unit.contents(file))) {
        return true;
    }
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut open: Vec<String> = words.iter().cloned().collect();
    while let Some(word) = open.pop() {
        if seen.contains(&word) {
            continue;
        }
        for text in unit.definitions_of_macro(&word).map(|definition| definition.words()) {
            if text.iter().any(|word| word == "##") {
                return true;
            }
            open.extend(text);
        }
        seen.insert(word);
    }
    false
}

/// A search in the macros of C's own headers.
struct Search<'u> {
    unit: &'u Unit,
    found: HashMap<String, BTreeSet<String>>,
}

impl<'u> Search<'u> {
    fn definitions(&self, name: &str) -> impl Iterator<Item = Cursor<'u>> + use<'u> {
        self.unit.definitions_of_macro(name).filter(|definition| definition.is_of_language())
    }

    /// The reserved names to which a macro leads that are no macros of these headers themselves.
    fn names_after(&mut self, name: &str) -> BTreeSet<String> {
        if let Some(found) = self.found.get(name) {
            return found.clone();
        }
        let texts: Vec<Vec<String>> = self.definitions(name).map(|definition| definition.words()).collect();
        if texts.is_empty() {
            return BTreeSet::new();
        }
        // A macro is not expanded within itself.
        self.found.insert(name.to_owned(), BTreeSet::new());
        let mut found = BTreeSet::new();
        for word in texts.into_iter().flat_map(|text| text.into_iter().skip(1)) {
            if self.definitions(&word).next().is_some() {
                found.extend(self.names_after(&word));
            } else if is_candidate(&word) {
                found.insert(word);
            }
        }
        self.found.insert(name.to_owned(), found.clone());
        found
    }
}

fn definitions(unit: &Unit) -> impl Iterator<Item = Cursor<'_>> {
    unit.top_level_of(CXCursor_MacroDefinition)
}

fn words_of_user(unit: &Unit) -> BTreeSet<String> {
    unit.files_of_user().into_iter().flat_map(|file| words_in(unit.contents(file))).collect()
}

/// Which words count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    /// All but those in conditions of the preprocessor and the names of definitions.
    Values,
    /// Those in no directive.
    Code,
}

/// Where the user's files have some words.
fn mentions(unit: &Unit, places: Where, is_wanted: impl Fn(&str) -> bool) -> Vec<(String, Mention)> {
    let mut found = Vec::new();
    for file in unit.files_of_user() {
        if !words_in(unit.contents(file)).iter().any(|word| is_wanted(word)) {
            continue;
        }
        let path: PathBuf = unit.name_of(file).into();
        let (mut end_of_line, mut start) = (0, Vec::new());
        for Token { text, range } in unit.tokens_of(file) {
            if range.start as usize >= end_of_line {
                end_of_line = end_of_joined_line(unit.contents(file), range.start as usize);
                start.clear();
            }
            let directive = |words: &[&str]| match &start[..] {
                [hash, word, ..] => hash == "#" && words.contains(&String::as_str(word)),
                _ => false,
            };
            let is_condition = directive(&["if", "elif", "ifdef", "ifndef", "elifdef", "elifndef"]);
            let is_name = start.len() == 2 && directive(&["define", "undef"]);
            let counts = match places {
                Where::Values => !is_condition && !is_name,
                Where::Code => start.first().is_none_or(|first| first != "#"),
            };
            if is_wanted(&text) && counts {
                found.push((text.clone(), Mention { path: path.clone(), range, defines: false }));
            }
            start.push(text);
        }
    }
    found
}
