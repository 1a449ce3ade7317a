//! Kernels as data.

use std::collections::{BTreeMap, BTreeSet};

use scop::c_text::{Fragment, Helper};
use scop::{ArrayId, Axis, CType, ReductionOp};

use crate::code::stmt::{Operation, Stmt};
use crate::kernel::ranks::{Found, Ranks};

/// A kernel: what each thread executes.
#[derive(Debug, Clone)]
pub struct KernelProgram {
    /// The function's name.
    pub name: String,
    /// The statements of the source that it executes, one per line.
    pub origin: Vec<String>,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Its statements; buffers and coordinates come first.
    pub body: Vec<Stmt<KernelOp>>,
    /// The index helpers that it calls.
    pub helpers: BTreeSet<Helper>,
    /// True if the threads of a warp add to one element.
    pub warp_sums: bool,
    /// The operators of the sums that the threads of a warp share, and whether they are done in order.
    pub shared_sums: BTreeSet<(ReductionOp, bool)>,
    /// True if it uses a name of the C library's mathematics beside those of statements.
    pub calls_library: bool,
    /// The functions that compute positions in its buffers, by name.
    pub positions: BTreeMap<String, PositionFunction>,
    /// The functions by which blocks find their coordinates, if they are numbered.
    pub ranks: Option<Ranks>,
    /// The bytes of dynamic shared memory that its launch has to request; 0 if it declares its shared memory.
    pub dynamic_bytes: u64,
}

/// One argument of a kernel: what the launch passes, and how the kernel declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// What the launch passes.
    pub given: Given,
    /// Its type in the kernel.
    pub form: ArgumentForm,
    /// Its name in the kernel.
    pub name: String,
}

/// What a launch passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// A parameter of the scop, or the iterator of a loop on the host.
    Integer(String),
    /// The coordinate of the first block along an axis.
    Lower(Axis),
    /// A scalar or a small array by value.
    Value(ArrayId),
    /// An array or scalar in device memory.
    Pointer(ArrayId),
}

/// How a kernel declares an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArgumentForm {
    /// `int n`.
    Value(CType),
    /// `const f_weight weight`, a structure that is defined before the kernel.
    Structure(String),
    /// A pointer to memory that no other argument points to.
    Pointer {
        /// The type of the elements.
        ctype: CType,
        /// True if the kernel writes them.
        written: bool,
    },
}

/// The operations of kernels that each language spells in its own way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KernelOp {
    /// Declares all shared memory as one array, whose size the launch gives.
    SharedMemory {
        /// Its name.
        name: String,
        /// Its alignment, in bytes.
        alignment: u64,
    },
    /// Declares a buffer as a part of this array.
    Part {
        /// The buffer.
        buffer: Declared,
        /// The name of the array.
        all: String,
        /// The offset of the buffer in bytes.
        start: u64,
    },
    /// Declares a buffer in shared memory, one for each block.
    Shared(Declared),
    /// Declares a buffer that is private to each thread.
    Private(Declared),
    /// Declares a coordinate of the block or the thread.
    Coordinate {
        /// The type of index expressions.
        ctype: CType,
        /// Its name.
        name: String,
        /// Whether it is a block's or a thread's.
        level: Level,
        /// The axis.
        axis: Axis,
        /// The argument that is added to it: the coordinate of the first block.
        lower: Option<String>,
    },
    /// Declares the rank of a block.
    Rank {
        /// The argument that is added to it: the rank of the first block.
        first: Option<String>,
    },
    /// Declares a coordinate of a numbered block.
    Located {
        /// The type of index expressions.
        ctype: CType,
        /// Its name.
        name: String,
        /// Calls that count blocks with smaller values of slower coordinates: they are subtracted from the rank.
        before: Vec<String>,
        /// How it is found.
        found: Found,
    },
    /// The threads of a block wait for one another.
    Barrier,
    /// A loop to the minimum of several bounds.
    Bounded(BoundedLoop),
}

/// A block, or a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// A block in the grid.
    Block,
    /// A thread in its block.
    Thread,
}

/// A buffer as a kernel declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// The type of its elements.
    pub ctype: CType,
    /// Its name.
    pub name: String,
    /// Its extents in memory; none for a scalar.
    pub extents: Vec<u32>,
}

/// A loop to the minimum of three or more bounds, in 32 bits. Some compilers get it wrong (`print/cuda.rs`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundedLoop {
    /// The type of its iterator.
    pub ctype: CType,
    /// Its iterator.
    pub iterator: String,
    /// The first value.
    pub first: String,
    /// The expression that is compared with the bound.
    pub counted: Fragment,
    /// `<` or `<=`.
    pub comparison: &'static str,
    /// The bound.
    pub bound: String,
    /// The statement after each iteration: `i++`.
    pub step: String,
    /// The body.
    pub body: Vec<Stmt<KernelOp>>,
}

/// The function that computes the position of a place of a dense buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionFunction {
    /// Its name.
    pub name: String,
    /// The buffer.
    pub buffer: String,
    /// Its parameters: the coordinates of a place.
    pub coordinates: Vec<String>,
    /// The position, as an expression.
    pub value: String,
}

impl Operation for KernelOp {
    fn declares(&self) -> Option<&str> {
        match self {
            Self::SharedMemory { name, .. } | Self::Coordinate { name, .. } | Self::Located { name, .. } => {
                Some(name)
            }
            Self::Part { buffer, .. } | Self::Shared(buffer) | Self::Private(buffer) => Some(&buffer.name),
            Self::Rank { .. } | Self::Barrier | Self::Bounded(_) => None,
        }
    }
}

impl KernelProgram {
    /// True if a loop runs to the minimum of several bounds.
    pub fn has_bounded_loops(&self) -> bool {
        self.body.iter().any(is_bounded)
    }
}

fn is_bounded(stmt: &Stmt<KernelOp>) -> bool {
    let mut found = false;
    stmt.visit(&mut |op| found |= matches!(op, KernelOp::Bounded(_)));
    found
}
