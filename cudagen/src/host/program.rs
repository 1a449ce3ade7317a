//! The function that stands for a region, as data.

use std::collections::BTreeSet;

use scop::CType;
use scop::c_text::Helper;

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
    /// True if it returns whether it did the work.
    pub may_decline: bool,
    /// The structures of C++ whose sizes it relies on: how C++ refers to one, and how many bytes it should have.
    pub sizes: Vec<(String, u32)>,
    /// True if another function compares what it does with the original.
    pub is_verified: bool,
}

impl Interface {
    /// The name of the function that compares.
    pub fn verification(&self) -> String {
        format!("{}_verify", self.name)
    }
}

/// One argument of the host function.
#[derive(Debug, Clone)]
pub struct HostArgument {
    /// The type that it points to or has.
    pub ctype: CType,
    /// What stands between the type and the name, and before the type.
    pub shape: Shape,
    /// Its name.
    pub name: String,
    /// What the caller passes, in the user's terms.
    pub value: String,
}

/// The shape of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `int n`
    Value,
    /// `double *A`
    Pointer,
    /// `const double *A`
    ConstPointer,
}

impl HostArgument {
    /// The declaration, with types spelled by `type_name`.
    pub fn declaration(&self, type_name: impl Fn(CType) -> String) -> String {
        let (before, between) = match self.shape {
            Shape::Value => ("", " "),
            Shape::Pointer => ("", " *"),
            Shape::ConstPointer => ("const ", " *"),
        };
        format!("{before}{}{between}{}", type_name(self.ctype), self.name)
    }
}

/// What became of a scop.
#[derive(Debug, Clone)]
pub struct HostProgram {
    /// How it is called.
    pub interface: Interface,
    /// What it does.
    pub body: Vec<Stmt<HostOp>>,
    /// The function that compares it with the original, if that is wanted.
    pub verification: Option<Verification>,
    /// The kernels that it launches.
    pub kernels: Vec<KernelProgram>,
    /// The type of index expressions.
    pub index: CType,
    /// The index helpers that it calls.
    pub helpers: BTreeSet<Helper>,
    /// True if statements call functions.
    pub calls_functions: bool,
    /// The part that it has of the variable in constant memory, if kernels read one.
    pub constants: Option<Constants>,
    /// The structures that kernels get by value.
    pub structures: Vec<Structure>,
    /// The functions that number elements of arrays.
    pub numberings: Vec<Numbering>,
}

/// The function that compares.
#[derive(Debug, Clone)]
pub struct Verification {
    /// Where the region is: `a.c:3`.
    pub place: String,
    /// What the function does.
    pub body: Vec<Stmt<HostOp>>,
}

/// The variables of a scop in constant memory, as one structure.
#[derive(Debug, Clone)]
pub struct Constants {
    /// The structure.
    pub structure: String,
    /// Its members.
    pub members: Vec<Member>,
}

/// A structure with what kernels read of an array.
#[derive(Debug, Clone)]
pub struct Structure {
    /// Its name.
    pub name: String,
    /// The array.
    pub array: String,
    /// Its only member.
    pub member: Member,
}

/// An array that is a member of a structure.
#[derive(Debug, Clone)]
pub struct Member {
    /// The type of its elements.
    pub ctype: CType,
    /// Its name.
    pub name: String,
    /// How many elements it has: at least one, because C++ has no empty arrays.
    pub elements: i64,
}

/// The functions that number the elements of an array, computed in 64 bits.
#[derive(Debug, Clone)]
pub struct Numbering {
    /// The array and its subscripts: `L[e0][e1]`.
    pub element: String,
    /// The function that gives the number of an element.
    pub position: NumberFunction,
    /// The function that gives how many there are.
    pub count: NumberFunction,
}

/// A function of integers.
#[derive(Debug, Clone)]
pub struct NumberFunction {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<String>,
    /// Its value.
    pub value: String,
    /// The index helpers that it calls.
    pub helpers: BTreeSet<Helper>,
}
