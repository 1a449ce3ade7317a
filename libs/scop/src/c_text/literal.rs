//! Constants.

use super::dialect::Dialect;
use super::fragment::{Fragment, precedence};
use crate::c_syntax::is_special;
use crate::{BinaryOp, CType};

/// Prints an integer constant of a type.
pub fn integer(value: &str, ctype: CType, dialect: Dialect) -> Fragment {
    let Some(suffix) = suffix(ctype) else { return narrow_integer(value, ctype, dialect) };
    let digits = value.trim_start_matches(['-', '+']);
    if !value.starts_with('-') {
        return Fragment::atom(format!("{digits}{suffix}"), ctype);
    }
    match lowest(digits) {
        Some(above) => Fragment {
            text: format!("-{above}{suffix} - 1{suffix}"),
            precedence: BinaryOp::Sub.precedence(),
            ctype,
        },
        None => signed(format!("-{digits}{suffix}"), ctype),
    }
}

/// Prints a cast, because C has no literals of the types below `int`.
fn narrow_integer(value: &str, ctype: CType, dialect: Dialect) -> Fragment {
    let plain = integer(value, CType::Int, dialect);
    Fragment::prefix(&format!("({})", dialect.type_name(ctype)), &plain, ctype)
}

fn suffix(ctype: CType) -> Option<&'static str> {
    match ctype {
        CType::Int => Some(""),
        CType::UInt => Some("u"),
        CType::Long => Some("L"),
        CType::ULong => Some("UL"),
        CType::LongLong => Some("LL"),
        CType::ULongLong => Some("ULL"),
        _ => None,
    }
}

/// Returns the magnitude of the lowest value of a signed type minus one; the type has no literal for the
/// magnitude.
fn lowest(digits: &str) -> Option<&'static str> {
    match digits {
        "2147483648" => Some("2147483647"),
        "9223372036854775808" => Some("9223372036854775807"),
        _ => None,
    }
}

/// Prints a floating-point constant of a type.
pub fn floating(value: &str, ctype: CType, dialect: Dialect) -> Fragment {
    let digits = value.trim_start_matches(['-', '+']);
    if is_special(digits) {
        return special(digits, value.starts_with('-'), ctype, dialect);
    }
    let suffix = match ctype {
        CType::Float => "f",
        CType::LongDouble => "L",
        _ => "",
    };
    let point = if value.contains(['.', 'e', 'E', 'p', 'P']) { "" } else { ".0" };
    signed(format!("{value}{point}{suffix}"), ctype)
}

/// Returns the name of the C++ function that makes a floating-point number from its bits.
pub fn of_bits(ctype: CType) -> &'static str {
    if ctype == CType::Float { "cuda_float_of_bits" } else { "cuda_double_of_bits" }
}

/// Prints an infinity or a NaN. The C text calls a compiler builtin. CUDA would make its own NaN of it, with
/// other bits, so the C++ text is made from the bits.
fn special(name: &str, negative: bool, ctype: CType, dialect: Dialect) -> Fragment {
    let is_nan = name == "nan";
    let bits = match (dialect, ctype) {
        (Dialect::Cxx, CType::Float) => {
            format!("0x{:08x}u", f32_bits(is_nan) | u32::from(negative) << 31)
        }
        (Dialect::Cxx, CType::Double) => {
            format!("0x{:016x}ull", f64_bits(is_nan) | u64::from(negative) << 63)
        }
        _ => {
            let suffix = match ctype {
                CType::Float => "f",
                CType::LongDouble => "l",
                _ => "",
            };
            let (sign, argument) = (if negative { "-" } else { "" }, if is_nan { "\"\"" } else { "" });
            return signed(format!("{sign}__builtin_{name}{suffix}({argument})"), ctype);
        }
    };
    Fragment::atom(format!("{}({bits})", of_bits(ctype)), ctype)
}

fn f32_bits(is_nan: bool) -> u32 {
    if is_nan { 0x7fc0_0000 } else { f32::INFINITY.to_bits() }
}

fn f64_bits(is_nan: bool) -> u64 {
    if is_nan { 0x7ff8_0000_0000_0000 } else { f64::INFINITY.to_bits() }
}

fn signed(text: String, ctype: CType) -> Fragment {
    let precedence = if text.starts_with(['-', '+']) { precedence::UNARY } else { precedence::POSTFIX };
    Fragment { text, precedence, ctype }
}

/// Prints an integer constant as a floating-point constant, if the type represents its value exactly.
pub fn integer_as_floating(value: &str, ctype: CType) -> Option<Fragment> {
    let bits = match ctype {
        CType::Float => 24,
        CType::Double => 53,
        _ => return None,
    };
    let number: i64 = value.parse().ok()?;
    (number.unsigned_abs() <= 1 << bits).then(|| floating(&number.to_string(), ctype, Dialect::C))
}
