//! Nodes of clang's syntax tree.

// The constants have the names that libclang gives them.
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
    /// Returns the kind, one of `clang_sys::CXCursor_*`.
    pub fn kind(self) -> CXCursorKind {
        // SAFETY: the cursor belongs to a live unit. The same reason holds in all functions below.
        unsafe { clang_getCursorKind(self.raw) }
    }

    /// Returns clang's name of the kind.
    pub fn kind_name(self) -> String {
        unsafe { string(clang_getCursorKindSpelling(self.kind())) }
    }

    /// Returns the children in source order.
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

    /// Returns the name of a declaration, or of what a reference refers to.
    pub fn spelling(self) -> String {
        unsafe { string(clang_getCursorSpelling(self.raw)) }
    }

    /// Returns the C type.
    pub fn ctype(self) -> Type<'u> {
        Type { raw: unsafe { clang_getCursorType(self.raw) }, unit: self.unit }
    }

    /// Returns the first declaration of what a reference refers to, or of what the cursor itself declares.
    pub fn declaration(self) -> Cursor<'u> {
        let raw = unsafe { clang_getCanonicalCursor(clang_getCursorReferenced(self.raw)) };
        Cursor { raw, unit: self.unit }
    }

    /// Returns the declaration that a reference refers to, as visible at the reference.
    pub fn referenced(self) -> Cursor<'u> {
        Cursor { raw: unsafe { clang_getCursorReferenced(self.raw) }, unit: self.unit }
    }

    /// Returns a number that is the same for all cursors of one declaration (see [`Cursor::declaration`]), and
    /// different for all others.
    pub fn identity(self) -> usize {
        self.raw.data[0] as usize
    }

    /// Returns a number that is the same for all cursors of one expression, and different for all others.
    pub fn identity_of_node(self) -> usize {
        self.raw.data[1] as usize
    }

    /// True if both are the same node.
    pub fn is(self, other: Cursor<'u>) -> bool {
        unsafe { clang_equalCursors(self.raw, other.raw) != 0 }
    }

    /// Returns the semantic parent of a declaration.
    pub fn parent(self) -> Cursor<'u> {
        Cursor { raw: unsafe { clang_getCursorSemanticParent(self.raw) }, unit: self.unit }
    }

    /// Returns the cursor in whose text this one stands: for a friend that a class defines, the class.
    pub fn text_parent(self) -> Cursor<'u> {
        Cursor { raw: unsafe { clang_getCursorLexicalParent(self.raw) }, unit: self.unit }
    }

    /// True if a member is a bit-field.
    pub fn is_bit_field(self) -> bool {
        unsafe { clang_Cursor_isBitField(self.raw) != 0 }
    }

    /// True if a variable has automatic storage duration: it has no linkage, its storage is neither static nor
    /// external, and it is not thread-local. The place of its declaration does not decide this: `extern "C"`,
    /// namespaces and classes may surround variables of all kinds.
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

    /// True if a function has a body in this unit, and not in a header of C or C++ themselves.
    pub fn is_defined_by_user(self) -> bool {
        self.definition().is_some_and(|definition| !definition.is_of_language())
    }

    /// Returns the definition of a function, if this unit contains it.
    pub fn definition(self) -> Option<Cursor<'u>> {
        let raw = unsafe { clang_getCursorDefinition(self.raw) };
        (unsafe { clang_Cursor_isNull(raw) } == 0).then_some(Cursor { raw, unit: self.unit })
    }

    /// Returns the return type of a function.
    pub fn result(self) -> Type<'u> {
        Type { raw: unsafe { clang_getCursorResultType(self.raw) }, unit: self.unit }
    }

    /// True for a static member function.
    pub fn is_static_member(self) -> bool {
        self.kind() == CXCursor_CXXMethod && unsafe { clang_CXXMethod_isStatic(self.raw) != 0 }
    }

    /// Returns the default argument of a parameter, or the initialiser of a variable, if there is one.
    pub fn default_value(self) -> Option<Cursor<'u>> {
        let raw = unsafe { clang_Cursor_getVarDeclInitializer(self.raw) };
        (unsafe { clang_Cursor_isNull(raw) } == 0).then_some(Cursor { raw, unit: self.unit })
    }

    /// Returns the parameters of a function.
    pub fn parameters(self) -> Vec<Cursor<'u>> {
        let count = unsafe { clang_Cursor_getNumArguments(self.raw) };
        let parameter = |number| unsafe { clang_Cursor_getArgument(self.raw, number) };
        (0..count.max(0) as c_uint).map(|number| Cursor { raw: parameter(number), unit: self.unit }).collect()
    }

    /// True for an expression that does not appear in the source, such as an argument that a call omits.
    pub fn is_unwritten(self) -> bool {
        unsafe { clang_Range_isNull(clang_getCursorExtent(self.raw)) != 0 }
    }

    /// True for a function that is `extern "C"`, so that its linker name does not encode its type.
    pub fn has_c_linkage(self) -> bool {
        let external = unsafe { clang_getCursorLinkage(self.raw) } == CXLinkage_External;
        external && unsafe { string(clang_Cursor_getMangling(self.raw)) } == self.spelling()
    }

    /// Returns the name of a function or variable for the linker; `None` if other files cannot refer to it.
    pub fn linker_name(self) -> Option<String> {
        let linkage = unsafe { clang_getCursorLinkage(self.raw) };
        (linkage == CXLinkage_External).then(|| unsafe { string(clang_Cursor_getMangling(self.raw)) })
    }

    /// True if this declaration of a function contains its body.
    pub fn is_definition(self) -> bool {
        unsafe { clang_isCursorDefinition(self.raw) != 0 }
    }

    /// True if it is in a header of C or C++ themselves.
    pub fn is_of_language(self) -> bool {
        let file = self.spot().file;
        file != 0 && self.unit.is_of_language(file)
    }

    /// Returns the file name of the header of C or C++ themselves that an inclusion directive includes.
    pub fn included_of_language(self) -> Option<String> {
        let file = unsafe { clang_getIncludedFile(self.raw) } as usize;
        if file == 0 || !self.unit.is_of_language(file) {
            return None;
        }
        let name = self.unit.name_of(file);
        let name = std::path::Path::new(&name).file_name()?;
        Some(name.to_string_lossy().into_owned())
    }

    /// True if it is in a system header, as defined by the command line or the compiler.
    pub fn is_in_system_header(self) -> bool {
        unsafe { clang_Location_isInSystemHeader(clang_getCursorLocation(self.raw)) != 0 }
    }

    /// True if the text that it was expanded from is in the main file.
    pub fn is_in_main_file(self) -> bool {
        let point = Point::of_expansion(unsafe { clang_getCursorLocation(self.raw) });
        unsafe { clang_File_isEqual(point.file, self.unit.file) != 0 }
    }

    /// Returns the initialiser of a variable. For a parameter it returns `None`: its default is not the value of
    /// every call.
    pub fn initialiser(self) -> Option<Cursor<'u>> {
        if self.kind() == CXCursor_ParmDecl { None } else { self.default_value() }
    }

    /// Returns the operator of a binary operator or assignment, one of `CXBinaryOperator_*`.
    pub fn binary_operator(self) -> CXBinaryOperatorKind {
        unsafe { clang_getCursorBinaryOperatorKind(self.raw) }
    }

    /// Returns the operator of a unary operator, one of `CXUnaryOperator_*`.
    pub fn unary_operator(self) -> CXUnaryOperatorKind {
        unsafe { clang_getCursorUnaryOperatorKind(self.raw) }
    }

    /// Returns the template of which a class or function is a specialisation.
    pub fn template(self) -> Option<Cursor<'u>> {
        let raw = unsafe { clang_getSpecializedCursorTemplate(self.raw) };
        (unsafe { clang_Cursor_isNull(raw) } == 0).then_some(Cursor { raw, unit: self.unit })
    }

    /// Returns a declaration without its body, as clang prints it, with macros expanded.
    pub fn head(self) -> String {
        unsafe {
            let policy = clang_getCursorPrintingPolicy(self.raw);
            clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
            let head = string(clang_getCursorPrettyPrinted(self.raw, policy));
            clang_PrintingPolicy_dispose(policy);
            head
        }
    }

    /// Returns the kind of the declarations that a template generates.
    pub fn kind_of_template(self) -> CXCursorKind {
        unsafe { clang_getTemplateCursorKind(self.raw) }
    }

    /// True for a public member of a class.
    pub fn is_public(self) -> bool {
        unsafe { clang_getCXXAccessSpecifier(self.raw) == CX_CXXPublic }
    }

    /// True for a member function that is declared `= default` or `= delete`.
    pub fn is_defaulted_or_deleted(self) -> bool {
        unsafe { clang_CXXMethod_isDefaulted(self.raw) != 0 || clang_CXXMethod_isDeleted(self.raw) != 0 }
    }

    /// True for a copy or move constructor.
    pub fn copies_or_moves(self) -> bool {
        unsafe {
            clang_CXXConstructor_isCopyConstructor(self.raw) != 0
                || clang_CXXConstructor_isMoveConstructor(self.raw) != 0
        }
    }

    /// True for a virtual function or a virtual base.
    pub fn is_virtual(self) -> bool {
        unsafe { clang_CXXMethod_isVirtual(self.raw) != 0 || clang_isVirtualBase(self.raw) != 0 }
    }

    /// True for expressions.
    pub fn is_expression(self) -> bool {
        unsafe { clang_isExpression(self.kind()) != 0 }
    }

    /// True for `enum class`, whose values are converted only by casts.
    pub fn is_scoped_enumeration(self) -> bool {
        unsafe { clang_EnumDecl_isScoped(self.raw) != 0 }
    }

    /// Returns the value of an enumeration constant.
    pub fn enumerator_value(self) -> i128 {
        let integer =
            Type { raw: unsafe { clang_getEnumDeclIntegerType(self.parent().raw) }, unit: self.unit };
        match UNSIGNED.contains(&integer.canonical().kind()) {
            true => i128::from(unsafe { clang_getEnumConstantDeclUnsignedValue(self.raw) }),
            false => i128::from(unsafe { clang_getEnumConstantDeclValue(self.raw) }),
        }
    }

    /// True for a specialisation of a variable template. libclang has no cursor kind for it; its USR, libclang's
    /// name of a declaration across files, shows the template arguments.
    pub fn is_made_of_template(self) -> bool {
        let name = unsafe { string(clang_getCursorUSR(self.raw)) };
        name.contains(&format!("@{}>", self.spelling()))
    }

    /// Returns the value of a constant expression, or of the initialiser of a variable.
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

    /// Returns its range in the main file: inside a macro's argument, the place in the argument; otherwise in a
    /// macro's expansion, the macro's use.
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

    /// Returns the text of the main file from the start of [`Cursor::range`] on.
    pub fn text_of_file(self) -> Option<&'u [u8]> {
        self.text_from(Point::of_file(unsafe { clang_getRangeStart(clang_getCursorExtent(self.raw)) }))
    }

    /// Returns the place of the name in a declaration.
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

    /// Returns the declarations inside it, at any depth.
    pub fn declarations_below(self) -> Vec<Cursor<'u>> {
        // SAFETY: the cursor belongs to a live unit.
        self.below(|cursor| Seen::wanted_if(unsafe { clang_isDeclaration(clang_getCursorKind(cursor)) } != 0))
    }

    /// Returns the mentions of variables inside it, at any depth, except those in a `sizeof` or similar operator
    /// that has a constant value. The `sizeof` of a type of variable size reads the variables that the size depends
    /// on.
    pub fn mentions_below(self) -> Vec<Cursor<'u>> {
        // SAFETY: the cursor belongs to a live unit.
        self.below(|cursor| match unsafe { clang_getCursorKind(cursor) } {
            CXCursor_UnaryExpr if unsafe { is_constant(cursor) } => Seen::Skipped,
            kind => Seen::wanted_if(kind == CXCursor_DeclRefExpr),
        })
    }

    /// Returns the mentions of members of classes inside it, at any depth.
    pub fn members_below(self) -> Vec<Cursor<'u>> {
        // SAFETY: the cursor belongs to a live unit.
        self.below(|cursor| Seen::wanted_if(unsafe { clang_getCursorKind(cursor) } == CXCursor_MemberRefExpr))
    }

    /// Returns the calls inside it, at any depth, with the same exception.
    pub fn calls_below(self) -> Vec<Cursor<'u>> {
        // SAFETY: the cursor belongs to a live unit.
        self.below(|cursor| match unsafe { clang_getCursorKind(cursor) } {
            CXCursor_UnaryExpr if unsafe { is_constant(cursor) } => Seen::Skipped,
            kind => Seen::wanted_if(kind == CXCursor_CallExpr),
        })
    }

    /// Returns the statements inside it, at any depth, of which libclang may hide a part.
    pub fn statements_with_first_parts(self) -> Vec<Cursor<'u>> {
        let kinds = &[CXCursor_SwitchStmt, CXCursor_CXXForRangeStmt];
        // SAFETY: the cursor belongs to a live unit.
        self.below(|cursor| Seen::wanted_if(kinds.contains(&unsafe { clang_getCursorKind(cursor) })))
    }

    /// Returns the constructors of explicit specialisations of class templates that are written inside it, outside
    /// system headers.
    pub fn specialised_constructors(self) -> Vec<Cursor<'u>> {
        // SAFETY: the cursor belongs to a live unit.
        let found = self.below(|cursor| unsafe {
            match clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)) {
                0 => Seen::wanted_if(clang_getCursorKind(cursor) == CXCursor_Constructor),
                _ => Seen::Skipped,
            }
        });
        found.into_iter().filter(|constructor| constructor.parent().template().is_some()).collect()
    }

    /// Returns the string literals inside it, at any depth, and itself if it is one.
    pub fn string_literals(self) -> Vec<Cursor<'u>> {
        self.all_of(CXCursor_StringLiteral)
    }

    /// Returns the `sizeof`, `alignof` and similar expressions inside it, at any depth, and itself if it is one.
    pub fn measures(self) -> Vec<Cursor<'u>> {
        self.all_of(CXCursor_UnaryExpr)
    }

    /// Returns the calls inside it, at any depth, and itself if it is one.
    pub fn calls(self) -> Vec<Cursor<'u>> {
        self.all_of(CXCursor_CallExpr)
    }

    /// Returns the conversions with a type in parentheses inside it, at any depth.
    pub fn casts(self) -> Vec<Cursor<'u>> {
        self.all_of(CXCursor_CStyleCastExpr)
    }

    /// Returns itself and the cursors inside it that are of a kind.
    fn all_of(self, kind: CXCursorKind) -> Vec<Cursor<'u>> {
        // SAFETY: the cursor belongs to a live unit.
        let below = self.below(|cursor| Seen::wanted_if(unsafe { clang_getCursorKind(cursor) } == kind));
        std::iter::once(self).filter(|own| own.kind() == kind).chain(below).collect()
    }

    /// Returns the cursor of its whole translation unit.
    pub fn root(self) -> Cursor<'u> {
        self.unit.root()
    }

    /// Returns the declarations that it and the cursors inside it, at any depth, mention or call; constructors and
    /// conversions are called without a mention.
    pub fn mentioned(self) -> Vec<Cursor<'u>> {
        let mentions = [CXCursor_CallExpr, CXCursor_DeclRefExpr, CXCursor_MemberRefExpr, CXCursor_TypeRef];
        // SAFETY: the cursor belongs to a live unit.
        let below =
            self.below(|cursor| Seen::wanted_if(mentions.contains(&unsafe { clang_getCursorKind(cursor) })));
        let own = std::iter::once(self).filter(|own| mentions.contains(&own.kind()));
        own.chain(below).map(Cursor::referenced).collect()
    }

    /// Returns the cursors inside it for which `look` returns [`Seen::Wanted`], in source order.
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
        // SAFETY: the cursor belongs to a live unit, and the search lives until the call returns.
        unsafe { clang_visitChildren(self.raw, visit, (&raw mut search).cast()) };
        search.found.into_iter().map(|raw| Cursor { raw, unit: self.unit }).collect()
    }

    /// Returns the texts of the tokens of a cursor whose text is contiguous in one file, such as the definition of
    /// a macro.
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

    /// Returns the unit that it belongs to.
    pub fn unit(self) -> &'u Unit {
        self.unit
    }

    /// Returns its text in the file, from the first macro or macro argument in it to the last. In contrast,
    /// [`Cursor::words`] returns the tokens inside the macros that it comes from.
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

    /// Returns the place of the name of a declaration, after macro expansion.
    pub fn spot(self) -> Spot {
        Point::of_expansion(unsafe { clang_getCursorLocation(self.raw) }).spot()
    }

    /// Returns the place where its text ends, after macro expansion.
    pub fn end(self) -> Spot {
        Point::of_expansion(unsafe { clang_getRangeEnd(clang_getCursorExtent(self.raw)) }).spot()
    }

    /// Returns the text from its first token on, as it is spelled in a file or a macro definition.
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

/// What a search does with a cursor.
enum Seen {
    /// Adds it to the result, and searches inside it.
    Wanted,
    /// Searches inside it.
    Other,
    /// Does neither.
    Skipped,
}

impl Seen {
    fn wanted_if(wanted: bool) -> Self {
        if wanted { Self::Wanted } else { Self::Other }
    }
}

/// True for an expression that evaluates to a constant integer.
///
/// # Safety
/// The cursor must belong to a live unit.
unsafe fn is_constant(cursor: CXCursor) -> bool {
    // SAFETY: the cursor belongs to a live unit; the result is disposed of after the last use.
    unsafe {
        let result = clang_Cursor_Evaluate(cursor);
        let is_integer = !result.is_null() && clang_EvalResult_getKind(result) == CXEval_Int;
        if !result.is_null() {
            clang_EvalResult_dispose(result);
        }
        is_integer
    }
}
