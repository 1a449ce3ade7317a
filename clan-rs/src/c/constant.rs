//! Integer constant expressions.

use scop::{BinaryOp, CType, UnaryOp};

use crate::c::ctree::{Expr, ExprKind, Tree};

/// Returns the value of an integer expression, if it is constant: `const` variables with a constant initialiser
/// count as constants. Unsigned arithmetic, left shifts and conversions wrap around; other signed arithmetic that
/// overflows has no value.
pub fn fold(tree: &Tree, expr: &Expr) -> Option<i128> {
    let ctype = expr.ctype.arithmetic().filter(|ctype| ctype.is_integer())?;
    match &expr.kind {
        ExprKind::Integer(value) => Some(*value),
        ExprKind::Variable(id) => tree.variable(*id).constant,
        ExprKind::Unary(UnaryOp::Minus, operand) => fit(ctype, fold(tree, operand)?.checked_neg()?),
        ExprKind::Unary(UnaryOp::Plus, operand) => fold(tree, operand),
        ExprKind::Cast { operand, .. } => Some(convert(ctype, fold(tree, operand)?)),
        ExprKind::Binary(BinaryOp::Shl, left, right) => shifted(ctype, fold(tree, left)?, fold(tree, right)?),
        ExprKind::Binary(operator, left, right) => {
            fit(ctype, operate(*operator, fold(tree, left)?, fold(tree, right)?)?)
        }
        _ => None,
    }
}

/// Returns whether a condition holds, if it is constant.
pub fn truth(tree: &Tree, condition: &Expr) -> Option<bool> {
    let sides = |left, right| Some((fold(tree, left)?, fold(tree, right)?));
    match &condition.kind {
        ExprKind::Binary(BinaryOp::Lt, left, right) => sides(left, right).map(|(left, right)| left < right),
        ExprKind::Binary(BinaryOp::Le, left, right) => sides(left, right).map(|(left, right)| left <= right),
        ExprKind::Binary(BinaryOp::Gt, left, right) => sides(left, right).map(|(left, right)| left > right),
        ExprKind::Binary(BinaryOp::Ge, left, right) => sides(left, right).map(|(left, right)| left >= right),
        ExprKind::Binary(BinaryOp::Eq, left, right) => sides(left, right).map(|(left, right)| left == right),
        ExprKind::Binary(BinaryOp::Ne, left, right) => sides(left, right).map(|(left, right)| left != right),
        ExprKind::Binary(BinaryOp::And, left, right) => match (truth(tree, left)?, truth(tree, right)) {
            (false, _) => Some(false),
            (true, right) => right,
        },
        ExprKind::Binary(BinaryOp::Or, left, right) => match (truth(tree, left)?, truth(tree, right)) {
            (true, _) => Some(true),
            (false, right) => right,
        },
        ExprKind::Unary(UnaryOp::Not, operand) => truth(tree, operand).map(|holds| !holds),
        _ => fold(tree, condition).map(|value| value != 0),
    }
}

fn operate(operator: BinaryOp, left: i128, right: i128) -> Option<i128> {
    match operator {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Sub => left.checked_sub(right),
        BinaryOp::Mul => left.checked_mul(right),
        BinaryOp::Div => left.checked_div(right),
        BinaryOp::Rem => left.checked_rem(right),
        BinaryOp::Shr if (0..63).contains(&right) => Some(left >> right),
        _ => None,
    }
}

/// Computes `left << right` in a type. Bits beyond the width of the type are lost; a shift by its width or more has
/// no value.
fn shifted(ctype: CType, left: i128, right: i128) -> Option<i128> {
    let bits = i128::from(8 * ctype.size());
    (0..bits).contains(&right).then(|| convert(ctype, left << right))
}

fn fit(ctype: CType, value: i128) -> Option<i128> {
    let (least, largest) = ctype.range();
    if ctype.is_unsigned() {
        Some(convert(ctype, value))
    } else {
        (least..=largest).contains(&value).then_some(value)
    }
}

/// Converts a value to a type.
pub fn convert(ctype: CType, value: i128) -> i128 {
    let (least, largest) = ctype.range();
    match ctype {
        CType::Bool => i128::from(value != 0),
        _ => (value - least).rem_euclid(largest - least + 1) + least,
    }
}

