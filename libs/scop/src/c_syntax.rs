//! The C expressions that a document may contain: those that clan-rs copies from the source, without side
//! effects.
//!
//! ```text
//! value   := operand { operator operand } [ ? value : value ]
//! operand := { - + ! ~ } ( number | place | (type) operand | ( value ) | sizeof place )
//! place   := [ :: ] name { :: name } { . name | -> name | [ number ] }
//! ```
//!
//! A third form, for host code, is `pure`: a value in which an operand may also begin with `&` or `*`, subscripts are
//! values, a conversion may be to a pointer, `sizeof` takes any operand or type, and `.data()` and `.size()` are members.
//!
//! If the region does not always read a parameter, C may not be able to evaluate the parameter's expression. It
//! is then evaluated only under conditions on other parameters, and only if the pointers in it are not null
//! ([`guarded`], [`crate::guard`]).
//!
//! By this grammar, an expression has no calls, assignments, increments or commas. It also has no comments,
//! literals with quotes, directives or line ends, so it ends where it seems to end.

use crate::names::is_keyword;

/// Deeper nesting is refused; we write no such text.
const MAX_DEPTH: usize = 4000;

/// Binary operators without side effects, longer ones first.
const INFIX: &[&str] =
    &["<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "%", "<", ">", "&", "^", "|"];

/// The other tokens that are not words.
const PUNCTUATION: &[&str] = &["++", "--", "->", "::", ".", "[", "]", "(", ")", "!", "~", "?", ":"];

/// The words that make up arithmetic types.
const TYPE_WORDS: &[&str] =
    &["_Bool", "bool", "char", "signed", "unsigned", "short", "int", "long", "float", "double"];

/// True for an expression without side effects, such as that of a parameter.
pub fn is_value(text: &str) -> bool {
    Parser::of(text).is_some_and(|mut parser| parser.value().is_some() && parser.is_at_end())
}

/// True for a variable, a member, or an element with constant subscripts, such as the expression of an array.
pub fn is_place(text: &str) -> bool {
    Parser::of(text).is_some_and(|mut parser| parser.place().is_some() && parser.is_at_end())
}

/// True for an expression without side effects of any type, such as an address in host code: `&a[i][j + 1]`.
pub fn is_pure(text: &str) -> bool {
    let Some(parser) = Parser::of(text) else { return false };
    let mut parser = Parser { is_pure: true, ..parser };
    parser.value().is_some() && parser.is_at_end()
}

/// Returns the pointers that are dereferenced whenever an expression is evaluated, outermost first: `p` and
/// `p->q` for `p->q->x`. `sizeof` dereferences none, and `this` is left out because it always points to an
/// object.
pub fn pointers(text: &str) -> Vec<String> {
    let Some(mut parser) = Parser::of(text) else { return Vec::new() };
    parser.value();
    let mut pointers = parser.pointers;
    pointers.retain(|pointer| pointer != "this");
    pointers
}

/// Returns the pointers that an expression dereferences always or under some condition.
pub fn perhaps_followed(text: &str) -> Vec<String> {
    let Some(parser) = Parser::of(text) else { return Vec::new() };
    let mut parser = Parser { counts_uncertain: true, ..parser };
    parser.value();
    parser.pointers
}

/// Returns an expression that is zero, or a null pointer, unless all of the conditions hold. A pointer as a
/// condition means that it is not null.
///
/// *Before → after:* `p->q->x` → `n >= 1 && p && p->q ? p->q->x : 0`.
pub fn guarded(text: &str, conditions: &[String]) -> String {
    if conditions.is_empty() {
        return text.to_owned();
    }
    format!("{} ? {text} : 0", conditions.join(" && "))
}

/// True for the text after an element of an array of structures: `.x`, `.row[0].x`.
pub fn is_member(text: &str) -> bool {
    text.starts_with('.')
        && Parser::of(text).is_some_and(|mut parser| parser.subobject().is_some() && parser.is_at_end())
}

/// True for a name that C or C++ allows, including names with `$` and with letters of other alphabets.
pub fn is_name(text: &str) -> bool {
    let first = |c: char| is_letter(c) && !c.is_numeric();
    text.starts_with(first) && text.chars().all(is_letter) && !is_keyword(text)
}

/// True for the characters of names and keywords.
pub fn is_letter(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '$'
}

/// True for the value of an integer constant: decimal digits, optionally with a sign.
pub fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<i128>().is_ok()
}

