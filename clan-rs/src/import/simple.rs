//! Simple classes: those whose objects are made of values, as structures of C are, although C++ writes it otherwise.
//!
//! A simple class has neither bases nor virtual functions, its members are numbers, pointers, and objects of simple
//! classes or arrays of these, and the language copies and destroys its objects. Its constructors set members to
//! constants and to arguments, and do nothing else; so do the initial values in its members' declarations.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use clang_sys::*;

use crate::c::clang::{Cursor, Type};
use crate::import::types::arithmetic_type;

/// True for a simple class.
pub fn is_simple(class: Type<'_>) -> bool {
    let declaration = class.declaration();
    let Some(definition) = declaration.definition() else { return false };
    let is_own = !declaration.is_of_language() && declaration.template().is_none();
    is_own && definition.kind() != CXCursor_UnionDecl && definition.children().into_iter().all(is_simple_part)
}

fn is_simple_part(part: Cursor<'_>) -> bool {
    match part.kind() {
        CXCursor_FieldDecl => {
            let mut values = part.children().into_iter().filter(|child| child.is_expression());
            is_simple_member(part.ctype()) && values.all(is_value)
        }
        CXCursor_Constructor if part.copies_or_moves() => part.is_defaulted_or_deleted(),
        CXCursor_Constructor => part.is_defaulted_or_deleted() || sets_members(part),
        CXCursor_Destructor => part.is_defaulted_or_deleted() && !part.is_virtual(),
        CXCursor_CXXMethod => !part.is_virtual() && part.spelling() != "operator=",
        CXCursor_FunctionTemplate => part.kind_of_template() != CXCursor_Constructor,
        CXCursor_StructDecl | CXCursor_ClassDecl | CXCursor_UnionDecl => !part.spelling().is_empty(),
        CXCursor_ConversionFunction
        | CXCursor_CXXAccessSpecifier
        | CXCursor_EnumDecl
        | CXCursor_FriendDecl
        | CXCursor_StaticAssert
        | CXCursor_TypeAliasDecl
        | CXCursor_TypedefDecl
        | CXCursor_UsingDeclaration
        | CXCursor_VarDecl => true,
        _ => false,
    }
}

fn is_simple_member(member: Type<'_>) -> bool {
    let mut inner = member.canonical();
    while inner.kind() == CXType_ConstantArray {
        inner = inner.element().canonical();
    }
    match inner.kind() {
        _ if inner.is_volatile() => false,
        CXType_Pointer | CXType_Enum => true,
        CXType_Record => inner.is_plain_old_data() || is_simple(inner),
        kind => arithmetic_type(kind).is_some(),
    }
}

/// True for a constructor that does nothing but set members to values.
fn sets_members(constructor: Cursor<'_>) -> bool {
    let Some(definition) = constructor.definition() else { return false };
    definition.children().into_iter().all(|child| match child.kind() {
        CXCursor_CompoundStmt => child.children().is_empty(),
        CXCursor_CXXTryStmt => false,
        _ => !child.is_expression() || is_value(child),
    })
}

/// True for a constant, and for a parameter.
fn is_value(value: Cursor<'_>) -> bool {
    match value.kind() {
        CXCursor_IntegerLiteral
        | CXCursor_FloatingLiteral
        | CXCursor_CharacterLiteral
        | CXCursor_CXXBoolLiteralExpr
        | CXCursor_CXXNullPtrLiteralExpr => true,
        CXCursor_DeclRefExpr => {
            value.referenced().kind() == CXCursor_ParmDecl && !value.ctype().is_reference()
        }
        CXCursor_UnexposedExpr
        | CXCursor_ParenExpr
        | CXCursor_InitListExpr
        | CXCursor_CStyleCastExpr
        | CXCursor_CXXStaticCastExpr
        | CXCursor_CXXFunctionalCastExpr => {
            value.children().into_iter().filter(|child| child.is_expression()).all(is_value)
        }
        CXCursor_UnaryOperator => {
            [CXUnaryOperator_Minus, CXUnaryOperator_Plus].contains(&value.unary_operator())
                && value.children().into_iter().all(is_value)
        }
        _ => false,
    }
}

/// True for the construction of an object of a simple class, other than by copying.
pub fn is_construction(call: Cursor<'_>) -> bool {
    let constructor = call.referenced();
    let class = call.ctype().canonical();
    constructor.kind() == CXCursor_Constructor
        && !constructor.copies_or_moves()
        && class.kind() == CXType_Record
        && !class.is_plain_old_data()
        && is_simple(class)
}
