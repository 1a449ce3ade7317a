//! The languages of generated text.

use crate::CType;

/// The language of generated text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// C99 and later.
    C,
    /// C++ and CUDA.
    Cxx,
}

impl Dialect {
    /// Returns the spelling of a type in this language.
    pub fn type_name(self, ctype: CType) -> &'static str {
        match (self, ctype) {
            (Self::Cxx, CType::Bool) => "bool",
            (Self::Cxx, _) if ctype.is_complex() => structure(ctype),
            _ => ctype.c_name(),
        }
    }
}

/// Returns the C++ name of the structure that represents a complex type.
pub fn structure(ctype: CType) -> &'static str {
    if ctype == CType::FloatComplex { "cuda_complex_float" } else { "cuda_complex_double" }
}
