//! Macros that compilers predefine: the file means what it means to the user's compiler, not to clang.
//!
//! `__GNUC__`, `__clang__`, `__OPTIMIZE__`, `__AVX2__` and their like have other values for the compiler that builds
//! the program, with its flags. It is asked for those that the user's own files name, if there are any. Headers of the
//! system, which are written for clang as well, go on seeing clang's: in the user's files such a name is replaced by
//! another one of the same length, which has the compiler's definition.
//!
//! *before → after*, with `-D__A0000=1`:
//!
//! ```text
//! #ifdef __AVX__   →   #ifdef __A0000
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CString, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clang_sys::CXCursor_MacroDefinition;
use scop::{Diagnostic, Diagnostics};

use crate::c::clang::no_clang;
use crate::c::clang::{Cursor, Token, Unit};
use crate::errors::PREDEFINED;
use crate::options::Options;
use crate::preprocessor::compiler::{
    Answers, Compiler, NAME_THE_COMPILER, SOME_OPTIMISATION, answers_of_clang,
};
use crate::preprocessor::conditionals;
use crate::preprocessor::reached::{self, Reached};
use crate::preprocessor::reserved::{Mention, identifier_length, is_candidate, is_reserved, words_in};

const WRITE_IT_OUT: &str = "write the name out, or choose names without the prefixes that compilers use";

const ASK_IN_CONDITIONS: &str =
    "test it in a preprocessor condition (`#if`), or define a macro with a flag (-D)";

const HELP_WITH_MACROS: &str =
    "use a macro of your own, defined by a flag (-D), or move this to a file that is not translated";

/// The predefined macros that a program names, by their names in what clang is shown.
#[derive(Debug, Default)]
pub struct Predefined {
    /// The names that the user's files have, and those that clang is shown.
    aliases: BTreeMap<String, String>,
    /// What clang is told of them.
    pub arguments: Vec<CString>,
    /// The names of which it was found out how they are defined.
    known: BTreeSet<String>,
    /// The same, of names that macros of headers lead to.
    reached: BTreeSet<String>,
    /// The texts of the user's headers, as they are and as clang is shown them.
    headers: BTreeMap<PathBuf, (Vec<u8>, Vec<u8>)>,
}

impl Predefined {
    /// The texts of the user's headers, as clang is shown them.
    pub fn headers(&self) -> impl Iterator<Item = (&Path, &[u8])> {
        self.headers.iter().map(|(path, (_, shown))| (path.as_path(), &shown[..]))
    }

    /// The text of the main file, as clang is shown it.
    pub fn shown(&self, text: &[u8]) -> Vec<u8> {
        let mut shown = text.to_vec();
        let mut at = 0;
        while at < text.len() {
            let length = identifier_length(&text[at..]);
            let name = std::str::from_utf8(&text[at..at + length]).unwrap_or_default();
            if let Some(alias) = self.aliases.get(name) {
                shown[at..at + length].copy_from_slice(alias.as_bytes());
            }
            at += length.max(1);
        }
        shown
    }

    /// A text of clang's with the names that the user wrote.
    pub fn as_written(&self, mut text: String) -> String {
        for (name, alias) in &self.aliases {
            if text.contains(alias.as_str()) {
                text = text.replace(alias.as_str(), name);
            }
        }
        text
    }

    /// The names in the file for those that clang was shown.
    pub fn rename_back(&self, tokens: &mut [Token]) {
        let names: BTreeMap<&str, &str> =
            self.aliases.iter().map(|(name, alias)| (alias.as_str(), name.as_str())).collect();
        for token in tokens {
            if let Some(name) = names.get(token.text.as_str()) {
                (*name).clone_into(&mut token.text);
            }
        }
    }

    /// True if clang is shown names of which it would think otherwise.
    pub fn is_needed(&self) -> bool {
        !self.arguments.is_empty() || !self.aliases.is_empty()
    }

