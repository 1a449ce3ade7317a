//! Preprocessor directives.

use scop::SourceRange;

use crate::c::clang::Token;
use crate::c::source::SourceText;

/// A preprocessor directive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// The words after `#`.
    pub words: Vec<String>,
    /// The place of each word.
    pub places: Vec<SourceRange>,
    /// Its range, from `#` to the end of the last word.
    pub range: SourceRange,
    /// The offset of the first token after it; `None` at the end of the file.
    pub next: Option<u32>,
}

impl Directive {
    /// True if its words are exactly these.
    pub fn is(&self, words: &[&str]) -> bool {
        self.words == words
    }

    /// True for `#line 5 "file"`, and for `# 5 "file"`, the form in preprocessed files.
    pub fn numbers_lines(&self) -> bool {
        let word = self.words.first();
        word.is_some_and(|word| word == "line" || word.starts_with(|first: char| first.is_ascii_digit()))
    }

    /// True for `#if`, `#ifdef` and `#ifndef`.
    pub fn begins_conditional(&self) -> bool {
        let word = self.words.first().map(String::as_str);
        word.is_some_and(|word| ["if", "ifdef", "ifndef"].contains(&word))
    }

    /// True for `#if`, `#else`, `#endif` and their variants.
    pub fn is_conditional(&self) -> bool {
        let words = ["if", "ifdef", "ifndef", "else", "elif", "elifdef", "elifndef", "endif"];
        self.words.first().is_some_and(|word| words.contains(&word.as_str()))
    }

    /// True if it begins with these words.
    pub fn starts_with(&self, words: &[&str]) -> bool {
        self.words.len() >= words.len() && self.words.iter().zip(words).all(|(a, b)| a == b)
    }
}

/// Returns the directives that the preprocessor did not skip, and all conditional directives.
pub fn directives(tokens: &[Token], skipped: &[(u32, u32)], source: &SourceText) -> Vec<Directive> {
    let mut result = Vec::new();
    let mut line_end = 0;
    let mut rest = tokens;
    while let Some((first, after)) = rest.split_first() {
        let is_first = first.range.start >= line_end;
        if is_first {
            line_end = source.end_of_joined_line(first.range.end);
        }
        if first.text != "#" || !is_first {
            rest = after;
            continue;
        }
        let length = after.iter().take_while(|token| token.range.start < line_end).count();
        let (words, after) = after.split_at(length);
        let end = words.last().map_or(first.range.end, |token| token.range.end);
        let range = SourceRange { end, ..first.range };
        let next = after.first().map(|token| token.range.start);
        let places = words.iter().map(|token| token.range).collect();
        let words = words.iter().map(|token| token.text.clone()).collect();
        let directive = Directive { words, places, range, next };
        let is_skipped = skipped.iter().any(|&(from, to)| from < range.start && range.end <= to);
        if !is_skipped || directive.is_conditional() {
            result.push(directive);
        }
        rest = after;
    }
    result
}

/// A `_Pragma("…")`, or a use of a macro such as `PRAGMA(…)` with one argument of one word, also in the definition of a
/// macro.
#[derive(Debug, Clone, Copy)]
pub struct Operator<'t> {
    /// `_Pragma`, or the name of the macro.
    pub name: &'t str,
    /// What is between the parentheses.
    pub argument: &'t str,
    /// Its range.
    pub range: SourceRange,
}

impl<'t> Operator<'t> {
    /// Returns the words of a `_Pragma`.
    pub fn quoted(&self) -> Option<Vec<&'t str>> {
        let inside = self.argument.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        inside.filter(|_| self.name == "_Pragma").map(|text| text.split_whitespace().collect())
    }
}

/// Returns the operators that the preprocessor did not skip.
pub fn operators<'t>(tokens: &'t [Token], skipped: &[(u32, u32)]) -> Vec<Operator<'t>> {
    let operator = |four: &'t [Token]| {
        let [name, open, argument, close] = four else { return None };
        let is_skipped = skipped.iter().any(|&(from, to)| from <= name.range.start && name.range.end <= to);
        let range = SourceRange { end: close.range.end, ..name.range };
        let is_one = open.text == "(" && close.text == ")" && !is_skipped;
        is_one.then_some(Operator { name: &name.text, argument: &argument.text, range })
    };
    tokens.windows(4).filter_map(operator).collect()
}

/// Returns the offset of the first token after a directive that belongs to no directive.
pub fn text_after(directive: &Directive, directives: &[Directive]) -> u32 {
    let mut next = directive.next;
    while let Some(other) = directives.iter().find(|other| Some(other.range.start) == next) {
        next = other.next;
    }
    next.unwrap_or(u32::MAX)
}
