//! A simple tokenizer of C, sufficient to find out how a name is used.

use std::collections::BTreeSet;

/// Returns the words (identifiers and numbers) and punctuation characters of a text, without comments and literals.
/// Returns `None` if the text has preprocessor directives other than pragmas: it is then uncertain what is compiled.
pub fn tokens(text: &[u8]) -> Option<Vec<&[u8]>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest[0] == b'#' && !is_pragma(rest) {
            return None;
        }
        let (length, is_token) = next(rest);
        if is_token {
            tokens.push(&rest[..length]);
        }
        at += length;
    }
    Some(tokens)
}

/// Returns all words of a text, also those in comments and literals.
pub fn names(text: &[u8]) -> BTreeSet<String> {
    let words = text.split(|byte| !is_word(*byte)).filter(|word| !word.is_empty());
    words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// Returns the first word or punctuation character of a text.
pub fn first_token(text: &[u8]) -> Option<&[u8]> {
    first_place(text).map(|(start, end)| &text[start..end])
}

/// Returns where the first token of a text begins and ends.
fn first_place(text: &[u8]) -> Option<(usize, usize)> {
    let mut at = 0;
    while at < text.len() {
        let (length, is_token) = next(&text[at..]);
        if is_token {
            return Some((at, at + length));
        }
        at += length;
    }
    None
}

/// Returns the length of a text up to and including a semicolon, if that is its first token.
pub fn after_semicolon(text: &[u8]) -> Option<usize> {
    first_place(text).filter(|(start, _)| text[*start] == b';').map(|(_, end)| end)
}

/// Returns the length of the first element of a text, and whether it is a token.
fn next(text: &[u8]) -> (usize, bool) {
    match text {
        [b'/', b'*', ..] => (comment_length(text), false),
        [b'/', b'/', ..] | [b'#', ..] => (line_length(text).max(1), false),
        [quote @ (b'"' | b'\''), ..] => (literal_length(text, *quote), false),
        [first, ..] if first.is_ascii_whitespace() => (1, false),
        [first, ..] if is_word(*first) => {
            (text.iter().position(|byte| !is_word(*byte)).unwrap_or(text.len()), true)
        }
        _ => (1, true),
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn is_pragma(line: &[u8]) -> bool {
    line[1..].trim_ascii_start().starts_with(b"pragma")
}

fn comment_length(text: &[u8]) -> usize {
    text.windows(2).skip(2).position(|pair| pair == b"*/").map_or(text.len(), |at| at + 4)
}

/// Returns the length of a line, which continues after a backslash at its end.
fn line_length(text: &[u8]) -> usize {
    let ends = |at: &usize| text[*at] == b'\n' && !text[..*at].trim_ascii_end().ends_with(b"\\");
    (0..text.len()).find(ends).unwrap_or(text.len())
}

fn literal_length(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != quote {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_punctuation_remain() {
        let text = b"#pragma scop\nfor (i = 0; /* for (j = 1) */ a[i] < 'x'; i++) // i\n  f(\"i\\\"\");";
        let expected = ["for", "(", "i", "=", "0", ";", "a", "[", "i", "]", "<", ";", "i", "+", "+", ")"];
        let found = tokens(text).unwrap();
        let found: Vec<_> = found.iter().map(|token| std::str::from_utf8(token).unwrap()).collect();
        assert_eq!(found[..16], expected);
        assert_eq!(found[16..], ["f", "(", ")", ";"]);
    }

    #[test]
    fn conditional_compilation_is_left_alone() {
        assert_eq!(tokens(b"#if 0\nfor (i = 0;;) ;\n#endif\n"), None);
    }
}
