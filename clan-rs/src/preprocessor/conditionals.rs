//! Conditions of the preprocessor: clang, which reads the file, goes the way that the compiler goes which builds the
//! program.
//!
//! Macros that the user's files name have the compiler's definitions ([`crate::preprocessor::predefined`]). What clang
//! makes of `__has_include(<omp.h>)`, and of macros that headers of the system define as the compiler is, may still
//! differ. So the compiler is asked which lines it compiles, unless the conditions depend on the user's own definitions
//! alone and the compiler is one that adds none.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use scop::{Diagnostic, Diagnostics, SourceRange};

use crate::c::clang::{Token, Unit};
use crate::c::language;
use crate::c::real_path::real_path;
use crate::c::source::end_of_joined_line;
use crate::errors::PREDEFINED;
use crate::preprocessor::compiler::{Compiler, NAME_THE_COMPILER, SOME_OPTIMISATION, STANDARD_INPUT};
use crate::preprocessor::marker::Marker;
use crate::preprocessor::reserved::{is_reserved, words_in};

/// Directives after which other lines may be compiled than before them.
const CONDITIONALS: [&str; 8] = ["if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"];

/// Pragmas that change what a declaration means. Others need not be in what preprocessors print.
const PRAGMAS: [&str; 4] = ["pack", "scalar_storage_order", "weak", "STDC"];

/// The macros that GCC and clang predefine on Linux although programs may use their names.
const UNRESERVED: [&str; 3] = ["unix", "linux", "i386"];

const HELP: &str = "use a macro of your own in the condition, defined by a flag (-D), or move the lines to a file that \
                    is not translated";

/// Lines between two conditional directives: all of them are compiled, or none.
#[derive(Debug, Default)]
struct Section {
    /// The first token of each line with something that reaches the compiler.
    lines: Vec<SourceRange>,
}

/// The sections of a file with something in them, whether there is a condition but an include guard, and the words on
/// which conditions depend.
#[derive(Debug, Default)]
struct Sections {
    all: Vec<Section>,
    has_conditions: bool,
    /// The identifiers that conditions test, and those that directives to include have for a name.
    tested: BTreeSet<String>,
    /// The words of each definition of a macro, by its name.
    definitions: BTreeMap<String, BTreeSet<String>>,
}

/// Refuses a file of which clang takes other lines than the compiler does.
///
/// # Errors
/// `E0109`: the lines that differ, or a compiler that does not answer.
pub fn check(unit: &Unit, file: &Path, compiler: &Compiler) -> Result<(), Diagnostics> {
    let mut files: BTreeMap<usize, usize> = BTreeMap::new();
    unit.files_of_user().into_iter().for_each(|file| *files.entry(file).or_default() += 1);
    let files: Vec<_> = files.into_iter().map(|(file, times)| UserFile::new(unit, file, times)).collect();
    if !files.iter().any(|file| file.sections.has_conditions) {
        return Ok(());
    }
    let is_users_choice = !compiler_matters(unit, files.iter().map(|file| &file.sections), compiler);
    if is_users_choice && compiler.adds_only_reserved_names() {
        return Ok(());
    }
    let optimisations = [None, Some(SOME_OPTIMISATION)];
    let one_answer = compiler.has_optimisation() || is_users_choice;
    let asked = if one_answer { &optimisations[..1] } else { &optimisations[..] };
    for optimisation in asked {
        let name = [Some(compiler.shown()), optimisation.map(str::to_owned)].into_iter().flatten();
        let name = name.collect::<Vec<_>>().join(" ");
        let output = compiler.compiled_lines(*optimisation).map_err(|why| {
            let message = format!("`{name}` cannot be asked which lines it compiles: {why}");
            Diagnostic::error(PREDEFINED, message).with_help(NAME_THE_COMPILER)
        })?;
        let compiled = Compiled::read(&output, file);
        let mut differences: Vec<Diagnostic> =
            files.iter().filter_map(|file| file.difference(&compiled, &name)).collect();
        differences.extend(compiled.unknown_file(&files, &name));
        if !differences.is_empty() {
            return Err(Diagnostics(differences));
        }
    }
    Ok(())
}

