//! V6: operations on complex numbers.

use crate::names::{ComplexFunction, complex_function};
use crate::{BinaryOp, CType, Expr, ExprKind, UnaryOp};

/// False for an operator or a constant that C does not have for complex operands, or whose operands or value
/// have a wrong type (see [`crate::expr`]).
pub fn is_sound(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Imaginary { .. } => expr.ctype.is_complex(),
        ExprKind::Unary { operator, operand } => is_sound_unary(*operator, operand.ctype, expr.ctype),
        ExprKind::Binary { operator, left, right } => {
            is_sound_binary(*operator, left.ctype, right.ctype, expr.ctype)
        }
        _ => true,
    }
}

fn is_sound_unary(operator: UnaryOp, operand: CType, value: CType) -> bool {
    match operator {
        UnaryOp::Real | UnaryOp::Imaginary => operand.is_complex() && value == operand.part(),
        UnaryOp::Not => !value.is_complex(),
        UnaryOp::Minus | UnaryOp::Plus | UnaryOp::Complement => {
            operand == value || !operand.is_complex() && !value.is_complex()
        }
    }
}

fn is_sound_binary(operator: BinaryOp, left: CType, right: CType, value: CType) -> bool {
    use BinaryOp::{Add, And, Div, Eq, Mul, Ne, Or, Sub};
    let complex = match (left.is_complex(), right.is_complex()) {
        (false, false) => return !value.is_complex(),
        (true, _) => left,
        (false, true) => right,
    };
    let meet = [left, right].iter().all(|operand| *operand == complex || *operand == complex.part());
    match operator {
        Add | Sub | Mul | Div => meet && value == complex,
        Eq | Ne => meet && !value.is_complex(),
        And | Or => !value.is_complex(),
        _ => false,
    }
}

/// False for a call of a `<complex.h>` function with other types than in C, and for a call of any other library
/// function with complex numbers.
pub fn is_sound_call(name: &str, arguments: &[Expr], value: &Expr) -> bool {
    let types = || arguments.iter().map(|argument| argument.ctype);
    match complex_function(name) {
        Some(ComplexFunction { argument, value: expected }) => {
            types().all(|ctype| ctype == argument) && value.ctype == expected
        }
        None => types().chain([value.ctype]).all(|ctype| !ctype.is_complex()),
    }
}
