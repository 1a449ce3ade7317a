//! The lines of a text, without comments.

use crate::error::{OpenScopError, Result};
use crate::position::Position;

/// A line of a text.
#[derive(Debug, Clone, Copy)]
pub struct Line<'t> {
    /// The start of the text.
    pub at: Position,
    /// The text without the comment and the surrounding blanks.
    pub text: &'t str,
}

impl<'t> Line<'t> {
    /// Returns the words with their positions.
    pub fn words(self) -> impl Iterator<Item = (Position, &'t str)> {
        let start = self.text.as_ptr() as usize;
        self.text.split_ascii_whitespace().map(move |word| {
            let column = self.at.column + (word.as_ptr() as usize - start);
            (Position { line: self.at.line, column }, word)
        })
    }

    /// Returns the words as integers.
    pub fn integers(self) -> Result<Vec<i64>> {
        self.words().map(|(at, word)| integer(at, word)).collect()
    }
}

/// Parses a decimal integer that fits in 64 bits.
fn integer(at: Position, word: &str) -> Result<i64> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(OpenScopError::syntax(at, format!("`{}` is not an integer", shortened(word))));
    }
    word.parse()
        .map_err(|_| OpenScopError::limit(at, format!("{} does not fit into 64 bits", shortened(word))))
}

/// Returns a word in the form in which a message shows it.
pub fn shortened(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}

/// A reader of a text, line by line.
#[derive(Debug, Clone)]
pub struct Lines<'t> {
    rest: &'t str,
    /// The number of lines before the rest.
    number: usize,
}

impl<'t> Lines<'t> {
    /// Creates a reader for a text that starts at line `first` of the file.
    pub fn new(text: &'t str, first: usize) -> Self {
        Self { rest: text, number: first.saturating_sub(1) }
    }

    /// Returns the next line, with its comment.
    pub fn raw(&mut self) -> Option<(Position, &'t str)> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        self.number += 1;
        Some((Position { line: self.number, column: 1 }, line.strip_suffix('\r').unwrap_or(line)))
    }

    /// Returns the next line that is not empty apart from a comment.
    pub fn next_line(&mut self) -> Option<Line<'t>> {
        loop {
            let (at, line) = self.raw()?;
            let said = line.split('#').next().unwrap_or_default();
            let text = said.trim_ascii();
            if !text.is_empty() {
                let column = 1 + said.len() - said.trim_ascii_start().len();
                return Some(Line { at: Position { column, ..at }, text });
            }
        }
    }

    /// Returns the same line without consuming it.
    pub fn peek(&self) -> Option<Line<'t>> {
        self.clone().next_line()
    }

    /// Returns the next line that is not empty; at the end of the text, an error that names what was expected.
    pub fn expect(&mut self, what: &str) -> Result<Line<'t>> {
        self.next_line().ok_or_else(|| self.ended(what))
    }

    /// Returns the error for a text that ends too early.
    pub fn ended(&self, what: &str) -> OpenScopError {
        let at = Position { line: self.number.max(1), column: 1 };
        OpenScopError::syntax(at, format!("the text ends where {what} is expected"))
    }

    /// Reads an integer that is alone on its line.
    pub fn integer(&mut self, what: &str) -> Result<(Position, i64)> {
        let line = self.expect(what)?;
        match line.integers()?[..] {
            [number] => Ok((line.at, number)),
            _ => Err(OpenScopError::syntax(line.at, format!("expected {what}, one integer"))),
        }
    }

    /// Reads a count that is alone on its line. The caller must not allocate memory for this number.
    pub fn count(&mut self, what: &str) -> Result<usize> {
        let (at, number) = self.integer(what)?;
        usize::try_from(number).map_err(|_| OpenScopError::syntax(at, format!("{what} is negative")))
    }
}