/// True if the compiler is asked for the lines of a file.
pub fn are_asked_for(unit: &Unit, compiler: &Compiler) -> bool {
    let files: BTreeSet<usize> = unit.files_of_user().into_iter().collect();
    let all: Vec<Sections> =
        files.into_iter().map(|file| sections(&unit.tokens_of(file), unit.contents(file))).collect();
    all.iter().any(|sections| sections.has_conditions)
        && (!compiler.adds_only_reserved_names() || compiler_matters(unit, all.iter(), compiler))
}

/// False if all compilers certainly take the same lines with the same flags, whether they optimise or not.
///
/// The compiler and the optimisation decide which macros are predefined, which are reserved but for a few
/// ([`UNRESERVED`]), and what the headers of C and C++ define. These define reserved names and those that they are
/// documented to define, which they name in any case. So the conditions of the user's files depend on the compiler only
/// through such names.
fn compiler_matters<'s>(
    unit: &Unit,
    files: impl Iterator<Item = &'s Sections> + Clone,
    compiler: &Compiler,
) -> bool {
    let mut definitions = compiler.definitions_of_flags();
    for (name, text) in files.clone().flat_map(|sections| &sections.definitions) {
        definitions.entry(name.clone()).or_default().extend(text.iter().cloned());
    }
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&str> = files.flat_map(|sections| &sections.tested).map(String::as_str).collect();
    while let Some(word) = open.pop() {
        if !seen.insert(word) {
            continue;
        }
        let is_predefined = is_reserved(word.as_bytes()) || UNRESERVED.contains(&word);
        if is_predefined || unit.language_has_word(word) {
            return true;
        }
        open.extend(definitions.get(word).into_iter().flatten().map(String::as_str));
    }
    false
}

/// A file of the user's.
struct UserFile<'a> {
    unit: &'a Unit,
    file: usize,
    /// How often it was included.
    times: usize,
    sections: Sections,
    /// What directives `#line` make of the lines of each section.
    places: Vec<Vec<(PathBuf, u32)>>,
}

impl<'a> UserFile<'a> {
    fn new(unit: &'a Unit, file: usize, times: usize) -> Self {
        let sections = sections(&unit.tokens_of(file), unit.contents(file));
        let mut paths: HashMap<String, PathBuf> = HashMap::new();
        let mut place = |line: &SourceRange| {
            let (number, path) = unit.presumed_in(file, line.start);
            (paths.entry(path).or_insert_with_key(|path| real(Path::new(path))).clone(), number)
        };
        let places = sections.all.iter().map(|section| section.lines.iter().map(&mut place).collect());
        Self { unit, file, times, places: places.collect(), sections }
    }

    /// The first section that one of the two compiles and the other does not.
    fn difference(&self, compiled: &Compiled, compiler: &str) -> Option<Diagnostic> {
        let skipped = self.unit.skipped_in(self.file);
        let is_taken = |section: &Section| {
            let at = section.lines[0].start;
            skipped.iter().filter(|(from, to)| *from <= at && at < *to).count() < self.times
        };
        let is_compiled =
            |places: &Vec<(PathBuf, u32)>| places.iter().any(|(path, line)| compiled.has(path, *line));
        let mut sections = self.sections.all.iter().zip(&self.places);
        let (different, _) = sections.find(|(section, places)| is_taken(section) != is_compiled(places))?;
        let path = self.unit.name_of(self.file);
        let message = if is_taken(different) {
            format!("clang, which reads this file, keeps lines that `{compiler}` skips")
        } else {
            format!("clang, which reads this file, skips lines that `{compiler}` keeps")
        };
        let error = Diagnostic::error(PREDEFINED, message);
        let error = error.at(&path.to_string_lossy(), different.lines[0], "from here on");
        Some(error.with_help(HELP))
    }
}

