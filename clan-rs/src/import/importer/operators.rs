//! clang's operators as ours.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use clang_sys::*;
use scop::BinaryOp;

pub(super) fn is_comparison(operator: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(operator, Lt | Le | Gt | Ge | Eq | Ne)
}

pub(super) fn binary_operator(kind: CXBinaryOperatorKind) -> Option<BinaryOp> {
    Some(match kind {
        CXBinaryOperator_Mul => BinaryOp::Mul,
        CXBinaryOperator_Div => BinaryOp::Div,
        CXBinaryOperator_Rem => BinaryOp::Rem,
        CXBinaryOperator_Add => BinaryOp::Add,
        CXBinaryOperator_Sub => BinaryOp::Sub,
        CXBinaryOperator_Shl => BinaryOp::Shl,
        CXBinaryOperator_Shr => BinaryOp::Shr,
        CXBinaryOperator_LT => BinaryOp::Lt,
        CXBinaryOperator_GT => BinaryOp::Gt,
        CXBinaryOperator_LE => BinaryOp::Le,
        CXBinaryOperator_GE => BinaryOp::Ge,
        CXBinaryOperator_EQ => BinaryOp::Eq,
        CXBinaryOperator_NE => BinaryOp::Ne,
        CXBinaryOperator_And => BinaryOp::BitAnd,
        CXBinaryOperator_Xor => BinaryOp::BitXor,
        CXBinaryOperator_Or => BinaryOp::BitOr,
        CXBinaryOperator_LAnd => BinaryOp::And,
        CXBinaryOperator_LOr => BinaryOp::Or,
        _ => return None,
    })
}

/// The operator in an assignment operator, `Some(None)` for plain assignment.
pub(super) fn assignment_operator(kind: CXBinaryOperatorKind) -> Option<Option<BinaryOp>> {
    Some(match kind {
        CXBinaryOperator_Assign => None,
        CXBinaryOperator_MulAssign => Some(BinaryOp::Mul),
        CXBinaryOperator_DivAssign => Some(BinaryOp::Div),
        CXBinaryOperator_RemAssign => Some(BinaryOp::Rem),
        CXBinaryOperator_AddAssign => Some(BinaryOp::Add),
        CXBinaryOperator_SubAssign => Some(BinaryOp::Sub),
        CXBinaryOperator_ShlAssign => Some(BinaryOp::Shl),
        CXBinaryOperator_ShrAssign => Some(BinaryOp::Shr),
        CXBinaryOperator_AndAssign => Some(BinaryOp::BitAnd),
        CXBinaryOperator_XorAssign => Some(BinaryOp::BitXor),
        CXBinaryOperator_OrAssign => Some(BinaryOp::BitOr),
        _ => return None,
    })
}
