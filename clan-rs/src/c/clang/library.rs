//! Finds and loads libclang, and rejects versions that are too old.

use std::env;
use std::path::{Path, PathBuf};

use clang_sys::*;
use scop::{Diagnostic, Diagnostics};

use super::string;
use crate::errors::NO_CLANG;

/// The reason why libclang produced no translation unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClangError {
    /// There is no libclang, or it cannot be opened.
    Missing(String),
    /// The library that was opened is not libclang.
    Wrong(String),
    /// It is older than 17.
    TooOld(String),
    /// It failed without a diagnostic.
    Failed(String),
}

/// Returns the message for a libclang that is missing or fails.
pub fn no_clang(error: ClangError) -> Diagnostics {
    let (message, help) = match error {
        ClangError::Missing(why) => (
            format!("libclang cannot be loaded: {why}"),
            "install libclang 19 (Debian: libclang-19-dev), or set LIBCLANG_PATH to its directory",
        ),
        ClangError::Wrong(path) => (
            format!("{path} is not libclang"),
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

/// Loads libclang for this thread, unless it is already loaded.
pub fn load_library() -> Result<(), ClangError> {
    if !is_loaded() {
        forget_empty_folders();
        prefer_debians();
        load().map_err(ClangError::Missing)?;
    }
    let essential = [
        clang_getClangVersion::is_loaded(),
        clang_createIndex::is_loaded(),
        clang_parseTranslationUnit2::is_loaded(),
        clang_getCString::is_loaded(),
    ];
    if essential.contains(&false) {
        let path = get_library().map(|library| library.path().display().to_string());
        return Err(ClangError::Wrong(path.unwrap_or_default()));
    }
    if clang_getCursorBinaryOperatorKind::is_loaded() { Ok(()) } else { Err(ClangError::TooOld(version())) }
}

/// Removes empty entries from the lists of folders, and an empty `LIBCLANG_PATH`. They denote the current folder,
/// which need not belong to the user: no library is loaded from there.
fn forget_empty_folders() {
    for list in ["LD_LIBRARY_PATH", "LIBRARY_PATH", "LIBCLANG_PATH"] {
        let Some(value) = env::var_os(list) else { continue };
        let folders = env::split_paths(&value).filter(|folder| !folder.as_os_str().is_empty());
        let kept = env::join_paths(folders).unwrap_or_default();
        // SAFETY: no other thread uses the environment: the only other thread waits for this one.
        unsafe { if kept.is_empty() { env::remove_var(list) } else { env::set_var(list, kept) } }
    }
}

/// The path at which Debian's package installs the libclang that `scripts/setup` requests.
const DEBIANS: &str = "/usr/lib/llvm-19/lib/libclang-19.so.1";

/// Selects Debian's libclang 19 if it is installed and the user specifies no path. Searching all library folders
/// for the newest version takes as long as reading a C file.
fn prefer_debians() {
    let is_asked = ["LIBCLANG_PATH", "LLVM_CONFIG_PATH", "LD_LIBRARY_PATH", "LIBRARY_PATH"]
        .iter()
        .any(|name| env::var_os(name).is_some());
    if !is_asked && Path::new(DEBIANS).is_file() {
        // SAFETY: the only other thread waits for this one.
        unsafe { env::set_var("LIBCLANG_PATH", DEBIANS) }
    }
}

fn version() -> String {
    // SAFETY: the library is loaded, and every libclang has this function.
    unsafe { string(clang_getClangVersion()) }
}

/// Returns the directory of clang's own headers (`stddef.h` and similar) for the loaded libclang, if it is at one
/// of the places where LLVM installs it.
pub fn resource_directory() -> Option<PathBuf> {
    let library = get_library()?.path().canonicalize().ok()?;
    let directory = library.parent()?;
    let major = version().split(|c: char| !c.is_ascii_digit()).find(|word| !word.is_empty())?.to_owned();
    let below = Path::new("clang").join(&major);
    let places = [
        directory.join(&below),
        directory.join(format!("../llvm-{major}/lib")).join(&below),
        Path::new("/usr/lib").join(format!("llvm-{major}/lib")).join(&below),
        Path::new("/usr/lib").join(&below),
    ];
    places.into_iter().find(|place| place.join("include/stddef.h").is_file())
}
