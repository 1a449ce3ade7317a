//! The user's C source, with each region replaced by a call. Every other byte is kept.
//!
//! *before → after*
//!
//! ```text
//! #pragma scop               if (!f(n, A)) {
//!     for (…) …       →      #pragma scop
//! #pragma endscop                for (…) …
//!                            #pragma endscop
//!                            }
//! ```
//!
//! Where the function cannot decline, a plain call stands there.

use scop::{Diagnostic, Diagnostics, Region};

use crate::host_function::HostFunction;

/// The UTF-8 byte order mark, which stays first.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Rewrites a source; `functions` are those of the regions, in order.
///
/// # Errors
///
/// Regions that do not lie in the text one behind the other.
pub fn rewrite(
    source: &[u8],
    header: &str,
    regions: &[Region],
    functions: &[HostFunction],
) -> Result<Vec<u8>, Diagnostics> {
    let newline = newline(source);
    let mut out = Vec::with_capacity(source.len() + 256);
    let mut at = 0;
    if source.starts_with(BYTE_ORDER_MARK) {
        out.extend_from_slice(BYTE_ORDER_MARK);
        at = BYTE_ORDER_MARK.len();
    }
    out.extend_from_slice(format!("#include \"{header}\"{newline}").as_bytes());
    for (region, function) in regions.iter().zip(functions) {
        let (start, end) = (region.range.start as usize, region.range.end as usize);
        let (Some(before), Some(text)) = (source.get(at..start), source.get(start..end)) else {
            return Err(Diagnostic::bug("cudagen", "the regions are not in the source").into());
        };
        out.extend_from_slice(before);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        replace(text, indentation(&source[..start]), function, newline, &mut out);
        at = start + text.len();
    }
    out.extend_from_slice(&source[at..]);
    Ok(out)
}

fn newline(source: &[u8]) -> &'static str {
    match source.iter().position(|&byte| byte == b'\n') {
        Some(at) if at > 0 && source[at - 1] == b'\r' => "\r\n",
        _ => "\n",
    }
}

/// The white space before the end of a text, back to the start of the line.
fn indentation(before: &[u8]) -> &[u8] {
    let line = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let blank = before[line..].iter().all(|byte| b" \t".contains(byte));
    if blank { &before[line..] } else { &[] }
}

fn replace(region: &[u8], indentation: &[u8], function: &HostFunction, newline: &str, out: &mut Vec<u8>) {
    let call = call(function, indentation.len());
    if !function.may_decline {
        out.extend_from_slice(format!("{call};").as_bytes());
        return;
    }
    out.extend_from_slice(format!("if (!{call}) {{{newline}").as_bytes());
    out.extend_from_slice(indentation);
    out.extend_from_slice(region);
    out.extend_from_slice(newline.as_bytes());
    out.extend_from_slice(indentation);
    out.push(b'}');
}

fn call(function: &HostFunction, _indentation: usize) -> String {
    let values: Vec<&str> = function.arguments.iter().map(|argument| argument.value.as_str()).collect();
    format!("{}({})", function.name, values.join(", "))
}
