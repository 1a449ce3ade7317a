//! How deeply statements and expressions are nested.
//!
//! Every tool processes them by recursion, and a document that is nested too deeply is not read. Deeper nesting is
//! refused at its place in the source.

use scop::{MAX_DEPTH, Statement, nesting};

use crate::c::ctree::{Expr, Stmt, Tree};
use crate::errors::{Fault, TOO_COMPLEX};

/// The number of levels around a statement's body in a document.
const AROUND: usize = 20;

/// Refuses a statement of the source that is nested more deeply than any document may be.
pub fn check_source(tree: &Tree, stmt: &Stmt) -> Option<Fault> {
    (of_stmt(tree, stmt) > MAX_DEPTH).then(|| too_deep(Fault::new(TOO_COMPLEX, MESSAGE, stmt.range, LABEL)))
}

/// Refuses a statement whose body is nested more deeply than a document may be.
pub fn check_statement(statement: &Statement) -> Option<Fault> {
    match nesting(&statement.body) {
        Ok(depth) if depth + AROUND > MAX_DEPTH => {
            Some(too_deep(Fault::new(TOO_COMPLEX, MESSAGE, statement.range, LABEL)))
        }
        Ok(_) => None,
        Err(error) => Some(Fault::bug(format!("{} cannot be written: {error}", statement.id))),
    }
}

const MESSAGE: &str = "this nests too deeply";
const LABEL: &str = "more than a thousand operations or conditions are nested in one another";

fn too_deep(fault: Fault) -> Fault {
    fault.with_help("keep parts of it in variables, or let a loop do it")
}

fn of_stmt(tree: &Tree, stmt: &Stmt) -> usize {
    let statements = stmt.parts().into_iter().map(|part| of_stmt(tree, part));
    let expressions = stmt.expressions(tree).into_iter().map(of_expr);
    1 + statements.chain(expressions).max().unwrap_or(0)
}

fn of_expr(expr: &Expr) -> usize {
    1 + expr.parts().into_iter().map(of_expr).max().unwrap_or(0)
}
