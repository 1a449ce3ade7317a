//! The typed expression tree of a statement's body.
//!
//! Every node has its C type, and every conversion that C performs is an [`ExprKind::Cast`] node, including
//! implicit ones (`implicit: true`). The tree can therefore be printed in another language without C's rules.
//! The operands of an arithmetic operator have one common type, with one exception: beside a complex operand, a
//! real operand remains real and has the type of the complex operand's parts. C computes `x * z` as
//! `(x * re, x * im)`, which differs from the product of `z` and the complex number `(x, 0)` if a zero has a sign
//! or a part is infinite.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AccessId, CType, LocalId};

/// An expression with its C type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Expr {
    /// The type of the value.
    #[serde(rename = "type")]
    pub ctype: CType,
    /// The kind of expression, with its operands.
    #[serde(flatten)]
    pub kind: ExprKind,
}

/// The kinds of expression.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ExprKind {
    /// An integer constant, in decimal without suffix.
    Integer {
        /// The value, in decimal, optionally with a sign.
        value: String,
    },
    /// A floating-point constant: a C literal without suffix that denotes exactly the value (`0.5`, `0x1p-3`),
    /// `inf`, or `nan` (the quiet NaN without further bits). Each may have a sign.
    Floating {
        /// The literal, without `f` or `L`.
        value: String,
    },
    /// A complex constant whose real part is zero, given by a C literal of its imaginary part as in `Floating`.
    /// C writes it `0.5i`.
    Imaginary {
        /// The literal of the imaginary part, without suffix.
        value: String,
    },
    /// The value of the element that an access reads.
    Read {
        /// A read access of the same statement.
        access: AccessId,
        /// The element's subscripts, one for each dimension of the array, if the access is indirect; otherwise
        /// none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        subscripts: Vec<Expr>,
    },
    /// The value of one of the statement's iterators.
    Iterator {
        /// Its position among the dimensions of the domain, outermost 0.
        dimension: u32,
    },
    /// The value of a parameter.
    Parameter {
        /// Its name in the scop.
        name: String,
    },
    /// The value of a temporary of the statement.
    Local {
        /// The temporary; a step before this one defines it.
        local: LocalId,
    },
    /// The value of an element of an array that the body defines or that is a parameter of the function.
    Element {
        /// The array; a step before this one defines it.
        local: LocalId,
        /// An integer for each of its dimensions.
        subscripts: Vec<Expr>,
    },
    /// An array of the body, or the part of it that its first subscripts select. It occurs only as an argument
    /// of a function that takes an array. The type of the node is that of the elements.
    Array {
        /// The array; a step before this one defines it.
        local: LocalId,
        /// Integer subscripts for the first dimensions, fewer than the array has.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        subscripts: Vec<Expr>,
    },
    /// An operator with one operand.
    Unary {
        /// The operator.
        operator: UnaryOp,
        /// Its operand.
        operand: Box<Expr>,
    },
    /// An operator with two operands. Both are evaluated, except for `&&` and `||`.
    Binary {
        /// The operator.
        operator: BinaryOp,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// A conversion to the type of this node.
    Cast {
        /// True if the source does not write it.
        implicit: bool,
        /// The value that is converted.
        operand: Box<Expr>,
    },
    /// `condition ? then : otherwise`; one branch is evaluated.
    Conditional {
        /// The condition.
        condition: Box<Expr>,
        /// The value if the condition is not zero.
        then: Box<Expr>,
        /// The value if the condition is zero.
        otherwise: Box<Expr>,
    },
    /// A call of a function without side effects: one of the program's ([`crate::Function`]), or one that
    /// exists in both C and CUDA (see [`crate::names::math_function`]).
    Call {
        /// The name of the program's function, or the C name.
        function: String,
        /// The arguments, converted to the parameter types.
        arguments: Vec<Expr>,
    },
}

/// Operators with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum UnaryOp {
    /// Arithmetic negation.
    #[serde(rename = "-")]
    Minus,
    /// Unary plus, which only promotes.
    #[serde(rename = "+")]
    Plus,
    /// Logical negation.
    #[serde(rename = "!")]
    Not,
    /// Bitwise complement.
    #[serde(rename = "~")]
    Complement,
    /// The real part of a complex number.
    #[serde(rename = "__real__")]
    Real,
    /// The imaginary part of a complex number.
    #[serde(rename = "__imag__")]
    Imaginary,
}

