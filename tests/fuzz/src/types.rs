//! How C calls the element types.

use crate::program::Type;

/// The name of a type.
pub fn c_type(kind: Type) -> &'static str {
    match kind {
        Type::Double => "double",
        Type::Float => "float",
        Type::Int => "int",
        Type::Unsigned => "unsigned",
        Type::Long => "long",
        Type::UnsignedLong => "unsigned long",
        Type::Short => "short",
        Type::UnsignedChar => "unsigned char",
    }
}
