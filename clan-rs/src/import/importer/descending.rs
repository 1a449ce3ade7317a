//! Loops that count in their condition.
//!
//! *before → after*
//!
//! ```text
//! for (size_t i = n; i-- > 0;)      for (size_t before = n; before > 0; before--) {
//!     body                     →        size_t i = before - 1;
//!                                       body
//!                                   }
//! ```
//!
//! Both variables have the name of the one that the source has, so that messages speak of it.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use clang_sys::*;
use scop::{BinaryOp, CType};

use super::Importer;
use crate::c::clang::Cursor;
use crate::c::ctree::{Expr, ExprKind, Lifetime, Stmt, StmtKind, Type, TypeKind, VariableId};
use crate::c::facts::Facts;

impl Importer {
    /// A loop that declares an integer and whose condition is `i--`, or a comparison with it; nothing for another loop,
    /// or one whose body may change the integer.
    pub(super) fn counted_in_condition(&mut self, parts: &[Cursor]) -> Option<StmtKind> {
        let &[init, condition, body] = parts else { return None };
        let [declaration] = init.children()[..] else { return None };
        let is_declaration = init.kind() == CXCursor_DeclStmt && declaration.kind() == CXCursor_VarDecl;
        if !is_declaration || declaration.initialiser().is_none() || !is_followed_by_no_step(condition) {
            return None;
        }
        let decremented = decrement_in(condition)?.children()[..].first().copied().map(stripped)?;
        if !decremented.referenced().is(declaration) {
            return None;
        }
        let iterator = self.variable(declaration);
        let variable = self.tree.variable(iterator).clone();
        let ctype = variable
            .arithmetic()
            .filter(|ctype| ctype.is_integer() && ctype.size() >= CType::Int.size() && !variable.reference)?;
        if variable.ctype.volatile || variable.ctype.constant || variable.lifetime != Lifetime::Automatic {
            return None;
        }
        let body = self.stmt(body);
        if Facts::of(&self.tree, [&body]).may_change(iterator) {
            return None;
        }
        let before = VariableId(self.tree.variables.len());
        self.tree.variables.push(variable);
        let mut condition = self.expr(condition);
        let step = take_decrement(&mut condition, before)?;
        let own = Type { kind: TypeKind::Arithmetic(ctype), constant: false, volatile: false };
        let range = step.range;
        let value = |kind| Expr { kind, ctype: own.clone(), range };
        let (from, one) = (value(ExprKind::Variable(before)), value(ExprKind::Integer(1)));
        self.tree.variables[iterator.0].initial =
            Some(value(ExprKind::Binary(BinaryOp::Sub, Box::new(from), Box::new(one))));
        let declares = |id, range| Stmt { kind: StmtKind::Declaration(vec![id]), range };
        let range = body.range;
        Some(StmtKind::For {
            init: Box::new(declares(before, init.range())),
            condition: as_comparison(condition, before),
            step,
            body: Box::new(Stmt {
                kind: StmtKind::Compound(vec![declares(iterator, init.range()), body]),
                range,
            }),
        })
    }
}

/// True if `; )` stands after the condition of a loop.
fn is_followed_by_no_step(condition: Cursor) -> bool {
    let range = condition.range();
    let length = range.end.saturating_sub(range.start) as usize;
    let after = condition.text_of_file().and_then(|text| text.get(length..));
    let Some(step) = after.and_then(|text| text.trim_ascii_start().strip_prefix(b";")) else { return false };
    step.trim_ascii_start().starts_with(b")")
}

/// Without parentheses and implicit conversions.
fn stripped(cursor: Cursor) -> Cursor {
    match cursor.children()[..] {
        [inner] if [CXCursor_ParenExpr, CXCursor_UnexposedExpr].contains(&cursor.kind()) => stripped(inner),
        _ => cursor,
    }
}

/// The `i--` that a condition is, or compares.
fn decrement_in(condition: Cursor) -> Option<Cursor> {
    let condition = stripped(condition);
    let is_decrement = |cursor: &Cursor| {
        cursor.kind() == CXCursor_UnaryOperator && cursor.unary_operator() == CXUnaryOperator_PostDec
    };
    let compares = (CXBinaryOperator_LT..=CXBinaryOperator_NE).contains(&condition.binary_operator());
    let sides = match condition.kind() {
        CXCursor_BinaryOperator if compares => condition.children(),
        _ => vec![condition],
    };
    let mut found = sides.into_iter().map(stripped).filter(is_decrement);
    found.next().filter(|_| found.next().is_none())
}

/// Puts a variable in the place of what a condition decrements, which is given with that variable.
fn take_decrement(condition: &mut Expr, before: VariableId) -> Option<Expr> {
    if let ExprKind::Increment { down: true, postfix: true, target } = &mut condition.kind {
        let read = Expr { kind: ExprKind::Variable(before), ..(**target).clone() };
        **target = read.clone();
        return Some(std::mem::replace(condition, read));
    }
    condition.parts_mut().into_iter().find_map(|part| take_decrement(part, before))
}

/// A condition that is a number says that it is not zero.
fn as_comparison(condition: Expr, before: VariableId) -> Expr {
    if condition.without_casts().as_variable() != Some(before) {
        return condition;
    }
    let number = condition.without_casts().clone();
    let range = number.range;
    let zero = Expr { kind: ExprKind::Integer(0), ctype: number.ctype.clone(), range };
    let int = Type { kind: TypeKind::Arithmetic(CType::Int), constant: false, volatile: false };
    Expr { kind: ExprKind::Binary(BinaryOp::Ne, Box::new(number), Box::new(zero)), ctype: int, range }
}
