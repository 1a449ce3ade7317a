//! A thin, safe layer over libclang: the only unsafe code of this tool.
//!
//! A [`Unit`] owns everything that libclang allocates; cursors and types borrow it. Here is what they are; `library`
//! loads libclang, `unit` reads a file, `cursor` and `types` ask for what is in it.

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
    /// What stands directly in the unit, once that was asked: see [`Unit::top_level`].
    top_level: OnceCell<Vec<(CXCursorKind, CXCursor)>>,
    /// Which files are headers of C and C++ themselves, as far as that was asked.
    of_language: RefCell<HashMap<usize, bool>>,
    /// What [`Unit::macros_with`] found.
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

/// What clang says about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// What is wrong, without position.
    pub text: String,
    /// The file, if there is one.
    pub path: Option<String>,
    /// Where; of length zero if clang gives a point only.
    pub range: SourceRange,
}

/// A token of the main file, before macro expansion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Its text.
    pub text: String,
    /// Where it stands.
    pub range: SourceRange,
}

/// A declaration or attribute of a file, in the text before macro expansion. Offsets in different files are not
/// comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// The file; zero for none.
    pub file: usize,
    /// The offset in it.
    pub offset: u32,
}

/// What clang says of an attribute that it does not know, or that it ignores where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Its words.
    pub text: String,
    /// Where the attribute stands.
    pub spot: Spot,
    /// The same in the main file, if it stands there.
    pub range: Option<SourceRange>,
}

/// The value of a constant expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    /// Of an integer type.
    Integer(i128),
    /// Of a floating type.
    Floating(f64),
}

/// # Safety
/// `text` must be a string that libclang just gave; it is disposed of.
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
    /// Where the text stands that was expanded to what is at `location`; inside a macro's arguments, there.
    fn of_file(location: CXSourceLocation) -> Self {
        Self::by(location, |location, file, line, column, offset| {
            // SAFETY: the pointers are valid.
            unsafe { clang_getFileLocation(location, file, line, column, offset) }
        })
    }

    /// Where the macro stands that was expanded to what is at `location`.
    fn of_expansion(location: CXSourceLocation) -> Self {
        Self::by(location, |location, file, line, column, offset| {
            // SAFETY: the pointers are valid.
            unsafe { clang_getExpansionLocation(location, file, line, column, offset) }
        })
    }

    /// Where the characters themselves stand, in a macro's definition perhaps.
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

/// # Safety
/// `range` must be a range of a live unit.
unsafe fn spelled_range(range: CXSourceRange) -> SourceRange {
    // SAFETY: as required.
    let (start, end) = unsafe { (clang_getRangeStart(range), clang_getRangeEnd(range)) };
    Point::of_spelling(start).until(Point::of_spelling(end).offset)
}