    /// Looks for predefined macros in the files of a unit that were not known before. True if the file has to be read
    /// once more.
    pub fn learn(
        &mut self,
        unit: &Unit,
        options: &Options,
        arguments: &[CString],
        compiler: &Compiler,
    ) -> Result<bool, Diagnostics> {
        let mut mentions = self.mentions(unit);
        let flags = text_of(&options.flags.language);
        let in_flags = words_in(&flags);
        let is_own = |(name, mentions): &(&String, &Vec<Mention>)| {
            !in_flags.contains(*name) && is_defined_first(unit, name, mentions)
        };
        let own: BTreeSet<String> = mentions.iter().filter(is_own).map(|(name, _)| name.clone()).collect();
        for name in in_flags.into_iter().filter(|name| is_candidate(name)) {
            mentions.entry(name).or_default();
        }
        self.check_reached(unit, options, arguments, &flags, compiler)?;
        let is_new = |name: &&String| !self.known.contains(*name) && !own.contains(*name);
        let names: Vec<&str> = mentions.keys().filter(is_new).map(String::as_str).collect();
        if names.is_empty() {
            return Ok(false);
        }
        let clang = answers_of_clang(&names, options, arguments).map_err(no_clang)?;
        let with_lines = conditionals::are_asked_for(unit, compiler);
        let answers = match compiler.answers(&names, None, with_lines) {
            Ok(answers) => answers,
            Err(why) => {
                let suspect = names.iter().find(|name| {
                    clang.contains_key(**name) || !mentions[**name].iter().any(|mention| mention.defines)
                });
                match suspect {
                    Some(name) => return Err(cannot_be_asked(compiler, name, &mentions[*name], &why)),
                    None => clang.clone(),
                }
            }
        };
        refuse_what_depends_on_optimisation(compiler, &names, &answers, &mentions, with_lines)?;
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let mut is_changed = false;
        for name in names {
            if answers.get(&name) != clang.get(&name) {
                is_changed = true;
                let flags = || options.flags.language.iter().map(|flag| flag.as_bytes());
                let keeps_name = flags().any(|flag| defines_name(flag, &name))
                    || mentions[&name].iter().any(|mention| mention.defines);
                self.define(&name, answers.get(&name), keeps_name, &mentions);
            }
            self.known.insert(name);
        }
        if is_changed {
            self.show_headers(unit, options);
            self.show_flags(options);
        }
        Ok(is_changed)
    }

    /// Refuses a file that reaches a predefined macro of which clang thinks otherwise in a way that cannot be mended.
    fn check_reached(
        &mut self,
        unit: &Unit,
        options: &Options,
        arguments: &[CString],
        flags: &[u8],
        compiler: &Compiler,
    ) -> Result<(), Diagnostics> {
        let (mut refusals, mut said) = (Vec::new(), BTreeSet::new());
        for Reached { name, by, mention } in reached::in_parts(unit, flags, || compiler.predefined_names()) {
            if said.insert(name.clone()) {
                let message = format!("`{by}` may be joined with something else to form the name `{name}`");
                refusals.push(refusal(message, mention.as_ref(), "with `##`").with_help(WRITE_IT_OUT));
            }
        }
        for Reached { name, by, mention } in reached::questions(unit) {
            if said.insert(by.clone()) {
                let message = format!("`{name}` may give another answer in clang, which reads this file");
                refusals.push(refusal(message, mention.as_ref(), "asked here").with_help(ASK_IN_CONDITIONS));
            }
        }
        let through = reached::through_headers(unit);
        let new: BTreeSet<&str> = through.iter().map(|reached| reached.name.as_str()).collect();
        let new: Vec<&str> =
            new.into_iter().filter(|name| !describes_type(name) && !self.reached.contains(*name)).collect();
        if !new.is_empty() {
            let clang = answers_of_clang(&new, options, arguments).map_err(no_clang)?;
            // One that does not answer is told of where a file names such a macro itself.
            let with_lines = conditionals::are_asked_for(unit, compiler);
            let answers = compiler.answers(&new, None, with_lines).unwrap_or_else(|_| clang.clone());
            let others = match compiler.has_optimisation() {
                true => Ok(answers.clone()),
                false => compiler.answers(&new, Some(SOME_OPTIMISATION), with_lines),
            };
            let others = [answers, others.unwrap_or_else(|_| clang.clone())];
            let differs = |name: &str| others.iter().any(|other| !is_same(other.get(name), clang.get(name)));
            let mut said = BTreeSet::new();
            for Reached { name, by, mention } in through.iter().filter(|reached| differs(&reached.name)) {
                if !new.contains(&name.as_str()) || !said.insert(by) {
                    continue;
                }
                let message = format!(
                    "`{by}` depends on `{name}`, and clang, which reads this file, defines it differently from `{}`",
                    compiler.shown()
                );
                refusals.push(refusal(message, mention.as_ref(), "used here").with_help(HELP_WITH_MACROS));
            }
            self.reached.extend(new.into_iter().map(str::to_owned));
        }
        if refusals.is_empty() { Ok(()) } else { Err(Diagnostics(refusals)) }
    }

