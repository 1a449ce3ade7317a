//! The statements of a generated function, as data.
//!
//! Loops, conditions, expressions and declarations are C, the same in all languages. What each language spells in its
//! own way is an operation: [`crate::kernel::program::KernelOp`] in kernels, [`crate::host::operation::HostOp`] in
//! host functions.

use std::convert::Infallible;

/// A statement with operations of some kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stmt<Op> {
    /// A statement on a line, perhaps with a comment after it.
    Line {
        /// The text, with its semicolon.
        text: String,
        /// The comment after it, printed if there is room.
        comment: Option<String>,
    },
    /// A declaration.
    Declare {
        /// The name that it declares.
        name: String,
        /// The text, with its semicolon.
        text: String,
    },
    /// `for (…)` and its body.
    Loop {
        /// The text before the body.
        head: String,
        /// The body.
        body: Vec<Stmt<Op>>,
    },
    /// `if (condition) then else otherwise`.
    If {
        /// The text between the parentheses.
        condition: String,
        /// The statements that run if the condition holds.
        then: Vec<Stmt<Op>>,
        /// The statements that run if it does not hold; may be empty.
        otherwise: Vec<Stmt<Op>>,
    },
    /// Statements in braces of their own.
    Scope(Vec<Stmt<Op>>),
    /// Comment lines, printed after `//`.
    Comment(Vec<String>),
    /// An empty line. It is printed only between statements, and never twice in a row.
    Blank,
    /// An operation that each language spells in its own way.
    Op(Op),
}

/// A statement that is plain C, without operations.
pub type Plain = Stmt<Infallible>;

/// An operation that each language spells in its own way.
pub trait Operation {
    /// Returns the name that it declares for the statements after it.
    fn declares(&self) -> Option<&str>;
}

impl Operation for Infallible {
    fn declares(&self) -> Option<&str> {
        match *self {}
    }
}

impl<Op> Stmt<Op> {
    /// Creates a statement on a line.
    pub fn line(text: impl Into<String>) -> Self {
        Self::Line { text: text.into(), comment: None }
    }

    /// Creates a declaration.
    pub fn declare(name: &str, text: impl Into<String>) -> Self {
        Self::Declare { name: name.to_owned(), text: text.into() }
    }

    /// Returns the same statement with its operations spelled.
    pub fn spelled(&self, spell: &dyn Fn(&Op) -> Vec<Plain>) -> Vec<Plain> {
        let all = |block: &[Self]| block.iter().flat_map(|stmt| stmt.spelled(spell)).collect();
        vec![match self {
            Self::Op(op) => return spell(op),
            Self::Line { text, comment } => Stmt::Line { text: text.clone(), comment: comment.clone() },
            Self::Declare { name, text } => Stmt::Declare { name: name.clone(), text: text.clone() },
            Self::Loop { head, body } => Stmt::Loop { head: head.clone(), body: all(body) },
            Self::If { condition, then, otherwise } => {
                Stmt::If { condition: condition.clone(), then: all(then), otherwise: all(otherwise) }
            }
            Self::Scope(body) => Stmt::Scope(all(body)),
            Self::Comment(lines) => Stmt::Comment(lines.clone()),
            Self::Blank => Stmt::Blank,
        }]
    }

    /// Calls `visit` with each operation.
    pub fn visit<'a>(&'a self, visit: &mut dyn FnMut(&'a Op)) {
        match self {
            Self::Op(op) => visit(op),
            Self::Loop { body, .. } | Self::Scope(body) => body.iter().for_each(|stmt| stmt.visit(visit)),
            Self::If { then, otherwise, .. } => {
                then.iter().chain(otherwise).for_each(|stmt| stmt.visit(visit));
            }
            Self::Line { .. } | Self::Declare { .. } | Self::Comment(_) | Self::Blank => {}
        }
    }
}

/// Appends statements to a block, in braces of their own if they declare a name again.
pub fn append<Op: Operation>(block: &mut Vec<Stmt<Op>>, more: Vec<Stmt<Op>>) {
    let clash = declared(&more).any(|name| declared(block).any(|other| other == name));
    if clash { block.push(Stmt::Scope(more)) } else { block.extend(more) }
}

fn declared<Op: Operation>(block: &[Stmt<Op>]) -> impl Iterator<Item = &str> {
    block.iter().filter_map(|stmt| match stmt {
        Stmt::Declare { name, .. } => Some(name.as_str()),
        Stmt::Op(op) => op.declares(),
        _ => None,
    })
}
