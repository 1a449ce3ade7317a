//! A file that clang has read: its diagnostics, its included files, its tokens.

// The constants have the names that libclang gives them.
#![allow(non_upper_case_globals)]

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::ffi::{CString, OsString, c_char, c_int, c_uint};
use std::path::Path;
use std::ptr;

use clang_sys::*;
use scop::SourceRange;

use super::library::ClangError;
use super::{Cursor, Message, Point, Remark, Token, Unit, spelled_range, string};
use crate::c::language;
use crate::options::rule::Included;

/// Keeps libclang from parsing in a thread of its own, whose stack of 8 MiB is used up by a few thousand nested
/// operators. The stack of this tool is larger.
fn parse_on_this_stack() {
    // SAFETY: other threads of this process access the environment only through Rust's functions, which are
    // synchronised.
    unsafe { std::env::set_var("LIBCLANG_NOTHREADS", "1") };
}

impl Unit {
    /// Parses `text` as the contents of `path`. `shown` lists headers with the texts that clang reads instead of
    /// their own; these headers need not exist. Errors in the C text do not make this function fail: see
    /// [`Unit::errors`].
    pub fn parse(
        path: &Path,
        text: &[u8],
        arguments: &[CString],
        shown: &[(&Path, &[u8])],
    ) -> Result<Self, ClangError> {
        parse_on_this_stack();
        let name = path_argument(path)?;
        let names: Vec<CString> =
            shown.iter().map(|(path, _)| path_argument(path)).collect::<Result<_, _>>()?;
        let pointers: Vec<*const c_char> = arguments.iter().map(|argument| argument.as_ptr()).collect();
        let file = |name: &CString, text: &[u8]| CXUnsavedFile {
            Filename: name.as_ptr(),
            Contents: text.as_ptr().cast(),
            Length: text.len() as _,
        };
        let mut unsaved = vec![file(&name, text)];
        unsaved.extend(names.iter().zip(shown).map(|(name, (_, text))| file(name, text)));
        let mut unit = ptr::null_mut();
        // SAFETY: all pointers are valid during the call; libclang copies what it keeps.
        let (index, code) = unsafe {
            let index = clang_createIndex(0, 0);
            let code = clang_parseTranslationUnit2(
                index,
                name.as_ptr(),
                pointers.as_ptr(),
                pointers.len() as c_int,
                unsaved.as_mut_ptr(),
                unsaved.len() as c_uint,
                CXTranslationUnit_DetailedPreprocessingRecord,
                &mut unit,
            );
            (index, code)
        };
        if code != CXError_Success || unit.is_null() {
            // SAFETY: the index was just created.
            unsafe { clang_disposeIndex(index) };
            return Err(ClangError::Failed(format!("libclang gave up with code {code}")));
        }
        // SAFETY: the unit is valid.
        let file = unsafe { clang_getFile(unit, name.as_ptr()) };
        Ok(Self {
            index,
            unit,
            file,
            size: text.len(),
            top_level: OnceCell::new(),
            macros: OnceCell::new(),
            of_language: RefCell::default(),
            macros_with: OnceCell::new(),
        })
    }

    /// Returns the errors that clang found, in clang's order.
    pub fn errors(&self) -> Vec<Message> {
        // SAFETY: the unit is valid, and the diagnostics are disposed of below.
        let count = unsafe { clang_getNumDiagnostics(self.unit) };
        (0..count).filter_map(|k| self.error(k)).collect()
    }

    fn error(&self, number: c_uint) -> Option<Message> {
        // SAFETY: the number is below the count, and the diagnostic is disposed of once.
        unsafe {
            let diagnostic = clang_getDiagnostic(self.unit, number);
            let severe = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
            let message = severe.then(|| self.message(diagnostic));
            clang_disposeDiagnostic(diagnostic);
            message
        }
    }

    /// Converts a diagnostic.
    ///
    /// # Safety
    /// `diagnostic` must be a live diagnostic of this unit.
    unsafe fn message(&self, diagnostic: CXDiagnostic) -> Message {
        unsafe {
            let location = clang_getDiagnosticLocation(diagnostic);
            let point = Point::of_file(location);
            let extent = (0..clang_getDiagnosticNumRanges(diagnostic))
                .map(|k| clang_getDiagnosticRange(diagnostic, k))
                .map(|range| {
                    (Point::of_file(clang_getRangeStart(range)), Point::of_file(clang_getRangeEnd(range)))
                })
                .find(|(start, end)| start.offset == point.offset && end.offset > start.offset);
            let end = extent.map_or(point.offset, |(_, end)| end.offset);
            Message {
                text: string(clang_getDiagnosticSpelling(diagnostic)),
                path: (!point.file.is_null()).then(|| string(clang_getFileName(point.file))),
                range: point.until(end),
            }
        }
    }

