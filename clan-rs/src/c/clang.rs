//! A thin, safe layer over libclang: the only unsafe code of this tool.
//!
//! A [`Unit`] owns everything that libclang allocates; cursors and types borrow it.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use std::cell::RefCell;
use std::collections::HashMap;
use std::env;
use std::ffi::{CStr, CString, OsString, c_char, c_int, c_uint};
use std::fmt;
use std::path::{Path, PathBuf};
use std::ptr;

use clang_sys::*;
use scop::SourceRange;

use crate::c::language;
use crate::options::rule::Included;

/// Why libclang gave no translation unit at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClangError {
    /// There is no libclang, or it cannot be opened.
    Missing(String),
    /// What was opened under its name is something else.
    Wrong(String),
    /// It is older than 17.
    TooOld(String),
    /// It failed without a diagnostic.
    Failed(String),
}

/// Loads libclang for this thread, unless that was done before.
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

/// An empty entry in a list of folders, or an empty `LIBCLANG_PATH`, stands for the current folder, which need not be
/// the user's own: no library is loaded from there.
fn forget_empty_folders() {
    for list in ["LD_LIBRARY_PATH", "LIBRARY_PATH", "LIBCLANG_PATH"] {
        let Some(value) = env::var_os(list) else { continue };
        let folders = env::split_paths(&value).filter(|folder| !folder.as_os_str().is_empty());
        let kept = env::join_paths(folders).unwrap_or_default();
        // SAFETY: no other thread uses the environment: the only other one waits for this one.
        unsafe { if kept.is_empty() { env::remove_var(list) } else { env::set_var(list, kept) } }
    }
}

/// Where Debian's package puts the libclang that `scripts/setup` installs.
const DEBIANS: &str = "/usr/lib/llvm-19/lib/libclang-19.so.1";

/// Unless the user names places, Debian's libclang 19 is taken if it is there: looking through all folders of libraries
/// for the newest one takes as long as reading a file of C.
fn prefer_debians() {
    let is_asked = ["LIBCLANG_PATH", "LLVM_CONFIG_PATH", "LD_LIBRARY_PATH", "LIBRARY_PATH"]
        .iter()
        .any(|name| env::var_os(name).is_some());
    if !is_asked && Path::new(DEBIANS).is_file() {
        // SAFETY: as above.
        unsafe { env::set_var("LIBCLANG_PATH", DEBIANS) }
    }
}

fn version() -> String {
    // SAFETY: the library is loaded, and every libclang has this function.
    unsafe { string(clang_getClangVersion()) }
}

/// The directory of clang's own headers (`stddef.h` and its like) that belongs to the loaded libclang, if it
/// stands where an installation of LLVM has it.
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

/// Keeps libclang from parsing in a thread of its own, whose stack of 8 MiB ends at some thousand nested operators. The
/// stack of a tool is larger.
fn parse_on_this_stack() {
    // SAFETY: no other thread of this process reads or changes the environment but by functions of Rust, which take
    // turns.
    unsafe { std::env::set_var("LIBCLANG_NOTHREADS", "1") };
}

/// A parsed C file.
pub struct Unit {
    index: CXIndex,
    unit: CXTranslationUnit,
    file: CXFile,
    size: usize,
    /// Which files are headers of C and C++ themselves, as far as that was asked.
    of_language: RefCell<HashMap<usize, bool>>,
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

impl Unit {
    /// Parses `text` as the contents of `path`. Errors in the C text are no error here: see [`Unit::errors`].
    /// `shown` are headers with the texts that clang is shown in place of their own, or where there are none.
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
        Ok(Self { index, unit, file, size: text.len(), of_language: RefCell::default() })
    }

    /// The errors that clang found, in its order.
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

