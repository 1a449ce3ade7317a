//! Reads what functions do with memory ([`crate::directives::effects`]).

use scop::BinaryOp;

use crate::directives::effects::{Amount, Does, Effects, Item, Member, Numbers, Parameter, Path, Section};

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

/// Reads a file of effects: one function on each line.
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
    let (parameters, members) = parameters.split_once(';').unwrap_or((parameters, ""));
    let words = |text: &'_ str| -> Vec<String> {
        text.split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
    };
    let parameters = words(parameters).iter().map(|text| parameter(text)).collect::<Option<Vec<_>>>()?;
    let members = words(members).iter().map(|text| numbers(text)).collect::<Option<Vec<_>>>()?;
    is_name(name).then_some(())?;
    let items = clauses(rest.trim()).ok()?;
    Some(Effects { function: name.to_owned(), parameters, members, items })
}

fn parameter(text: &str) -> Option<Parameter> {
    let (reference, text) = text.strip_prefix('&').map_or((false, text), |rest| (true, rest));
    let vector = text.contains('<');
    let (name, bytes) = match text.split_once(['[', '<']) {
        Some((name, bytes)) => (name, Some(bytes.strip_suffix([']', '>'])?.parse().ok()?)),
        None => (text, None),
    };
    is_name(name).then(|| Parameter { name: name.to_owned(), bytes, reference, vector })
}

fn numbers(text: &str) -> Option<Numbers> {
    let at = text.find(['[', '{'])?;
    let (path, rest) = (Reader::new(&text[..at]).whole_path()?, &text[at..]);
    let is_array = rest.starts_with('{');
    let bytes = rest[1..].strip_suffix(if is_array { '}' } else { ']' })?.parse().ok()?;
    Some(Numbers { path, bytes, is_array })
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
    /// Begins at the start of a text.
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

    /// Returns the next word, and goes past it.
    fn next(&mut self) -> &'t str {
        let word = self.peek();
        let blanks = self.text[self.at..].len() - self.text[self.at..].trim_start().len();
        self.at += blanks + word.len();
        word
    }

    /// Says what is wrong with the next word.
    fn wrong(&self, what: &str) -> Wrong {
        let rest = &self.text[self.at..];
        let at = self.at + (rest.len() - rest.trim_start().len());
        Wrong { what: what.to_owned(), at, length: self.peek().len() }
    }

    /// Goes past a word that must come next.
    fn expect(&mut self, word: &str) -> Result<(), Wrong> {
        if self.peek() != word {
            return Err(self.wrong(&format!("`{word}` is missing here")));
        }
        self.next();
        Ok(())
    }

    /// Reads what a clause is about.
    fn item(&mut self, does: Does) -> Result<Item, Wrong> {
        if !is_name(self.peek()) {
            return Err(self.wrong("the name of a parameter or of a variable is missing here"));
        }
        let path = self.path()?;
        if self.peek() != "[" {
            return Ok(Item { does, path, section: None });
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
        Ok(Item { does, path, section: Some(Section { start, length }) })
    }

    /// A name with the members after it. Requires that a name comes next.
    fn path(&mut self) -> Result<Path, Wrong> {
        let mut path = Path::of(self.next());
        loop {
            let arrow = self.text[self.at..].trim_start().starts_with("->");
            if !arrow && self.peek() != "." {
                return Ok(path);
            }
            self.next();
            if arrow {
                self.next();
            }
            if !is_name(self.peek()) {
                return Err(self.wrong("the name of a member is missing here"));
            }
            path.members.push(Member { arrow, name: self.next().to_owned() });
        }
    }

    /// Reads a text that is nothing but a name with members.
    fn whole_path(&mut self) -> Option<Path> {
        let path = is_name(self.peek()).then(|| self.path().ok()).flatten();
        path.filter(|_| self.peek().is_empty())
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
        if is_name(word) {
            return Ok(Amount::Value(self.path()?));
        }
        let number = word.parse::<i128>().ok().filter(|number| *number <= i128::from(i64::MAX));
        let Some(number) = number else {
            return Err(self.wrong("a sum of products of parameters and integers is missing here"));
        };
        self.next();
        Ok(Amount::Number(number))
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