    /// Returns the files that were read, the main file first.
    pub fn included(&self) -> Vec<Included> {
        extern "C" fn note(file: CXFile, _: *mut CXSourceLocation, _: c_uint, found: CXClientData) {
            // SAFETY: `found` is the list below, which nothing else uses during the call.
            unsafe { (*found.cast::<Vec<CXFile>>()).push(file) };
        }
        let mut found: Vec<CXFile> = vec![self.file];
        // SAFETY: the unit is valid, and so is the list until the call returns.
        unsafe { clang_getInclusions(self.unit, note, (&raw mut found).cast()) };
        let mut included: Vec<Included> = Vec::new();
        for file in found {
            // SAFETY: the file belongs to the unit.
            let (path, system) = unsafe {
                let start = clang_getLocationForOffset(self.unit, file, 0);
                (string(clang_getFileName(file)), clang_Location_isInSystemHeader(start) != 0)
            };
            if !included.iter().any(|known| *known.path == *path) {
                included.push(Included { path: path.into(), system });
            }
        }
        included
    }

    /// True if the main file includes itself, directly or through other files.
    pub fn includes_itself(&self) -> bool {
        extern "C" fn note(file: CXFile, _: *mut CXSourceLocation, depth: c_uint, found: CXClientData) {
            // SAFETY: `found` is the pair below, which nothing else uses during the call.
            let (main, answer) = unsafe { &mut *found.cast::<(CXFile, bool)>() };
            // SAFETY: both files belong to the unit.
            *answer |= depth > 0 && unsafe { clang_File_isEqual(file, *main) } != 0;
        }
        let mut found = (self.file, false);
        // SAFETY: the unit is valid, and so is the pair until the call returns.
        unsafe { clang_getInclusions(self.unit, note, (&raw mut found).cast()) };
        found.1
    }

