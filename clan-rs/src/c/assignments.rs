//! Which expressions assign, and which assignments a comma expression consists of.

use crate::c::ctree::{Expr, ExprKind};

/// True for an expression without calls, reads of volatile variables, or unknown parts.
pub fn is_plain(expr: &Expr) -> bool {
    let mut plain = true;
    expr.walk(&mut |inner| {
        let unknown = matches!(inner.kind, ExprKind::Call { .. } | ExprKind::Other { .. });
        plain &= !unknown && !inner.ctype.volatile;
    });
    plain
}

/// True for `=`, `op=`, `++` and `--`.
pub fn is_assignment(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Assign { .. } | ExprKind::Increment { .. })
}

/// True for an assignment, or for a comma expression that contains one.
pub fn is_effect(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Comma(first, second) => is_effect(first) || is_effect(second),
        _ => is_assignment(expr),
    }
}

/// Returns the parts of a comma expression, or the expression itself.
pub fn effects(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Comma(first, second) => effects(first).into_iter().chain(effects(second)).collect(),
        _ => vec![expr],
    }
}
