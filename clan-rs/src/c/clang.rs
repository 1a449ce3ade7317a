//! A thin, safe layer over libclang. This file and its folder contain the only unsafe code of this tool.
//!
//! A [`Unit`] owns everything that libclang allocates; cursors and types borrow it. This file defines these types;
//! `library` loads libclang, `unit` reads a file, and `cursor` and `types` query the contents of a unit.

mod cursor;
mod library;
mod types;
mod unit;

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ffi::{CStr, c_uint};
use std::ptr;

use clang_sys::*;
use scop::SourceRange;

pub use library::{ClangError, load_library, no_clang, resource_directory};

/// A parsed C file.
pub struct Unit {
    index: CXIndex,
    unit: CXTranslationUnit,
    file: CXFile,
    size: usize,
    /// The top-level cursors of the unit with their kinds, cached: see [`Unit::top_level`].
    top_level: OnceCell<Vec<(CXCursorKind, CXCursor)>>,
    /// The definitions of macros among them by name, cached: see [`Unit::definitions_of_macro`].
    macros: OnceCell<HashMap<String, Vec<CXCursor>>>,
    /// Whether each file is a header of C or C++ themselves, cached.
    of_language: RefCell<HashMap<usize, bool>>,
    /// The result of [`Unit::macros_with`], cached.
    macros_with: OnceCell<HashMap<String, &'static str>>,
}

impl Drop for Unit {
    fn drop(&mut self) {
        // SAFETY: both were created by `parse` and are disposed of once.
        unsafe {
            clang_disposeTranslationUnit(self.unit);
            clang_disposeIndex(self.index);
        }
    }
}

/// A node of clang's syntax tree.
#[derive(Clone, Copy)]
pub struct Cursor<'u> {
    raw: CXCursor,
    unit: &'u Unit,
}

/// A C type.
#[derive(Clone, Copy)]
pub struct Type<'u> {
    raw: CXType,
    unit: &'u Unit,
}

/// A diagnostic of clang.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its text, without the position.
    pub text: String,
    /// The file, if there is one.
    pub path: Option<String>,
    /// Its place; of length zero if clang gives only a point.
    pub range: SourceRange,
}

/// A token of the main file, before macro expansion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Its text.
    pub text: String,
    /// Its place.
    pub range: SourceRange,
}

/// A place in a file, in the text before macro expansion. Offsets in different files are not comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// The file; zero if there is none.
    pub file: usize,
    /// The offset in the file.
    pub offset: u32,
}

/// A warning of clang about an attribute that it does not know, or that it ignores at this place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The text of the warning.
    pub text: String,
    /// The place of the attribute.
    pub spot: Spot,
    /// The same place as a range, if it is in the main file.
    pub range: Option<SourceRange>,
}

/// The value of a constant expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    /// A value of an integer type.
    Integer(i128),
    /// A value of a floating type.
    Floating(f64),
}

/// Converts a string of libclang, and disposes of it.
///
/// # Safety
/// `text` must be a string that libclang has just returned.
unsafe fn string(text: CXString) -> String {
    unsafe {
        let pointer = clang_getCString(text);
        let result = if pointer.is_null() {
            String::new()
        } else {
            CStr::from_ptr(pointer).to_string_lossy().into_owned()
        };
        clang_disposeString(text);
        result
    }
}

/// A position in a file.
#[derive(Clone, Copy)]
struct Point {
    file: CXFile,
    offset: u32,
    line: u32,
    column: u32,
}

impl Point {
    /// Returns the place of `location` in the file: in a macro's argument, the argument itself; elsewhere in an
    /// expansion, the macro's use.
    fn of_file(location: CXSourceLocation) -> Self {
        Self::by(location, |location, file, line, column, offset| {
            // SAFETY: the pointers are valid.
            unsafe { clang_getFileLocation(location, file, line, column, offset) }
        })
    }

    /// Returns the place where the macro is used whose expansion contains `location`.
    fn of_expansion(location: CXSourceLocation) -> Self {
        Self::by(location, |location, file, line, column, offset| {
            // SAFETY: the pointers are valid.
            unsafe { clang_getExpansionLocation(location, file, line, column, offset) }
        })
    }

    /// Returns the place of the characters themselves, which may be in a macro's definition.
    fn of_spelling(location: CXSourceLocation) -> Self {
        Self::by(location, |location, file, line, column, offset| {
            // SAFETY: the pointers are valid.
            unsafe { clang_getSpellingLocation(location, file, line, column, offset) }
        })
    }

    fn by(
        location: CXSourceLocation,
        get: impl FnOnce(CXSourceLocation, *mut CXFile, *mut c_uint, *mut c_uint, *mut c_uint),
    ) -> Self {
        let mut point = Self { file: ptr::null_mut(), offset: 0, line: 0, column: 0 };
        get(location, &mut point.file, &mut point.line, &mut point.column, &mut point.offset);
        point
    }

    fn spot(self) -> Spot {
        Spot { file: self.file as usize, offset: self.offset }
    }

    fn until(self, end: u32) -> SourceRange {
        SourceRange { start: self.offset, end: end.max(self.offset), line: self.line, column: self.column }
    }
}

/// Returns the range of the characters themselves.
///
/// # Safety
/// `range` must be a range of a live unit.
unsafe fn spelled_range(range: CXSourceRange) -> SourceRange {
    // SAFETY: as required.
    let (start, end) = unsafe { (clang_getRangeStart(range), clang_getRangeEnd(range)) };
    Point::of_spelling(start).until(Point::of_spelling(end).offset)
}
