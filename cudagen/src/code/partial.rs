//! Spells the values of a sum that the threads of a warp share.

use scop::c_text::{Fragment, unsigned_operation};
use scop::{BinaryOp, CType, Diagnostics, ReductionOp};

use crate::code::undefined::undefined;

/// Returns the neutral value of an operator: combining it with a number gives that number.
///
/// # Errors
/// Reports a bug if numbers of the type are not combined by the operator.
pub fn neutral(operator: ReductionOp, ctype: CType) -> Result<String, Diagnostics> {
    use ReductionOp::{BitAnd, BitOr, BitXor, Max, Min, Product, Sum};
    let text = match (operator, ctype) {
        // Minus zero leaves both zeros as they are.
        (Sum, CType::Float) => "-0.0f",
        (Sum, CType::Double) => "-0.0",
        (Product, CType::Float) => "1.0f",
        (Product, CType::Double) => "1.0",
        (Min, CType::Float) => "HUGE_VALF",
        (Min, CType::Double) => "HUGE_VAL",
        (Max, CType::Float) => "-HUGE_VALF",
        (Max, CType::Double) => "-HUGE_VAL",
        (Sum | BitOr | BitXor, _) if ctype.is_integer() => "0",
        (Product, _) if ctype.is_integer() => "1",
        (BitAnd, _) if ctype.is_integer() => "-1",
        (Min | Max, _) => return extreme(operator == Min, ctype),
        _ => return Err(undefined("a partial value")),
    };
    Ok(text.to_owned())
}

/// Returns the largest or the smallest integer of a type.
fn extreme(largest: bool, ctype: CType) -> Result<String, Diagnostics> {
    let name = ctype.c_name();
    let bits = 8 * ctype.size();
    Ok(match (ctype, largest) {
        (CType::UInt | CType::ULong | CType::ULongLong, true) => format!("~({name})0"),
        (CType::UInt | CType::ULong | CType::ULongLong, false) => "0".to_owned(),
        (CType::Int | CType::Long | CType::LongLong, _) => {
            let most = format!("({name})(~0ull >> {})", 64 - bits + 1);
            if largest { most } else { format!("-{most} - 1") }
        }
        _ => return Err(undefined("a partial value")),
    })
}

/// Returns the text of an element combined with a value of the same type.
///
/// # Errors
/// Reports a bug if the operator is not one of sums.
pub fn combined(
    operator: ReductionOp,
    element: &Fragment,
    value: &Fragment,
) -> Result<Fragment, Diagnostics> {
    let operator = match operator {
        ReductionOp::Sum => BinaryOp::Add,
        ReductionOp::Product => BinaryOp::Mul,
        ReductionOp::BitAnd => BinaryOp::BitAnd,
        ReductionOp::BitOr => BinaryOp::BitOr,
        ReductionOp::BitXor => BinaryOp::BitXor,
        ReductionOp::Min | ReductionOp::Max => {
            let comparison = if operator == ReductionOp::Min { BinaryOp::Lt } else { BinaryOp::Gt };
            let condition = Fragment::infix(comparison, value, element, CType::Int);
            return Ok(Fragment::conditional(&condition, value, element, element.ctype));
        }
        ReductionOp::And | ReductionOp::Or => return Err(undefined("a shared sum")),
    };
    Ok(unsigned_operation(operator, element, value))
}

/// Returns the name of the function that combines the values of a warp, without its prefix.
pub fn function(operator: ReductionOp, in_order: bool) -> &'static str {
    match operator {
        ReductionOp::Sum if in_order => "sum_in_order",
        ReductionOp::Product if in_order => "product_in_order",
        ReductionOp::Sum => "warp_sum",
        ReductionOp::Product => "warp_product",
        ReductionOp::Min => "warp_min",
        ReductionOp::Max => "warp_max",
        ReductionOp::BitAnd => "warp_and",
        ReductionOp::BitOr => "warp_or",
        ReductionOp::BitXor => "warp_xor",
        ReductionOp::And => "warp_all",
        ReductionOp::Or => "warp_any",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neutral_values_change_nothing() {
        use ReductionOp::{BitAnd, Max, Min, Sum};
        let of = |operator, ctype| neutral(operator, ctype).unwrap();
        assert_eq!(of(Max, CType::Int), "-(int)(~0ull >> 33) - 1");
        assert_eq!(of(Min, CType::Long), "(long)(~0ull >> 1)");
        assert_eq!(of(Max, CType::UInt), "0");
        assert_eq!(of(BitAnd, CType::Int), "-1");
        assert_eq!(of(Sum, CType::Double), "-0.0");
        assert!(neutral(ReductionOp::Or, CType::Int).is_err());
    }

    #[test]
    fn signed_sums_are_combined_without_a_sign() {
        let (element, value) = (Fragment::atom("s[i]", CType::Int), Fragment::atom("part", CType::Int));
        let of = |operator| combined(operator, &element, &value).unwrap().text;
        assert_eq!(of(ReductionOp::Sum), "(int)((unsigned int)s[i] + (unsigned int)part)");
        assert_eq!(of(ReductionOp::Max), "part > s[i] ? part : s[i]");
        assert_eq!(of(ReductionOp::BitXor), "(int)((unsigned int)s[i] ^ (unsigned int)part)");
    }
}
