//! Functions that take references to numbers, and only read them.
//!
//! Such a reference might as well be the number itself: `const T &` in templates, and so `std::max` and its like.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use clang_sys::*;

use crate::c::clang::{Cursor, Type};
use crate::import::cxx::is_scalar_value;
use crate::import::types::arithmetic_type;

/// True if a function takes numbers and gives one, some of its parameters are `const T &`, and its body, which is at
/// hand, does nothing with those but use their values, or give one of them back.
pub fn takes_values(definition: Cursor) -> bool {
    takes_values_within(definition, DEEPEST)
}

/// How many calls of such functions are followed into each other.
const DEEPEST: u32 = 8;

/// The number that a reference refers to, or the type itself.
pub fn number(ctype: Type<'_>) -> Type<'_> {
    if ctype.is_reference() { ctype.canonical().target() } else { ctype }
}

fn takes_values_within(definition: Cursor, depth: u32) -> bool {
    let parameters = definition.parameters();
    let references = parameters.iter().filter(|parameter| parameter.ctype().is_reference());
    let search = Search { references: references.map(|parameter| parameter.identity()).collect(), depth };
    let body = definition.children().into_iter().find(|child| child.kind() == CXCursor_CompoundStmt);
    !search.references.is_empty()
        && depth > 0
        && parameters.iter().all(|parameter| is_number_or_its_reference(parameter.ctype()))
        && is_number_or_its_reference(definition.result())
        && body.is_some_and(|body| search.statement(body, definition.result().is_reference()))
}

fn is_number_or_its_reference(ctype: Type) -> bool {
    let target = number(ctype).canonical();
    let is_number = arithmetic_type(target.kind()).is_some() && !target.is_volatile();
    is_number && (!ctype.is_reference() || target.is_const())
}

struct Search {
    /// The parameters that are references.
    references: Vec<usize>,
    depth: u32,
}

impl Search {
    /// True if a statement only uses the values of the parameters. `may_leave` is whether one may be given back by
    /// reference.
    fn statement(&self, cursor: Cursor, may_leave: bool) -> bool {
        let mut parts = cursor.children().into_iter();
        match cursor.kind() {
            CXCursor_CompoundStmt
            | CXCursor_IfStmt
            | CXCursor_ForStmt
            | CXCursor_WhileStmt
            | CXCursor_DoStmt => parts.all(|part| self.statement(part, may_leave)),
            CXCursor_ReturnStmt => parts.all(|value| self.value(value, may_leave)),
            CXCursor_DeclStmt => parts.all(|declaration| self.declaration(declaration)),
            CXCursor_NullStmt => true,
            _ => self.value(cursor, false),
        }
    }

    fn declaration(&self, cursor: Cursor) -> bool {
        match cursor.kind() {
            CXCursor_TypedefDecl | CXCursor_TypeAliasDecl | CXCursor_StaticAssert => true,
            CXCursor_VarDecl => {
                let is_number = arithmetic_type(cursor.ctype().canonical().kind()).is_some();
                is_number
                    && cursor.is_automatic()
                    && cursor.initialiser().is_none_or(|value| self.value(value, false))
            }
            _ => false,
        }
    }

    /// The same for an expression. `may_stay` is whether its value may be a reference to a parameter.
    fn value(&self, cursor: Cursor, may_stay: bool) -> bool {
        let parts = cursor.children();
        match (cursor.kind(), &parts[..]) {
            (
                CXCursor_IntegerLiteral
                | CXCursor_FloatingLiteral
                | CXCursor_CharacterLiteral
                | CXCursor_CXXBoolLiteralExpr
                | CXCursor_UnaryExpr,
                _,
            ) => true,
            (CXCursor_DeclRefExpr, _) => may_stay || !self.is_reference(cursor),
            // A scalar is loaded here, if it was in memory.
            (CXCursor_UnexposedExpr, &[inner]) => {
                self.value(inner, may_stay || is_scalar_value(cursor.ctype()))
            }
            (CXCursor_ParenExpr, &[inner]) => self.value(inner, may_stay),
            (CXCursor_ConditionalOperator, &[condition, then, otherwise]) => {
                self.value(condition, false) && self.value(then, may_stay) && self.value(otherwise, may_stay)
            }
            (CXCursor_BinaryOperator | CXCursor_CompoundAssignOperator, &[target, value]) => {
                let assigns = cursor.kind() == CXCursor_CompoundAssignOperator
                    || cursor.binary_operator() == CXBinaryOperator_Assign;
                (!assigns || is_own(target)) && self.value(target, false) && self.value(value, false)
            }
            (CXCursor_UnaryOperator, &[operand]) => {
                let operand_is_fine = match cursor.unary_operator() {
                    CXUnaryOperator_AddrOf | CXUnaryOperator_Deref => false,
                    CXUnaryOperator_PostInc
                    | CXUnaryOperator_PreInc
                    | CXUnaryOperator_PostDec
                    | CXUnaryOperator_PreDec => is_own(operand),
                    _ => true,
                };
                operand_is_fine && self.value(operand, false)
            }
            (
                CXCursor_CStyleCastExpr | CXCursor_CXXStaticCastExpr | CXCursor_CXXFunctionalCastExpr,
                &[.., operand],
            ) => self.value(operand, false),
            (CXCursor_CallExpr, &[_, ref arguments @ ..]) => self.call(cursor, arguments, may_stay),
            _ => false,
        }
    }

    /// Another such function may get the references, if none comes back from it.
    fn call(&self, call: Cursor, arguments: &[Cursor], may_stay: bool) -> bool {
        let function = call.referenced();
        let takes_values =
            function.definition().is_some_and(|definition| takes_values_within(definition, self.depth - 1));
        let may_get = takes_values && (may_stay || !function.result().is_reference());
        arguments.iter().all(|&argument| self.value(argument, may_get))
    }

    fn is_reference(&self, mention: Cursor) -> bool {
        self.references.contains(&mention.referenced().identity())
    }
}

/// True for a variable that lives as long as its block, and is no reference.
fn is_own(target: Cursor) -> bool {
    let variable = target.referenced();
    target.kind() == CXCursor_DeclRefExpr
        && [CXCursor_VarDecl, CXCursor_ParmDecl].contains(&variable.kind())
        && variable.is_automatic()
        && !variable.ctype().is_reference()
}