/// True for a floating-point constant without suffix, optionally with a sign: a literal, `inf` or `nan`.
pub fn is_floating(text: &str) -> bool {
    is_special(text.strip_prefix(['-', '+']).unwrap_or(text)) || is_floating_literal(text)
}

/// True for a floating-point literal without suffix, optionally with a sign: `0.5`, `1e-3`, `0x1.8p0`.
pub fn is_floating_literal(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (number, exponent) = match hexadecimal {
        Some(digits) => match digits.split_once(['p', 'P']) {
            Some((number, exponent)) => (number, Some(exponent)),
            None => return false,
        },
        None => match text.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, Some(exponent)),
            None => (text, None),
        },
    };
    let is_digit = |byte: u8| match hexadecimal {
        Some(_) => byte.is_ascii_hexdigit(),
        None => byte.is_ascii_digit(),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |part: &str| part.bytes().all(is_digit);
    digits(whole)
        && digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(is_integer)
}

/// True for a floating-point constant without a sign for which C has no literal.
pub fn is_special(text: &str) -> bool {
    ["inf", "nan"].contains(&text)
}

struct Parser<'a> {
    tokens: Vec<&'a str>,
    position: usize,
    depth: usize,
    /// The text before each `->` outside of `sizeof`, each text once.
    pointers: Vec<String>,
    /// True if pointers that are dereferenced only under a condition are included.
    counts_uncertain: bool,
    /// True for the form of host code.
    is_pure: bool,
}

impl<'a> Parser<'a> {
    /// Returns a parser, or nothing if the text has characters that no token has.
    fn of(text: &'a str) -> Option<Self> {
        let tokens = tokens(text)?;
        Some(Self {
            tokens,
            position: 0,
            depth: 0,
            pointers: Vec::new(),
            counts_uncertain: false,
            is_pure: false,
        })
    }

