//! Host functions as data.

use std::collections::BTreeSet;

use scop::CType;
use scop::c_text::Helper;

use crate::code::number::NumberFunction;
use crate::code::stmt::Stmt;
use crate::host::operation::HostOp;
use crate::kernel::program::KernelProgram;

/// How the C source calls the function of a region.
#[derive(Debug, Clone, Default)]
pub struct Interface {
    /// The function's name.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<HostArgument>,
    /// True if it returns whether it did the work; it may decline.
    pub may_decline: bool,
    /// The C++ structures whose sizes it relies on: an expression for each, and the expected size in bytes.
    pub sizes: Vec<(String, u32)>,
    /// True if another function compares its results with those of the original.
    pub is_verified: bool,
}

impl Interface {
    /// Returns the name of the function that compares.
    pub fn verification(&self) -> String {
        format!("{}_verify", self.name)
    }
}

/// One argument of the host function.
#[derive(Debug, Clone)]
pub struct HostArgument {
    /// The type of the value, or of what it points to.
    pub ctype: CType,
    /// The form of the declaration.
    pub shape: Shape,
    /// Its name.
    pub name: String,
    /// The expression that the caller passes, in the user's names.
    pub value: String,
}

/// The shape of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `int n`.
    Value,
    /// `double *A`.
    Pointer,
    /// `const double *A`.
    ConstPointer,
}

impl HostArgument {
    /// Returns the declaration, with types spelled by `type_name`.
    pub fn declaration(&self, type_name: impl Fn(CType) -> String) -> String {
        let (before, between) = match self.shape {
            Shape::Value => ("", " "),
            Shape::Pointer => ("", " *"),
            Shape::ConstPointer => ("const ", " *"),
        };
        format!("{before}{}{between}{}", type_name(self.ctype), self.name)
    }
}

/// The host function and the kernels of a scop.
#[derive(Debug, Clone)]
pub struct HostProgram {
    /// How it is called.
    pub interface: Interface,
    /// Its statements.
    pub body: Vec<Stmt<HostOp>>,
    /// The function that compares its results with those of the original, with `--verify`.
    pub verification: Option<Verification>,
    /// The kernels that it launches.
    pub kernels: Vec<KernelProgram>,
    /// The type of index expressions.
    pub index: CType,
    /// The index helpers that it calls.
    pub helpers: BTreeSet<Helper>,
    /// True if statements call functions.
    pub calls_functions: bool,
    /// Its part of the variable in constant memory, if its kernels read that variable.
    pub constants: Option<Constants>,
    /// The structures that kernels take by value.
    pub structures: Vec<Structure>,
    /// The functions that number the elements of packed arrays.
    pub numberings: Vec<Numbering>,
}

/// The function that compares.
#[derive(Debug, Clone)]
pub struct Verification {
    /// The place of the region: `a.c:3`.
    pub place: String,
    /// Its statements.
    pub body: Vec<Stmt<HostOp>>,
}

/// The variables of a scop in constant memory, as one structure.
#[derive(Debug, Clone)]
pub struct Constants {
    /// The name of the structure.
    pub structure: String,
    /// Its members.
    pub members: Vec<Member>,
}

/// A structure with the part of an array that kernels read.
#[derive(Debug, Clone)]
pub struct Structure {
    /// Its name.
    pub name: String,
    /// The array.
    pub array: String,
    /// Its only member.
    pub member: Member,
}

/// A member of a structure, which is an array.
#[derive(Debug, Clone)]
pub struct Member {
    /// The type of its elements.
    pub ctype: CType,
    /// Its name.
    pub name: String,
    /// The number of elements; at least one, because C++ has no empty arrays.
    pub elements: i64,
}

/// The functions that number the elements of an array, computed in 64 bits.
#[derive(Debug, Clone)]
pub struct Numbering {
    /// The array and its subscripts: `L[e0][e1]`.
    pub element: String,
    /// The function that returns the number of an element.
    pub position: NumberFunction,
    /// The function that returns how many elements there are.
    pub count: NumberFunction,
}