    /// The files that were read, this one first.
    pub fn included(&self) -> Vec<Included> {
        extern "C" fn note(file: CXFile, _: *mut CXSourceLocation, _: c_uint, found: CXClientData) {
            // SAFETY: this is the list below, which nobody else uses meanwhile.
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

    /// True if the main file is read once more where it, or a file that it includes, includes it.
    pub fn includes_itself(&self) -> bool {
        extern "C" fn note(file: CXFile, _: *mut CXSourceLocation, depth: c_uint, found: CXClientData) {
            // SAFETY: these are the file and the answer below, which nobody else uses meanwhile.
            let (main, answer) = unsafe { &mut *found.cast::<(CXFile, bool)>() };
            // SAFETY: both files belong to the unit.
            *answer |= depth > 0 && unsafe { clang_File_isEqual(file, *main) } != 0;
        }
        let mut found = (self.file, false);
        // SAFETY: the unit is valid, and so is the pair until the call returns.
        unsafe { clang_getInclusions(self.unit, note, (&raw mut found).cast()) };
        found.1
    }

    /// The whole file.
    pub fn root(&self) -> Cursor<'_> {
        // SAFETY: the unit is valid.
        Cursor { raw: unsafe { clang_getTranslationUnitCursor(self.unit) }, unit: self }
    }

    /// What `__LINE__` and `__FILE__` would be at an offset of the main file.
    pub fn presumed(&self, offset: u32) -> (u32, String) {
        self.presumed_in(self.file as usize, offset)
    }

    /// The same for any file.
    pub fn presumed_in(&self, file: usize, offset: u32) -> (u32, String) {
        let (mut path, mut line) = (CXString::default(), 0);
        // SAFETY: the pointers are valid, and the path is taken once.
        unsafe {
            let location = clang_getLocationForOffset(self.unit, file as CXFile, offset);
            clang_getPresumedLocation(location, &mut path, &mut line, ptr::null_mut());
            (line, string(path))
        }
    }

    /// All tokens of the main file but comments.
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

    /// What clang says of attributes that it ignores; other compilers may not.
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

    /// The files that are no headers of C and C++ themselves, the main file among them.
    pub fn files_of_user(&self) -> Vec<usize> {
        extern "C" fn push(file: CXFile, _: *mut CXSourceLocation, _: c_uint, data: CXClientData) {
            // SAFETY: `data` is the vector below, and nothing else uses it during the visit.
            unsafe { (*data.cast::<Vec<CXFile>>()).push(file) };
        }
        let mut files: Vec<CXFile> = Vec::new();
        // SAFETY: the unit is valid.
        unsafe { clang_getInclusions(self.unit, push, (&raw mut files).cast()) };
        files.into_iter().map(|file| file as usize).filter(|&file| !self.is_of_language(file)).collect()
    }

    /// True for a header of C or C++ themselves.
    pub fn is_of_language(&self, file: usize) -> bool {
        let look = || !self.is_main_file(file) && language::has_header(Path::new(&self.name_of(file)));
        *self.of_language.borrow_mut().entry(file).or_insert_with(look)
    }

    /// The contents of the main file.
    pub fn text(&self) -> &[u8] {
        self.contents(self.file as usize)
    }

    /// The contents of a file, one of [`Unit::files_of_user`] or of a [`Spot`].
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

    /// All tokens of a file but comments; what their ranges say of lines and columns holds in that file.
    pub fn tokens_of(&self, file: usize) -> Vec<Token> {
        self.tokens_in(file as CXFile, self.contents(file).len())
    }

    /// The path of a file, as clang found it.
    pub fn name_of(&self, file: usize) -> OsString {
        // SAFETY: the file belongs to this unit.
        unsafe { string(clang_getFileName(file as CXFile)) }.into()
    }

    /// True for the main file.
    pub fn is_main_file(&self, file: usize) -> bool {
        self.is_main(file as CXFile)
    }

    /// Where a range of a file stands, if that is the main file.
    pub fn in_main_file(&self, file: usize, range: SourceRange) -> Option<SourceRange> {
        self.is_main(file as CXFile).then_some(range)
    }

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

    /// The parts of the main file that the preprocessor skipped (`#if 0`), as pairs of offsets.
    pub fn skipped(&self) -> Vec<(u32, u32)> {
        self.skipped_in(self.file as usize)
    }

    /// The same for any file, each time that it was included.
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

/// The path as libclang takes it: never one that looks like an option.
fn path_argument(path: &Path) -> Result<CString, ClangError> {
    use std::os::unix::ffi::OsStrExt;
    let mut bytes = path.as_os_str().as_bytes().to_vec();
    if bytes.starts_with(b"-") {
        bytes.splice(0..0, *b"./");
    }
    CString::new(bytes).map_err(|_| ClangError::Failed("the path contains a NUL byte".to_owned()))
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

/// A node of clang's syntax tree.
#[derive(Clone, Copy)]
pub struct Cursor<'u> {
    raw: CXCursor,
    unit: &'u Unit,
}

/// The value of a constant expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    /// Of an integer type.
    Integer(i128),
    /// Of a floating type.
    Floating(f64),
}

/// The kinds of the unsigned integer types.
const UNSIGNED: [CXTypeKind; 7] =
    [CXType_Bool, CXType_Char_U, CXType_UChar, CXType_UShort, CXType_UInt, CXType_ULong, CXType_ULongLong];

impl<'u> Cursor<'u> {
    /// The kind, one of `clang_sys::CXCursor_*`.
    pub fn kind(self) -> CXCursorKind {
        // SAFETY: the cursor belongs to a live unit; so it is in all functions below.
        unsafe { clang_getCursorKind(self.raw) }
    }

