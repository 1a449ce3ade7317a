//! What functions of other files do with memory: a text such as `reads(x[0:n]) device(y)`, read and written.
//!
//! A function with effects does nothing beyond them: it keeps no pointer that it is passed, calls nothing back, and
//! returns. Its clauses:
//!
//! | clause | meaning |
//! |---|---|
//! | `reads(x)` | it may read what `x` points to, or the variable `x` |
//! | `writes(x)` | it may also write there |
//! | `announces(x)` | its host code announces itself what it does there, to the table of memory on the device |
//! | `device(x)` | the same, and regions that it runs use this memory on the device |
//! | `none` | it does nothing of this |
//!
//! `x` is a parameter, or a variable with external linkage. `x[start:length]` and `x[i]` narrow it to elements.

use std::collections::BTreeMap;
use std::fmt;

use scop::{BinaryOp, SourceRange};

use crate::c::ctree::{Callee, Expr, Lifetime, Tree, VariableId};

/// What a function does with memory of its callers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effects {
    /// The function.
    pub function: String,
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
    /// What it does.
    pub items: Vec<Item>,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The size of the numbers that it points to, in bytes; absent if it points to no numbers.
    pub bytes: Option<u32>,
}

/// A use of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What is done.
    pub does: Does,
    /// The parameter that points to the memory, or the variable.
    pub name: String,
    /// The elements; absent for all of the object.
    pub section: Option<Section>,
}

/// What a function does with memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Does {
    /// Its host code reads it.
    Reads,
    /// Its host code writes it.
    Writes,
    /// Its host code uses it and announces that itself.
    Announces,
    /// Its regions use it, and its host code announces itself.
    Device,
}

impl Does {
    const ALL: [Self; 4] = [Self::Reads, Self::Writes, Self::Announces, Self::Device];

    fn name(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Announces => "announces",
            Self::Device => "device",
        }
    }
}

/// Elements one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The first.
    pub start: Amount,
    /// How many there are.
    pub length: Amount,
}

/// An integer in terms of parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Amount {
    /// A constant.
    Number(i128),
    /// A parameter.
    Name(String),
    /// A sum, a difference or a product.
    Binary(BinaryOp, Box<Amount>, Box<Amount>),
}

impl Effects {
    /// Returns the position of a parameter.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|parameter| parameter.name == name)
    }
}

/// A `#pragma c2cuda effects`.
#[derive(Debug, Clone)]
pub struct EffectsClaim {
    /// What it says.
    pub effects: Effects,
    /// The path of its file; empty for the main file.
    pub path: String,
    /// The directive.
    pub range: SourceRange,
}

/// The effects of functions of other files.
#[derive(Debug, Clone, Default)]
pub struct Table(pub BTreeMap<String, Effects>);

impl Table {
    /// Returns the effects of a function that is called with these arguments, if they are known.
    pub fn of_call(&self, tree: &Tree, callee: &Callee, arguments: &[Expr]) -> Option<&Effects> {
        let is_elsewhere = callee.attribute.is_none() && tree.function(&callee.name).is_none();
        let effects = self.0.get(&callee.name).filter(|_| is_elsewhere && !tree.is_cxx)?;
        (effects.parameters.len() == arguments.len()).then_some(effects)
    }
}

/// Returns the variable with external linkage of this name, if the file uses it.
pub fn external(tree: &Tree, name: &str) -> Option<VariableId> {
    let is_it = |id: &VariableId| {
        let variable = tree.variable(*id);
        variable.external && variable.lifetime == Lifetime::Static && variable.name == name
    };
    (0..tree.variables.len()).map(VariableId).find(is_it)
}

/// A fault in a text: what is wrong, and the offset in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// What is wrong.
    pub what: String,
    /// Where.
    pub at: usize,
    /// How many bytes are wrong.
    pub length: usize,
}

const MISSING: &str = "a clause is missing, such as `reads(x)`, `device(x)` or `none`";

const CLAUSES: &str = "`reads`, `writes`, `announces`, `device` and `none`";

