//! The text of floating literals.

use scop::CType;

use crate::c::clang::{Constant, Cursor};
use crate::import::types::arithmetic_type;

/// The text of a floating literal without its suffix, if it denotes exactly the value that clang computed; otherwise
/// (if it was pasted together, or defined on the command line) the shortest text that does.
pub fn floating_text(cursor: Cursor) -> Option<String> {
    let Some(Constant::Floating(value)) = cursor.evaluate() else { return None };
    if !value.is_finite() {
        return special_text(value);
    }
    let single = arithmetic_type(cursor.ctype().canonical().kind()) == Some(CType::Float);
    let written = cursor.spelled_text().map(literal_without_suffix);
    match written {
        Some(text) if denotes(&text, value, single) => Some(text),
        _ if single => Some(format!("{:?}", value as f32)),
        _ => Some(format!("{value:?}")),
    }
}

/// The text of an infinity, or of a NaN that is all that its text says: quiet, and without further bits.
fn special_text(value: f64) -> Option<String> {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let name = match value.abs().to_bits() {
        bits if bits == f64::INFINITY.to_bits() => "inf",
        0x7ff8_0000_0000_0000 => "nan",
        _ => return None,
    };
    Some(format!("{sign}{name}"))
}

/// The preprocessing number at the start of `text`, without `f`, `l`, `i` or `j` at its end.
fn literal_without_suffix(text: &[u8]) -> String {
    let mut end = 0;
    while let Some(&byte) = text.get(end) {
        let sign = matches!(byte, b'+' | b'-')
            && end > 0
            && matches!(text[end - 1], b'e' | b'E' | b'p' | b'P')
            && (text[end - 1].eq_ignore_ascii_case(&b'p') || !text[..end].starts_with(b"0x"));
        if !(byte.is_ascii_alphanumeric() || byte == b'.' || sign) {
            break;
        }
        end += 1;
    }
    let literal = String::from_utf8_lossy(&text[..end]);
    let suffix = |c| matches!(c, 'l' | 'L' | 'i' | 'I' | 'j' | 'J');
    let plain = literal.trim_end_matches(suffix);
    plain.trim_end_matches(['f', 'F']).trim_end_matches(suffix).to_owned()
}

fn denotes(text: &str, value: f64, single: bool) -> bool {
    if text.starts_with("0x") || text.starts_with("0X") {
        return text.contains(['p', 'P']);
    }
    if single {
        text.parse::<f32>().is_ok_and(|parsed| f64::from(parsed) == value)
    } else {
        text.parse::<f64>() == Ok(value)
    }
}

/// True if a text begins with a decimal number that fits no signed integer of 64 bits and has no `u`. GCC takes it for
/// an `__int128`, clang for an `unsigned long`.
pub fn is_of_128_bits(text: &[u8]) -> bool {
    let token = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'\'');
    let token: Vec<u8> = token.copied().filter(|byte| *byte != b'\'').collect();
    let end = token.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(token.len());
    let (digits, suffix) = token.split_at(end);
    let is_suffix = suffix.iter().all(|byte| matches!(byte, b'l' | b'L'));
    let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u128>().ok());
    digits.first().is_some_and(|first| *first != b'0')
        && is_suffix
        && number.is_none_or(|number| number > i64::MAX as u128)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_without_a_suffix_may_be_wide() {
        for wide in ["9223372036854775808", "11'400'714'819'323'198'485LL;", "18446744073709551615 >> 3"] {
            assert!(is_of_128_bits(wide.as_bytes()), "{wide}");
        }
        for other in
            ["9223372036854775807", "9223372036854775808u", "0xffffffffffffffff", "0", "x", "1e30", ""]
        {
            assert!(!is_of_128_bits(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn literals_lose_their_suffix() {
        let cases = [
            ("0.2;", "0.2"),
            ("1.5f)", "1.5"),
            ("2.L+1", "2."),
            ("1e-3-x", "1e-3"),
            (".5e+2F", ".5e+2"),
            ("0x1p-3f", "0x1p-3"),
            ("0x1.8p0", "0x1.8p0"),
            ("1.0iF)", "1.0"),
            ("2.5fi*x", "2.5"),
            ("0x1p3j", "0x1p3"),
        ];
        for (text, expected) in cases {
            assert_eq!(literal_without_suffix(text.as_bytes()), expected);
        }
    }

    #[test]
    fn infinities_and_plain_nans_have_texts() {
        let text = |bits: u64| special_text(f64::from_bits(bits));
        assert_eq!(text(f64::INFINITY.to_bits()).as_deref(), Some("inf"));
        assert_eq!(text(f64::NEG_INFINITY.to_bits()).as_deref(), Some("-inf"));
        assert_eq!(text(0x7ff8_0000_0000_0000).as_deref(), Some("nan"));
        assert_eq!(text(0xfff8_0000_0000_0000).as_deref(), Some("-nan"));
        assert_eq!(text(0x7ff8_0000_0000_0001), None);
        assert_eq!(text(0x7ff0_0000_0000_0001), None);
    }

    #[test]
    fn a_text_must_denote_the_value() {
        assert!(denotes("0.1", 0.1, false));
        assert!(denotes("0.1", f64::from(0.1f32), true));
        assert!(!denotes("0.1", 0.2, false));
        assert!(!denotes("x", 0.2, false));
        assert!(denotes("0x1p-1", 0.5, false));
    }
}