/// The sections of a file of these tokens.
fn sections(tokens: &[Token], text: &[u8]) -> Sections {
    let mut found = Sections::default();
    let mut section = Section::default();
    let mut directives: Vec<Vec<&str>> = Vec::new();
    let mut rest = tokens;
    let mut last_line = 0;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if first.range.line == last_line {
            continue;
        }
        last_line = first.range.line;
        if first.text != "#" {
            section.lines.push(first.range);
            continue;
        }
        let end = end_of_joined_line(text, first.range.start as usize);
        let length = after.iter().take_while(|token| (token.range.start as usize) < end).count();
        let (words, after) = after.split_at(length);
        rest = after;
        let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        match words[..] {
            [word, ..] if CONDITIONALS.contains(&word) => found.close(&mut section),
            ["define" | "undef", ..] => section.lines.push(first.range),
            ["pragma", word, ..] if PRAGMAS.contains(&word) => section.lines.push(first.range),
            _ => {}
        }
        directives.push(words);
    }
    found.close(&mut section);
    directives.iter().for_each(|words| found.note_words(words));
    found.has_conditions = has_conditions(&directives, found.all.len());
    found
}

/// True if there is a condition but an include guard around all sections.
fn has_conditions(directives: &[Vec<&str>], sections: usize) -> bool {
    let is_conditional =
        |directive: &&Vec<&str>| directive.first().is_some_and(|word| CONDITIONALS.contains(word));
    let guard = match directives {
        [first, second, .., last] => match (&first[..], &second[..], &last[..]) {
            (["ifndef", name], ["define", defined], ["endif"]) => name == defined && sections == 1,
            _ => false,
        },
        _ => false,
    };
    directives.iter().filter(is_conditional).count() > if guard { 2 } else { 0 }
}

impl Sections {
    /// Notes what a directive tests or defines.
    fn note_words(&mut self, directive: &[&str]) {
        let words =
            |words: &[&str]| words.iter().flat_map(|word| words_in(word.as_bytes())).collect::<Vec<_>>();
        match directive {
            [word, rest @ ..] if CONDITIONALS.contains(word) => {
                self.tested.extend(words(rest).into_iter().filter(|word| word != "defined"));
            }
            ["include" | "include_next" | "import", name, ..] if *name == "<" || name.starts_with('"') => {}
            ["include" | "include_next" | "import", rest @ ..] => self.tested.extend(words(rest)),
            ["define", name, rest @ ..] => {
                self.definitions.entry((*name).to_owned()).or_default().extend(words(rest));
            }
            _ => {}
        }
    }

    fn close(&mut self, section: &mut Section) {
        let section = std::mem::take(section);
        self.all.extend(Some(section).filter(|section| !section.lines.is_empty()));
    }
}

/// What a compiler compiles: the lines of each file that are not empty.
#[derive(Debug, Default)]
struct Compiled {
    lines: HashMap<PathBuf, BTreeSet<u32>>,
}

impl Compiled {
    /// Reads the output of a preprocessor, whose standard input was `file`.
    fn read(output: &[u8], file: &Path) -> Self {
        let mut compiled = Self::default();
        let mut places: HashMap<String, Option<PathBuf>> = HashMap::new();
        let (mut path, mut number) = (None, 0);
        for line in output.split(|&byte| byte == b'\n') {
            if let Some(marker) = Marker::read(line) {
                number = marker.line;
                // What the headers of C and C++ themselves have on their lines does not matter.
                let is_input = marker.path == STANDARD_INPUT;
                let spelled = if is_input { file } else { Path::new(&marker.path) };
                let is_user = || !marker.system || !language::has_header(spelled);
                let real = || is_user().then(|| real(spelled));
                path.clone_from(places.entry(marker.path.clone()).or_insert_with(real));
                continue;
            }
            if let Some(path) = path.as_ref().filter(|_| !line.trim_ascii().is_empty()) {
                match compiled.lines.get_mut(path) {
                    Some(lines) => drop(lines.insert(number)),
                    None => drop(compiled.lines.insert(path.clone(), BTreeSet::from([number]))),
                }
            }
            number += 1;
        }
        compiled
    }