    /// Returns the cursor of the whole translation unit.
    pub fn root(&self) -> Cursor<'_> {
        // SAFETY: the unit is valid.
        Cursor { raw: unsafe { clang_getTranslationUnitCursor(self.unit) }, unit: self }
    }

    /// Returns everything at the top level of the file and its headers: declarations, macro definitions and uses,
    /// and inclusions. libclang is queried only once, because every file has some thousand macros.
    pub fn top_level(&self) -> impl Iterator<Item = Cursor<'_>> {
        self.top_level_with_kinds().iter().map(|&(_, raw)| Cursor { raw, unit: self })
    }

    /// Returns the top-level cursors of one kind.
    pub fn top_level_of(&self, wanted: CXCursorKind) -> impl Iterator<Item = Cursor<'_>> {
        let all = self.top_level_with_kinds().iter();
        all.filter(move |(kind, _)| *kind == wanted).map(|&(_, raw)| Cursor { raw, unit: self })
    }

    fn top_level_with_kinds(&self) -> &[(CXCursorKind, CXCursor)] {
        self.top_level.get_or_init(|| {
            let children = self.root().children().into_iter();
            children.map(|cursor| (cursor.kind(), cursor.raw)).collect()
        })
    }

    /// Returns the definitions of a macro, in the order in which they are read. Several questions are about macros,
    /// and libclang allocates each name that it is asked for.
    pub fn definitions_of_macro<'u>(&'u self, name: &str) -> impl Iterator<Item = Cursor<'u>> + use<'u> {
        let definitions = self.macros().get(name).into_iter().flatten();
        definitions.map(|&raw| Cursor { raw, unit: self })
    }

    /// Returns the names of all macros that are defined somewhere.
    pub fn names_of_macros(&self) -> impl Iterator<Item = &str> {
        self.macros().keys().map(String::as_str)
    }

    fn macros(&self) -> &HashMap<String, Vec<CXCursor>> {
        self.macros.get_or_init(|| {
            let mut macros: HashMap<String, Vec<CXCursor>> = HashMap::new();
            for definition in self.top_level_of(CXCursor_MacroDefinition) {
                macros.entry(definition.spelling()).or_default().push(definition.raw);
            }
            macros
        })
    }

    /// Returns the values of `__LINE__` and `__FILE__` at an offset of the main file.
    pub fn presumed(&self, offset: u32) -> (u32, String) {
        self.presumed_in(self.file as usize, offset)
    }

    /// Like [`Unit::presumed`], for any file.
    pub fn presumed_in(&self, file: usize, offset: u32) -> (u32, String) {
        let (mut path, mut line) = (CXString::default(), 0);
        // SAFETY: the pointers are valid, and the path is taken once.
        unsafe {
            let location = clang_getLocationForOffset(self.unit, file as CXFile, offset);
            clang_getPresumedLocation(location, &mut path, &mut line, ptr::null_mut());
            (line, string(path))
        }
    }

    /// Returns all tokens of the main file except comments.
    pub fn tokens(&self) -> Vec<Token> {
        self.tokens_in(self.file, self.size)
    }

    fn tokens_in(&self, file: CXFile, size: usize) -> Vec<Token> {
        let mut tokens = ptr::null_mut();
        let mut count = 0;
        // SAFETY: the range lies in the file; the tokens are disposed of after the last use.
        unsafe {
            let range = clang_getRange(
                clang_getLocationForOffset(self.unit, file, 0),
                clang_getLocationForOffset(self.unit, file, size as c_uint),
            );
            clang_tokenize(self.unit, range, &mut tokens, &mut count);
            let all = (0..count as usize).map(|k| *tokens.add(k));
            let kept = all.filter(|&token| clang_getTokenKind(token) != CXToken_Comment);
            let result = kept.map(|token| self.token(token)).collect();
            clang_disposeTokens(self.unit, tokens, count);
            result
        }
    }

    /// Returns clang's warnings about attributes that it ignores and other compilers may not.
    pub fn ignored_attributes(&self) -> Vec<Remark> {
        // SAFETY: the unit is valid.
        let count = unsafe { clang_getNumDiagnostics(self.unit) };
        (0..count).filter_map(|number| self.ignored_attribute(number)).collect()
    }

    fn ignored_attribute(&self, number: c_uint) -> Option<Remark> {
        // SAFETY: the number is below the count, and the diagnostic is disposed of once.
        unsafe {
            let diagnostic = clang_getDiagnostic(self.unit, number);
            let option = string(clang_getDiagnosticOption(diagnostic, ptr::null_mut()));
            let of_attribute = ["-Wunknown-attributes", "-Wignored-attributes"].contains(&option.as_str());
            let remark = of_attribute.then(|| {
                let point = Point::of_expansion(clang_getDiagnosticLocation(diagnostic));
                Remark {
                    text: string(clang_getDiagnosticSpelling(diagnostic)),
                    spot: point.spot(),
                    range: self.is_main(point.file).then(|| point.until(point.offset)),
                }
            });
            clang_disposeDiagnostic(diagnostic);
            remark
        }
    }

    fn is_main(&self, file: CXFile) -> bool {
        // SAFETY: both files belong to this unit, or are null.
        unsafe { clang_File_isEqual(file, self.file) != 0 }
    }

    /// Returns the files that are not headers of C or C++ themselves; the main file is among them.
    pub fn files_of_user(&self) -> Vec<usize> {
        self.files().into_iter().filter(|&file| !self.is_of_language(file)).collect()
    }

    /// True if a header of C or C++ itself has a word, perhaps in a comment.
    pub fn language_has_word(&self, word: &str) -> bool {
        let headers: BTreeSet<usize> =
            self.files().into_iter().filter(|&file| self.is_of_language(file)).collect();
        headers.into_iter().any(|file| has_word(self.contents(file), word.as_bytes()))
    }

    /// Returns all files that were read, as often as they were included.
    fn files(&self) -> Vec<usize> {
        extern "C" fn push(file: CXFile, _: *mut CXSourceLocation, _: c_uint, data: CXClientData) {
            // SAFETY: `data` is the vector below, and nothing else uses it during the visit.
            unsafe { (*data.cast::<Vec<CXFile>>()).push(file) };
        }
        let mut files: Vec<CXFile> = Vec::new();
        // SAFETY: the unit is valid.
        unsafe { clang_getInclusions(self.unit, push, (&raw mut files).cast()) };
        files.into_iter().map(|file| file as usize).collect()
    }

    /// True if one of these files has one of some words.
    pub fn has_word_of_user(&self, wanted: &[&str]) -> bool {
        self.files_of_user().into_iter().any(|file| {
            let mut words = self.contents(file).split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
            words.any(|word| wanted.iter().any(|name| name.as_bytes() == word))
        })
    }

    /// True for a header of C or C++ themselves, and for `c2cuda.h`, whose functions only tell the table of the memory
    /// on the device what the caller does.
    pub fn is_of_language(&self, file: usize) -> bool {
        let look = || {
            let name = self.name_of(file);
            let path = Path::new(&name);
            !self.is_main_file(file)
                && (language::has_header(path) || language::is_own_header(path, self.contents(file)))
        };
        *self.of_language.borrow_mut().entry(file).or_insert_with(look)
    }

    /// Returns names of interest, each with what it leads to. The result of `find` is cached.
    pub fn macros_with(
        &self,
        find: impl FnOnce() -> HashMap<String, &'static str>,
    ) -> &HashMap<String, &'static str> {
        self.macros_with.get_or_init(find)
    }

    /// Returns the contents of the main file.
    pub fn text(&self) -> &[u8] {
        self.contents(self.file as usize)
    }

    /// Returns the contents of a file: one of [`Unit::files_of_user`], or the file of a [`super::Spot`].
    pub fn contents(&self, file: usize) -> &[u8] {
        let mut size = 0;
        // SAFETY: the file belongs to this unit, which keeps its contents.
        unsafe {
            let contents = clang_getFileContents(self.unit, file as CXFile, &mut size);
            if contents.is_null() {
                return &[];
            }
            std::slice::from_raw_parts(contents.cast::<u8>(), size)
        }
    }

    /// Returns all tokens of a file except comments; their lines and columns refer to that file.
    pub fn tokens_of(&self, file: usize) -> Vec<Token> {
        self.tokens_in(file as CXFile, self.contents(file).len())
    }

    /// Returns the path of a file as clang found it.
    pub fn name_of(&self, file: usize) -> OsString {
        // SAFETY: the file belongs to this unit.
        unsafe { string(clang_getFileName(file as CXFile)) }.into()
    }

    /// True for the main file.
    pub fn is_main_file(&self, file: usize) -> bool {
        self.is_main(file as CXFile)
    }

    /// Returns the range, if the file is the main file.
    pub fn in_main_file(&self, file: usize, range: SourceRange) -> Option<SourceRange> {
        self.is_main(file as CXFile).then_some(range)
    }

    /// Converts a token.
    ///
    /// # Safety
    /// `token` must be a live token of this unit.
    unsafe fn token(&self, token: CXToken) -> Token {
        unsafe {
            Token {
                text: string(clang_getTokenSpelling(self.unit, token)),
                range: spelled_range(clang_getTokenExtent(self.unit, token)),
            }
        }
    }

    /// Returns the parts of the main file that the preprocessor skipped (`#if 0`), as pairs of offsets.
    pub fn skipped(&self) -> Vec<(u32, u32)> {
        self.skipped_in(self.file as usize)
    }

    /// Like [`Unit::skipped`], for any file and each of its inclusions.
    pub fn skipped_in(&self, file: usize) -> Vec<(u32, u32)> {
        // SAFETY: the list is valid until it is disposed of.
        unsafe {
            let list = clang_getSkippedRanges(self.unit, file as CXFile);
            if list.is_null() {
                return Vec::new();
            }
            let ranges = (0..(*list).count as usize).map(|k| spelled_range(*(*list).ranges.add(k)));
            let result = ranges.map(|range| (range.start, range.end)).collect();
            clang_disposeSourceRangeList(list);
            result
        }
    }
}

/// True if a text has a word.
fn has_word(text: &[u8], word: &[u8]) -> bool {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    memchr::memmem::find_iter(text, word).any(|at| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        !is_part(before) && !is_part(text.get(at + word.len()))
    })
}

/// Returns the path in the form that libclang takes, such that it never looks like an option.
fn path_argument(path: &Path) -> Result<CString, ClangError> {
    use std::os::unix::ffi::OsStrExt;
    let mut bytes = path.as_os_str().as_bytes().to_vec();
    if bytes.starts_with(b"-") {
        bytes.splice(0..0, *b"./");
    }
    CString::new(bytes).map_err(|_| ClangError::Failed("the path contains a NUL byte".to_owned()))
}
