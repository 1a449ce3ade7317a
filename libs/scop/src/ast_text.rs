//! The text form of the loop program's expressions: `32 * bx + tx <= n - 1 and c0 >= 1`. Messages print it, and
//! tests print and read it; the document contains trees (`ast/json.rs`).
//!
//! Where C has an operator, the text uses it, except for `and` and `or`, which are written as in isl. All other
//! operations are functions: `max(a, b, …)`, `min(a, b, …)`, `select(condition, a, b)`, and five kinds of
//! division. `exactdiv(a, b)` has no remainder; `floordiv(a, b)` rounds towards minus infinity; `posdiv(a, b)`
//! and `posmod(a, b)` have a dividend that is not negative; the result of `zeromod(a, b)` is only compared with
//! zero. Reading a printed expression gives the same tree.

use std::fmt;
use std::str::FromStr;

use crate::ast::{AstExpr, AstOp};

/// The infix operators and how tightly they bind.
const INFIX: &[(AstOp, &str, u8)] = &[
    (AstOp::Or, "or", 1),
    (AstOp::And, "and", 2),
    (AstOp::Eq, "==", 3),
    (AstOp::Le, "<=", 3),
    (AstOp::Ge, ">=", 3),
    (AstOp::Lt, "<", 3),
    (AstOp::Gt, ">", 3),
    (AstOp::Add, "+", 4),
    (AstOp::Sub, "-", 4),
    (AstOp::Mul, "*", 5),
];

const PREFIX_LEVEL: u8 = 6;

/// The operations that are written as functions.
const FUNCTIONS: &[(AstOp, &str)] = &[
    (AstOp::Max, "max"),
    (AstOp::Min, "min"),
    (AstOp::Select, "select"),
    (AstOp::Div, "exactdiv"),
    (AstOp::FloorDiv, "floordiv"),
    (AstOp::PosDiv, "posdiv"),
    (AstOp::PosMod, "posmod"),
    (AstOp::ZeroMod, "zeromod"),
];

impl AstOp {
    /// Returns the symbol of the operation; `-` stands for both subtraction and negation.
    pub fn symbol(self) -> &'static str {
        Self::symbols().find(|(operation, _)| *operation == self).map_or("-", |(_, symbol)| symbol)
    }

    /// Returns all operations and their symbols, except negation, which is `-` with one operand.
    pub fn symbols() -> impl Iterator<Item = (Self, &'static str)> {
        let infix = INFIX.iter().map(|(operation, symbol, _)| (*operation, *symbol));
        infix.chain(FUNCTIONS.iter().copied())
    }
}

impl fmt::Display for AstExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self, 0))
    }
}

fn print(expr: &AstExpr, level: u8) -> String {
    match expr {
        AstExpr::Int(value) if *value < 0 && level > 0 => format!("({value})"),
        AstExpr::Int(value) => value.to_string(),
        AstExpr::Name(name) => name.clone(),
        AstExpr::Op(operator, operands) => print_operation(*operator, operands, level),
    }
}

fn print_operation(operator: AstOp, operands: &[AstExpr], level: u8) -> String {
    if let (AstOp::Minus, [operand]) = (operator, operands) {
        let text = match operand {
            AstExpr::Int(value) => format!("-({value})"),
            _ => format!("-{}", print(operand, PREFIX_LEVEL + 1)),
        };
        return parenthesised(text, PREFIX_LEVEL, level);
    }
    if let ([left, right], Some((_, symbol, own))) =
        (operands, INFIX.iter().find(|entry| entry.0 == operator))
    {
        let text = format!("{} {symbol} {}", print(left, *own), print(right, own + 1));
        return parenthesised(text, *own, level);
    }
    let name = operator.symbol();
    let arguments: Vec<String> = operands.iter().map(|operand| print(operand, 0)).collect();
    format!("{name}({})", arguments.join(", "))
}

fn parenthesised(text: String, own: u8, level: u8) -> String {
    if own < level { format!("({text})") } else { text }
}

impl FromStr for AstExpr {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parser = Parser { tokens: tokens(text)?, position: 0, depth: 0 };
        let expr = parser.infix(1)?;
        match parser.peek() {
            None => Ok(expr),
            Some(token) => Err(format!("`{text}` has `{token}` where it should end")),
        }
    }
}

fn tokens(text: &str) -> Result<Vec<&str>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            'a'..='z' | 'A'..='Z' | '_' | '0'..='9' => {
                rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            '<' | '>' | '=' => 1 + usize::from(rest[1..].starts_with('=')),
            '+' | '-' | '*' | '(' | ')' | ',' => 1,
            other => {
                return Err(format!("`{text}` has the character `{other}`, which no expression contains"));
            }
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after.trim_start();
    }
    Ok(tokens)
}