    /// clang's name of the kind.
    pub fn kind_name(self) -> String {
        unsafe { string(clang_getCursorKindSpelling(self.kind())) }
    }

    /// The children in the order of the text.
    pub fn children(self) -> Vec<Cursor<'u>> {
        extern "C" fn push(cursor: CXCursor, _: CXCursor, data: CXClientData) -> CXChildVisitResult {
            // SAFETY: `data` is the vector below, and nothing else uses it during the visit.
            unsafe { (*data.cast::<Vec<CXCursor>>()).push(cursor) };
            CXChildVisit_Continue
        }
        let mut found: Vec<CXCursor> = Vec::new();
        unsafe { clang_visitChildren(self.raw, push, (&raw mut found).cast()) };
        found.into_iter().map(|raw| Cursor { raw, unit: self.unit }).collect()
    }

    /// The name of a declaration or of what a reference refers to.
    pub fn spelling(self) -> String {
        unsafe { string(clang_getCursorSpelling(self.raw)) }
    }

    /// The C type.
    pub fn ctype(self) -> Type<'u> {
        Type { raw: unsafe { clang_getCursorType(self.raw) }, unit: self.unit }
    }

    /// The declaration that a reference refers to, in its first redeclaration; itself for a declaration.
    pub fn declaration(self) -> Cursor<'u> {
        let raw = unsafe { clang_getCanonicalCursor(clang_getCursorReferenced(self.raw)) };
        Cursor { raw, unit: self.unit }
    }

    /// The declaration that a reference refers to, as it is known at the reference.
    pub fn referenced(self) -> Cursor<'u> {
        Cursor { raw: unsafe { clang_getCursorReferenced(self.raw) }, unit: self.unit }
    }

    /// A number that is the same for all cursors of one declaration (see [`Cursor::declaration`]), and for no other.
    pub fn identity(self) -> usize {
        self.raw.data[0] as usize
    }

    /// True if both are the same node.
    pub fn is(self, other: Cursor<'u>) -> bool {
        unsafe { clang_equalCursors(self.raw, other.raw) != 0 }
    }

    /// What a declaration belongs to.
    pub fn parent(self) -> Cursor<'u> {
        Cursor { raw: unsafe { clang_getCursorSemanticParent(self.raw) }, unit: self.unit }
    }

    /// True if a member has a width in bits.
    pub fn is_bit_field(self) -> bool {
        unsafe { clang_Cursor_isBitField(self.raw) != 0 }
    }

    /// True if a variable lives as long as its block: it has no linkage, its storage is neither static nor external,
    /// and it is not thread-local. Where the declaration stands says nothing: `extern "C"`, namespaces and classes are
    /// around variables of all kinds.
    pub fn is_automatic(self) -> bool {
        let (linkage, storage, tls) = unsafe {
            (
                clang_getCursorLinkage(self.raw),
                clang_Cursor_getStorageClass(self.raw),
                clang_getCursorTLSKind(self.raw),
            )
        };
        let stored = storage == CX_SC_Static || storage == CX_SC_Extern;
        linkage == CXLinkage_NoLinkage && !stored && tls == CXTLS_None
    }

    /// True if a variable is declared `register`.
    pub fn is_register(self) -> bool {
        unsafe { clang_Cursor_getStorageClass(self.raw) == CX_SC_Register }
    }

    /// True if a function has a body in this unit that no header of C and C++ themselves gives it.
    pub fn is_defined_by_user(self) -> bool {
        self.definition().is_some_and(|definition| !definition.is_of_language())
    }

    /// The definition of a function, if this unit has it.
    pub fn definition(self) -> Option<Cursor<'u>> {
        let raw = unsafe { clang_getCursorDefinition(self.raw) };
        (unsafe { clang_Cursor_isNull(raw) } == 0).then_some(Cursor { raw, unit: self.unit })
    }

    /// The type of a function's value.
    pub fn result(self) -> Type<'u> {
        Type { raw: unsafe { clang_getCursorResultType(self.raw) }, unit: self.unit }
    }

    /// True for a member function that needs no object.
    pub fn is_static_member(self) -> bool {
        self.kind() == CXCursor_CXXMethod && unsafe { clang_CXXMethod_isStatic(self.raw) != 0 }
    }

    /// The value that a parameter has where a call gives it none, if it is known; the initialiser of a variable.
    pub fn default_value(self) -> Option<Cursor<'u>> {
        let raw = unsafe { clang_Cursor_getVarDeclInitializer(self.raw) };
        (unsafe { clang_Cursor_isNull(raw) } == 0).then_some(Cursor { raw, unit: self.unit })
    }

    /// The parameters of a function.
    pub fn parameters(self) -> Vec<Cursor<'u>> {
        let count = unsafe { clang_Cursor_getNumArguments(self.raw) };
        let parameter = |number| unsafe { clang_Cursor_getArgument(self.raw, number) };
        (0..count.max(0) as c_uint).map(|number| Cursor { raw: parameter(number), unit: self.unit }).collect()
    }

    /// True for what stands nowhere in the text, as an argument that a call leaves out.
    pub fn is_unwritten(self) -> bool {
        unsafe { clang_Range_isNull(clang_getCursorExtent(self.raw)) != 0 }
    }

    /// True for a function that is `extern "C"`: nothing of its type is in its name.
    pub fn has_c_linkage(self) -> bool {
        let external = unsafe { clang_getCursorLinkage(self.raw) } == CXLinkage_External;
        external && unsafe { string(clang_Cursor_getMangling(self.raw)) } == self.spelling()
    }

    /// The name by which the linker knows a function or variable; nothing for one that other files cannot mean.
    pub fn linker_name(self) -> Option<String> {
        let linkage = unsafe { clang_getCursorLinkage(self.raw) };
        (linkage == CXLinkage_External).then(|| unsafe { string(clang_Cursor_getMangling(self.raw)) })
    }

    /// True if a declaration of a function has its body.
    pub fn is_definition(self) -> bool {
        unsafe { clang_isCursorDefinition(self.raw) != 0 }
    }

    /// True if it stands in a header of C or C++ themselves.
    pub fn is_of_language(self) -> bool {
        let file = self.spot().file;
        file != 0 && self.unit.is_of_language(file)
    }

    /// True if it stands in a header that the command line, or the compiler, calls one of the system.
    pub fn is_in_system_header(self) -> bool {
        unsafe { clang_Location_isInSystemHeader(clang_getCursorLocation(self.raw)) != 0 }
    }

    /// True if the text from which it came stands in the main file.
    pub fn is_in_main_file(self) -> bool {
        let point = Point::of_expansion(unsafe { clang_getCursorLocation(self.raw) });
        unsafe { clang_File_isEqual(point.file, self.unit.file) != 0 }
    }

    /// The initialiser of a variable. What a parameter has is a default, which calls may not use.
    pub fn initialiser(self) -> Option<Cursor<'u>> {
        if self.kind() == CXCursor_ParmDecl { None } else { self.default_value() }
    }

    /// The operator of a binary operator or assignment, one of `CXBinaryOperator_*`.
    pub fn binary_operator(self) -> CXBinaryOperatorKind {
        unsafe { clang_getCursorBinaryOperatorKind(self.raw) }
    }

    /// The operator of a unary operator, one of `CXUnaryOperator_*`.
    pub fn unary_operator(self) -> CXUnaryOperatorKind {
        unsafe { clang_getCursorUnaryOperatorKind(self.raw) }
    }

    /// The template that a class or function was made of.
    pub fn template(self) -> Option<Cursor<'u>> {
        let raw = unsafe { clang_getSpecializedCursorTemplate(self.raw) };
        (unsafe { clang_Cursor_isNull(raw) } == 0).then_some(Cursor { raw, unit: self.unit })
    }

    /// A declaration without its body, as clang writes it, without macros.
    pub fn head(self) -> String {
        unsafe {
            let policy = clang_getCursorPrintingPolicy(self.raw);
            clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
            let head = string(clang_getCursorPrettyPrinted(self.raw, policy));
            clang_PrintingPolicy_dispose(policy);
            head
        }
    }

    /// The kind of what a template makes.
    pub fn kind_of_template(self) -> CXCursorKind {
        unsafe { clang_getTemplateCursorKind(self.raw) }
    }

    /// True for a member of a class that everybody may use.
    pub fn is_public(self) -> bool {
        unsafe { clang_getCXXAccessSpecifier(self.raw) == CX_CXXPublic }
    }

    /// True for a member function that is declared with `= default` or `= delete`.
    pub fn is_defaulted_or_deleted(self) -> bool {
        unsafe { clang_CXXMethod_isDefaulted(self.raw) != 0 || clang_CXXMethod_isDeleted(self.raw) != 0 }
    }

    /// True for a constructor that copies or moves.
    pub fn copies_or_moves(self) -> bool {
        unsafe {
            clang_CXXConstructor_isCopyConstructor(self.raw) != 0
                || clang_CXXConstructor_isMoveConstructor(self.raw) != 0
        }
    }

    /// True for a virtual function, and for a virtual base.
    pub fn is_virtual(self) -> bool {
        unsafe { clang_CXXMethod_isVirtual(self.raw) != 0 || clang_isVirtualBase(self.raw) != 0 }
    }

    /// True for expressions.
    pub fn is_expression(self) -> bool {
        unsafe { clang_isExpression(self.kind()) != 0 }
    }

    /// True for `enum class`, whose values nothing converts but casts.
    pub fn is_scoped_enumeration(self) -> bool {
        unsafe { clang_EnumDecl_isScoped(self.raw) != 0 }
    }

    /// The value of an enumeration constant.
    pub fn enumerator_value(self) -> i128 {
        let integer =
            Type { raw: unsafe { clang_getEnumDeclIntegerType(self.parent().raw) }, unit: self.unit };
        match UNSIGNED.contains(&integer.canonical().kind()) {
            true => i128::from(unsafe { clang_getEnumConstantDeclUnsignedValue(self.raw) }),
            false => i128::from(unsafe { clang_getEnumConstantDeclValue(self.raw) }),
        }
    }

    /// True for a variable that is made of a template. libclang has no kind for it; what it calls declarations among
    /// files shows the arguments.
    pub fn is_made_of_template(self) -> bool {
        let name = unsafe { string(clang_getCursorUSR(self.raw)) };
        name.contains(&format!("@{}>", self.spelling()))
    }

    /// The value of a constant expression, or of the initialiser of a variable.
    pub fn evaluate(self) -> Option<Constant> {
        unsafe {
            let result = clang_Cursor_Evaluate(self.raw);
            if result.is_null() {
                return None;
            }
            let value = match clang_EvalResult_getKind(result) {
                CXEval_Int if clang_EvalResult_isUnsignedInt(result) != 0 => {
                    Some(Constant::Integer(i128::from(clang_EvalResult_getAsUnsigned(result))))
                }
                CXEval_Int => Some(Constant::Integer(i128::from(clang_EvalResult_getAsLongLong(result)))),
                CXEval_Float => Some(Constant::Floating(clang_EvalResult_getAsDouble(result))),
                _ => None,
            };
            clang_EvalResult_dispose(result);
            value
        }
    }

    /// Where it stands in the main file: inside a macro's arguments, there; otherwise the macro's use.
    pub fn range(self) -> SourceRange {
        unsafe {
            let extent = clang_getCursorExtent(self.raw);
            let (start, end) = (clang_getRangeStart(extent), clang_getRangeEnd(extent));
            let (first, last) = (Point::of_file(start), Point::of_file(end));
            if last.offset > first.offset {
                return first.until(last.offset);
            }
            let outer = Point::of_expansion(start);
            outer.until(last.offset.max(Point::of_expansion(end).offset))
        }
    }

    /// The text of the main file from where it begins in [`Cursor::range`].
    pub fn text_of_file(self) -> Option<&'u [u8]> {
        self.text_from(Point::of_file(unsafe { clang_getRangeStart(clang_getCursorExtent(self.raw)) }))
    }

    /// Where the name of a declaration stands.
    pub fn name_range(self) -> SourceRange {
        let point = Point::of_file(unsafe { clang_getCursorLocation(self.raw) });
        point.until(point.offset + self.spelling().len() as u32)
    }

    /// True for an attribute of the declaration that it is a child of.
    pub fn is_attribute(self) -> bool {
        unsafe { clang_isAttribute(self.kind()) != 0 }
    }

    /// True for declarations.
    pub fn is_declaration(self) -> bool {
        unsafe { clang_isDeclaration(self.kind()) != 0 }
    }

    /// The declarations below it, at any depth.
    pub fn declarations_below(self) -> Vec<Cursor<'u>> {
        // SAFETY: the cursor belongs to a unit that lives.
        self.below(|cursor| Seen::wanted_if(unsafe { clang_isDeclaration(clang_getCursorKind(cursor)) } != 0))
    }

    /// The mentions of variables below it, at any depth, but for those in a `sizeof` and the like that has a constant
    /// value: that of a type of variable size reads what the size depends on.
    pub fn mentions_below(self) -> Vec<Cursor<'u>> {
        // SAFETY: the cursor belongs to a unit that lives.
        self.below(|cursor| match unsafe { clang_getCursorKind(cursor) } {
            CXCursor_UnaryExpr if unsafe { is_constant(cursor) } => Seen::Skipped,
            kind => Seen::wanted_if(kind == CXCursor_DeclRefExpr),
        })
    }

    /// The statements below it, at any depth, that may have a part of which libclang shows nothing.
    pub fn statements_with_first_parts(self) -> Vec<Cursor<'u>> {
        let kinds = &[CXCursor_SwitchStmt, CXCursor_CXXForRangeStmt];
        // SAFETY: the cursor belongs to a unit that lives.
        self.below(|cursor| Seen::wanted_if(kinds.contains(&unsafe { clang_getCursorKind(cursor) })))
    }

    /// The constructors of explicit specialisations of class templates, outside of the system's headers, that are
    /// written below it.
    pub fn specialised_constructors(self) -> Vec<Cursor<'u>> {
        // SAFETY: the cursor belongs to a unit that lives.
        let found = self.below(|cursor| unsafe {
            match clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)) {
                0 => Seen::wanted_if(clang_getCursorKind(cursor) == CXCursor_Constructor),
                _ => Seen::Skipped,
            }
        });
        found.into_iter().filter(|constructor| constructor.parent().template().is_some()).collect()
    }

    /// The strings below it, at any depth, and itself if it is one.
    pub fn string_literals(self) -> Vec<Cursor<'u>> {
        self.all_of(CXCursor_StringLiteral)
    }

    /// What asks for the size or alignment of something below it, at any depth, and itself if it does.
    pub fn measures(self) -> Vec<Cursor<'u>> {
        self.all_of(CXCursor_UnaryExpr)
    }

    /// The calls below it, at any depth, and itself if it is one.
    pub fn calls(self) -> Vec<Cursor<'u>> {
        self.all_of(CXCursor_CallExpr)
    }

    /// Itself and what is below it, as far as they are of a kind.
    fn all_of(self, kind: CXCursorKind) -> Vec<Cursor<'u>> {
        // SAFETY: the cursor belongs to a unit that lives.
        let below = self.below(|cursor| Seen::wanted_if(unsafe { clang_getCursorKind(cursor) } == kind));
        std::iter::once(self).filter(|own| own.kind() == kind).chain(below).collect()
    }

    /// All that its unit declares.
    pub fn root(self) -> Cursor<'u> {
        self.unit.root()
    }

    /// What is mentioned or called below it, at any depth, and by itself; constructors and conversions are called
    /// without a mention.
    pub fn mentioned(self) -> Vec<Cursor<'u>> {
        let mentions = [CXCursor_CallExpr, CXCursor_DeclRefExpr, CXCursor_MemberRefExpr, CXCursor_TypeRef];
        // SAFETY: the cursor belongs to a unit that lives.
        let below =
            self.below(|cursor| Seen::wanted_if(mentions.contains(&unsafe { clang_getCursorKind(cursor) })));
        let own = std::iter::once(self).filter(|own| mentions.contains(&own.kind()));
        own.chain(below).map(Cursor::referenced).collect()
    }

    /// What is wanted of all that is below it, in the order of the text.
    fn below(self, look: impl Fn(CXCursor) -> Seen) -> Vec<Cursor<'u>> {
        struct Search<'a> {
            look: &'a dyn Fn(CXCursor) -> Seen,
            found: Vec<CXCursor>,
        }
        extern "C" fn visit(cursor: CXCursor, _: CXCursor, search: CXClientData) -> CXChildVisitResult {
            // SAFETY: this is the search below, and nothing else uses it during the visit.
            let search = unsafe { &mut *search.cast::<Search>() };
            match (search.look)(cursor) {
                Seen::Wanted => search.found.push(cursor),
                Seen::Other => {}
                Seen::Skipped => return CXChildVisit_Continue,
            }
            CXChildVisit_Recurse
        }
        let mut search = Search { look: &look, found: Vec::new() };
        // SAFETY: the cursor belongs to a unit that lives, and so does the search until the call returns.
        unsafe { clang_visitChildren(self.raw, visit, (&raw mut search).cast()) };
        search.found.into_iter().map(|raw| Cursor { raw, unit: self.unit }).collect()
    }

    /// The texts of the tokens of what stands together in one file, such as the definition of a macro.
    pub fn words(self) -> Vec<String> {
        let mut tokens = ptr::null_mut();
        let mut count = 0;
        // SAFETY: the tokens are disposed of after the last use.
        unsafe {
            clang_tokenize(self.unit.unit, clang_getCursorExtent(self.raw), &mut tokens, &mut count);
            let token = |k: usize| string(clang_getTokenSpelling(self.unit.unit, *tokens.add(k)));
            let words = (0..count as usize).map(token).collect();
            clang_disposeTokens(self.unit.unit, tokens, count);
            words
        }
    }

    /// Where the name of a declaration stands, after macro expansion.
    pub fn spot(self) -> Spot {
        Point::of_expansion(unsafe { clang_getCursorLocation(self.raw) }).spot()
    }

    /// Where its text ends, after macro expansion.
    pub fn end(self) -> Spot {
        Point::of_expansion(unsafe { clang_getRangeEnd(clang_getCursorExtent(self.raw)) }).spot()
    }

    /// The text of the token with which it begins and what follows it, as some file or macro definition spells it.
    pub fn spelled_text(self) -> Option<&'u [u8]> {
        self.text_from(Point::of_spelling(unsafe { clang_getRangeStart(clang_getCursorExtent(self.raw)) }))
    }

    fn text_from(self, point: Point) -> Option<&'u [u8]> {
        if point.file.is_null() {
            return None;
        }
        let mut size = 0;
        unsafe {
            let contents = clang_getFileContents(self.unit.unit, point.file, &mut size);
            if contents.is_null() {
                return None;
            }
            std::slice::from_raw_parts(contents.cast::<u8>(), size).get(point.offset as usize..)
        }
    }
}

