//! Reads the notation in which isl prints sets and relations, as far as it has neither integer divisions nor nested
//! alternatives:
//!
//! ```text
//! [n] -> { S0[i, j = 1] -> A0[i + 1] : 0 <= i < n and n >= 2; S1[] : (n > 4) or (n < 2) }
//! ```
//!
//! Nearly all texts of documents are of this kind. isl's parser makes an object of isl's of each number and name, which
//! takes up to a fifth of the time of the tools. This one makes numbers, of which `plain_objects` makes one object
//! for each conjunction. Whatever is not written exactly like this is left to isl.

/// What a text in braces says.
#[derive(Debug, PartialEq, Eq)]
pub struct Plain<'t> {
    /// The names of the parameters.
    pub parameters: Vec<&'t str>,
    /// What stands between semicolons.
    pub pieces: Vec<Piece<'t>>,
}

/// A set or a relation.
#[derive(Debug, PartialEq, Eq)]
pub struct Piece<'t> {
    /// None of a set of parameters, one of other sets, two of relations.
    pub tuples: Vec<Tuple<'t>>,
    /// Expressions of the parameters and the dimensions that are zero.
    pub defined: Vec<Row>,
    /// The alternatives; none if there is no condition.
    pub alternatives: Vec<Vec<Conjunct>>,
}

/// A name and dimensions.
#[derive(Debug, PartialEq, Eq)]
pub struct Tuple<'t> {
    /// The name, if there is one.
    pub name: Option<&'t str>,
    /// The names of the dimensions; none if an expression stands in the place.
    pub dimensions: Vec<Option<&'t str>>,
}

/// What stands between two `and`: as many comparisons as in `0 <= i < n`.
pub type Conjunct = Vec<Comparison>;

/// An expression that is zero, or at least zero.
#[derive(Debug, PartialEq, Eq)]
pub struct Comparison {
    /// True if it is zero.
    pub is_equality: bool,
    /// The expression.
    pub row: Row,
}

/// A constant, and the coefficients of the parameters and the dimensions in their order; those at the end may lack.
pub type Row = Vec<i32>;

/// Reads a text; nothing if this file does not know all that is in it.
pub fn read(text: &str) -> Option<Plain<'_>> {
    let mut reader = Reader { text, at: 0, names: Vec::new() };
    let parameters = reader.parameters()?;
    reader.names.extend(parameters.iter().map(|name| Some(*name)));
    reader.expect("{")?;
    let mut pieces = vec![reader.piece(parameters.len())?];
    while reader.eat(";") {
        pieces.push(reader.piece(parameters.len())?);
    }
    reader.expect("}")?;
    reader.is_at_end().then_some(Plain { parameters, pieces })
}

/// The words that mean something to isl, in letters of any case.
const KEYWORDS: [&str; 18] = [
    "exists", "and", "or", "implies", "not", "infty", "infinity", "nan", "min", "max", "rat", "true",
    "false", "ceild", "floord", "mod", "ceil", "floor",
];

/// No number of a text or of an expression is larger: sums of a few fit 32 bits.
const LARGEST: i32 = 1 << 24;

struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// The names that expressions may have, of the parameters and the dimensions; a dimension may have none.
    names: Vec<Option<&'t str>>,
}

impl<'t> Reader<'t> {
    /// `[n, m] ->`, or nothing at all.
    fn parameters(&mut self) -> Option<Vec<&'t str>> {
        let mut names = Vec::new();
        if !self.eat("[") {
            return Some(names);
        }
        if !self.eat("]") {
            loop {
                let name = self.name()?;
                if name.contains('\'') || names.contains(&name) {
                    return None;
                }
                names.push(name);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("]")?;
        }
        self.expect("->")?;
        Some(names)
    }