    fn is_at_end(&self) -> bool {
        self.position == self.tokens.len()
    }

    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.position).copied()
    }

    /// Consumes the next token if it is one of these.
    fn take(&mut self, wanted: &[&str]) -> Option<&'a str> {
        let token = self.peek().filter(|token| wanted.contains(token))?;
        self.position += 1;
        Some(token)
    }

    fn name(&mut self) -> Option<()> {
        self.peek().filter(|token| is_name(token))?;
        self.position += 1;
        Some(())
    }

    fn number(&mut self) -> Option<()> {
        self.peek().filter(|token| token.starts_with(|c: char| c.is_ascii_digit()))?;
        self.position += 1;
        Some(())
    }

    fn value(&mut self) -> Option<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        self.operand()?;
        let mut certain = None;
        while let Some(operator) = self.take(INFIX) {
            if ["&&", "||"].contains(&operator) {
                certain = certain.or(Some(self.pointers.len()));
            }
            self.operand()?;
        }
        if self.take(&["?"]).is_some() {
            certain = certain.or(Some(self.pointers.len()));
            self.value()?;
            self.take(&[":"])?;
            self.value()?;
        }
        if !self.counts_uncertain {
            self.pointers.truncate(certain.unwrap_or(usize::MAX));
        }
        self.depth -= 1;
        Some(())
    }

    fn operand(&mut self) -> Option<()> {
        loop {
            while self.take(&["-", "+", "!", "~"]).is_some()
                || self.is_pure && self.take(&["&", "*"]).is_some()
            {}
            if !self.conversion() {
                break;
            }
        }
        if self.take(&["("]).is_some() {
            let start = self.position;
            self.value()?;
            self.take(&[")"])?;
            return if self.is_pure { self.part_of(start) } else { Some(()) };
        }
        if self.take(&["sizeof"]).is_some() {
            let known = self.pointers.len();
            if self.is_pure {
                self.conversion().then_some(()).or_else(|| self.operand())?;
            } else {
                self.place()?;
            }
            self.pointers.truncate(known);
            return Some(());
        }
        self.number().or_else(|| self.place())
    }

    /// Consumes a conversion such as `(unsigned long)`, if one comes next.
    fn conversion(&mut self) -> bool {
        let start = self.position;
        let qualified = |parser: &mut Self| parser.is_pure && parser.take(&["const"]).is_some();
        if self.take(&["("]).is_some() {
            while qualified(self) {}
            let is_type = self.take(TYPE_WORDS).is_some() || self.is_pure && self.take(&["void"]).is_some();
            if !is_type {
                self.position = start;
                return false;
            }
            while self.take(TYPE_WORDS).is_some()
                || qualified(self)
                || self.is_pure && self.take(&["*"]).is_some()
            {}
            if self.take(&[")"]).is_some() {
                return true;
            }
        }
        self.position = start;
        false
    }

    fn place(&mut self) -> Option<()> {
        let start = self.position;
        self.take(&["::"]);
        self.name()?;
        while self.take(&["::"]).is_some() {
            self.name()?;
        }
        self.part_of(start)
    }

    fn subobject(&mut self) -> Option<()> {
        self.part_of(self.position)
    }

    /// Consumes members and elements of the place that begins at token `start`.
    fn part_of(&mut self, start: usize) -> Option<()> {
        while let Some(token) = self.take(&[".", "->", "["]) {
            if token == "->" {
                let pointer = self.tokens[start..self.position - 1].concat();
                if !self.pointers.contains(&pointer) {
                    self.pointers.push(pointer);
                }
            }
            if token == "[" {
                if self.is_pure {
                    self.value()?
                } else {
                    self.number()?
                };
                self.take(&["]"])?;
            } else {
                let member = self.peek();
                self.name()?;
                let is_of_vector =
                    token == "." && member.is_some_and(|name| ["data", "size"].contains(&name));
                if self.is_pure && is_of_vector && self.take(&["("]).is_some() {
                    self.take(&[")"])?;
                }
            }
        }
        Some(())
    }
}

