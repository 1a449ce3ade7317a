//! Kernels as data.

use std::collections::{BTreeMap, BTreeSet};

use scop::c_text::{Fragment, Helper};
use scop::{ArrayId, Axis, CType};

use crate::code::stmt::{Operation, Stmt};

/// A kernel: what each thread executes.
#[derive(Debug, Clone)]
pub struct KernelProgram {
    /// The function's name.
    pub name: String,
    /// The statements of the source that it executes, one a line.
    pub origin: Vec<String>,
    /// What it is given.
    pub arguments: Vec<Argument>,
    /// What it does: buffers and coordinates first.
    pub body: Vec<Stmt<KernelOp>>,
    /// The index helpers that it calls.
    pub helpers: BTreeSet<Helper>,
    /// Whether the threads of a warp add to one element.
    pub warp_sums: bool,
    /// The functions that give positions in its buffers, by name.
    pub positions: BTreeMap<String, PositionFunction>,
    /// The bytes of shared memory that its launch has to ask for.
    pub dynamic_bytes: u64,
}

/// One argument of a kernel: what the launch passes, and how the kernel declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// What the launch passes.
    pub given: Given,
    /// Its type.
    pub form: ArgumentForm,
    /// Its name in the kernel.
    pub name: String,
}

/// What a launch passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// A parameter of the scop, or the iterator of a loop on the host.
    Integer(String),
    /// The coordinate of the first block, on an axis.
    Lower(Axis),
    /// A scalar by value, or a small array.
    Value(ArrayId),
    /// An array or scalar in device memory.
    Pointer(ArrayId),
}

/// How a kernel declares an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArgumentForm {
    /// `int n`
    Value(CType),
    /// `const f_weight weight`, a structure that is defined before the kernel.
    Structure(String),
    /// A pointer to memory that no other argument leads to.
    Pointer {
        /// The type of the elements.
        ctype: CType,
        /// True if the kernel writes them.
        written: bool,
    },
}

/// What languages spell in kernels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KernelOp {
    /// All shared memory as one array, to which the launch gives a size.
    SharedMemory {
        /// Its name.
        name: String,
        /// Where it may begin, in bytes.
        alignment: u64,
    },
    /// A buffer as a part of it.
    Part {
        /// The buffer.
        buffer: Declared,
        /// The name of the whole.
        all: String,
        /// The byte where it begins.
        start: u64,
    },
    /// A buffer in shared memory, of which a block has one.
    Shared(Declared),
    /// A buffer of each thread's own.
    Private(Declared),
    /// A coordinate of the block or the thread.
    Coordinate {
        /// The type of index expressions.
        ctype: CType,
        /// Its name.
        name: String,
        /// Whose it is.
        level: Level,
        /// Along which axis.
        axis: Axis,
        /// The argument that is added: where the blocks begin.
        lower: Option<String>,
    },
    /// Where the threads of a block wait for one another.
    Barrier,
    /// A loop to the smallest of several bounds.
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

/// An array in the memory of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// The type of its elements.
    pub ctype: CType,
    /// Its name.
    pub name: String,
    /// Its extents in memory; none for a scalar.
    pub extents: Vec<u32>,
}

/// A loop to the smallest of three bounds or more, in 32 bits. Not every compiler may see those (`print/cuda.rs`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundedLoop {
    /// The type of its iterator.
    pub ctype: CType,
    /// Its iterator.
    pub iterator: String,
    /// The first value.
    pub first: String,
    /// What is compared with the bound.
    pub counted: Fragment,
    /// `<` or `<=`
    pub comparison: &'static str,
    /// The bound.
    pub bound: String,
    /// What happens after each iteration: `i++`.
    pub step: String,
    /// The body.
    pub body: Vec<Stmt<KernelOp>>,
}

/// A function that gives the position of an element of a buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionFunction {
    /// Its name.
    pub name: String,
    /// The buffer.
    pub buffer: String,
    /// The names of a place's coordinates.
    pub coordinates: Vec<String>,
    /// The position.
    pub value: String,
}

impl Operation for KernelOp {
    fn declares(&self) -> Option<&str> {
        match self {
            Self::SharedMemory { name, .. } | Self::Coordinate { name, .. } => Some(name),
            Self::Part { buffer, .. } | Self::Shared(buffer) | Self::Private(buffer) => Some(&buffer.name),
            Self::Barrier | Self::Bounded(_) => None,
        }
    }
}

impl KernelProgram {
    /// True if a loop runs to the smallest of several bounds.
    pub fn has_bounded_loops(&self) -> bool {
        self.body.iter().any(is_bounded)
    }
}

fn is_bounded(stmt: &Stmt<KernelOp>) -> bool {
    let mut found = false;
    stmt.visit(&mut |op| found |= matches!(op, KernelOp::Bounded(_)));
    found
}
