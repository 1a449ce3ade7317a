//! Constants.

use super::fragment::precedence;
use super::{Dialect, Fragment};
use crate::{BinaryOp, CType};

/// An integer constant of a type.
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

/// C has no literals of the types below `int`.
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

/// For the magnitude of the lowest value of a signed type, which is no literal of that type, one less.
fn lowest(digits: &str) -> Option<&'static str> {
    match digits {
        "2147483648" => Some("2147483647"),
        "9223372036854775808" => Some("9223372036854775807"),
        _ => None,
    }
}

/// A floating-point constant of a type.
pub fn floating(value: &str, ctype: CType) -> Fragment {
    let suffix = match ctype {
        CType::Float => "f",
        CType::LongDouble => "L",
        _ => "",
    };
    let point = if value.contains(['.', 'e', 'E', 'p', 'P']) { "" } else { ".0" };
    signed(format!("{value}{point}{suffix}"), ctype)
}

fn signed(text: String, ctype: CType) -> Fragment {
    let precedence = if text.starts_with(['-', '+']) { precedence::UNARY } else { precedence::POSTFIX };
    Fragment { text, precedence, ctype }
}

/// The floating-point constant with the value of an integer constant, if the type holds it exactly.
pub fn integer_as_floating(value: &str, ctype: CType) -> Option<Fragment> {
    let bits = match ctype {
        CType::Float => 24,
        CType::Double => 53,
        _ => return None,
    };
    let number: i64 = value.parse().ok()?;
    (number.unsigned_abs() <= 1 << bits).then(|| floating(&number.to_string(), ctype))
}
