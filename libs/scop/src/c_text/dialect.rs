//! The languages of the text.

use crate::CType;

/// The language of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// C99 and later.
    C,
    /// C++ and CUDA.
    Cxx,
}

impl Dialect {
    /// How this language spells a type.
    pub fn type_name(self, ctype: CType) -> &'static str {
        match (self, ctype) {
            (Self::Cxx, CType::Bool) => "bool",
            (Self::Cxx, _) if ctype.is_complex() => structure(ctype),
            _ => ctype.c_name(),
        }
    }
}

/// The name in C++ of the structure that a complex number is.
pub fn structure(ctype: CType) -> &'static str {
    if ctype == CType::FloatComplex { "cuda_complex_float" } else { "cuda_complex_double" }
}
