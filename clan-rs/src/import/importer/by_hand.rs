//! Expressions that the source does not write.

use scop::{CType, SourceRange};

use crate::c::conversions;
use crate::c::ctree::{Expr, ExprKind, Type, TypeKind};

/// An implicit conversion to `double`.
pub(super) fn as_double(expr: Expr) -> Expr {
    converted(expr, CType::Double)
}

/// The integer promotion, which the operands of comparisons have already unless they are of an enumeration with a
/// scope.
pub(super) fn promoted(expr: Expr) -> Expr {
    match expr.ctype.arithmetic() {
        Some(ctype) => converted(expr, conversions::promoted(ctype)),
        None => expr,
    }
}

/// An implicit conversion.
pub(super) fn converted(expr: Expr, to: CType) -> Expr {
    if expr.ctype.arithmetic() == Some(to) {
        return expr;
    }
    let ctype = Type { kind: TypeKind::Arithmetic(to), constant: false, volatile: false };
    let range = expr.range;
    Expr { kind: ExprKind::Cast { implicit: true, operand: Box::new(expr) }, ctype, range }
}

/// The same expression, where a call stands.
pub(super) fn placed(mut expr: Expr, range: SourceRange) -> Expr {
    expr.range = range;
    for part in expr.parts_mut() {
        let inner = std::mem::replace(part, zero_at(range));
        *part = placed(inner, range);
    }
    expr
}

pub(super) fn pointer_to(target: Type) -> Type {
    let kind = TypeKind::Pointer { target: Box::new(target), restrict: false };
    Type { kind, constant: false, volatile: false }
}

pub(super) fn address_of(expr: Expr) -> Expr {
    let (ctype, range) = (pointer_to(expr.ctype.clone()), expr.range);
    Expr { kind: ExprKind::AddressOf(Box::new(expr)), ctype, range }
}

/// `*pointer`
pub(super) fn pointed_to(pointer: Expr) -> Expr {
    let ctype = match &pointer.ctype.kind {
        TypeKind::Pointer { target, .. } => (**target).clone(),
        TypeKind::Array { element, .. } => (**element).clone(),
        _ => pointer.ctype.clone(),
    };
    let (range, index) = (pointer.range, Box::new(zero(&pointer)));
    Expr { kind: ExprKind::Subscript { base: Box::new(pointer), index }, ctype, range }
}

pub(super) fn zero(pointer: &Expr) -> Expr {
    zero_at(pointer.range)
}

pub(super) fn zero_at(range: SourceRange) -> Expr {
    let ctype = Type { kind: TypeKind::Arithmetic(CType::Int), constant: false, volatile: false };
    Expr { kind: ExprKind::Integer(0), ctype, range }
}
