//! Nodes of clang's syntax tree.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use std::ffi::c_uint;
use std::fmt;
use std::ptr;

use clang_sys::*;
use scop::SourceRange;

use super::{Constant, Cursor, Point, Spot, Type, Unit, string};

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

    /// The header of C or C++ themselves that an inclusion directive leads to, by its last name.
    pub fn included_of_language(self) -> Option<String> {
        let file = unsafe { clang_getIncludedFile(self.raw) } as usize;
        if file == 0 || !self.unit.is_of_language(file) {
            return None;
        }
        let name = self.unit.name_of(file);
        let name = std::path::Path::new(&name).file_name()?;
        Some(name.to_string_lossy().into_owned())
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

    /// The unit that it belongs to.
    pub fn unit(self) -> &'u Unit {
        self.unit
    }

    /// Its text as a file has it, from the first macro or argument of one to the last. [`Cursor::words`] are those of
    /// the macros that it comes from.
    pub fn written_text(self) -> &'u [u8] {
        let extent = unsafe { clang_getCursorExtent(self.raw) };
        let (start, end) = unsafe { (clang_getRangeStart(extent), clang_getRangeEnd(extent)) };
        let [start, end] = [start, end].map(|at| [Point::of_expansion(at), Point::of_file(at)]);
        let file = start[0].file;
        let offsets = |points: [Point; 2]| {
            points.into_iter().filter(|point| point.file == file).map(|point| point.offset as usize)
        };
        let contents = if file.is_null() { &[] } else { self.unit.contents(file as usize) };
        let range = offsets(start).min().unwrap_or(0)..offsets(end).max().unwrap_or(0);
        contents.get(range).unwrap_or_default()
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
