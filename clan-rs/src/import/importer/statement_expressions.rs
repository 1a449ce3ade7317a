//! Statement expressions of GNU C that are expressions in braces, as `assert` has them.
//!
//! *before → after*: `({ if (c) ; else f(); })` becomes `(void)0, c ? (void)0 : f()`.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use clang_sys::*;
use scop::SourceRange;

use super::Importer;
use crate::c::clang::Cursor;
use crate::c::ctree::{Expr, ExprKind, Type, TypeKind};

impl Importer {
    /// Returns what a block evaluates that consists of expressions and `if` statements and has no value; nothing for
    /// other blocks.
    pub(super) fn without_value(&mut self, block: Cursor) -> Option<Expr> {
        let statements = block.children();
        let has_value = statements.last().is_some_and(|last| last.is_expression() && !is_void(*last));
        if has_value || !statements.iter().all(|statement| is_simple(*statement)) {
            return None;
        }
        let mut all = nothing(block.range());
        for statement in statements {
            let next = self.evaluated(statement);
            all = void(ExprKind::Comma(Box::new(all), Box::new(next)), block.range());
        }
        Some(all)
    }

    fn evaluated(&mut self, statement: Cursor) -> Expr {
        let range = statement.range();
        match (statement.kind(), &statement.children()[..]) {
            (CXCursor_CompoundStmt, _) => self.without_value(statement).unwrap_or_else(|| nothing(range)),
            (CXCursor_IfStmt, &[condition, then, ref otherwise @ ..]) => {
                let condition = self.boxed(condition);
                let then = Box::new(self.evaluated(then));
                let otherwise = otherwise.first().map(|&otherwise| self.evaluated(otherwise));
                let otherwise = Box::new(otherwise.unwrap_or_else(|| nothing(range)));
                void(ExprKind::Conditional { condition, then, otherwise }, range)
            }
            (CXCursor_NullStmt, _) => nothing(range),
            _ => self.expr(statement),
        }
    }
}

/// True for an expression, and for an `if` statement or a block of such.
fn is_simple(statement: Cursor) -> bool {
    let parts = statement.children();
    match statement.kind() {
        CXCursor_NullStmt => true,
        CXCursor_CompoundStmt => parts.iter().all(|part| is_simple(*part)),
        CXCursor_IfStmt => {
            let are_simple = parts.iter().skip(1).all(|part| is_simple(*part));
            (2..=3).contains(&parts.len()) && parts[0].is_expression() && are_simple
        }
        _ => statement.is_expression(),
    }
}

fn is_void(value: Cursor) -> bool {
    value.ctype().canonical().kind() == CXType_Void
}

fn nothing(range: SourceRange) -> Expr {
    let number = Expr { kind: ExprKind::Integer(0), ctype: void_type(), range };
    void(ExprKind::Cast { implicit: false, operand: Box::new(number) }, range)
}

fn void(kind: ExprKind, range: SourceRange) -> Expr {
    Expr { kind, ctype: void_type(), range }
}

fn void_type() -> Type {
    Type { kind: TypeKind::Other("void".to_owned()), constant: false, volatile: false }
}
