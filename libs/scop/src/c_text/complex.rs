//! Complex numbers.
//!
//! C has types for them, and so has its text. C++ and CUDA have none that device code may use, so there they are
//! structures with the members `re` and `im`, whose operators generated code defines. A structure is converted by
//! nothing but what is written.

use super::dialect::Dialect;
use super::fragment::{Fragment, precedence};
use super::literal;
use crate::CType;

pub use super::dialect::structure;

/// The name of the C++ function that converts a complex number of the other type.
pub fn conversion(to: CType) -> &'static str {
    if to == CType::FloatComplex { "cuda_to_complex_float" } else { "cuda_to_complex_double" }
}

/// A complex constant whose real part is zero.
pub fn imaginary(value: &str, ctype: CType, dialect: Dialect) -> Fragment {
    let part = literal::floating(value, ctype.part(), dialect);
    match dialect {
        Dialect::C => Fragment { text: format!("{part}i"), ctype, ..part },
        Dialect::Cxx => pair(&literal::floating("0.0", ctype.part(), Dialect::Cxx), &part, ctype),
    }
}

/// A complex constant whose real part is zero, as a `double _Complex`; C++ widens the literal.
pub fn widened_imaginary(value: &str, from: CType) -> Fragment {
    let to = CType::DoubleComplex;
    pair(
        &literal::floating("0.0", to.part(), Dialect::Cxx),
        &literal::floating(value, from.part(), Dialect::Cxx),
        to,
    )
}

/// A structure with these parts, which are of the type that it wants.
fn pair(re: &Fragment, im: &Fragment, ctype: CType) -> Fragment {
    Fragment::atom(format!("{}{{{re}, {im}}}", structure(ctype)), ctype)
}

/// The number with a real part, which is of the type that it wants, and no imaginary one.
pub fn from_real(re: &Fragment, ctype: CType) -> Fragment {
    pair(re, &literal::floating("0.0", ctype.part(), Dialect::Cxx), ctype)
}

/// A structure of the other complex type as one of this.
pub fn from_other(value: &Fragment, ctype: CType) -> Fragment {
    Fragment::atom(format!("{}({value})", conversion(ctype)), ctype)
}

/// A member of a structure.
pub fn member(value: &Fragment, name: &str) -> Fragment {
    let text = format!("{}.{name}", value.at_least(precedence::POSTFIX));
    Fragment::atom(text, value.ctype.part())
}
