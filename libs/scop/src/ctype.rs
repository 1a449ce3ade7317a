//! C's arithmetic types, without typedef names.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An arithmetic type of C, in C's spelling. Sizes are those of the LP64 model (Linux on x86-64 and AArch64),
/// which host and device share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum CType {
    /// `_Bool`
    #[serde(rename = "_Bool")]
    Bool,
    /// `char`
    #[serde(rename = "char")]
    Char,
    /// `signed char`
    #[serde(rename = "signed char")]
    SChar,
    /// `unsigned char`
    #[serde(rename = "unsigned char")]
    UChar,
    /// `short`
    #[serde(rename = "short")]
    Short,
    /// `unsigned short`
    #[serde(rename = "unsigned short")]
    UShort,
    /// `int`
    #[serde(rename = "int")]
    Int,
    /// `unsigned int`
    #[serde(rename = "unsigned int")]
    UInt,
    /// `long`
    #[serde(rename = "long")]
    Long,
    /// `unsigned long`
    #[serde(rename = "unsigned long")]
    ULong,
    /// `long long`
    #[serde(rename = "long long")]
    LongLong,
    /// `unsigned long long`
    #[serde(rename = "unsigned long long")]
    ULongLong,
    /// `float`
    #[serde(rename = "float")]
    Float,
    /// `double`
    #[serde(rename = "double")]
    Double,
    /// `long double`; exists on the host only.
    #[serde(rename = "long double")]
    LongDouble,
    /// `float _Complex`: two `float`, the real part first.
    #[serde(rename = "float _Complex")]
    FloatComplex,
    /// `double _Complex`: two `double`, the real part first.
    #[serde(rename = "double _Complex")]
    DoubleComplex,
}

impl CType {
    /// Returns the C spelling, which is also the one in the document.
    pub fn c_name(self) -> &'static str {
        match self {
            Self::Bool => "_Bool",
            Self::Char => "char",
            Self::SChar => "signed char",
            Self::UChar => "unsigned char",
            Self::Short => "short",
            Self::UShort => "unsigned short",
            Self::Int => "int",
            Self::UInt => "unsigned int",
            Self::Long => "long",
            Self::ULong => "unsigned long",
            Self::LongLong => "long long",
            Self::ULongLong => "unsigned long long",
            Self::Float => "float",
            Self::Double => "double",
            Self::LongDouble => "long double",
            Self::FloatComplex => "float _Complex",
            Self::DoubleComplex => "double _Complex",
        }
    }

    /// Returns the size in bytes.
    pub fn size(self) -> u32 {
        match self {
            Self::Bool | Self::Char | Self::SChar | Self::UChar => 1,
            Self::Short | Self::UShort => 2,
            Self::Int | Self::UInt | Self::Float => 4,
            Self::Long
            | Self::ULong
            | Self::LongLong
            | Self::ULongLong
            | Self::Double
            | Self::FloatComplex => 8,
            Self::LongDouble | Self::DoubleComplex => 16,
        }
    }

    /// True for the integer types, including `_Bool` and the character types.
    pub fn is_integer(self) -> bool {
        !self.is_complex() && !matches!(self, Self::Float | Self::Double | Self::LongDouble)
    }

    /// True for the complex types.
    pub fn is_complex(self) -> bool {
        matches!(self, Self::FloatComplex | Self::DoubleComplex)
    }

    /// Returns the type of the parts of a complex type; a real type is returned unchanged.
    pub fn part(self) -> Self {
        match self {
            Self::FloatComplex => Self::Float,
            Self::DoubleComplex => Self::Double,
            real => real,
        }
    }

    /// Returns the complex type with parts of this type, if there is one; a complex type is returned unchanged.
    pub fn complex(self) -> Option<Self> {
        match self {
            Self::Float | Self::FloatComplex => Some(Self::FloatComplex),
            Self::Double | Self::DoubleComplex => Some(Self::DoubleComplex),
            _ => None,
        }
    }

    /// True for the unsigned integer types, whose arithmetic wraps around.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Self::Bool | Self::UChar | Self::UShort | Self::UInt | Self::ULong | Self::ULongLong)
    }

    /// Returns the smallest and the largest value of an integer type.
    pub fn range(self) -> (i128, i128) {
        let bits = self.size() * 8;
        match self {
            Self::Bool => (0, 1),
            _ if self.is_unsigned() => (0, (1 << bits) - 1),
            _ => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        }
    }

    /// Returns the type after C's integer promotions.
    pub fn promoted(self) -> Self {
        if self.is_integer() && self.size() < Self::Int.size() { Self::Int } else { self }
    }

    /// Returns the type of an arithmetic operation on this type and another, by C's usual arithmetic
    /// conversions. A real operand beside a complex one is not converted to a complex number, but to the type
    /// of its parts.
    pub fn common_with(self, other: Self) -> Self {
        let part = self.part().common_part(other.part());
        if self.is_complex() || other.is_complex() { part.complex().unwrap_or(part) } else { part }
    }

    /// Returns the common type of two real types.
    fn common_part(self, other: Self) -> Self {
        let (left, right) = (self.promoted(), other.promoted());
        let (low, high) = if left.rank() <= right.rank() { (left, right) } else { (right, left) };
        let loses_sign = low.is_unsigned() && high.is_integer() && !high.is_unsigned();
        if loses_sign && low.size() == high.size() && low.rank() != high.rank() {
            high.to_unsigned()
        } else {
            high
        }
    }

    /// Returns the rank of a promoted type in the usual arithmetic conversions. Unsigned types rank above the
    /// signed types of their width.
    fn rank(self) -> u8 {
        match self {
            Self::UInt => 1,
            Self::Long => 2,
            Self::ULong => 3,
            Self::LongLong => 4,
            Self::ULongLong => 5,
            Self::Float => 6,
            Self::Double => 7,
            Self::LongDouble => 8,
            _ => 0,
        }
    }

    fn to_unsigned(self) -> Self {
        match self {
            Self::LongLong => Self::ULongLong,
            Self::Long => Self::ULong,
            Self::Int => Self::UInt,
            other => other,
        }
    }

    /// True if the type exists on a GPU.
    pub fn exists_on_device(self) -> bool {
        self != Self::LongDouble
    }
}

impl fmt::Display for CType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.c_name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_lp64() {
        assert_eq!(CType::Int.range(), (-2_147_483_648, 2_147_483_647));
        assert_eq!(CType::UChar.range(), (0, 255));
        assert_eq!(CType::ULong.range(), (0, 18_446_744_073_709_551_615));
    }
}
