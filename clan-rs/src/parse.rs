//! The C or C++ file, read and parsed.

use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use scop::{Diagnostic, Diagnostics};

use crate::clang::{self, ClangError, Message, Token, Unit};
use crate::ctree::Tree;
use crate::errors::{CLANG, NO_CLANG, UNREADABLE};
use crate::import;
use crate::options::Options;
use crate::source::SourceText;

/// A C file without errors.
pub struct Parsed {
    /// Its functions.
    pub tree: Tree,
    /// Its text.
    pub source: SourceText,
    /// Its tokens.
    pub tokens: Vec<Token>,
    /// The parts that the preprocessor skipped.
    pub skipped: Vec<(u32, u32)>,
}

/// Parses the text of the file of the command line.
pub fn parse(options: &Options, bytes: Vec<u8>) -> Result<Parsed, Diagnostics> {
    clang::load_library().map_err(no_clang)?;
    let unit = Unit::parse(&options.file, &bytes, &arguments(options)?).map_err(no_clang)?;
    let errors = unit.errors();
    if !errors.is_empty() {
        return Err(clang_errors(errors, &options.file, &bytes));
    }
    Ok(Parsed {
        tree: import::import(&unit),
        tokens: unit.tokens(),
        skipped: unit.skipped(),
        source: SourceText { bytes, macro_uses: import::macro_uses(&unit) },
    })
}

/// The bytes of the file.
pub fn read(path: &Path) -> Result<Vec<u8>, Diagnostics> {
    std::fs::read(path).map_err(|error| {
        Diagnostic::error(UNREADABLE, format!("cannot read {}: {}", path.display(), reason(&error))).into()
    })
}

/// The reason without the number that the system gives it.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

/// True for the names that C++ compilers take for C++.
pub fn is_cxx(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy());
    extension.is_some_and(|extension| ["cpp", "cc", "cxx", "C", "c++", "cp", "CPP"].contains(&&*extension))
}

fn arguments(options: &Options) -> Result<Vec<CString>, Diagnostics> {
    let language = if is_cxx(&options.file) { c"-xc++" } else { c"-xc" };
    let mut arguments = vec![language.to_owned(), c"-w".to_owned()];
    if let Some(directory) = clang::resource_directory() {
        arguments.push(c"-resource-dir".to_owned());
        arguments.push(c_string(directory.as_os_str(), "")?);
    }
    for (values, flag) in [(&options.include, "-I"), (&options.define, "-D"), (&options.undefine, "-U")] {
        for value in values {
            arguments.push(c_string(value, flag)?);
        }
    }
    if let Some(standard) = &options.standard {
        arguments.push(c_string(standard, "-std=")?);
    }
    Ok(arguments)
}

fn c_string(text: &OsStr, flag: &str) -> Result<CString, Diagnostics> {
    let bytes = [flag.as_bytes(), text.as_bytes()].concat();
    let nul = "an argument of the command line contains a NUL byte";
    CString::new(bytes).map_err(|_| Diagnostic::error(UNREADABLE, nul).into())
}

/// What clang says, as our own messages; the first one says what to do about all.
fn clang_errors(messages: Vec<Message>, file: &Path, bytes: &[u8]) -> Diagnostics {
    let file = file.to_string_lossy();
    let mut diagnostics: Vec<Diagnostic> = messages
        .into_iter()
        .map(|mut message| {
            if message.path.as_deref() == Some(&*file) {
                message.range.end = message.range.end.max(end_of_word(bytes, message.range.start));
            }
            clang_error(message)
        })
        .collect();
    if let Some(first) = diagnostics.first_mut() {
        first.help.get_or_insert_with(|| {
            "the file must be free of errors; give the same -I, -D and -std as to the compiler".to_owned()
        });
    }
    Diagnostics(diagnostics)
}

fn clang_error(message: Message) -> Diagnostic {
    let missing = message.text.ends_with("file not found");
    let diagnostic = Diagnostic::error(CLANG, message.text);
    let diagnostic = match message.path {
        Some(path) => diagnostic.at(&path, message.range, "clang reports this error"),
        None => diagnostic,
    };
    if missing {
        diagnostic.with_help("name the directory of the header with -I, as for the compiler")
    } else {
        diagnostic
    }
}

fn end_of_word(bytes: &[u8], start: u32) -> u32 {
    let rest = bytes.get(start as usize..).unwrap_or_default();
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    start + length as u32
}

fn no_clang(error: ClangError) -> Diagnostics {
    let (message, help) = match error {
        ClangError::Missing(why) => (
            format!("libclang cannot be loaded: {why}"),
            "install libclang 19 (Debian: libclang-19-dev), or set LIBCLANG_PATH to its directory",
        ),
        ClangError::TooOld(version) => (
            format!("this libclang is too old: {version}"),
            "install libclang 17 or later, or set LIBCLANG_PATH to its directory",
        ),
        ClangError::Failed(why) => (why, "check that clang can compile the file"),
    };
    Diagnostic::error(NO_CLANG, message).with_help(help).into()
}
