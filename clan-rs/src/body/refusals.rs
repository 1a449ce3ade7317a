//! Faults of expressions that have no supported value.

use crate::c::ctree;
use crate::errors::{EXPRESSION, Fault, SIDE_EFFECT, TYPE};
use crate::memory::reference::{not_a_member, not_supported};

/// Returns the fault of an expression that has no value of arithmetic type.
pub fn not_a_number(expr: &ctree::Expr) -> Fault {
    let what = match &expr.kind {
        ctree::ExprKind::Other { what, .. } => format!("{} is not supported in a region", what.words()),
        _ if expr.ctype.is_pointer_like() => "pointers are not supported as values in a region".to_owned(),
        _ => match &expr.ctype.kind {
            ctree::TypeKind::Other(spelling) if spelling == "<dependent type>" => {
                "the types of a template are not known in a region".to_owned()
            }
            ctree::TypeKind::Other(spelling) => {
                format!("values of type `{spelling}` are not supported in a region")
            }
            _ => "this value is not supported in a region".to_owned(),
        },
    };
    Fault::new(TYPE, what, expr.range, "this is not a number")
        .with_help("use elements of arrays and scalars of C's integer and floating types, or `float _Complex` and `double _Complex`")
}

/// Returns the fault of an expression that is not supported.
pub fn refuse(expr: &ctree::Expr) -> Fault {
    match &expr.kind {
        ctree::ExprKind::Assign { .. } | ctree::ExprKind::Increment { .. } => Fault::new(
            SIDE_EFFECT,
            "an assignment inside an expression",
            expr.range,
            "this may be evaluated more than once, or not at all",
        )
        .with_help("write the assignment as a statement of its own, before this one"),
        ctree::ExprKind::Floating(_) | ctree::ExprKind::Imaginary(_) => Fault::new(
            EXPRESSION,
            "this constant cannot be written down exactly",
            expr.range,
            "not supported here",
        )
        .with_help("compute it before the region, in a variable"),
        ctree::ExprKind::Member { .. } => not_a_member(expr),
        ctree::ExprKind::Other { what, .. } => not_supported(what, expr),
        _ => Fault::new(
            EXPRESSION,
            "this expression is not supported in a region",
            expr.range,
            "not supported here",
        ),
    }
}
