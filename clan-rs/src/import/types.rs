//! clang's types as ours.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use clang_sys::*;
use scop::CType;

use crate::c::clang;
use crate::c::ctree::{Length, Type, TypeKind};

/// Typedef names and the like are resolved; the qualifiers of all of them add up.
pub fn import_type(ctype: clang::Type) -> Type {
    let canonical = ctype.canonical();
    let restrict_parameter = is_restrict_array(&ctype);
    let kind = match canonical.kind() {
        CXType_Pointer => TypeKind::Pointer {
            target: Box::new(import_type(canonical.target())),
            restrict: canonical.is_restrict(),
        },
        CXType_ConstantArray => {
            array(canonical, Length::Constant(canonical.length().unsigned_abs()), restrict_parameter)
        }
        CXType_VariableArray => array(canonical, Length::Variable, restrict_parameter),
        CXType_IncompleteArray => array(canonical, Length::Incomplete, restrict_parameter),
        CXType_Complex => arithmetic_type(canonical.part().kind())
            .and_then(CType::complex)
            .map_or_else(|| TypeKind::Other(ctype.spelling()), TypeKind::Arithmetic),
        // Whatever a typedef calls it: it changes on its own.
        CXType_Atomic => TypeKind::Other(canonical.spelling()),
        CXType_Enum => import_type(canonical.of_enumeration()).kind,
        kind => arithmetic_type(kind).map_or_else(|| TypeKind::Other(ctype.spelling()), TypeKind::Arithmetic),
    };
    Type { kind, constant: canonical.is_const(), volatile: canonical.is_volatile() }
}

/// The qualifiers of a canonical array type are those of its elements, at every level.
fn array(ctype: clang::Type, length: Length, restrict: bool) -> TypeKind {
    let mut element = import_type(ctype.element());
    qualify(&mut element, ctype.is_const(), ctype.is_volatile());
    TypeKind::Array { element: Box::new(element), length, restrict }
}

fn qualify(ctype: &mut Type, constant: bool, volatile: bool) {
    ctype.constant |= constant;
    ctype.volatile |= volatile;
    if let TypeKind::Array { element, .. } = &mut ctype.kind {
        qualify(element, constant, volatile);
    }
}

/// libclang shows the type of a parameter `a[restrict n]` as that array, with the qualifier in its spelling alone.
fn is_restrict_array(ctype: &clang::Type) -> bool {
    let spelling = ctype.spelling();
    let bracket = spelling.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    bracket.is_some_and(|(inside, _)| inside.split_whitespace().any(|word| word == "restrict"))
}

/// The types of the numbers in the objects of a structure or class; nothing if it has bases, or members of which that is
/// not known.
pub fn numbers_in(class: clang::Type) -> Option<Vec<CType>> {
    let class = class.canonical();
    if class.kind() != CXType_Record {
        return None;
    }
    let definition = class.declaration().definition()?;
    let has_bases = definition.children().iter().any(|part| part.kind() == CXCursor_CXXBaseSpecifier);
    let mut found = Vec::new();
    for field in class.fields() {
        add_numbers(field.ctype(), &mut found)?;
    }
    (!has_bases).then_some(found)
}

fn add_numbers(ctype: clang::Type, found: &mut Vec<CType>) -> Option<()> {
    let mut inner = ctype.canonical();
    while [CXType_ConstantArray, CXType_IncompleteArray].contains(&inner.kind()) {
        inner = inner.element().canonical();
    }
    match inner.kind() {
        CXType_Pointer | CXType_LValueReference => {}
        CXType_Record => found.extend(numbers_in(inner)?),
        _ => found.push(import_type(inner).arithmetic()?),
    }
    Some(())
}

/// The arithmetic type of a kind of clang's.
pub fn arithmetic_type(kind: CXTypeKind) -> Option<CType> {
    Some(match kind {
        CXType_Bool => CType::Bool,
        CXType_Char_S | CXType_Char_U => CType::Char,
        CXType_SChar => CType::SChar,
        CXType_UChar => CType::UChar,
        CXType_Short => CType::Short,
        CXType_UShort => CType::UShort,
        CXType_Int => CType::Int,
        CXType_UInt => CType::UInt,
        CXType_Long => CType::Long,
        CXType_ULong => CType::ULong,
        CXType_LongLong => CType::LongLong,
        CXType_ULongLong => CType::ULongLong,
        CXType_Float => CType::Float,
        CXType_Double => CType::Double,
        CXType_LongDouble => CType::LongDouble,
        _ => return None,
    })
}
