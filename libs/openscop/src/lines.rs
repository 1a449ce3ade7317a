//! The lines of a text, without comments.

use crate::error::{OpenScopError, Result};
use crate::position::Position;

/// What a line says.
#[derive(Debug, Clone, Copy)]
pub struct Line<'t> {
    /// Where it starts.
    pub at: Position,
    /// Its text without the comment and the blanks around.
    pub text: &'t str,
}

impl<'t> Line<'t> {
    /// Its words, with their positions.
    pub fn words(self) -> impl Iterator<Item = (Position, &'t str)> {
        let start = self.text.as_ptr() as usize;
        self.text.split_ascii_whitespace().map(move |word| {
            let column = self.at.column + (word.as_ptr() as usize - start);
            (Position { line: self.at.line, column }, word)
        })
    }

    /// Its words as integers.
    pub fn integers(self) -> Result<Vec<i64>> {
        self.words().map(|(at, word)| integer(at, word)).collect()
    }
}

/// An integer in decimal that fits 64 bits.
fn integer(at: Position, word: &str) -> Result<i64> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(OpenScopError::syntax(at, format!("`{}` is not an integer", shortened(word))));
    }
    word.parse().map_err(|_| OpenScopError::limit(at, format!("{} does not fit 64 bits", shortened(word))))
}

/// A word as a message shows it.
pub fn shortened(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}

/// Reads a text line by line.
#[derive(Debug, Clone)]
pub struct Lines<'t> {
    rest: &'t str,
    /// The number of lines before the rest.
    number: usize,
}

impl<'t> Lines<'t> {
    /// Starts at the first line of a text, which stands at line `first` of the file.
    pub fn new(text: &'t str, first: usize) -> Self {
        Self { rest: text, number: first.saturating_sub(1) }
    }

    /// The next line, comments included.
    pub fn raw(&mut self) -> Option<(Position, &'t str)> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        self.number += 1;
        Some((Position { line: self.number, column: 1 }, line.strip_suffix('\r').unwrap_or(line)))
    }

    /// The next line that says something, if there is one.
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

    /// The same without going past it.
    pub fn peek(&self) -> Option<Line<'t>> {
        self.clone().next_line()
    }

    /// The next line that says something; an error that names what was expected at the end of the text.
    pub fn expect(&mut self, what: &str) -> Result<Line<'t>> {
        self.next_line().ok_or_else(|| self.ended(what))
    }

    /// The error for a text that ends too early.
    pub fn ended(&self, what: &str) -> OpenScopError {
        let at = Position { line: self.number.max(1), column: 1 };
        OpenScopError::syntax(at, format!("the text ends where {what} should stand"))
    }

    /// An integer that stands alone in its line.
    pub fn integer(&mut self, what: &str) -> Result<(Position, i64)> {
        let line = self.expect(what)?;
        match line.integers()?[..] {
            [number] => Ok((line.at, number)),
            _ => Err(OpenScopError::syntax(line.at, format!("expected {what}, one integer"))),
        }
    }

    /// A count that stands alone in its line. Nothing is allocated by it.
    pub fn count(&mut self, what: &str) -> Result<usize> {
        let (at, number) = self.integer(what)?;
        usize::try_from(number).map_err(|_| OpenScopError::syntax(at, format!("{what} is negative")))
    }
}
