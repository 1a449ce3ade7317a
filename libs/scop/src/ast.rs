//! The loop program that cloog-rs writes and cudagen prints.

pub mod expression;
mod json;
pub mod tree;

use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AccessId, ArrayId, Boxes, BufferId, ElementBox, KernelId, StatementId};

/// The loop program of a scop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoopProgram {
    /// The slice of each array that the device holds, as expressions; in the order of the placement.
    pub arrays: Vec<ArraySlice>,
    /// The program.
    pub body: Node,
}

/// The part of an array that the device holds, as in [`crate::DeviceArray`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArraySlice {
    /// The array.
    pub array: ArrayId,
    /// The first index of the outermost dimension.
    pub lower: AstExpr,
    /// The number of indices of the outermost dimension.
    pub extent: AstExpr,
    /// The extents of the other dimensions, outermost first.
    pub inner_extents: Vec<AstExpr>,
    /// If less than the slice is transferred: what is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boxes: Option<Boxes<AstExpr>>,
    /// If the device holds the elements that are used and nothing else: where they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packing: Option<Packing>,
}

/// How the elements of an array that are used lie on the device one after the other, and how they get there: the
/// host puts each at its position into a staging buffer, and one copy moves all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Packing {
    /// The names that stand for an element's subscripts in `position`.
    pub subscripts: Vec<String>,
    /// The position of an element that is used. In 64 bits, whatever the type of other expressions.
    pub position: AstExpr,
    /// How many elements are used. In 64 bits as well.
    pub count: AstExpr,
    /// The loops over the elements that the host puts into the staging buffer before they go to the device; the
    /// leaves are [`Node::Element`].
    pub to_device: Box<Node>,
    /// The loops over those that it takes out when they have come back.
    pub from_device: Box<Node>,
}

/// A node of the loop program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "node")]
pub enum Node {
    /// Children in order; none does nothing.
    Block {
        /// The children.
        children: Vec<Node>,
    },
    /// `for (iterator = init; condition; iterator += increment) body`.
    For {
        /// A name like `c0`, unique on the way from the root.
        iterator: String,
        /// The first value.
        init: AstExpr,
        /// The loop runs while this holds.
        condition: AstExpr,
        /// The step.
        increment: AstExpr,
        /// True if the body runs exactly once: `iterator` is only a name for `init`.
        degenerate: bool,
        /// Whether the loop is to be unrolled.
        #[serde(default, skip_serializing_if = "Unroll::is_left_to_the_compiler")]
        unroll: Unroll,
        /// The body.
        body: Box<Node>,
    },
    /// `if (condition) then else otherwise`.
    If {
        /// The condition.
        condition: AstExpr,
        /// If it holds.
        then: Box<Node>,
        /// If it does not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        otherwise: Option<Box<Node>>,
    },
    /// `if (guard) specialised else general`, where the two do the same if the guard holds: the same instances and
    /// copies, in the same order. What holds of the general nest holds of the node, so that everything else is proved
    /// of that one alone.
    Specialised {
        /// When the specialised nest runs.
        guard: AstExpr,
        /// The nest that makes use of the guard.
        specialised: Box<Node>,
        /// The nest that is right in any case.
        general: Box<Node>,
    },
    /// One instance of a statement.
    Instance {
        /// The statement.
        statement: StatementId,
        /// The values of its iterators.
        iterators: Vec<AstExpr>,
        /// Where each of its accesses goes, in the order of the statement.
        accesses: Vec<AccessPlace>,
    },
    /// The launch of a kernel.
    Kernel {
        /// The kernel.
        kernel: KernelId,
        /// For each grid dimension of the mapping, the coordinate of the first block.
        lower: Vec<AstExpr>,
        /// For each grid dimension of the mapping, the number of blocks.
        extent: Vec<AstExpr>,
        /// What each thread executes; uses `bx … tz` and the iterators of host loops around it.
        body: Box<Node>,
    },
    /// One element between an array and a buffer, by the thread that executes it.
    Copy {
        /// The buffer.
        buffer: BufferId,
        /// True from the array into the buffer.
        into_buffer: bool,
        /// The index in the array.
        element: Vec<AstExpr>,
        /// The index in the buffer.
        place: Vec<AstExpr>,
    },
    /// `__syncthreads()`.
    Barrier,
    /// One element of an array in the loops of a [`Packing`].
    Element {
        /// Its subscripts.
        index: Vec<AstExpr>,
    },
    /// The slice of an array between host and device, or the elements of its [`Packing`].
    Transfer {
        /// The array.
        array: ArrayId,
        /// True from host to device.
        to_device: bool,
        /// The box of it that is transferred, if not all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        part: Option<ElementBox<AstExpr>>,
    },
}

impl Node {
    /// The nodes directly below it.
    pub fn children(&self) -> Vec<&Node> {
        match self {
            Self::Block { children } => children.iter().collect(),
            Self::For { body, .. } | Self::Kernel { body, .. } => vec![body],
            Self::If { then, otherwise, .. } => {
                std::iter::once(&**then).chain(otherwise.as_deref()).collect()
            }
            Self::Specialised { specialised, general, .. } => vec![specialised, general],
            Self::Instance { .. }
            | Self::Copy { .. }
            | Self::Barrier
            | Self::Element { .. }
            | Self::Transfer { .. } => Vec::new(),
        }
    }
}

