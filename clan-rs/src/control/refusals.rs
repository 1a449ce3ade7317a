//! Messages about statements that regions must not contain.

use crate::c::assignments;
use crate::c::ctree::{Callee, Expr, ExprKind, Stmt, StmtKind, Understood, Unnamed, Unsupported};
use crate::errors::{CALL, DECLARATION, EXPRESSION, Fault, LOOP, SIDE_EFFECT, STATEMENT};

/// Returns the reason why a statement is not supported.
pub fn refuse(stmt: &Stmt) -> Fault {
    let only = "a region consists of loops, `if` statements, assignments and declarations";
    match &stmt.kind {
        StmtKind::Other { what: what @ (Unsupported::Loop(_) | Unsupported::Range), .. } => Fault::new(
            LOOP,
            format!("a {} in a region", what.words()),
            stmt.range,
            "this form of loop is not supported",
        )
        .with_help("write it as `for (i = first; i < bound; i += step)` or `while (condition)`"),
        StmtKind::Other { what, .. } => {
            let words = what.words();
            let code = if words.starts_with("a declaration") { DECLARATION } else { STATEMENT };
            Fault::new(code, format!("{words} in a region"), stmt.range, "not supported here")
                .with_help(instead_of(words).unwrap_or(only))
        }
        StmtKind::Return(_) => {
            Fault::new(STATEMENT, "`return` in a region", stmt.range, "not supported here")
                .with_help("keep the result in a variable, and return it after the region")
        }
        StmtKind::Expression(expr) => refuse_expression(expr),
        _ => Fault::new(STATEMENT, "this statement is not supported", stmt.range, "not supported here")
            .with_help(only),
    }
}

/// Returns the alternative to an unsupported statement.
fn instead_of(words: &str) -> Option<&'static str> {
    Some(match words {
        "`break`" => {
            "make it part of the loop's condition: `for (…; i < n && !found; …)`, and set `found` here"
        }
        "`continue`" => "put the rest of the loop's body into an `if` with the opposite condition",
        "`goto`" | "a label" => "write it as a loop or an `if`",
        "`switch`" | "`case`" | "`default`" => "write it as `if … else if … else`",
        _ => return None,
    })
}

/// Returns the reason why an expression cannot be a statement of a region.
pub fn refuse_expression(expr: &Expr) -> Fault {
    let mut assignment = None;
    expr.walk(&mut |inner| {
        if assignment.is_none() && assignments::is_assignment(inner) {
            assignment = Some(inner.range);
        }
    });
    if let Some(range) = assignment {
        let message = "an assignment inside a larger expression";
        return Fault::new(SIDE_EFFECT, message, range, "this is not a statement of its own")
            .with_help("write each assignment as a statement of its own");
    }
    if let ExprKind::Call { callee, .. } = &expr.without_casts().kind {
        return call_for_its_effect(callee.as_ref(), expr);
    }
    if let ExprKind::Other { what, .. } = &expr.without_casts().kind {
        return no_statement(what, expr);
    }
    let message = "this statement assigns nothing";
    Fault::new(EXPRESSION, message, expr.range, "its value is not used")
        .with_help("remove it, or assign its value; functions may be called for their value only")
}

/// Refuses `throw 1;`, `object = other;` and similar statements.
fn no_statement(what: &Unnamed, expr: &Expr) -> Fault {
    let message = format!("{} in a region", what.words());
    Fault::new(EXPRESSION, message, expr.range, "not supported here").with_help(match what {
        Unnamed::ObjectAssignment | Unnamed::Understood(Understood::Assign, _) => {
            "assign the members one by one"
        }
        Unnamed::Throw => "record the error in a variable, and throw after the region",
        _ => "end the region before it, or inline what it does",
    })
}

/// Refuses calls such as `printf(…);` and `swap(a, i, j);`.
fn call_for_its_effect(callee: Option<&Callee>, expr: &Expr) -> Fault {
    let message = match callee {
        Some(callee) => format!("`{}` is called for its side effects", callee.shown),
        None => "a function is called for its side effects".to_owned(),
    };
    Fault::new(CALL, message, expr.range, "a region cannot contain that").with_help(
        "end the region before it, or inline what it does; a region may only use the values of functions",
    )
}
