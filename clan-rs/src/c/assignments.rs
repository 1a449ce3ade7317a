//! Which expressions assign, and to how many assignments a comma expression comes.

use crate::c::ctree::{Expr, ExprKind};

/// True for an expression without calls, reads of volatile variables, or anything unknown.
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

/// True for an assignment, and for several with commas between them.
pub fn is_effect(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Comma(first, second) => is_effect(first) || is_effect(second),
        _ => is_assignment(expr),
    }
}

/// The parts of a comma expression.
pub fn effects(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Comma(first, second) => effects(first).into_iter().chain(effects(second)).collect(),
        _ => vec![expr],
    }
}