impl fmt::Debug for Cursor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}` at {}", self.kind_name(), self.spelling(), self.range().line)
    }
}

/// A C type.
#[derive(Clone, Copy)]
pub struct Type<'u> {
    raw: CXType,
    unit: &'u Unit,
}

impl<'u> Type<'u> {
    fn with(self, raw: CXType) -> Self {
        Self { raw, unit: self.unit }
    }

    /// The kind, one of `clang_sys::CXType_*`.
    pub fn kind(self) -> CXTypeKind {
        self.raw.kind
    }

    /// How C writes it.
    pub fn spelling(self) -> String {
        unsafe { string(clang_getTypeSpelling(self.raw)) }
    }

    /// The same without typedef names.
    pub fn canonical(self) -> Self {
        self.with(unsafe { clang_getCanonicalType(self.raw) })
    }

    /// True if it is `const`.
    pub fn is_const(self) -> bool {
        unsafe { clang_isConstQualifiedType(self.raw) != 0 }
    }

    /// True if it is `volatile`.
    pub fn is_volatile(self) -> bool {
        unsafe { clang_isVolatileQualifiedType(self.raw) != 0 }
    }

    /// True if it is `restrict`.
    pub fn is_restrict(self) -> bool {
        unsafe { clang_isRestrictQualifiedType(self.raw) != 0 }
    }

    /// What a function returns.
    pub fn result(self) -> Self {
        self.with(unsafe { clang_getResultType(self.raw) })
    }

    /// What a pointer points to.
    pub fn target(self) -> Self {
        self.with(unsafe { clang_getPointeeType(self.raw) })
    }

    /// True for the type of a reference of C++.
    pub fn is_reference(self) -> bool {
        [CXType_LValueReference, CXType_RValueReference].contains(&self.canonical().kind())
    }

    /// The element of an array.
    pub fn element(self) -> Self {
        self.with(unsafe { clang_getArrayElementType(self.raw) })
    }

    /// The type of the parts of a complex number.
    pub fn part(self) -> Self {
        self.with(unsafe { clang_getElementType(self.raw) })
    }

    /// The length of an array of constant length.
    pub fn length(self) -> i64 {
        unsafe { clang_getArraySize(self.raw) }
    }

    /// The size in bytes; nothing for types that have none.
    pub fn size(self) -> Option<u32> {
        u32::try_from(unsafe { clang_Type_getSizeOf(self.raw) }).ok()
    }

    /// What a typedef name stands for, or what an elaborated type names.
    pub fn named(self) -> Option<Self> {
        match self.kind() {
            CXType_Typedef => {
                Some(self.with(unsafe { clang_getTypedefDeclUnderlyingType(self.declaration().raw) }))
            }
            CXType_Elaborated => Some(self.with(unsafe { clang_Type_getNamedType(self.raw) })),
            _ => None,
        }
    }

    /// The declaration of a typedef name, structure, union, class or enumeration.
    pub fn declaration(self) -> Cursor<'u> {
        Cursor { raw: unsafe { clang_getTypeDeclaration(self.raw) }, unit: self.unit }
    }

    /// The members of a structure, union or class, but for those of its bases.
    pub fn fields(self) -> Vec<Cursor<'u>> {
        extern "C" fn push(cursor: CXCursor, data: CXClientData) -> CXVisitorResult {
            // SAFETY: `data` is the vector below, and nothing else uses it during the visit.
            unsafe { (*data.cast::<Vec<CXCursor>>()).push(cursor) };
            CXVisit_Continue
        }
        let mut found: Vec<CXCursor> = Vec::new();
        unsafe { clang_Type_visitFields(self.raw, push, (&raw mut found).cast()) };
        found.into_iter().map(|raw| Cursor { raw, unit: self.unit }).collect()
    }

    /// The arguments of a class that was made of a template, but for those that are no types: they are of the kind
    /// `CXType_Invalid`.
    pub fn template_arguments(self) -> Vec<Self> {
        let count = unsafe { clang_Type_getNumTemplateArguments(self.raw) };
        let argument = |number| unsafe { clang_Type_getTemplateArgumentAsType(self.raw, number) };
        (0..count.max(0) as c_uint).map(|number| self.with(argument(number))).collect()
    }

    /// True for types that C has as well: their objects need no constructor.
    pub fn is_plain_old_data(self) -> bool {
        unsafe { clang_isPODType(self.raw) != 0 }
    }

    /// The number of the address space of its objects; zero for ordinary memory.
    pub fn address_space(self) -> u32 {
        // Expressions may have no type, such as `(n)` behind the name of a variable of a template's type; libclang does
        // not ask.
        if self.kind() == CXType_Invalid {
            return 0;
        }
        unsafe { clang_getAddressSpace(self.raw) }
    }

    /// The integer type that represents an enumeration.
    pub fn of_enumeration(self) -> Self {
        self.with(unsafe { clang_getEnumDeclIntegerType(clang_getTypeDeclaration(self.raw)) })
    }
}

/// What a search makes of a cursor.
enum Seen {
    /// It is on the list, and what is below it is looked at.
    Wanted,
    /// What is below it is looked at.
    Other,
    /// Neither.
    Skipped,
}

impl Seen {
    fn wanted_if(wanted: bool) -> Self {
        if wanted { Self::Wanted } else { Self::Other }
    }
}

/// True for an expression that has an integer as its value, whenever it is evaluated.
///
/// # Safety
/// The cursor belongs to a unit that lives.
unsafe fn is_constant(cursor: CXCursor) -> bool {
    // SAFETY: as above; the result is disposed of after the last use.
    unsafe {
        let result = clang_Cursor_Evaluate(cursor);
        let is_integer = !result.is_null() && clang_EvalResult_getKind(result) == CXEval_Int;
        if !result.is_null() {
            clang_EvalResult_dispose(result);
        }
        is_integer
    }
}
