//! Complex numbers.
//!
//! C has types for them, and the C text uses these types. C++ and CUDA have none that device code may use, so
//! in C++ text they are structures with the members `re` and `im`, and generated code defines their operators.
//! A structure is converted only by an explicit conversion.

use super::dialect::Dialect;
use super::fragment::{Fragment, precedence};
use super::literal;
use crate::CType;

pub use super::dialect::structure;

/// Returns the name of the C++ function that converts a complex number of the other type to `to`.
pub fn conversion(to: CType) -> &'static str {
    if to == CType::FloatComplex { "cuda_to_complex_float" } else { "cuda_to_complex_double" }
}

/// Returns a complex constant whose real part is zero.
pub fn imaginary(value: &str, ctype: CType, dialect: Dialect) -> Fragment {
    let part = literal::floating(value, ctype.part(), dialect);
    match dialect {
        Dialect::C => Fragment { text: format!("{part}i"), ctype, ..part },
        Dialect::Cxx => pair(&literal::floating("0.0", ctype.part(), Dialect::Cxx), &part, ctype),
    }
}

/// Returns a `double _Complex` constant whose real part is zero; C++ widens the literal.
pub fn widened_imaginary(value: &str, from: CType) -> Fragment {
    let to = CType::DoubleComplex;
    pair(
        &literal::floating("0.0", to.part(), Dialect::Cxx),
        &literal::floating(value, from.part(), Dialect::Cxx),
        to,
    )
}

/// Returns a structure with these parts, which have the type of its members.
fn pair(re: &Fragment, im: &Fragment, ctype: CType) -> Fragment {
    Fragment::atom(format!("{}{{{re}, {im}}}", structure(ctype)), ctype)
}

/// Returns the complex number with this real part, which has the type of the members, and the imaginary part
/// zero.
pub fn from_real(re: &Fragment, ctype: CType) -> Fragment {
    pair(re, &literal::floating("0.0", ctype.part(), Dialect::Cxx), ctype)
}

/// Converts a structure of the other complex type to this one.
pub fn from_other(value: &Fragment, ctype: CType) -> Fragment {
    Fragment::atom(format!("{}({value})", conversion(ctype)), ctype)
}

/// Returns a member of a structure.
pub fn member(value: &Fragment, name: &str) -> Fragment {
    let text = format!("{}.{name}", value.at_least(precedence::POSTFIX));
    Fragment::atom(text, value.ctype.part())
}