/// Reads the clauses of a function with these parameters.
///
/// # Errors
/// Returns the first fault of the text.
pub fn clauses(text: &str) -> Result<Vec<Item>, Wrong> {
    let mut reader = Reader::new(text);
    let mut items = Vec::new();
    if reader.peek().is_empty() {
        return Err(reader.wrong(MISSING));
    }
    while !reader.peek().is_empty() {
        let word = reader.peek();
        let Some(does) = Does::ALL.into_iter().find(|does| does.name() == word) else {
            if word == "none" && items.is_empty() {
                reader.next();
                if reader.peek().is_empty() {
                    return Ok(items);
                }
                return Err(reader.wrong("nothing can follow `none`"));
            }
            let what = format!("`{word}` is not a clause; the clauses are {CLAUSES}");
            return Err(reader.wrong(&what));
        };
        reader.next();
        reader.expect("(")?;
        loop {
            items.push(reader.item(does)?);
            if reader.peek() != "," {
                break;
            }
            reader.next();
        }
        reader.expect(")")?;
        if reader.peek() == "," {
            reader.next();
        }
    }
    Ok(items)
}

/// Reads a file of effects: see [`file_text`].
///
/// # Errors
/// Returns the number of the first line that is wrong.
pub fn file(text: &str) -> Result<Vec<Effects>, usize> {
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.starts_with('#') && !line.is_empty());
    lines.map(|(line, number)| function(line).ok_or(number)).collect()
}

fn function(line: &str) -> Option<Effects> {
    let (head, rest) = line.split_once(')')?;
    let (name, parameters) = head.split_once('(')?;
    let parameter = |text: &str| -> Option<Parameter> {
        let (name, bytes) = match text.trim().split_once('[') {
            Some((name, bytes)) => (name, Some(bytes.strip_suffix(']')?.parse().ok()?)),
            None => (text.trim(), None),
        };
        is_name(name).then(|| Parameter { name: name.to_owned(), bytes })
    };
    let parameters = parameters.split(',').filter(|text| !text.trim().is_empty());
    let parameters = parameters.map(parameter).collect::<Option<Vec<_>>>()?;
    is_name(name).then_some(())?;
    let items = clauses(rest.trim()).ok()?;
    Some(Effects { function: name.to_owned(), parameters, items })
}

/// Returns the text of a file of effects, one function a line.
pub fn file_text(source: &str, all: &[Effects]) -> String {
    let mut text = format!("# what functions of {source} do with memory of their callers\n");
    for effects in all {
        text.push_str(&format!("{effects}\n"));
    }
    text
}

impl fmt::Display for Effects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters: Vec<String> = self.parameters.iter().map(ToString::to_string).collect();
        write!(f, "{}({})", self.function, parameters.join(", "))?;
        self.items.iter().try_for_each(|item| write!(f, " {item}"))?;
        if self.items.is_empty() { f.write_str(" none") } else { Ok(()) }
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bytes {
            Some(bytes) => write!(f, "{}[{bytes}]", self.name),
            None => f.write_str(&self.name),
        }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}", self.does.name(), self.name)?;
        if let Some(Section { start, length }) = &self.section {
            write!(f, "[{start}:{length}]")?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(value) => write!(f, "{value}"),
            Self::Name(name) => f.write_str(name),
            Self::Binary(operator, left, right) => write!(f, "({left} {} {right})", operator.c_name()),
        }
    }
}

