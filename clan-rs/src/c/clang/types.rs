//! clang's types.

// The constants have the names that libclang gives them.
#![allow(non_upper_case_globals)]

use std::ffi::c_uint;

use clang_sys::*;

use super::{Cursor, Type, string};

impl<'u> Type<'u> {
    fn with(self, raw: CXType) -> Self {
        Self { raw, unit: self.unit }
    }

    /// Returns the kind, one of `clang_sys::CXType_*`.
    pub fn kind(self) -> CXTypeKind {
        self.raw.kind
    }

    /// Returns its spelling in C.
    pub fn spelling(self) -> String {
        unsafe { string(clang_getTypeSpelling(self.raw)) }
    }

    /// Returns the type with typedefs resolved.
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

    /// Returns the return type of a function.
    pub fn result(self) -> Self {
        self.with(unsafe { clang_getResultType(self.raw) })
    }

    /// Returns the type that a pointer points to.
    pub fn target(self) -> Self {
        self.with(unsafe { clang_getPointeeType(self.raw) })
    }

    /// True for a C++ reference type.
    pub fn is_reference(self) -> bool {
        [CXType_LValueReference, CXType_RValueReference].contains(&self.canonical().kind())
    }

    /// Returns the element type of an array.
    pub fn element(self) -> Self {
        self.with(unsafe { clang_getArrayElementType(self.raw) })
    }

    /// Returns the type of the parts of a complex number.
    pub fn part(self) -> Self {
        self.with(unsafe { clang_getElementType(self.raw) })
    }

    /// Returns the length of an array of constant length.
    pub fn length(self) -> i64 {
        unsafe { clang_getArraySize(self.raw) }
    }

    /// Returns the size in bytes; `None` for a type without a constant size.
    pub fn size(self) -> Option<u32> {
        u32::try_from(unsafe { clang_Type_getSizeOf(self.raw) }).ok()
    }

    /// Returns the type that a typedef name or an elaborated type names.
    pub fn named(self) -> Option<Self> {
        match self.kind() {
            CXType_Typedef => {
                Some(self.with(unsafe { clang_getTypedefDeclUnderlyingType(self.declaration().raw) }))
            }
            CXType_Elaborated => Some(self.with(unsafe { clang_Type_getNamedType(self.raw) })),
            _ => None,
        }
    }

    /// Returns the declaration of a typedef name, structure, union, class or enumeration.
    pub fn declaration(self) -> Cursor<'u> {
        Cursor { raw: unsafe { clang_getTypeDeclaration(self.raw) }, unit: self.unit }
    }

    /// Returns the members of a structure, union or class, without those of its bases.
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

    /// Returns the arguments of a class template specialisation. Arguments that are not types have the kind
    /// `CXType_Invalid`.
    pub fn template_arguments(self) -> Vec<Self> {
        let count = unsafe { clang_Type_getNumTemplateArguments(self.raw) };
        let argument = |number| unsafe { clang_Type_getTemplateArgumentAsType(self.raw, number) };
        (0..count.max(0) as c_uint).map(|number| self.with(argument(number))).collect()
    }

    /// True if a length in it is not constant.
    pub fn varies(self) -> bool {
        let ctype = self.canonical();
        match ctype.kind() {
            CXType_VariableArray => true,
            CXType_Pointer => ctype.target().varies(),
            CXType_ConstantArray | CXType_IncompleteArray => ctype.element().varies(),
            _ => false,
        }
    }

    /// True for types that C has as well, whose objects need no constructor.
    pub fn is_plain_old_data(self) -> bool {
        unsafe { clang_isPODType(self.raw) != 0 }
    }

    /// Returns the number of the address space of its objects; zero for ordinary memory.
    pub fn address_space(self) -> u32 {
        // An expression may have no type, such as `(n)` after the name of a variable of a template's type; libclang
        // does not check for that.
        if self.kind() == CXType_Invalid {
            return 0;
        }
        unsafe { clang_getAddressSpace(self.raw) }
    }

    /// Returns the integer type that represents an enumeration.
    pub fn of_enumeration(self) -> Self {
        self.with(unsafe { clang_getEnumDeclIntegerType(clang_getTypeDeclaration(self.raw)) })
    }
}