    /// Tells clang how a macro is defined: by another name, or by its own for headers of the system as well.
    fn define(
        &mut self,
        name: &str,
        value: Option<&String>,
        keeps_name: bool,
        mentions: &BTreeMap<String, Vec<Mention>>,
    ) {
        let alias = if keeps_name { None } else { self.unused(name, mentions) };
        let shown = alias.as_deref().unwrap_or(name);
        let argument = match value {
            Some(value) => Some(format!("-D{shown}={value}")),
            None if alias.is_none() => Some(format!("-U{shown}")),
            None => None,
        };
        self.arguments.extend(argument.and_then(|argument| CString::new(argument).ok()));
        self.aliases.extend(alias.map(|alias| (name.to_owned(), alias)));
    }

    /// A name of the same length that no file has.
    fn unused(&self, name: &str, mentions: &BTreeMap<String, Vec<Mention>>) -> Option<String> {
        let digits = name.len().saturating_sub(2).min(4);
        let stem = &name[..name.len() - digits];
        let is_free = |alias: &String| {
            alias != name
                && !mentions.contains_key(alias)
                && !self.aliases.values().any(|other| other == alias)
        };
        (0..10_usize.pow(digits as u32))
            .map(|number| format!("{stem}{number:0digits$}"))
            .find(|alias| digits > 0 && is_free(alias))
    }

    /// Defines once more what flags define by names that clang is not shown.
    fn show_flags(&mut self, options: &Options) {
        for flag in
            options.flags.language.iter().map(|flag| flag.as_bytes()).filter(|flag| flag.starts_with(b"-D"))
        {
            let shown = self.shown(flag);
            if let Some(argument) = CString::new(shown).ok().filter(|shown| shown.as_bytes() != flag) {
                self.arguments.extend(Some(argument).filter(|argument| !self.arguments.contains(argument)));
            }
        }
    }

    fn show_headers(&mut self, unit: &Unit, options: &Options) {
        for file in unit.files_of_user() {
            let path = PathBuf::from(unit.name_of(file));
            if unit.is_main_file(file) || path == options.file {
                continue;
            }
            let text = match self.headers.get(&path) {
                Some((text, _)) => text.clone(),
                None => unit.contents(file).to_vec(),
            };
            let shown = self.shown(&text);
            if shown != text {
                self.headers.insert(path, (text, shown));
            }
        }
    }

    /// The reserved names in the user's files, each with where it stands.
    fn mentions(&self, unit: &Unit) -> BTreeMap<String, Vec<Mention>> {
        let mut mentions: BTreeMap<String, Vec<Mention>> = BTreeMap::new();
        for file in unit.files_of_user() {
            if !has_reserved_name(unit.contents(file)) {
                continue;
            }
            let path = PathBuf::from(unit.name_of(file));
            let mut before = String::new();
            let mut tokens = unit.tokens_of(file);
            self.rename_back(&mut tokens);
            for Token { text, range } in tokens {
                let defines = ["define", "undef"].contains(&before.as_str());
                before.clone_from(&text);
                if is_candidate(&text) {
                    mentions.entry(text).or_default().push(Mention { path: path.clone(), range, defines });
                }
            }
        }
        mentions
    }
}

/// True if a file that is read once defines the name as a macro before it has it otherwise, and no other file has the
/// name: then it does not matter whether a compiler predefines it.
fn is_defined_first(unit: &Unit, name: &str, mentions: &[Mention]) -> bool {
    let Some((first, others)) = mentions.split_first() else { return false };
    if !first.defines || others.iter().any(|other| other.path != first.path) {
        return false;
    }
    let is_in = |file: &usize| first.path == unit.name_of(*file);
    let times = unit.files_of_user().iter().filter(|file| is_in(file)).count();
    let is_definition = |cursor: Cursor<'_>| {
        let spot = cursor.spot();
        spot.offset == first.range.start && spot.file != 0 && is_in(&spot.file)
    };
    times == 1
        && unit.top_level_of(CXCursor_MacroDefinition).any(is_definition)
        && !unit.language_has_word(name)
}

