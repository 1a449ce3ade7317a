//! Expressions.

use scop::{BinaryOp, CType, SourceRange, UnaryOp};

use super::types::{Attribute, Type, TypeKind};
use super::unnamed::Unnamed;
use super::variable_id::VariableId;

/// An expression.
#[derive(Debug, Clone)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// The type of its value.
    pub ctype: Type,
    /// Its place in the source.
    pub range: SourceRange,
}

/// The kinds of expressions. Parentheses, and conversions that change no arithmetic type, are omitted.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// An integer or character constant, an enumerator, a constant `sizeof`.
    Integer(i128),
    /// A floating constant without suffix, `inf` or `nan`; `None` if it has no exact spelling.
    Floating(Option<String>),
    /// A complex constant whose real part is zero; the imaginary part is represented as in `Floating`.
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
        /// The structure. Once `members` has found the variable that represents the member: the pointer to the
        /// structure.
        base: Box<Expr>,
        /// The name of the member.
        field: String,
        /// The size of the structure in bytes.
        size: u32,
        /// The variable that represents the member (see `members`), if there is one.
        variable: Option<VariableId>,
    },
    /// An operator with one operand and no effect.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands and no effect.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `target = value` or `target op= value`.
    Assign {
        /// The operator of a compound assignment.
        operator: Option<BinaryOp>,
        /// The left side.
        target: Box<Expr>,
        /// The right side.
        value: Box<Expr>,
    },
    /// `++` and `--`, before or after the operand.
    Increment {
        /// True for `--`.
        down: bool,
        /// True if the value is the one before the change, as in `i++`.
        postfix: bool,
        /// The operand.
        target: Box<Expr>,
    },
    /// A conversion between arithmetic types, or one that is written in the source.
    Cast {
        /// True if the conversion is not written in the source.
        implicit: bool,
        /// The operand.
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
    /// Any other expression.
    Other {
        /// The kind of expression.
        what: Unnamed,
        /// The expressions inside it.
        parts: Vec<Expr>,
    },
}

/// A function that is called by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callee {
    /// Its name, unique in the tree.
    pub name: String,
    /// The name in the source.
    pub shown: String,
    /// True if the user's code may define it. Otherwise, it is the library function of this name.
    pub of_user: bool,
    /// An attribute that may make a call do something other than the body or the name suggests.
    pub attribute: Option<Attribute>,
    /// True if the call returns one of its arguments itself, not a copy.
    pub passes: bool,
    /// True if the call returns a reference.
    pub gives_reference: bool,
    /// True for a function such as `printf` whose format may make it write to an argument (`%n`).
    pub counts: bool,
}

impl Expr {
    /// Returns the parts, in source order.
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

    /// Returns the same parts for modification.
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

    /// Calls `visit` on this expression and then on all expressions inside it.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        for part in self.parts() {
            part.walk(visit);
        }
    }

    /// Returns the variable, if the expression is one.
    pub fn as_variable(&self) -> Option<VariableId> {
        match self.kind {
            ExprKind::Variable(id) => Some(id),
            _ => None,
        }
    }

    /// Returns the variable, if the expression is a variable or a member of a single structure.
    pub fn as_place(&self) -> Option<VariableId> {
        match &self.kind {
            ExprKind::Variable(id) => Some(*id),
            ExprKind::Member { base, variable, .. } => base.as_place().and(*variable),
            _ => None,
        }
    }

    /// Returns the variables whose memory the expression may denote, as the target of an assignment or the operand
    /// of `&`. Memory that a pointer points to is not included.
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

    /// Returns the expression without its outer integer conversions for which `keeps(from, to)` holds.
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

    /// Returns the expression without its outer conversions, even if they change its value.
    pub fn without_casts(&self) -> &Expr {
        match &self.kind {
            ExprKind::Cast { operand, .. } => operand.without_casts(),
            _ => self,
        }
    }
}
