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
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use scop::{Diagnostic, Diagnostics, SourceRange};

use crate::clang::{Token, Unit};
use crate::compiler::{Answers, Compiler, NAME_THE_COMPILER, SOME_OPTIMISATION, answers_of_clang};
use crate::errors::PREDEFINED;
use crate::options::Options;
use crate::parse::no_clang;

/// Names that are reserved and predefined by no compiler, or that stand for the place where they are.
const OTHERS: [&str; 23] = [
    "__attribute__",
    "__restrict",
    "__restrict__",
    "__inline",
    "__inline__",
    "__func__",
    "__FUNCTION__",
    "__PRETTY_FUNCTION__",
    "__extension__",
    "__asm__",
    "__volatile__",
    "__VA_ARGS__",
    "__VA_OPT__",
    "__LINE__",
    "__FILE__",
    "__FILE_NAME__",
    "__BASE_FILE__",
    "__COUNTER__",
    "__DATE__",
    "__TIME__",
    "__TIMESTAMP__",
    "__INCLUDE_LEVEL__",
    "_Pragma",
];

/// The predefined macros that a program names, by their names in what clang is shown.
#[derive(Debug, Default)]
pub struct Predefined {
    /// The names that the user's files have, and those that clang is shown.
    aliases: BTreeMap<String, String>,
    /// What clang is told of them.
    pub arguments: Vec<CString>,
    /// The names of which it was found out how they are defined.
    known: BTreeSet<String>,
    /// The texts of the user's headers, as they are and as clang is shown them.
    headers: BTreeMap<PathBuf, (Vec<u8>, Vec<u8>)>,
}

/// Where a file names a macro.
#[derive(Debug, Clone)]
struct Mention {
    path: PathBuf,
    range: SourceRange,
    /// Whether the file defines or undefines it there.
    defines: bool,
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
    ) -> Result<bool, Diagnostics> {
        let mentions = self.mentions(unit);
        let names: Vec<&str> =
            mentions.keys().map(String::as_str).filter(|name| !self.known.contains(*name)).collect();
        if names.is_empty() {
            return Ok(false);
        }
        let clang = answers_of_clang(&names, options, arguments).map_err(no_clang)?;
        let compiler = Compiler::of(options);
        let answers = match compiler.answers(&names, None) {
            Ok(answers) => answers,
            Err(why) => {
                let suspect = names.iter().find(|name| {
                    clang.contains_key(**name) || !mentions[**name].iter().any(|mention| mention.defines)
                });
                match suspect {
                    Some(name) => return Err(cannot_be_asked(&compiler, name, &mentions[*name], &why)),
                    None => clang.clone(),
                }
            }
        };
        refuse_what_depends_on_optimisation(&compiler, &names, &answers, &mentions)?;
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let mut is_changed = false;
        for name in names {
            if answers.get(&name) != clang.get(&name) {
                is_changed = true;
                let is_in_flags =
                    options.flags.language.iter().any(|flag| mentions_name(flag.as_bytes(), &name));
                let keeps_name = is_in_flags || mentions[&name].iter().any(|mention| mention.defines);
                self.define(&name, answers.get(&name), keeps_name, &mentions);
            }
            self.known.insert(name);
        }
        if is_changed {
            self.show_headers(unit, options);
        }
        Ok(is_changed)
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

fn is_candidate(name: &str) -> bool {
    is_reserved(name.as_bytes()) && !name.starts_with("__builtin_") && !OTHERS.contains(&name)
}

/// True for identifiers that begin with two underscores, or with one and a capital letter.
fn is_reserved(name: &[u8]) -> bool {
    matches!(name, [b'_', b'_' | b'A'..=b'Z', ..])
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

fn mentions_name(text: &[u8], name: &str) -> bool {
    text.windows(name.len()).any(|part| part == name.as_bytes())
}

/// The length of the identifier, or the number, with which a text begins.
fn identifier_length(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_' || **byte >= 0x80).count()
}

/// Without an option the optimisation is that of a command which nobody here knows.
fn refuse_what_depends_on_optimisation(
    compiler: &Compiler,
    names: &[&str],
    answers: &Answers,
    mentions: &BTreeMap<String, Vec<Mention>>,
) -> Result<(), Diagnostics> {
    if compiler.has_optimisation() {
        return Ok(());
    }
    let Ok(optimised) = compiler.answers(names, Some(SOME_OPTIMISATION)) else { return Ok(()) };
    let depends = names.iter().filter(|name| answers.get(**name) != optimised.get(**name));
    let refusals = depends.filter_map(|name| {
        let message = format!("whether `{name}` is defined, or how, depends on the optimisation");
        let help = "give the option with which this file is compiled (-O0, -O2 and so on)";
        Some(refusal(message, mentions[*name].first()?, "named here").with_help(help))
    });
    let refusals: Vec<Diagnostic> = refusals.collect();
    if refusals.is_empty() { Ok(()) } else { Err(Diagnostics(refusals)) }
}

fn cannot_be_asked(compiler: &Compiler, name: &str, mentions: &[Mention], why: &str) -> Diagnostics {
    let message = format!("`{}` cannot be asked how it defines `{name}`: {why}", compiler.shown());
    match mentions.first() {
        Some(mention) => refusal(message, mention, "named here").with_help(NAME_THE_COMPILER).into(),
        None => Diagnostic::error(PREDEFINED, message).with_help(NAME_THE_COMPILER).into(),
    }
}

fn refusal(message: String, mention: &Mention, label: &str) -> Diagnostic {
    Diagnostic::error(PREDEFINED, message).at(&mention.path.to_string_lossy(), mention.range, label)
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