/// True for a constant, possibly with a sign, or real arithmetic on such constants whose result is defined for all
/// operands.
pub fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Integer(_) | ExprKind::Floating(Some(_)) | ExprKind::Imaginary(Some(_)) => true,
        ExprKind::Unary(_, operand) | ExprKind::Cast { operand, .. } => is_literal(operand),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div, left, right) => {
            let is_real =
                expr.ctype.arithmetic().is_some_and(|ctype| [CType::Float, CType::Double].contains(&ctype));
            is_real && is_literal(left) && is_literal(right)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_wrap_around() {
        assert_eq!(convert(CType::UInt, -1), 4_294_967_295);
        assert_eq!(convert(CType::SChar, 200), -56);
        assert_eq!(convert(CType::Bool, 7), 1);
        assert_eq!(convert(CType::Long, -5), -5);
    }

    #[test]
    fn signed_overflow_has_no_value() {
        assert_eq!(fit(CType::Int, 1 << 31), None);
        assert_eq!(fit(CType::UInt, 1 << 32), Some(0));
        assert_eq!(operate(BinaryOp::Div, 1, 0), None);
    }

    #[test]
    fn shifts_into_the_sign_bit_wrap_around() {
        assert_eq!(shifted(CType::Int, 1, 31), Some(-2_147_483_648));
        assert_eq!(shifted(CType::Int, 3, 31), Some(-2_147_483_648));
        assert_eq!(shifted(CType::UInt, 3, 31), Some(2_147_483_648));
        assert_eq!(shifted(CType::ULong, -1, 63), Some(1 << 63));
        assert_eq!(shifted(CType::Int, 1, 32), None);
        assert_eq!(shifted(CType::Int, 1, -1), None);
    }

    fn expr(kind: ExprKind, ctype: CType) -> Expr {
        let range = scop::SourceRange { start: 0, end: 0, line: 1, column: 1 };
        let ctype = crate::c::ctree::Type {
            kind: crate::c::ctree::TypeKind::Arithmetic(ctype),
            constant: false,
            volatile: false,
        };
        Expr { kind, ctype, range }
    }

    fn number(value: i128) -> Expr {
        expr(ExprKind::Integer(value), CType::Int)
    }

    fn binary(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
        expr(ExprKind::Binary(operator, left.into(), right.into()), CType::Int)
    }

    #[test]
    fn constant_conditions_hold_or_not() {
        use BinaryOp::*;
        let tree = Tree::default();
        for (operator, less, equal, more) in [
            (Lt, true, false, false),
            (Le, true, true, false),
            (Gt, false, false, true),
            (Ge, false, true, true),
            (Eq, false, true, false),
            (Ne, true, false, true),
        ] {
            for (right, expected) in [(6, less), (5, equal), (4, more)] {
                let condition = binary(operator, number(5), number(right));
                assert_eq!(truth(&tree, &condition), Some(expected), "5 {} {right}", operator.c_name());
                let not = expr(ExprKind::Unary(UnaryOp::Not, condition.into()), CType::Int);
                assert_eq!(truth(&tree, &not), Some(!expected));
            }
        }
        let unknown = || expr(ExprKind::Floating(None), CType::Double);
        for (operator, left, expected) in
            [(And, 0, Some(false)), (And, 1, None), (Or, 0, None), (Or, 1, Some(true))]
        {
            assert_eq!(truth(&tree, &binary(operator, number(left), unknown())), expected);
            assert_eq!(truth(&tree, &binary(operator, unknown(), number(left))), None);
        }
        for (left, right) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let both = |operator| truth(&tree, &binary(operator, number(left), number(right)));
            assert_eq!(both(And), Some(left != 0 && right != 0));
            assert_eq!(both(Or), Some(left != 0 || right != 0));
        }
    }

    #[test]
    fn constants_are_computed_in_their_types() {
        let tree = Tree::default();
        let negative = || expr(ExprKind::Unary(UnaryOp::Minus, number(7).into()), CType::Int);
        for (operator, expected) in [
            (BinaryOp::Shr, Some(-4)),
            (BinaryOp::Div, Some(-3)),
            (BinaryOp::Rem, Some(-1)),
            (BinaryOp::Shl, Some(-14)),
        ] {
            let right = if operator == BinaryOp::Div || operator == BinaryOp::Rem { 2 } else { 1 };
            assert_eq!(fold(&tree, &binary(operator, negative(), number(right))), expected);
        }
        let cast = |ctype, operand: Expr| {
            fold(&tree, &expr(ExprKind::Cast { implicit: false, operand: operand.into() }, ctype))
        };
        assert_eq!(cast(CType::UChar, negative()), Some(249));
        assert_eq!(cast(CType::Bool, negative()), Some(1));
        assert_eq!(cast(CType::SChar, number(200)), Some(-56));
        let unsigned = expr(ExprKind::Unary(UnaryOp::Minus, number(1).into()), CType::UInt);
        assert_eq!(fold(&tree, &unsigned), Some(4_294_967_295));
        assert_eq!(fold(&tree, &binary(BinaryOp::Add, number(2_147_483_647), number(1))), None);
    }
}