fn is_name(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    text.starts_with(is_letter) && text.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

/// Reads a text word by word: names, numbers and single characters.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the next word; it is empty at the end.
    fn peek(&self) -> &'t str {
        let rest = self.text[self.at..].trim_start();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        match rest.find(|c| !is_part(c)) {
            Some(0) => &rest[..rest.chars().next().map_or(0, char::len_utf8)],
            Some(end) => &rest[..end],
            None => rest,
        }
    }

    fn next(&mut self) -> &'t str {
        let word = self.peek();
        let blanks = self.text[self.at..].len() - self.text[self.at..].trim_start().len();
        self.at += blanks + word.len();
        word
    }

    fn wrong(&self, what: &str) -> Wrong {
        let rest = &self.text[self.at..];
        let at = self.at + (rest.len() - rest.trim_start().len());
        Wrong { what: what.to_owned(), at, length: self.peek().len() }
    }

    fn expect(&mut self, word: &str) -> Result<(), Wrong> {
        if self.peek() != word {
            return Err(self.wrong(&format!("`{word}` is missing here")));
        }
        self.next();
        Ok(())
    }

    fn item(&mut self, does: Does) -> Result<Item, Wrong> {
        if !is_name(self.peek()) {
            return Err(self.wrong("the name of a parameter or of a variable is missing here"));
        }
        let name = self.next().to_owned();
        if self.peek() != "[" {
            return Ok(Item { does, name, section: None });
        }
        self.next();
        let start = if self.peek() == ":" { Amount::Number(0) } else { self.sum()? };
        let length = if self.peek() == ":" {
            self.next();
            self.sum()?
        } else {
            Amount::Number(1)
        };
        self.expect("]")?;
        if self.peek() == "[" {
            return Err(self.wrong("a section has one dimension: count in elements of the innermost one"));
        }
        Ok(Item { does, name, section: Some(Section { start, length }) })
    }

    fn sum(&mut self) -> Result<Amount, Wrong> {
        let mut all = self.product()?;
        loop {
            let operator = match self.peek() {
                "+" => BinaryOp::Add,
                "-" => BinaryOp::Sub,
                _ => return Ok(all),
            };
            self.next();
            all = Amount::Binary(operator, Box::new(all), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Amount, Wrong> {
        let mut all = self.factor()?;
        while self.peek() == "*" {
            self.next();
            all = Amount::Binary(BinaryOp::Mul, Box::new(all), Box::new(self.factor()?));
        }
        Ok(all)
    }

    fn factor(&mut self) -> Result<Amount, Wrong> {
        let word = self.peek();
        if word == "(" {
            self.next();
            let inner = self.sum()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if word == "-" {
            self.next();
            let operand = self.factor()?;
            return Ok(Amount::Binary(BinaryOp::Sub, Box::new(Amount::Number(0)), Box::new(operand)));
        }
        let number = word.parse::<i128>().ok().filter(|number| *number <= i128::from(i64::MAX));
        let amount =
            number.map(Amount::Number).or_else(|| is_name(word).then(|| Amount::Name(word.to_owned())));
        let Some(amount) = amount else {
            return Err(self.wrong("a sum of products of parameters and integers is missing here"));
        };
        self.next();
        Ok(amount)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_and_written() {
        for text in [
            "f() none",
            "f(n, x[8]) reads(x[0:n])",
            "f(n, m, x[8], y[4]) writes(x[(n * m):((2 * n) - 1)]) device(y) reads(grid)",
            "f(n, x[8]) reads(x[(0 - 1):n])",
        ] {
            assert_eq!(function(text).unwrap().to_string(), text);
        }
        let short = clauses("reads(x[n+1], y[:n]), device(z)").unwrap();
        let shown: Vec<String> = short.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["reads(x[(n + 1):1])", "reads(y[0:n])", "device(z)"]);
        assert_eq!(file("# comment\nf() none\ng(\n"), Err(3));
    }

    #[test]
    fn wrong_texts_are_refused() {
        for (text, at, what) in [
            ("", 0, MISSING),
            (
                "read(x)",
                0,
                "`read` is not a clause; the clauses are `reads`, `writes`, `announces`, `device` and `none`",
            ),
            ("reads x", 6, "`(` is missing here"),
            ("reads()", 6, "the name of a parameter or of a variable is missing here"),
            ("reads(x[0:n)", 11, "`]` is missing here"),
            ("reads(x[f()])", 9, "`]` is missing here"),
            ("reads(x[0][1])", 10, "a section has one dimension: count in elements of the innermost one"),
            ("reads(x[n / 2])", 10, "`]` is missing here"),
            ("reads(x[])", 8, "a sum of products of parameters and integers is missing here"),
            ("none reads(x)", 5, "nothing can follow `none`"),
        ] {
            let wrong = clauses(text).unwrap_err();
            assert_eq!((wrong.at, wrong.what.as_str()), (at, what), "{text}");
        }
    }
}