/// The deepest nesting that is read: we write no deeper expressions, and reading them might exhaust the stack.
const MAX_DEPTH: u32 = 200;

struct Parser<'a> {
    tokens: Vec<&'a str>,
    position: usize,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.position).copied()
    }

    fn next(&mut self) -> Result<&'a str, String> {
        let token = self.peek().ok_or("an expression ends too early")?;
        self.position += 1;
        Ok(token)
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        match self.next()? {
            token if token == wanted => Ok(()),
            token => Err(format!("an expression has `{token}` where `{wanted}` is expected")),
        }
    }

    fn infix(&mut self, level: u8) -> Result<AstExpr, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("an expression is nested too deeply".to_owned());
        }
        let mut left = self.prefix()?;
        while let Some((operator, _, own)) = self.peek().and_then(|t| INFIX.iter().find(|entry| entry.1 == t))
            && *own >= level
        {
            self.position += 1;
            let right = self.infix(own + 1)?;
            left = AstExpr::Op(*operator, vec![left, right]);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn prefix(&mut self) -> Result<AstExpr, String> {
        let token = self.next()?;
        match token {
            "-" => self.negation(),
            "(" => {
                let inner = self.infix(1)?;
                self.expect(")")?;
                Ok(inner)
            }
            _ if token.starts_with(|c: char| c.is_ascii_digit()) => number(token),
            _ if self.peek() == Some("(") => self.call(token),
            _ if token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') => {
                Ok(AstExpr::Name(token.to_owned()))
            }
            _ => Err(format!("an expression has `{token}` where an operand is expected")),
        }
    }

    /// Reads a negation: `-5` is a constant, `-(5)` its negation.
    fn negation(&mut self) -> Result<AstExpr, String> {
        match self.peek() {
            Some(token) if token.starts_with(|c: char| c.is_ascii_digit()) => {
                self.position += 1;
                number(&format!("-{token}"))
            }
            _ => Ok(AstExpr::Op(AstOp::Minus, vec![self.infix(PREFIX_LEVEL)?])),
        }
    }

    fn call(&mut self, name: &str) -> Result<AstExpr, String> {
        let known = FUNCTIONS.iter().find(|entry| entry.1 == name);
        let (operator, _) =
            known.ok_or_else(|| format!("an expression calls the unknown function `{name}`"))?;
        self.expect("(")?;
        let mut arguments = vec![self.infix(1)?];
        while self.peek() == Some(",") {
            self.position += 1;
            arguments.push(self.infix(1)?);
        }
        self.expect(")")?;
        Ok(AstExpr::Op(*operator, arguments))
    }
}

fn number(text: &str) -> Result<AstExpr, String> {
    text.parse().map(AstExpr::Int).map_err(|_| format!("`{text}` is not a number of 64 bits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_it_reads() {
        let texts = [
            "0",
            "-5",
            "n",
            "32 * bx + tx",
            "n - (i - 1)",
            "n - i - 1",
            "-n",
            "-(n + 1)",
            "2 * (a + b)",
            "3 * (-5)",
            "max(a, b + 1, -3)",
            "floordiv(n - 1, 32) + 1",
            "a <= b and c == 0 or x > y",
            "(a < b or c < d) and e >= f",
            "select(a < b, posmod(a, 2), zeromod(b, 3))",
            "exactdiv(a, 2) - posdiv(a, 2)",
        ];
        for text in texts {
            let expr: AstExpr = text.parse().unwrap();
            assert_eq!(expr.to_string(), text);
        }
    }

    #[test]
    fn keeps_the_tree() {
        let name = |text: &str| AstExpr::Name(text.to_owned());
        let trees = [
            AstExpr::Op(AstOp::Sub, vec![name("a"), AstExpr::Op(AstOp::Add, vec![name("b"), name("c")])]),
            AstExpr::Op(AstOp::Add, vec![AstExpr::Op(AstOp::Add, vec![name("a"), name("b")]), name("c")]),
            AstExpr::Op(AstOp::Add, vec![name("a"), AstExpr::Op(AstOp::Add, vec![name("b"), name("c")])]),
            AstExpr::Op(AstOp::Minus, vec![AstExpr::Int(5)]),
            AstExpr::Op(AstOp::Mul, vec![AstExpr::Int(-2), AstExpr::Op(AstOp::Minus, vec![name("a")])]),
        ];
        for tree in trees {
            assert_eq!(tree.to_string().parse::<AstExpr>().as_ref(), Ok(&tree), "{tree}");
        }
    }

    #[test]
    fn refuses_what_is_no_expression() {
        let deep = "(".repeat(100_000);
        for text in ["", "a +", "a b", "f(a)", "(a", "a / b", "99999999999999999999", "max()", deep.as_str()]
        {
            assert!(text.parse::<AstExpr>().is_err(), "{:.20}", text);
        }
    }
}
