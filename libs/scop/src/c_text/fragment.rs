//! Pieces of C text that know how they may be combined.

use std::fmt;

use crate::{BinaryOp, CType};

/// The precedence of constructs other than binary operators, on the scale of [`BinaryOp::precedence`].
pub mod precedence {
    /// `a ? b : c`
    pub const CONDITIONAL: u8 = 3;
    /// `-a`, `(int)a`, `*a`
    pub const UNARY: u8 = 14;
    /// `a[i]`, `f(x)`, names and literals.
    pub const POSTFIX: u8 = 15;
}

/// The text of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fragment {
    /// The text.
    pub text: String,
    /// The precedence of its outermost operator, as in [`BinaryOp::precedence`].
    pub precedence: u8,
    /// The type that the compiler gives it.
    pub ctype: CType,
}

impl Fragment {
    /// Creates a name, literal, subscript or call.
    pub fn atom(text: impl Into<String>, ctype: CType) -> Self {
        Self { text: text.into(), precedence: precedence::POSTFIX, ctype }
    }

    /// Applies a prefix operator to its operand.
    pub fn prefix(operator: &str, operand: &Fragment, ctype: CType) -> Self {
        let operand = operand.at_least(precedence::UNARY);
        let clash = operator.ends_with(['-', '+']) && operand.starts_with(operator);
        let text = if clash { format!("{operator}({operand})") } else { format!("{operator}{operand}") };
        Self { text, precedence: precedence::UNARY, ctype }
    }

    /// Returns `*text`.
    pub fn dereferenced(text: &str, ctype: CType) -> Self {
        Self { text: format!("*{text}"), precedence: precedence::UNARY, ctype }
    }

    /// Returns the address of an lvalue: `&a[i]`, or `s` for `*s`.
    pub fn address(&self) -> String {
        match self.text.strip_prefix('*') {
            Some(pointer) if self.precedence == precedence::UNARY => pointer.to_owned(),
            _ => format!("&{}", self.at_least(precedence::POSTFIX)),
        }
    }

    /// Puts an operator between two operands, with the parentheses that C needs and those that compilers
    /// recommend (`(a && b) || c`, `(a + b) << c`, `(a == b) & c`).
    pub fn infix(operator: BinaryOp, left: &Fragment, right: &Fragment, ctype: CType) -> Self {
        let level = operator.precedence();
        let text = format!(
            "{} {} {}",
            left.beside(operator, level),
            operator.c_name(),
            right.right_of(operator, level + 1)
        );
        Self { text, precedence: level, ctype }
    }

    /// Returns `condition ? then : otherwise`.
    pub fn conditional(condition: &Fragment, then: &Fragment, otherwise: &Fragment, ctype: CType) -> Self {
        let text = format!(
            "{} ? {} : {}",
            condition.at_least(precedence::CONDITIONAL + 1),
            then.text,
            otherwise.at_least(precedence::CONDITIONAL)
        );
        Self { text, precedence: precedence::CONDITIONAL, ctype }
    }

    /// Returns the text, in parentheses if it binds less tightly than `level`.
    pub fn at_least(&self, level: u8) -> String {
        if self.precedence < level { format!("({})", self.text) } else { self.text.clone() }
    }

    fn right_of(&self, operator: BinaryOp, level: u8) -> String {
        let sign = matches!(operator, BinaryOp::Add | BinaryOp::Sub) && self.text.starts_with(['-', '+']);
        if sign { format!("({})", self.text) } else { self.beside(operator, level) }
    }

    fn beside(&self, operator: BinaryOp, level: u8) -> String {
        if self.confuses(operator) { format!("({})", self.text) } else { self.at_least(level) }
    }

    /// True if C's precedence is right without parentheses, but unclear to readers and `-Wparentheses`.
    fn confuses(&self, operator: BinaryOp) -> bool {
        let own = self.precedence;
        match operator {
            BinaryOp::Or => own == BinaryOp::And.precedence(),
            BinaryOp::Shl | BinaryOp::Shr => own < BinaryOp::Mul.precedence(),
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                own != operator.precedence() && own < precedence::UNARY
            }
            BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => {
                own <= BinaryOp::Lt.precedence()
            }
            _ => false,
        }
    }
}

impl fmt::Display for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