/// Whether a loop is to be unrolled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "WrittenUnroll", into = "WrittenUnroll")]
#[schemars(with = "WrittenUnroll")]
pub enum Unroll {
    /// As the compiler likes.
    #[default]
    Compiler,
    /// Wholly; it runs a constant number of times.
    Wholly,
    /// So many iterations become one; the rest run by themselves. 1 forbids it.
    By(NonZeroU32),
}

impl Unroll {
    fn is_left_to_the_compiler(&self) -> bool {
        *self == Self::Compiler
    }
}

/// `true`, or a factor.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum WrittenUnroll {
    /// True: wholly; it runs a constant number of times.
    Wholly(bool),
    /// So many iterations become one; 1 forbids it.
    By(NonZeroU32),
}

impl From<WrittenUnroll> for Unroll {
    fn from(written: WrittenUnroll) -> Self {
        match written {
            WrittenUnroll::Wholly(false) => Self::Compiler,
            WrittenUnroll::Wholly(true) => Self::Wholly,
            WrittenUnroll::By(factor) => Self::By(factor),
        }
    }
}

impl From<Unroll> for WrittenUnroll {
    fn from(unroll: Unroll) -> Self {
        match unroll {
            Unroll::Compiler => Self::Wholly(false),
            Unroll::Wholly => Self::Wholly(true),
            Unroll::By(factor) => Self::By(factor),
        }
    }
}

/// Where one access of an instance goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AccessPlace {
    /// The access.
    pub access: AccessId,
    /// The buffer, or none for the array itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buffer: Option<BufferId>,
    /// The index in the array or buffer, outermost dimension first; none for an indirect access, whose subscripts
    /// stand in the body.
    pub index: Vec<AstExpr>,
}

/// An integer expression of the loop program, over iterators, parameters and `bx … tz`.
///
/// In the document a constant is a number, a name a string, and an operation a list of its operator and its operands:
/// `["<=", "tx", ["-", "n", 1]]`. For people it is a text, `tx <= n - 1` (`ast_text.rs`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AstExpr {
    /// A constant.
    Int(i64),
    /// An iterator or parameter.
    Name(String),
    /// An operation.
    Op(AstOp, Vec<AstExpr>),
}

impl AstExpr {
    /// Calls `visit` with each name in the expression, as often as it occurs.
    pub fn visit_names<'a>(&'a self, visit: &mut impl FnMut(&'a str)) {
        match self {
            Self::Int(_) => {}
            Self::Name(name) => visit(name),
            Self::Op(_, operands) => operands.iter().for_each(|operand| operand.visit_names(visit)),
        }
    }

    /// True for the step of a loop: a positive constant.
    pub fn is_step(&self) -> bool {
        matches!(self, Self::Int(step) if *step > 0)
    }

    /// True for the condition of a loop: bounds of its iterator from above, which hold until the first time that they
    /// do not. So the values of the loop are those for which it holds.
    pub fn is_upper_bound(&self, iterator: &str) -> bool {
        let is_bounded = |value: &Self, bound: &Self| {
            let mut mentioned = false;
            bound.visit_names(&mut |name| mentioned |= name == iterator);
            matches!(value, Self::Name(name) if name == iterator) && !mentioned
        };
        let Self::Op(operator, sides) = self else { return false };
        match (operator, &sides[..]) {
            (AstOp::And, [left, right]) => left.is_upper_bound(iterator) && right.is_upper_bound(iterator),
            (AstOp::Le | AstOp::Lt, [left, right]) => is_bounded(left, right),
            (AstOp::Ge | AstOp::Gt, [left, right]) => is_bounded(right, left),
            _ => false,
        }
    }

    /// The expression with other expressions in the place of the names for which there is one.
    #[must_use]
    pub fn with_values(&self, value: &impl Fn(&str) -> Option<Self>) -> Self {
        match self {
            Self::Int(number) => Self::Int(*number),
            Self::Name(name) => value(name).unwrap_or_else(|| Self::Name(name.clone())),
            Self::Op(operator, operands) => {
                Self::Op(*operator, operands.iter().map(|operand| operand.with_values(value)).collect())
            }
        }
    }
}

/// The operations of the loop program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AstOp {
    /// Logical and of two operands.
    And,
    /// Logical or of two operands.
    Or,
    /// The largest of two or more operands.
    Max,
    /// The smallest of two or more operands.
    Min,
    /// Negation.
    Minus,
    /// Sum of two operands.
    Add,
    /// Difference of two operands.
    Sub,
    /// Product of two operands; in what isl generates, one of them is constant.
    Mul,
    /// A quotient that is known to be exact.
    Div,
    /// Quotient rounded towards minus infinity; the divisor is positive.
    FloorDiv,
    /// Quotient of a dividend that is known not to be negative.
    PosDiv,
    /// Remainder of a dividend that is known not to be negative.
    PosMod,
    /// Remainder of which only the comparison with zero matters: C's `%` will do.
    ZeroMod,
    /// `condition ? a : b`.
    Select,
    /// Equal.
    Eq,
    /// Less or equal.
    Le,
    /// Less.
    Lt,
    /// Greater or equal.
    Ge,
    /// Greater.
    Gt,
}
