//! Statements.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use clang_sys::*;

use super::Importer;
use crate::c::clang::Cursor;
use crate::c::ctree::{Expr, ExprKind, RANGE, Stmt, StmtKind, Unsupported};
use crate::import::cxx;

impl Importer {
    pub(super) fn stmt(&mut self, cursor: Cursor) -> Stmt {
        let kind = match cursor.kind() {
            CXCursor_CompoundStmt => StmtKind::Compound(self.stmts(cursor)),
            CXCursor_ForStmt => self.for_loop(cursor),
            CXCursor_IfStmt => self.if_stmt(cursor),
            CXCursor_WhileStmt | CXCursor_DoStmt => self.while_loop(cursor),
            CXCursor_ReturnStmt => StmtKind::Return(cursor.children().first().map(|&value| self.expr(value))),
            CXCursor_DeclStmt => self.declaration(cursor),
            CXCursor_VarDecl => StmtKind::Declaration(vec![self.variable(cursor)]),
            CXCursor_NullStmt => StmtKind::Empty,
            CXCursor_UnexposedStmt if cursor.children().len() == 1 => return self.attributed(cursor),
            CXCursor_CXXForRangeStmt if let Some(known) = self.over_elements(cursor) => known,
            _ if cursor.is_expression() => StmtKind::Expression(self.expr(cursor)),
            kind => {
                let what = unsupported(kind, cursor);
                let parts = match what {
                    Unsupported::Loop(_) | Unsupported::Other(_) => self.unknown_parts(cursor),
                    _ => self.stmts(cursor),
                };
                StmtKind::Other { what, parts }
            }
        };
        Stmt { kind, range: cursor.range() }
    }

    /// The statements and expressions in something unknown, which may bind references.
    fn unknown_parts(&mut self, cursor: Cursor) -> Vec<Stmt> {
        let part = |child: Cursor| match child.is_expression() {
            true => Stmt { kind: StmtKind::Expression(self.operand(child)), range: child.range() },
            false => self.stmt(child),
        };
        cursor.children().into_iter().map(part).collect()
    }

    /// A statement with an attribute, or with a pragma for clang such as `#pragma unroll`.
    fn attributed(&mut self, cursor: Cursor) -> Stmt {
        let inner = cursor.children().into_iter().map(|child| self.stmt(child)).next();
        inner.unwrap_or(Stmt { kind: StmtKind::Empty, range: cursor.range() })
    }

    fn stmts(&mut self, cursor: Cursor) -> Vec<Stmt> {
        cursor.children().into_iter().map(|child| self.stmt(child)).collect()
    }

    /// libclang leaves out the parts that the source leaves out, so that three parts and a body are a complete loop,
    /// unless the condition declares a variable: that is a part of its own, and no statement.
    fn for_loop(&mut self, cursor: Cursor) -> StmtKind {
        match cursor.children()[..] {
            [init, condition, step, body]
                if init.kind() != CXCursor_VarDecl && condition.is_expression() && step.is_expression() =>
            {
                StmtKind::For {
                    init: Box::new(self.stmt(init)),
                    condition: self.expr(condition),
                    step: self.expr(step),
                    body: Box::new(self.stmt(body)),
                }
            }
            ref parts => {
                let known =
                    self.counted_in_condition(parts).or_else(|| self.without_beginning(cursor, parts));
                known.unwrap_or_else(|| StmtKind::Other {
                    what: Unsupported::Loop("`for` loop without all three parts"),
                    parts: self.stmts(cursor),
                })
            }
        }
    }

