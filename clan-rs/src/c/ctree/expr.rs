//! Expressions.

use scop::{BinaryOp, CType, SourceRange, UnaryOp};

use super::types::{Attribute, Type, TypeKind};
use super::unnamed::Unnamed;

/// A variable of a [`super::Tree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub usize);

/// An expression.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The type of its value.
    pub ctype: Type,
    /// Where it stands.
    pub range: SourceRange,
}

/// The kinds of expressions. Parentheses, and conversions that change no arithmetic type, are left out.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// An integer or character constant, an enumerator, a constant `sizeof`.
    Integer(i128),
    /// A floating constant without suffix, `inf` or `nan`; nothing if it has no exact spelling.
    Floating(Option<String>),
    /// A complex constant whose real part is zero; its imaginary part as in `Floating`.
    Imaginary(Option<String>),
    /// A variable.
    Variable(VariableId),
    /// `base[index]`, and `*base` with the index 0.
    Subscript {
        /// An array or pointer.
        base: Box<Expr>,
        /// An integer.
        index: Box<Expr>,
    },
    /// `base.field`; `p->field` has the base `p[0]`.
    Member {
        /// A structure; the pointer to one, once `members` has found a variable that stands for its member.
        base: Box<Expr>,
        /// The name of the member.
        field: String,
        /// The size of the structure in bytes.
        size: u32,
        /// The variable that stands for it (see `members`); nothing if there is none.
        variable: Option<VariableId>,
    },
    /// An operator with one operand and no effect.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands and no effect.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `target = value` or `target op= value`.
    Assign {
        /// The operator.
        operator: Option<BinaryOp>,
        /// What is assigned to.
        target: Box<Expr>,
        /// The right side.
        value: Box<Expr>,
    },
    /// `++` and `--`, before or after the operand.
    Increment {
        /// True for `--`.
        down: bool,
        /// True if the value is that before the change, as in `i++`.
        postfix: bool,
        /// What is changed.
        target: Box<Expr>,
    },
    /// A conversion between arithmetic types, or one that the source writes.
    Cast {
        /// True if the source does not write it.
        implicit: bool,
        /// What is converted.
        operand: Box<Expr>,
    },
    /// `condition ? then : otherwise`.
    Conditional {
        /// The condition.
        condition: Box<Expr>,
        /// The value if it holds.
        then: Box<Expr>,
        /// The value if it does not.
        otherwise: Box<Expr>,
    },
    /// A call.
    Call {
        /// The function, if it is called by its name.
        callee: Option<Callee>,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// `&operand`.
    AddressOf(Box<Expr>),
    /// `first, second`.
    Comma(Box<Expr>, Box<Expr>),
    /// Anything else.
    Other {
        /// What.
        what: Unnamed,
        /// The expressions in it.
        parts: Vec<Expr>,
    },
}

/// A function that is called by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callee {
    /// The name.
    pub name: String,
    /// The name that the user calls it by.
    pub shown: String,
    /// True if the source file defines it, or declares it itself.
    pub of_user: bool,
    /// An attribute by which a call may do something else than its body or its name says.
    pub attribute: Option<Attribute>,
    /// True if its value is one of its arguments itself, and no copy.
    pub passes: bool,
    /// True for a function like `printf` whose format may ask it to write: `%n`.
    pub counts: bool,
}

impl Expr {
    /// The parts, in the order of the text.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Integer(_) | ExprKind::Floating(_) | ExprKind::Imaginary(_) | ExprKind::Variable(_) => {
                Vec::new()
            }
            ExprKind::Unary(_, operand)
            | ExprKind::Cast { operand, .. }
            | ExprKind::AddressOf(operand)
            | ExprKind::Member { base: operand, .. }
            | ExprKind::Increment { target: operand, .. } => vec![operand],
            ExprKind::Subscript { base: left, index: right }
            | ExprKind::Binary(_, left, right)
            | ExprKind::Comma(left, right)
            | ExprKind::Assign { target: left, value: right, .. } => vec![left, right],
            ExprKind::Conditional { condition, then, otherwise } => vec![condition, then, otherwise],
            ExprKind::Call { arguments: parts, .. } | ExprKind::Other { parts, .. } => parts.iter().collect(),
        }
    }

    /// The same parts, to be changed.
    pub fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            ExprKind::Integer(_) | ExprKind::Floating(_) | ExprKind::Imaginary(_) | ExprKind::Variable(_) => {
                Vec::new()
            }
            ExprKind::Unary(_, operand)
            | ExprKind::Cast { operand, .. }
            | ExprKind::AddressOf(operand)
            | ExprKind::Member { base: operand, .. }
            | ExprKind::Increment { target: operand, .. } => vec![operand],
            ExprKind::Subscript { base: left, index: right }
            | ExprKind::Binary(_, left, right)
            | ExprKind::Comma(left, right)
            | ExprKind::Assign { target: left, value: right, .. } => vec![left, right],
            ExprKind::Conditional { condition, then, otherwise } => vec![condition, then, otherwise],
            ExprKind::Call { arguments: parts, .. } | ExprKind::Other { parts, .. } => {
                parts.iter_mut().collect()
            }
        }
    }

    /// Calls `visit` on this expression and then on all below it.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        for part in self.parts() {
            part.walk(visit);
        }
    }

    /// The variable that this is, if it is one.
    pub fn as_variable(&self) -> Option<VariableId> {
        match self.kind {
            ExprKind::Variable(id) => Some(id),
            _ => None,
        }
    }

    /// The variable or the member of a single structure that this is, if it is one.
    pub fn as_place(&self) -> Option<VariableId> {
        match &self.kind {
            ExprKind::Variable(id) => Some(*id),
            ExprKind::Member { base, variable, .. } => base.as_place().and(*variable),
            _ => None,
        }
    }

    /// The variables whose memory the expression may denote, as the target of an assignment or the operand of `&`. None
    /// for memory that a pointer leads to.
    pub fn places(&self) -> Vec<VariableId> {
        match &self.kind {
            ExprKind::Variable(id) | ExprKind::Member { variable: Some(id), .. } => vec![*id],
            ExprKind::Member { base, variable: None, .. } => base.places(),
            ExprKind::Subscript { base, .. } if matches!(base.ctype.kind, TypeKind::Array { .. }) => {
                base.places()
            }
            ExprKind::Conditional { then, otherwise, .. } => [then.places(), otherwise.places()].concat(),
            ExprKind::Comma(_, last) => last.places(),
            ExprKind::Assign { target, .. } | ExprKind::Increment { postfix: false, target, .. } => {
                target.places()
            }
            ExprKind::Cast { implicit: false, operand }
            | ExprKind::Unary(UnaryOp::Real | UnaryOp::Imaginary, operand) => operand.places(),
            ExprKind::Call { callee: Some(Callee { passes: true, .. }), arguments } => {
                arguments.iter().flat_map(Expr::places).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The expression without conversions between integers around it for which `keeps(from, to)` holds.
    pub fn without_casts_that(&self, keeps: &impl Fn(CType, CType) -> bool) -> &Expr {
        match &self.kind {
            ExprKind::Cast { operand, .. } => match (operand.ctype.arithmetic(), self.ctype.arithmetic()) {
                (Some(from), Some(to)) if from.is_integer() && to.is_integer() && keeps(from, to) => {
                    operand.without_casts_that(keeps)
                }
                _ => self,
            },
            _ => self,
        }
    }

    /// The expression without conversions around it, whatever they do to its value.
    pub fn without_casts(&self) -> &Expr {
        match &self.kind {
            ExprKind::Cast { operand, .. } => operand.without_casts(),
            _ => self,
        }
    }
}
