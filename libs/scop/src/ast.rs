//! The loop program that cloog-rs writes and cudagen prints.

pub mod expression;
mod json;
pub mod search;
pub mod tree;

use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AccessId, ArrayId, Axis, Boxes, BufferId, ElementBox, KernelId, StatementId};

/// The loop program of a scop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoopProgram {
    /// The slice of each array that the device holds, as expressions; in the order of the placement.
    pub arrays: Vec<ArraySlice>,
    /// The program.
    pub body: Node,
}

/// The part of an array that the device has memory for, as in [`crate::DeviceArray`].
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
    /// The boxes that are transferred, if less than the slice is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boxes: Option<Boxes<AstExpr>>,
    /// The layout of the elements, if the device has only those that are used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packing: Option<Packing>,
}

/// The layout of an array of which the device has only the used elements, one after the other. For a transfer,
/// the host puts each element at its position into a staging buffer, and one copy moves the whole buffer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Packing {
    /// The names that denote an element's subscripts in `position`.
    pub subscripts: Vec<String>,
    /// The position of a used element. It is computed in 64 bits, whatever the type of other expressions.
    pub position: AstExpr,
    /// The number of used elements, also computed in 64 bits.
    pub count: AstExpr,
    /// The loops in which the host puts elements into the staging buffer before the transfer to the device;
    /// their leaves are [`Node::Element`].
    pub to_device: Box<Node>,
    /// The loops in which the host takes elements out of the staging buffer after the transfer from the device.
    pub from_device: Box<Node>,
}

/// A node of the loop program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "node")]
pub enum Node {
    /// Children in order. A block without children does nothing.
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
        /// The condition; the loop runs while it holds.
        condition: AstExpr,
        /// The step.
        increment: AstExpr,
        /// True if the body runs exactly once, so that `iterator` is only a name for `init`.
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
        /// The branch taken if the condition holds.
        then: Box<Node>,
        /// The branch taken if it does not hold.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        otherwise: Option<Box<Node>>,
    },
    /// `if (guard) specialised else general`. If the guard holds, both nests do the same: the same instances
    /// and copies, in the same order. What is true of the general nest is therefore true of the node, so all
    /// other properties are proved only for that nest.
    Specialised {
        /// The condition under which the specialised nest runs.
        guard: AstExpr,
        /// The nest that assumes the guard.
        specialised: Box<Node>,
        /// The nest that is right in any case.
        general: Box<Node>,
    },
    /// One instance of a statement.
    Instance {
        /// The statement.
        statement: StatementId,
        /// The values of the statement's iterators.
        iterators: Vec<AstExpr>,
        /// Where each access of the statement goes, in the order of the statement.
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
        /// The blocks that are started, if not all of them are.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ranked: Option<Box<Ranked>>,
        /// The work of each thread; it uses `bx … tz` and the iterators of the host loops around the launch.
        body: Box<Node>,
    },
    /// A copy of one element between an array and a buffer, by the thread that executes the node.
    Copy {
        /// The buffer.
        buffer: BufferId,
        /// True for a copy from the array into the buffer.
        into_buffer: bool,
        /// The index in the array.
        element: Vec<AstExpr>,
        /// The index in the buffer.
        place: Vec<AstExpr>,
    },
    /// `__syncthreads()`.
    Barrier,
    /// One element of an array, in the loops of a [`Packing`].
    Element {
        /// Its subscripts.
        index: Vec<AstExpr>,
    },
    /// A transfer of the slice of an array, or of the elements of its [`Packing`], between host and device.
    Transfer {
        /// The array.
        array: ArrayId,
        /// True for a transfer from host to device.
        to_device: bool,
        /// The box of the slice that is transferred, if not all of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        part: Option<ElementBox<AstExpr>>,
    },
}

impl Node {
    /// Returns the nodes directly below this one.
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

/// Numbered blocks, as in [`crate::Ranked`]. All values are computed in 64 bits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ranked {
    /// The coordinates, the slowest one first. Expressions may use those before.
    pub coordinates: Vec<RankedCoordinate>,
    /// The number of blocks.
    pub blocks: AstExpr,
}

/// One coordinate of numbered blocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RankedCoordinate {
    /// The axis; the coordinate is called `bx`, `by` or `bz`.
    pub axis: Axis,
    /// The smallest value.
    pub lower: AstExpr,
    /// The largest value.
    pub upper: AstExpr,
    /// The number of blocks that precede those with a value of this coordinate, among those with the same slower
    /// coordinates. The last coordinate has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<AstExpr>,
}

impl Ranked {
    /// Returns all expressions.
    pub fn expressions(&self) -> Vec<&AstExpr> {
        let mut all: Vec<&AstExpr> = Vec::new();
        for one in &self.coordinates {
            all.extend([&one.lower, &one.upper]);
            all.extend(&one.before);
        }
        all.push(&self.blocks);
        all
    }

    /// Returns the numbering with `change` applied to all expressions.
    pub fn map(&self, change: &impl Fn(&AstExpr) -> AstExpr) -> Self {
        let coordinate = |one: &RankedCoordinate| RankedCoordinate {
            axis: one.axis,
            lower: change(&one.lower),
            upper: change(&one.upper),
            before: one.before.as_ref().map(change),
        };
        Self { coordinates: self.coordinates.iter().map(coordinate).collect(), blocks: change(&self.blocks) }
    }
}

/// Whether a loop is to be unrolled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "WrittenUnroll", into = "WrittenUnroll")]
#[schemars(with = "WrittenUnroll")]
pub enum Unroll {
    /// As the compiler decides.
    #[default]
    Compiler,
    /// Completely; the loop runs a constant number of times.
    Wholly,
    /// By this factor: so many iterations become one, and the rest run by themselves. 1 forbids unrolling.
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
    /// If true, the loop is unrolled completely; it runs a constant number of times.
    Wholly(bool),
    /// The number of iterations that become one; 1 forbids unrolling.
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
    /// The index in the array or buffer, outermost dimension first. Empty for an indirect access, whose
    /// subscripts are in the statement's body.
    pub index: Vec<AstExpr>,
}

/// An integer expression of the loop program, over iterators, parameters and `bx … tz`.
///
/// In the document, a constant is a number, a name is a string, and an operation is a list of its operator and
/// its operands: `["<=", "tx", ["-", "n", 1]]`. For people it is written as text: `tx <= n - 1`
/// (`ast_text.rs`).
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
    /// Calls `visit` with each name in the expression, once for each occurrence.
    pub fn visit_names<'a>(&'a self, visit: &mut impl FnMut(&'a str)) {
        match self {
            Self::Int(_) => {}
            Self::Name(name) => visit(name),
            Self::Op(_, operands) => operands.iter().for_each(|operand| operand.visit_names(visit)),
        }
    }

    /// True if the expression can be the step of a loop, which is a positive constant.
    pub fn is_step(&self) -> bool {
        matches!(self, Self::Int(step) if *step > 0)
    }

    /// True if the expression can be the condition of a loop: upper bounds of the loop's iterator that do not
    /// depend on it. Once such a condition is false it stays false, so the values of the loop are those that
    /// satisfy it.
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

    /// Returns the expression with each name replaced by the expression that `value` has for it, if any.
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
    /// Remainder that is only compared with zero, so that C's `%` is sufficient.
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
