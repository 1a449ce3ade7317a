//! C's implicit conversions, for places where clang's tree does not show them.

use scop::{CType, Expr, ExprKind};

/// Converts a value to a type, unless it already has that type.
pub fn cast(value: Expr, ctype: CType) -> Expr {
    if value.ctype == ctype {
        return value;
    }
    Expr { ctype, kind: ExprKind::Cast { implicit: true, operand: value.into() } }
}

/// Applies the integer promotions (C17 6.3.1.1): a type smaller than `int` becomes `int`.
pub fn promoted(ctype: CType) -> CType {
    if ctype.is_integer() && ctype.size() < CType::Int.size() { CType::Int } else { ctype }
}

/// Applies the usual arithmetic conversions to the operands of an arithmetic operator. A real operand beside a
/// complex one stays real (C17 6.3.1.8); clang does not show this for integers.
pub fn arithmetic_operands(left: Expr, right: Expr) -> (Expr, Expr) {
    let (left, right) = (without_imaginary_part(left), without_imaginary_part(right));
    let common = common_type(left.ctype, right.ctype);
    let convert = |operand: Expr| {
        let ctype = if operand.ctype.is_complex() { common } else { common.part() };
        cast(operand, ctype)
    };
    (convert(left), convert(right))
}

/// Undoes an implicit conversion of a real number to a complex type.
fn without_imaginary_part(operand: Expr) -> Expr {
    match operand.kind {
        ExprKind::Cast { implicit: true, operand: inner }
            if operand.ctype.is_complex() && !inner.ctype.is_complex() =>
        {
            *inner
        }
        kind => Expr { kind, ..operand },
    }
}

/// Returns the common type of two operands after the usual arithmetic conversions (C17 6.3.1.8).
pub fn common_type(left: CType, right: CType) -> CType {
    if left.is_complex() || right.is_complex() {
        return left.common_with(right);
    }
    for floating in [CType::LongDouble, CType::Double, CType::Float] {
        if left == floating || right == floating {
            return floating;
        }
    }
    let (left, right) = (promoted(left), promoted(right));
    let (higher, lower) = if rank(left) >= rank(right) { (left, right) } else { (right, left) };
    let holds_both = higher.is_unsigned() || !lower.is_unsigned() || higher.size() > lower.size();
    if holds_both { higher } else { to_unsigned(higher) }
}

fn rank(ctype: CType) -> u32 {
    match ctype {
        CType::Int | CType::UInt => 1,
        CType::Long | CType::ULong => 2,
        _ => 3,
    }
}

fn to_unsigned(ctype: CType) -> CType {
    match ctype {
        CType::Int => CType::UInt,
        CType::Long => CType::ULong,
        CType::LongLong => CType::ULongLong,
        other => other,
    }
}

/// Returns a constant of type `int`.
pub fn number(value: i32) -> Expr {
    Expr { ctype: CType::Int, kind: ExprKind::Integer { value: value.to_string() } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(ctype: CType) -> Expr {
        Expr { ctype, kind: ExprKind::Parameter { name: "x".to_owned() } }
    }

    /// (inf + i) * 2 is inf + 2i, but (inf + i) * (2 + 0i) contains a NaN. Older versions of clang show the second
    /// form for integers.
    #[test]
    fn real_operands_beside_complex_ones_stay_real() {
        let complex = variable(CType::DoubleComplex);
        for (real, expected) in [
            (variable(CType::Double), variable(CType::Double)),
            (variable(CType::Float), cast(variable(CType::Float), CType::Double)),
            (variable(CType::Int), cast(variable(CType::Int), CType::Double)),
            (cast(variable(CType::Double), CType::DoubleComplex), variable(CType::Double)),
            (
                cast(cast(variable(CType::Int), CType::Double), CType::DoubleComplex),
                cast(variable(CType::Int), CType::Double),
            ),
        ] {
            let both = arithmetic_operands(real.clone(), complex.clone());
            assert_eq!(both, (expected.clone(), complex.clone()));
            assert_eq!(arithmetic_operands(complex.clone(), real), (complex.clone(), expected));
        }
        let narrow = variable(CType::FloatComplex);
        let both = arithmetic_operands(variable(CType::Double), narrow.clone());
        assert_eq!(both, (variable(CType::Double), cast(narrow, CType::DoubleComplex)));
    }

    #[test]
    fn small_integers_are_promoted() {
        for (ctype, expected) in [
            (CType::Bool, CType::Int),
            (CType::Char, CType::Int),
            (CType::UShort, CType::Int),
            (CType::UInt, CType::UInt),
            (CType::Float, CType::Float),
        ] {
            assert_eq!(promoted(ctype), expected);
        }
    }

    #[test]
    fn operands_meet_in_a_common_type() {
        for (left, right, expected) in [
            (CType::Char, CType::Short, CType::Int),
            (CType::Int, CType::UInt, CType::UInt),
            (CType::Long, CType::UInt, CType::Long),
            (CType::ULong, CType::Int, CType::ULong),
            (CType::LongLong, CType::ULong, CType::ULongLong),
            (CType::Long, CType::LongLong, CType::LongLong),
            (CType::Float, CType::ULongLong, CType::Float),
            (CType::Float, CType::Double, CType::Double),
            (CType::LongDouble, CType::Double, CType::LongDouble),
            (CType::FloatComplex, CType::Long, CType::FloatComplex),
            (CType::FloatComplex, CType::Double, CType::DoubleComplex),
            (CType::FloatComplex, CType::DoubleComplex, CType::DoubleComplex),
        ] {
            assert_eq!(common_type(left, right), expected, "{left} {right}");
            assert_eq!(common_type(right, left), expected, "{right} {left}");
        }
    }
}