impl UnaryOp {
    /// Returns the C spelling.
    pub fn c_name(self) -> &'static str {
        match self {
            Self::Minus => "-",
            Self::Plus => "+",
            Self::Not => "!",
            Self::Complement => "~",
            Self::Real => "__real__",
            Self::Imaginary => "__imag__",
        }
    }
}

macro_rules! binary_ops {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $precedence:literal;)*) => {
        /// Operators with two operands.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum BinaryOp {
            $($(#[$doc])* #[serde(rename = $text)] $name,)*
        }

        impl BinaryOp {
            /// Every operator.
            pub const ALL: &[BinaryOp] = &[$(Self::$name),*];

            /// Returns the C spelling.
            pub fn c_name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Returns the operator's precedence in C; higher binds more tightly (multiplication 13, `||` 4).
            pub fn precedence(self) -> u8 {
                match self { $(Self::$name => $precedence,)* }
            }
        }
    };
}

binary_ops! {
    /// Product.
    Mul = "*", 13;
    /// Quotient; truncates for integers.
    Div = "/", 13;
    /// Remainder with the sign of the dividend.
    Rem = "%", 13;
    /// Sum.
    Add = "+", 12;
    /// Difference.
    Sub = "-", 12;
    /// Shift left.
    Shl = "<<", 11;
    /// Shift right.
    Shr = ">>", 11;
    /// Less.
    Lt = "<", 10;
    /// Greater.
    Gt = ">", 10;
    /// Less or equal.
    Le = "<=", 10;
    /// Greater or equal.
    Ge = ">=", 10;
    /// Equal.
    Eq = "==", 9;
    /// Not equal.
    Ne = "!=", 9;
    /// Bitwise and.
    BitAnd = "&", 8;
    /// Bitwise exclusive or.
    BitXor = "^", 7;
    /// Bitwise or.
    BitOr = "|", 6;
    /// Logical and; the right operand is evaluated only if the left is not zero.
    And = "&&", 5;
    /// Logical or; the right operand is evaluated only if the left is zero.
    Or = "||", 4;
}

impl Expr {
    /// Calls `visit` on this node and then on all nodes below it.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// Returns the expression without the conversions around it.
    pub fn without_casts(&self) -> &Self {
        match &self.kind {
            ExprKind::Cast { operand, .. } => operand.without_casts(),
            _ => self,
        }
    }

    /// Calls `change` on this node and then on all nodes below what it has become.
    pub fn change(&mut self, change: &mut impl FnMut(&mut Expr)) {
        change(self);
        for child in self.children_mut() {
            child.change(change);
        }
    }

    fn children_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            ExprKind::Integer { .. }
            | ExprKind::Floating { .. }
            | ExprKind::Imaginary { .. }
            | ExprKind::Iterator { .. }
            | ExprKind::Parameter { .. }
            | ExprKind::Local { .. } => Vec::new(),
            ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => vec![operand],
            ExprKind::Binary { left, right, .. } => vec![left, right],
            ExprKind::Conditional { condition, then, otherwise } => vec![condition, then, otherwise],
            ExprKind::Read { subscripts: arguments, .. }
            | ExprKind::Element { subscripts: arguments, .. }
            | ExprKind::Array { subscripts: arguments, .. }
            | ExprKind::Call { arguments, .. } => arguments.iter_mut().collect(),
        }
    }

    /// Returns the operands, left to right.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Integer { .. }
            | ExprKind::Floating { .. }
            | ExprKind::Imaginary { .. }
            | ExprKind::Iterator { .. }
            | ExprKind::Parameter { .. }
            | ExprKind::Local { .. } => Vec::new(),
            ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => vec![operand],
            ExprKind::Binary { left, right, .. } => vec![left, right],
            ExprKind::Conditional { condition, then, otherwise } => vec![condition, then, otherwise],
            ExprKind::Read { subscripts: arguments, .. }
            | ExprKind::Element { subscripts: arguments, .. }
            | ExprKind::Array { subscripts: arguments, .. }
            | ExprKind::Call { arguments, .. } => arguments.iter().collect(),
        }
    }
}
