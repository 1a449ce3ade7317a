//! The host compilers, with the flags that `CC` and `CXX` contain.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::reader::CompilerFlags;
use crate::stop::{Or, Stop};
use crate::words;

/// A compiler.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Compiler {
    /// The words of its command.
    pub words: Vec<OsString>,
    /// The flags among them that clan-rs needs.
    pub language: Vec<OsString>,
}

/// The compilers for C and for C++.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compilers {
    /// For C.
    pub c: Compiler,
    /// For C++.
    pub cxx: Compiler,
}

impl Compilers {
    /// Returns the compilers that `CC` and `CXX` name; the default is gcc and g++.
    pub fn of_the_environment() -> Or<Self> {
        let compiler = |variable, default| match std::env::var_os(variable) {
            Some(words) if !words.is_empty() => Compiler::new(variable, &words),
            _ => Compiler::new(variable, OsStr::new(default)),
        };
        Ok(Self { c: compiler("CC", "gcc")?, cxx: compiler("CXX", "g++")? })
    }

    /// Returns the compiler for a file, or `None` if the file is not C or C++ source.
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
    /// Reads a command. Its flags are checked as those on the command line are.
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
    Stop::misused(format!("{} cannot be part of the name of a compiler", word.display()))
}
