//! The compilers of the host, with the flags that their names have in `CC` and `CXX`.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::reader::CompilerFlags;
use crate::stop::{Or, Stop};
use crate::words;

/// A compiler.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Compiler {
    /// The words that call it.
    pub words: Vec<OsString>,
    /// The flags among them that clan-rs has to know.
    pub language: Vec<OsString>,
}

/// Those for C and for C++.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compilers {
    /// For C.
    pub c: Compiler,
    /// For C++.
    pub cxx: Compiler,
}

impl Compilers {
    /// Those that `CC` and `CXX` name.
    pub fn of_the_environment() -> Or<Self> {
        let compiler = |variable, default| match std::env::var_os(variable) {
            Some(words) if !words.is_empty() => Compiler::new(variable, &words),
            _ => Compiler::new(variable, OsStr::new(default)),
        };
        Ok(Self { c: compiler("CC", "gcc")?, cxx: compiler("CXX", "g++")? })
    }

    /// The one that compiles a file; nothing for a file that none compiles.
    pub fn of_file(&self, file: &Path) -> Option<&Compiler> {
        let name = file.file_name()?.as_bytes();
        match &name[name.iter().rposition(|&byte| byte == b'.')? + 1..] {
            b"c" => Some(&self.c),
            b"cpp" | b"cc" | b"cxx" | b"C" => Some(&self.cxx),
            _ => None,
        }
    }
}

impl Compiler {
    /// The flags are judged as on the command line.
    fn new(variable: &str, command: &OsStr) -> Or<Self> {
        let unclosed = || Stop::misused(format!("{variable} has an unclosed quote: {}", command.display()));
        let words = words::split(command).ok_or_else(unclosed)?;
        let mut flags = CompilerFlags::default();
        let mut rest = words.iter().cloned();
        while let Some(word) = rest.next() {
            take(&mut flags, word, &mut rest).map_err(|stop| stop.blaming(variable))?;
        }
        Ok(Self { words, language: flags.language })
    }
}

fn take(flags: &mut CompilerFlags, word: OsString, rest: &mut impl Iterator<Item = OsString>) -> Or<()> {
    let bytes = word.as_bytes();
    if bytes.starts_with(b"--") {
        return match flags.take_long(&word, rest)? {
            true => Ok(()),
            false => Err(no_part(&word)),
        };
    }
    match bytes {
        [b'-', b'o' | b'M', ..] | b"-q" | b"-v" | b"-h" | b"-p" | b"-V" => Err(no_part(&word)),
        [b'-', ..] => flags.take(word, rest),
        _ => Ok(()),
    }
}

fn no_part(word: &OsStr) -> Stop {
    Stop::misused(format!("{} is no part of the name of a compiler", word.display()))
}
