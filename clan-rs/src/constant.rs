//! Integer constant expressions.

use scop::{BinaryOp, CType, UnaryOp};

use crate::ctree::{Expr, ExprKind, Tree};

/// The least and the largest value of an integer type.
pub fn range_of(ctype: CType) -> (i128, i128) {
    let bits = 8 * ctype.size();
    match ctype {
        CType::Bool => (0, 1),
        _ if ctype.is_unsigned() => (0, (1 << bits) - 1),
        _ => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
    }
}

/// The value of an integer expression without variables (but `const` ones with a constant initialiser), if it has one:
/// unsigned arithmetic, shifts to the left and conversions wrap around, other signed arithmetic that overflows has no value.
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

/// Whether a condition holds, if it is a constant.
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

/// `left << right` in a type: what is shifted beyond its bits is lost, and there is no value beyond the width of the type.
fn shifted(ctype: CType, left: i128, right: i128) -> Option<i128> {
    let bits = i128::from(8 * ctype.size());
    (0..bits).contains(&right).then(|| convert(ctype, left << right))
}

fn fit(ctype: CType, value: i128) -> Option<i128> {
    let (least, largest) = range_of(ctype);
    if ctype.is_unsigned() {
        Some(convert(ctype, value))
    } else {
        (least..=largest).contains(&value).then_some(value)
    }
}

/// The value after a conversion.
pub fn convert(ctype: CType, value: i128) -> i128 {
    let (least, largest) = range_of(ctype);
    match ctype {
        CType::Bool => i128::from(value != 0),
        _ => (value - least).rem_euclid(largest - least + 1) + least,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_lp64() {
        assert_eq!(range_of(CType::Int), (-2_147_483_648, 2_147_483_647));
        assert_eq!(range_of(CType::UChar), (0, 255));
        assert_eq!(range_of(CType::ULong), (0, 18_446_744_073_709_551_615));
    }

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
}