/// Splits a text into names, decimal integers with their suffix, and operators. Tokens are as long as possible,
/// so that `--` is not read as two minus signs.
fn tokens(text: &str) -> Option<Vec<&str>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut tokens = Vec::new();
    let mut rest = text.trim_start_matches(' ');
    while let Some(first) = rest.chars().next() {
        let length = if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let is_number = first.is_ascii_digit();
            if is_number && !is_integer(rest[..length].trim_end_matches(['u', 'U', 'l', 'L'])) {
                return None;
            }
            length
        } else {
            let fixed = PUNCTUATION.iter().chain(INFIX).filter(|token| rest.starts_with(**token));
            fixed.map(|token| token.len()).max()?
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after.trim_start_matches(' ');
    }
    Some(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_addresses_and_sizes_of_host_code() {
        for text in [
            "&a[i][j + 1]",
            "sizeof(a[0]) * (n - 1)",
            "(char *)p + 8 * k",
            "(const void *)*q",
            "&(*rows)[k].x",
            "(hi) > (lo) ? hi : lo",
            "sizeof(double) * n",
            "&s->row[n % 2][0]",
            "&v.data()[v.size() - 1]",
            "v.size() * sizeof(*v.data())",
        ] {
            assert!(is_pure(text), "{text}");
        }
        for text in [
            "a[i++]",
            "f(x)",
            "a, b",
            "a = b",
            "&a[i",
            "\"a\"",
            "a /* b */",
            "sizeof",
            "(char *)",
            "a[]",
            "v.clear()",
            "p->size()",
            "v.data(1)",
        ] {
            assert!(!is_pure(text), "{text}");
        }
        for text in ["&a", "a[i]", "(char *)p", "sizeof(double)"] {
            assert!(!is_value(text), "{text}");
        }
    }

    #[test]
    fn takes_what_clan_writes() {
        for text in [
            "a",
            "p->x",
            "s.row[0].x",
            "q[0][0].x",
            "::k",
            "A::v",
            "::A::B::v",
            "größe",
            "a$b",
            "this->n",
            "restrict",
            "q.class",
        ] {
            assert!(is_place(text) && is_value(text), "{text}");
        }
        let values = [
            "n",
            "42",
            "(long)n * m",
            "(unsigned long)(n + 1) * (-2)",
            "((a - 3) * b)",
            "sizeof a[0] / sizeof a[0][0]",
            "(int)(s.n)",
            "n > 0 ? n : 1",
            "(-(-5))",
            "3 - -5",
            "4UL",
        ];
        for text in values {
            assert!(is_value(text), "{text}");
        }
        for text in [".x", ".row[0].x"] {
            assert!(is_member(text), "{text}");
        }
    }

    #[test]
    fn refuses_what_does_more_than_have_a_value() {
        let deep = "(".repeat(100_000);
        let texts = [
            "",
            "system(\"true\")",
            "f()",
            "(f)(x)",
            "(f)()",
            "a = 1",
            "a += 1",
            "a++",
            "--a",
            "a, b",
            "a; b",
            "n) + (m",
            "a /* b",
            "a // b",
            "a\nb",
            "a\\",
            "#a",
            "'a'",
            "\"a\"",
            "({ a; })",
            "a b",
            "sizeof",
            "return",
            "a[i]",
            "a[0",
            "*a",
            "&a",
            "a.",
            "a::",
            "0x10",
            "12abc",
            "(int)",
            "a ? b",
            "new int",
            "[]{}",
            "a\u{2028}b",
            deep.as_str(),
        ];
        for text in texts {
            assert!(!is_value(text) && !is_place(text) && !is_member(text), "{text:.20}");
        }
        assert!(!is_member("x") && !is_member("->x"));
    }

    #[test]
    fn pointers_that_are_followed() {
        assert_eq!(pointers("p->q->x"), ["p", "p->q"]);
        assert_eq!(pointers("(long)s.p->n * A::v[0].r->m + s.p->k"), ["s.p", "A::v[0].r"]);
        assert!(pointers("sizeof p->a / sizeof p->a[0]").is_empty());
        assert_eq!(pointers("p->x && q->x ? r->x : p->y"), ["p"]);
        assert_eq!(perhaps_followed("n >= 1 && q->x ? r->x : p->y"), ["q", "r", "p"]);
        assert!(pointers("this->n + m").is_empty());
        assert_eq!(pointers("this->p->n"), ["this->p"]);
        let guarded = guarded("p->q->x", &pointers("p->q->x"));
        assert_eq!(guarded, "p && p->q ? p->q->x : 0");
        assert!(is_value(&guarded));
    }

    #[test]
    fn numbers_are_literals() {
        for text in ["0.5", "1.", ".5", "1e-3", "-2.5E+7", "0x1p-3", "0X1.8P0", "3", "inf", "-nan"] {
            assert!(is_floating(text), "{text}");
        }
        for text in [
            "", ".", "e5", "1e", "0x1.8", "0x", "1.5f", "infinity", "--inf", "nan(1)", "1.0); f(", "1 .5",
            "--1", "1.2.3",
        ] {
            assert!(!is_floating(text), "{text}");
        }
        assert!(is_integer("-5") && is_integer("18446744073709551615"));
        assert!(!is_integer("5u") && !is_integer("0x5") && !is_integer("") && !is_integer(&"9".repeat(100)));
    }
}
