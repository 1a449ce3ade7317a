//! Comments that say which part of the source generated code comes from.

use scop::Statement;

use crate::model::view::View;

/// The largest number of characters of a statement's text in a comment.
const WIDTH: usize = 72;

/// Returns one line for each statement, such as `matmul.c:13: C[i][j] *= beta;`.
pub fn statements(view: &View<'_>, statements: &[&Statement]) -> Vec<String> {
    let colon = statements.iter().map(|s| s.range.line.to_string().len() + 1).max().unwrap_or(0);
    let line = |s: &&Statement| {
        format!("{}:{:<colon$} {}", one_line(view.file()), format!("{}:", s.range.line), one_line(&s.text))
    };
    statements.iter().map(line).collect()
}

/// Returns the place of the region: `lines 12 to 17 of matmul.c`.
pub fn region(view: &View<'_>, source: &[u8]) -> String {
    let range = view.region.range;
    let text = source.get(range.start as usize..range.end as usize).unwrap_or_default();
    let last = range.line as usize + text.iter().filter(|&&byte| byte == b'\n').count();
    format!("lines {} to {last} of {}", range.line, one_line(view.file()))
}

/// Returns a text for a `//` comment: one line of bounded length. It does not end in a backslash or the trigraph for
/// one, which would make the next line part of the comment.
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != "\\").collect();
    let text: String = words.join(" ").chars().filter(|c| !c.is_control()).collect();
    let mut short: &str = text.char_indices().nth(WIDTH).map_or(&text, |(end, _)| &text[..end]);
    while let Some(shorter) = short.strip_suffix(['\\', ' ']).or_else(|| short.strip_suffix("??/")) {
        short = shorter;
    }
    if short.len() < text.len() { format!("{short} ...") } else { short.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_end_with_their_line() {
        let cases = [
            ("x = 1;\\\n  y = 2;", "x = 1;\\ y = 2;"),
            ("x = 1; \\", "x = 1;"),
            ("x = 1;\\", "x = 1; ..."),
            ("x = 1; ??/\\ ??/", "x = 1; ..."),
            ("a\rb\u{7}c", "a bc"),
        ];
        for (text, comment) in cases {
            assert_eq!(one_line(text), comment);
        }
        assert_eq!(one_line(&"é".repeat(100)), "é".repeat(WIDTH) + " ...");
    }
}