    /// A loop without its first part, `for (; i < n; i++)`, as one that begins with `i = i`; nothing for another loop.
    fn without_beginning(&mut self, cursor: Cursor, parts: &[Cursor]) -> Option<StmtKind> {
        let &[condition, step, body] = parts else { return None };
        let after = |text: &[u8], word: &[u8]| text.trim_ascii_start().strip_prefix(word).map(<[u8]>::to_vec);
        let inside =
            cursor.text_of_file().and_then(|text| after(text, b"for")).and_then(|text| after(&text, b"("));
        inside.filter(|text| text.trim_ascii_start().starts_with(b";"))?;
        if !condition.is_expression() || !step.is_expression() {
            return None;
        }
        let step = self.expr(step);
        let (ExprKind::Assign { target, .. } | ExprKind::Increment { target, .. }) = &step.kind else {
            return None;
        };
        target.as_variable()?;
        let kind = ExprKind::Assign { operator: None, target: target.clone(), value: target.clone() };
        let first = Expr { kind, ctype: target.ctype.clone(), range: step.range };
        Some(StmtKind::For {
            init: Box::new(Stmt { range: step.range, kind: StmtKind::Expression(first) }),
            condition: self.expr(condition),
            step,
            body: Box::new(self.stmt(body)),
        })
    }

    fn while_loop(&mut self, cursor: Cursor) -> StmtKind {
        let after = cursor.kind() == CXCursor_DoStmt;
        match cursor.children()[..] {
            [first, second] if (if after { second } else { first }).is_expression() => {
                let (condition, body) = if after { (second, first) } else { (first, second) };
                let body = Box::new(self.stmt(body));
                StmtKind::While { condition: self.expr(condition), body, after }
            }
            _ => StmtKind::Other {
                what: Unsupported::Loop("loop that declares its condition"),
                parts: self.stmts(cursor),
            },
        }
    }

    fn if_stmt(&mut self, cursor: Cursor) -> StmtKind {
        match cursor.children()[..] {
            [condition, then] if condition.is_expression() => StmtKind::If {
                condition: self.expr(condition),
                then: Box::new(self.stmt(then)),
                otherwise: None,
            },
            [condition, then, otherwise] if condition.is_expression() && self.is_branch(then, cursor) => {
                StmtKind::If {
                    condition: self.expr(condition),
                    then: Box::new(self.stmt(then)),
                    otherwise: Some(Box::new(self.stmt(otherwise))),
                }
            }
            _ => StmtKind::Other {
                what: Unsupported::Other("this form of `if`".to_owned()),
                parts: self.stmts(cursor),
            },
        }
    }

    /// True if `part` follows the condition of an `if`. In C++ it may be the condition itself, after an initialiser.
    fn is_branch(&self, part: Cursor, statement: Cursor) -> bool {
        !self.tree.is_cxx || !part.is_expression() || cxx::is_branch(part, statement)
    }

    fn declaration(&mut self, cursor: Cursor) -> StmtKind {
        let children = cursor.children();
        if children.iter().all(|child| child.kind() == CXCursor_VarDecl) {
            return StmtKind::Declaration(children.into_iter().map(|child| self.variable(child)).collect());
        }
        StmtKind::Other {
            what: Unsupported::Other("a declaration of something other than variables".to_owned()),
            parts: self.unknown_parts(cursor),
        }
    }
}

fn unsupported(kind: CXCursorKind, cursor: Cursor) -> Unsupported {
    match kind {
        CXCursor_CXXForRangeStmt => Unsupported::Loop(RANGE),
        CXCursor_CXXTryStmt => Unsupported::Try,
        CXCursor_CXXCatchStmt => Unsupported::Catch,
        CXCursor_LabelStmt => Unsupported::Label(cursor.spelling()),
        CXCursor_AsmStmt | CXCursor_MSAsmStmt => Unsupported::Assembly,
        CXCursor_SwitchStmt => Unsupported::Switch,
        CXCursor_CaseStmt | CXCursor_DefaultStmt => Unsupported::Case,
        CXCursor_BreakStmt => Unsupported::Break,
        CXCursor_ContinueStmt => Unsupported::Continue,
        CXCursor_GotoStmt => {
            let label = cursor.children().into_iter().find(|child| child.kind() == CXCursor_LabelRef);
            Unsupported::Goto(label.map(|label| label.spelling()).filter(|name| !name.is_empty()))
        }
        CXCursor_IndirectGotoStmt => Unsupported::Goto(None),
        _ => Unsupported::Other(format!("a statement of the kind {}", cursor.kind_name())),
    }
}