    fn piece(&mut self, parameters: usize) -> Option<Piece<'t>> {
        self.names.truncate(parameters);
        let mut piece = Piece { tuples: Vec::new(), defined: Vec::new(), alternatives: Vec::new() };
        if self.peek() != Some(b':') {
            let first = self.tuple(&mut piece.defined)?;
            piece.tuples.push(first);
            if self.eat("->") {
                let second = self.tuple(&mut piece.defined)?;
                piece.tuples.push(second);
            }
        }
        if self.eat(":") && self.peek() != Some(b'}') {
            piece.alternatives = self.alternatives()?;
        }
        Some(piece)
    }

    fn tuple(&mut self, defined: &mut Vec<Row>) -> Option<Tuple<'t>> {
        let name = if self.peek() == Some(b'[') { None } else { Some(self.name()?) };
        self.expect("[")?;
        let mut dimensions = Vec::new();
        if !self.eat("]") {
            loop {
                dimensions.push(self.dimension(defined)?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("]")?;
        }
        Some(Tuple { name, dimensions })
    }

    /// `i`, `i = 2n` or `2n`.
    fn dimension(&mut self, defined: &mut Vec<Row>) -> Option<Option<&'t str>> {
        let position = self.names.len();
        let start = self.at;
        let new = self.name().filter(|name| !self.names.contains(&Some(name)));
        if new.is_none() {
            self.at = start;
        }
        let value = if new.is_none() || self.eat("=") { Some(self.expression()?) } else { None };
        self.names.push(new);
        if let Some(mut row) = value {
            row.resize(position + 2, 0);
            row[position + 1] = -1;
            defined.push(row);
        }
        // isl adds primes to names that stand for several dimensions.
        Some(new.map(|name| name.split_once('\'').map_or(name, |(name, _)| name)))
    }

    fn alternatives(&mut self) -> Option<Vec<Vec<Conjunct>>> {
        let mut alternatives = Vec::new();
        loop {
            let has_parentheses = self.eat("(");
            alternatives.push(self.conjunction()?);
            if has_parentheses {
                self.expect(")")?;
            }
            if !self.eat_word("or") {
                return Some(alternatives);
            }
        }
    }

    fn conjunction(&mut self) -> Option<Vec<Conjunct>> {
        let mut all = vec![self.comparisons()?];
        while self.eat_word("and") {
            all.push(self.comparisons()?);
        }
        Some(all)
    }

    /// `0 <= i < n`
    fn comparisons(&mut self) -> Option<Conjunct> {
        let mut left = self.expression()?;
        let mut all = Vec::new();
        loop {
            let (sign, strict) = match self.comparator() {
                Some(comparator) => comparator,
                None if all.is_empty() => return None,
                None => return Some(all),
            };
            let right = self.expression()?;
            let mut row = if sign < 0 { difference(&right, &left)? } else { difference(&left, &right)? };
            row[0] -= i32::from(strict);
            all.push(Comparison { is_equality: sign == 0, row });
            left = right;
        }
    }

    /// The sign of what is on the left, less what is on the right, and whether it is not zero.
    fn comparator(&mut self) -> Option<(i32, bool)> {
        let known =
            [("<=", (-1, false)), (">=", (1, false)), ("<", (-1, true)), (">", (1, true)), ("=", (0, false))];
        let found = known.into_iter().find(|(text, _)| self.eat(text))?.1;
        // Other operators begin in the same way.
        let begins_another = matches!(self.text.as_bytes().get(self.at), Some(b'<' | b'>' | b'='));
        (!begins_another).then_some(found)
    }

    fn expression(&mut self) -> Option<Row> {
        let mut row = vec![0; self.names.len() + 1];
        let mut sign = if self.eat("-") { -1 } else { 1 };
        loop {
            let number = self.number()?;
            let name = if number.is_none() || self.next_is_name() { Some(self.name()?) } else { None };
            let position = match name {
                Some(name) => self.names.iter().rposition(|known| *known == Some(name))? + 1,
                None => 0,
            };
            row[position] = in_bounds(row[position] + sign * number.unwrap_or(1))?;
            sign = match self.peek() {
                Some(b'+') => 1,
                Some(b'-') if !self.rest().starts_with("->") => -1,
                _ => return Some(row),
            };
            self.at += 1;
        }
    }

    /// A number without a sign, if one is next; nothing at all if it is large.
    fn number(&mut self) -> Option<Option<i32>> {
        self.skip_spaces();
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Some(None);
        }
        let number = self.rest()[..digits].parse().ok().and_then(in_bounds)?;
        self.at += digits;
        Some(Some(number))
    }

    fn next_is_name(&self) -> bool {
        self.rest().bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
    }

    fn name(&mut self) -> Option<&'t str> {
        self.skip_spaces();
        if !self.next_is_name() {
            return None;
        }
        let rest = self.rest();
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let letters = rest.bytes().take_while(is_part).count();
        let primes = rest[letters..].bytes().take_while(|byte| *byte == b'\'').count();
        let name = &rest[..letters + primes];
        if KEYWORDS.iter().any(|word| word.eq_ignore_ascii_case(name)) {
            return None;
        }
        self.at += name.len();
        Some(name)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        self.skip_spaces();
        let follows = self.rest().strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '(']));
        self.at += if follows { word.len() } else { 0 };
        follows
    }

    fn eat(&mut self, text: &str) -> bool {
        self.skip_spaces();
        let follows = self.rest().starts_with(text);
        self.at += if follows { text.len() } else { 0 };
        follows
    }

    fn expect(&mut self, text: &str) -> Option<()> {
        self.eat(text).then_some(())
    }

    fn peek(&mut self) -> Option<u8> {
        self.skip_spaces();
        self.rest().bytes().next()
    }

    fn is_at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    fn skip_spaces(&mut self) {
        self.at += self.rest().bytes().take_while(|byte| *byte == b' ').count();
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }
}

fn difference(one: &[i32], other: &[i32]) -> Option<Row> {
    one.iter().zip(other).map(|(one, other)| in_bounds(one - other)).collect()
}

fn in_bounds(number: i32) -> Option<i32> {
    (-LARGEST..=LARGEST).contains(&number).then_some(number)
}
