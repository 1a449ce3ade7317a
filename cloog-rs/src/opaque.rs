//! Statements of whose bodies only the text is known, because another tool described them in OpenScop.
//!
//! Each becomes a macro with its iterators as parameters, as users of CLooG write them:
//!
//! ```c
//! #define S0(i, j) c[i][j] = 0
//! S0(c0, (c1 + 1));
//! ```
//!
//! The text may be any C from the OpenScop file, but nothing after it becomes part of the macro.

use polyhedra::Result;
use scop::{Model, Statement};

/// Prints the macros of all statements.
pub fn macros(model: &Model) -> Result<String> {
    model.statements.iter().map(|statement| definition(model, statement)).collect()
}

fn definition(model: &Model, statement: &Statement) -> Result<String> {
    let loops = model.loops_around(statement)?;
    let names: Vec<&str> = loops.iter().map(|around| around.iterator.as_str()).collect();
    let body = one_line(&statement.text);
    let body = body.trim_end_matches(|c: char| c == ';' || c == '\\' || c.is_whitespace());
    Ok(format!("#define {}({}) {body}\n", statement.id, names.join(", ")))
}

/// Removes comments and line breaks from a text.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let length = match next {
            '/' if rest.starts_with("//") => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            '"' | '\'' => literal_length(rest, next),
            other => other.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        match next {
            '/' if length > 1 => line.push(' '),
            other if other.is_control() => line.push(' '),
            _ => line.extend(part.chars().filter(|c| !c.is_control())),
        }
        rest = after;
    }
    line
}

/// Returns the length of a literal between quotes; if it is not closed, the length of the text.
fn literal_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Prints the call of one instance.
pub fn call(statement: &Statement, values: impl Iterator<Item = String>, indent: &str) -> String {
    let values: Vec<String> = values.map(parenthesised).collect();
    format!("{indent}{}({});\n", statement.id, values.join(", "))
}

fn parenthesised(value: String) -> String {
    if value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        value
    } else {
        format!("({value})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_on_one_line() {
        let cases = [
            ("a[i] = 0;\n b[i] = 1;", "a[i] = 0;  b[i] = 1;"),
            ("a = 0; // zero\nb = 1;", "a = 0;   b = 1;"),
            ("a /* x\n */ = '\\'' / \"//\";", "a   = '\\'' / \"//\";"),
            ("a /* x\n#include <x>", "a  "),
            ("a = \"x\ny", "a = \"xy"),
        ];
        for (text, expected) in cases {
            assert_eq!(one_line(text), expected);
        }
    }
}
