//! `compile_commands.json`: the flags with which each file of a project is compiled.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::compilers::Compiler;
use super::reader::CompilerFlags;
use crate::stop::{Or, Stop};
use crate::words;

/// The name of the file in a folder.
const NAME: &str = "compile_commands.json";

/// Flags with a value that only choose what the compiler writes.
const OF_COMPILING: [&str; 5] = ["-o", "-MF", "-MT", "-MQ", "-MJ"];

/// Flags whose value is a path, relative to the folder of the command.
const OF_PATHS: [&str; 9] =
    ["-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "--sysroot=", "-I", "-L"];

/// The commands of a project.
#[derive(Debug)]
pub struct Database {
    path: PathBuf,
    entries: Vec<Value>,
}

/// How a file is compiled.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// The compiler.
    pub compiler: Compiler,
    /// The flags.
    pub flags: CompilerFlags,
}

impl Database {
    /// Reads a file, or the file of the usual name in a folder.
    pub fn read(path: &Path) -> Or<Self> {
        let path = if path.is_dir() { path.join(NAME) } else { path.to_owned() };
        let failed = |why: String| Stop::failed(format!("'{}' {why}", path.display()));
        let text = fs::read(&path).map_err(|error| failed(format!("cannot be read: {error}")))?;
        match serde_json::from_slice(&text) {
            Ok(Value::Array(entries)) => Ok(Self { path, entries }),
            Ok(_) => Err(failed("is not a list of commands".to_owned())),
            Err(error) => Err(failed(format!("is not JSON: {error}"))),
        }
    }

    /// Returns how a file is compiled. If there are several commands for it, the first one counts.
    pub fn entry(&self, file: &Path) -> Or<Entry> {
        let wanted = file.canonicalize().ok();
        let entry = self.entries.iter().find(|entry| {
            let named = Self::folder(entry).join(entry["file"].as_str().unwrap_or_default());
            wanted.is_some() && named.canonicalize().ok() == wanted
        });
        let Some(entry) = entry else {
            let (path, file) = (self.path.display(), file.display());
            return Err(Stop::failed(format!("'{path}' does not say how '{file}' is compiled")));
        };
        self.parsed(entry, file)
    }

    fn is_file(entry: &Value, word: &OsStr) -> bool {
        entry["file"].as_str().is_some_and(|file| word == file)
    }

    fn folder(entry: &Value) -> &Path {
        Path::new(entry["directory"].as_str().unwrap_or_default())
    }

    fn parsed(&self, entry: &Value, file: &Path) -> Or<Entry> {
        let command = match (&entry["arguments"], &entry["command"]) {
            (Value::Array(words), _) => words.iter().map(|word| Some(word.as_str()?.into())).collect(),
            (_, Value::String(command)) => words::split(OsStr::new(command)),
            _ => None,
        };
        let place = format!("'{}', for '{}'", self.path.display(), file.display());
        let blamed = |words: &str| Stop::misused(words).blaming(&place);
        let command: Vec<OsString> =
            command.ok_or_else(|| blamed("there is neither `arguments` nor `command`"))?;
        // The words before the first flag are the compiler, which may be several words (`ccache gcc`).
        let end =
            command.iter().position(|word| word.as_bytes().starts_with(b"-") || Self::is_file(entry, word));
        let (compiler, rest) = command.split_at(end.unwrap_or(command.len()));
        let (compiler, mut command) = (compiler.to_vec(), rest.iter().cloned());
        let mut flags = CompilerFlags::default();
        while let Some(word) = command.next() {
            Self::take(&mut flags, word, &mut command).map_err(|stop| stop.blaming(&place))?;
        }
        let folder = Self::folder(entry);
        for words in [&mut flags.language, &mut flags.libraries] {
            *words = placed(words, folder);
        }
        Ok(Entry { compiler: Compiler { words: compiler, language: Vec::new() }, flags })
    }

    /// Takes one word. Words that do not affect the meaning of the file are left out.
    fn take(flags: &mut CompilerFlags, word: OsString, rest: &mut impl Iterator<Item = OsString>) -> Or<()> {
        let bytes = word.as_bytes();
        if OF_COMPILING.iter().any(|flag| word == *flag) {
            rest.next();
            return Ok(());
        }
        let of_compiling =
            ["-c", "-MD", "-MMD", "-MP", "-M", "-MM", "-MG", "--"].iter().any(|flag| word == *flag);
        if of_compiling || !bytes.starts_with(b"-") || bytes.starts_with(b"-o") || bytes.starts_with(b"-MF") {
            return Ok(());
        }
        if bytes.starts_with(b"--") && flags.take_long(&word, rest)? {
            return Ok(());
        }
        flags.take(word, rest)
    }
}

/// Prepends a folder to the relative paths in flags.
fn placed(flags: &[OsString], folder: &Path) -> Vec<OsString> {
    let mut result: Vec<OsString> = Vec::new();
    let mut before = None;
    for flag in flags {
        if let Some(name) = before.take() {
            result.push(in_place(name, flag, folder));
            continue;
        }
        before = OF_PATHS.into_iter().find(|name| flag == *name);
        let joined = OF_PATHS.iter().find_map(|name| Some((*name, words::rest(flag, name)?)));
        result.push(match joined {
            Some((name, path)) if !path.is_empty() => words::joined(name, in_place(name, path, folder)),
            _ => flag.clone(),
        });
    }
    result
}

/// Returns the value of a flag, with its folder. A header that does not exist in the folder keeps its name, so that
/// the compiler searches for it.
fn in_place(flag: &str, path: &OsStr, folder: &Path) -> OsString {
    let there = folder.join(path);
    let is_header = ["-include", "-imacros"].contains(&flag);
    if is_header && !there.exists() { path.to_owned() } else { there.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_taken_and_paths_are_those_of_the_folder() {
        let command = "ccache gcc -DX='a b' -I inc -isystem sys -include far.h -I/abs -Wall -O2 -MD -MF x.d -o f.o -c f.c -lm -Llib";
        let entry = serde_json::json!({ "directory": "/p", "file": "f.c", "command": command });
        let database = Database { path: "c.json".into(), entries: Vec::new() };
        let Entry { compiler, flags } = database.parsed(&entry, Path::new("f.c")).unwrap();
        assert_eq!(compiler.words, ["ccache", "gcc"]);
        assert_eq!(
            flags.language,
            ["-DX=a b", "-I/p/inc", "-isystem", "/p/sys", "-include", "far.h", "-I/abs"]
        );
        assert_eq!(
            (flags.others, flags.libraries),
            (vec!["-Wall".into(), "-O2".into()], vec!["-lm".into(), "-L/p/lib".into()])
        );
        assert!(!flags.rule.is_wanted());
    }

    #[test]
    fn flags_that_change_the_meaning_are_refused_there_as_well() {
        let entry =
            serde_json::json!({ "directory": "/p", "file": "f.c", "arguments": ["gcc", "-fwrapv", "f.c"] });
        let database = Database { path: "c.json".into(), entries: Vec::new() };
        let stop = database.parsed(&entry, Path::new("f.c")).unwrap_err();
        assert!(stop.words[0].starts_with("in 'c.json', for 'f.c': -fwrapv defines"), "{stop:?}");
    }
}