    /// A file that the compiler includes, and clang does not.
    fn unknown_file(&self, files: &[UserFile<'_>], compiler: &str) -> Option<Diagnostic> {
        let places = files.iter().flat_map(|file| file.places.iter().flatten());
        let mut known: BTreeSet<PathBuf> = places.map(|(path, _)| path.clone()).collect();
        known.extend(files.iter().map(|file| real(Path::new(&file.unit.name_of(file.file)))));
        let unknown = self.lines.keys().filter(|path| path.is_file() && !known.contains(*path)).min()?;
        let message = format!(
            "`{compiler}` includes {}, but clang, which reads this file, does not",
            unknown.display()
        );
        Some(Diagnostic::error(PREDEFINED, message).with_help(HELP))
    }

    fn has(&self, path: &Path, line: u32) -> bool {
        self.lines.get(path).is_some_and(|lines| lines.contains(&line))
    }
}

/// A path in one spelling, if the file exists.
fn real(path: &Path) -> PathBuf {
    real_path(path).unwrap_or_else(|| path.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Vec<u32>> {
        let mut tokens = Vec::new();
        let mut start = 0;
        for (line, text) in text.split('\n').enumerate() {
            for word in text.replace('#', "# ").split_whitespace() {
                let range = SourceRange { start, end: start, line: line as u32 + 1, column: 1 };
                tokens.push(Token { text: word.to_owned(), range });
            }
            start += text.len() as u32 + 1;
        }
        let found = sections(&tokens, text.as_bytes());
        let numbers = |section: &Section| section.lines.iter().map(|line| line.line).collect();
        assert_eq!(found.has_conditions, text.contains("#if"), "{text}");
        found.all.iter().map(numbers).collect()
    }

    #[test]
    fn conditions_part_sections() {
        assert_eq!(lines("a\n#include <b>\n\nb c\n#pragma once\n#define x \\\n  y\nz"), [[1, 4, 6, 8]]);
        assert_eq!(lines("a\n#ifdef b\nc\n#else\n#endif\n#undef e\n"), [[1], [3], [6]]);
        assert_eq!(lines("#ifndef G\n#define H\nb\n#endif"), [[2, 3]]);
    }

    #[test]
    fn conditions_and_computed_includes_test_words() {
        let mut found = Sections::default();
        found.note_words(&["if", "defined", "A", "&&", "B", ">", "2"]);
        found.note_words(&["include", "<", "c", ".", "h", ">"]);
        found.note_words(&["include", "\"d.h\""]);
        found.note_words(&["include", "E", "(", "F", ")"]);
        found.note_words(&["define", "A", "G"]);
        assert_eq!(found.tested.iter().collect::<Vec<_>>(), ["A", "B", "E", "F"]);
        assert_eq!(found.definitions["A"].iter().collect::<Vec<_>>(), ["G"]);
    }

    #[test]
    fn include_guards_are_no_conditions() {
        let guarded = "\n#ifndef G\n#define G\nb\n#endif\n".replace("#if", "# if");
        assert_eq!(lines(&guarded), [[3, 4]]);
    }

    #[test]
    fn markers_say_where_lines_are_from() {
        let compiled = Compiled::read(
            b"# 0 \"no/a \\\"1\\\".c\"\n\n#define x\n# 1 \"/usr/include/stdio.h\" 1 3 4\nint b;\n# 1 \"no/library.h\" 1 3 4\nint b;\n# 7 \"no/a \\\"1\\\".c\" 2\n  \nint c;\n# 3 \"<stdin>\"\nd\n",
            Path::new("no/in.c"),
        );
        assert!(compiled.has(Path::new("no/in.c"), 3));
        let path = Path::new("no/a \"1\".c");
        assert_eq!([0, 1, 2, 7, 8].map(|line| compiled.has(path, line)), [false, true, false, false, true]);
        assert!(compiled.has(Path::new("no/library.h"), 1));
        assert!(!compiled.has(Path::new("/usr/include/stdio.h"), 1));
    }
}