/// A quick look, into comments as well.
fn has_reserved_name(text: &[u8]) -> bool {
    let mut at = 0;
    while at < text.len() {
        let length = identifier_length(&text[at..]);
        let name = &text[at..at + length];
        if is_reserved(name) && std::str::from_utf8(name).is_ok_and(is_candidate) {
            return true;
        }
        at += length.max(1);
    }
    false
}

/// True for `-DNAME`, `-DNAME=VALUE` and `-UNAME`.
fn defines_name(flag: &[u8], name: &str) -> bool {
    let defined = flag.strip_prefix(b"-D").or_else(|| flag.strip_prefix(b"-U"));
    defined.is_some_and(|defined| &defined[..identifier_length(defined)] == name.as_bytes())
}

/// Without an option the optimisation is that of a command which nobody here knows.
fn refuse_what_depends_on_optimisation(
    compiler: &Compiler,
    names: &[&str],
    answers: &Answers,
    mentions: &BTreeMap<String, Vec<Mention>>,
    with_lines: bool,
) -> Result<(), Diagnostics> {
    if compiler.has_optimisation() {
        return Ok(());
    }
    let optimised = compiler.answers(names, Some(SOME_OPTIMISATION), with_lines);
    let Ok(optimised) = optimised else { return Ok(()) };
    let depends = names.iter().filter(|name| answers.get(**name) != optimised.get(**name));
    let refusals = depends.map(|name| {
        let message = format!("whether and how `{name}` is defined depends on the optimisation level");
        let help = "give the option with which this file is compiled (-O0, -O2 and so on)";
        refusal(message, mentions[*name].first(), "named here").with_help(help)
    });
    let refusals: Vec<Diagnostic> = refusals.collect();
    if refusals.is_empty() { Ok(()) } else { Err(Diagnostics(refusals)) }
}

fn cannot_be_asked(compiler: &Compiler, name: &str, mentions: &[Mention], why: &str) -> Diagnostics {
    let message = format!("`{}` cannot be asked how it defines `{name}`: {why}", compiler.shown());
    refusal(message, mentions.first(), "named here").with_help(NAME_THE_COMPILER).into()
}

fn refusal(message: String, mention: Option<&Mention>, label: &str) -> Diagnostic {
    let error = Diagnostic::error(PREDEFINED, message);
    match mention {
        Some(mention) => error.at(&mention.path.to_string_lossy(), mention.range, label),
        None => error,
    }
}

/// Flags as one text.
fn text_of(flags: &[OsString]) -> Vec<u8> {
    flags.iter().map(|flag| flag.as_bytes()).collect::<Vec<_>>().join(&b' ')
}

/// True if two definitions mean the same: `long unsigned int` and `unsigned long` do.
fn is_same(one: Option<&String>, other: Option<&String>) -> bool {
    let words = |text: &String| {
        let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        words.sort();
        words.retain(|word| word != "int" || text.trim() == "int");
        words
    };
    one.map(words) == other.map(words)
}

/// True for macros that say what a type is, and how it is represented: all compilers of a system agree on that, some
/// in words of their own.
fn describes_type(name: &str) -> bool {
    ["__FLT", "__DBL", "__LDBL", "__SIZEOF_"].iter().any(|prefix| name.starts_with(prefix))
        || ["_MAX__", "_MIN__", "_WIDTH__", "_TYPE__", "_BIT__"].iter().any(|suffix| name.ends_with(suffix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_by_others_of_the_same_length() {
        let mut predefined = Predefined::default();
        predefined.define("__AVX__", Some(&"1".to_owned()), false, &BTreeMap::new());
        predefined.define("__clang__", None, false, &BTreeMap::new());
        predefined.define("__GNUC__", Some(&"12".to_owned()), true, &BTreeMap::new());
        predefined.define("_X", None, false, &BTreeMap::new());
        assert_eq!(predefined.arguments, [c"-D__A0000=1", c"-D__GNUC__=12", c"-U_X"].map(CString::from));
        let shown = predefined.shown(b"__AVX__ + x__AVX__ __clang__(__GNUC__)");
        assert_eq!(String::from_utf8(shown).unwrap(), "__A0000 + x__AVX__ __cla0000(__GNUC__)");
        assert_eq!(predefined.as_written("no `__cla0000`".to_owned()), "no `__clang__`");
    }
}
