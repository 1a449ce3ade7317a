//! A program: one function with one region or several, the arrays it works on, and how it is translated and run.
//!
//! The types can say more than C defines; `defined.rs` tells what may be run.

use std::collections::BTreeSet;

use crate::affine::Affine;
use crate::options::Choice;
use crate::setting::Setting;

/// A random program.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// Its number under the seed.
    pub number: u64,
    /// Arrays and scalars; a position in this list is what names one.
    pub arrays: Vec<Array>,
    /// What is computed.
    pub body: Vec<Node>,
    /// What of it stands between the pragmas.
    pub regions: Regions,
    /// How it is written down.
    pub setting: Setting,
    /// The options of the tools.
    pub choices: Vec<Choice>,
    /// The values of the parameters `n` and `m` at which it is run.
    pub runs: Vec<(i64, i64)>,
}

/// What of the body stands between pragmas: all of it, if all of this is empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Regions {
    /// The iterators of loops that stand outside, around regions.
    pub around: BTreeSet<usize>,
    /// A region begins before the nodes of these numbers. Nodes that are not in a region, or are the first of one,
    /// are counted in the order of the text.
    pub begin: BTreeSet<usize>,
    /// The nodes of these numbers are in no region.
    pub left_out: BTreeSet<usize>,
}

/// An array, or a scalar if its rank is 0. Its extents follow from the subscripts.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    /// How it is called in C.
    pub name: String,
    /// The type of its elements.
    pub element: Type,
    /// The number of its dimensions.
    pub rank: usize,
    /// Where it lives.
    pub storage: Storage,
    /// What its values are.
    pub role: Role,
}

/// The element types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Double,
    Float,
    Int,
    Unsigned,
    Long,
    UnsignedLong,
    Short,
    UnsignedChar,
}

/// Where an array lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// A parameter of the function: an array of variable length, or a pointer to a scalar.
    Parameter,
    /// A pointer with linearised subscripts.
    Linearised,
    /// A variable of the file, of constant length.
    Global,
    /// A variable of the function, initialised before the region and used after it.
    Local,
    /// A scalar or an array of one dimension and constant length that is declared in the region, by `Node::Declare`.
    Temporary,
}

/// What the values of an array are; it keeps arithmetic from overflowing (see `value.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Small numbers.
    Values,
    /// Sums of small numbers.
    Accumulator,
    /// Numbers from 0 to n + 1, which never change: subscripts and bounds.
    Index,
}

/// A statement of the body.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    For(Box<Loop>),
    If(Condition, Vec<Node>, Vec<Node>),
    Assign(Assignment),
    /// A temporary with its first value, or an array whose elements get it or 1 in turns; it can be used until its
    /// block ends.
    Declare(usize, Expression),
    /// `for (int left = (e) & 3; left > 0; left--)`, a loop that depends on data, as C writes it with `while`.
    While(Expression, Vec<Node>),
}

/// A `for` loop. It visits `first`, `first + step`, … below `end`; a descending one the same from above:
/// `end - 1`, `end - 1 - step`, … down to `first`.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// What names it; unique in a program.
    pub iterator: usize,
    pub counter: Counter,
    pub first: Bound,
    pub end: Bound,
    pub step: i64,
    pub descending: bool,
    pub body: Vec<Node>,
}

/// The type of an iterator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    Int,
    Long,
}

/// A bound of a loop.
#[derive(Debug, Clone, PartialEq)]
pub enum Bound {
    Affine(Affine),
    /// The form divided by a positive number, rounded down.
    Quotient(Affine, i64),
    Minimum(Affine, Affine),
    Maximum(Affine, Affine),
    /// An element of an array of role `Index`.
    Load(Access),
}

/// An element of an array.
#[derive(Debug, Clone, PartialEq)]
pub struct Access {
    pub array: usize,
    pub subscripts: Vec<Subscript>,
}

/// One subscript; none is ever negative.
#[derive(Debug, Clone, PartialEq)]
pub enum Subscript {
    Affine(Affine),
    Modulo(Affine, i64),
    Quotient(Affine, i64),
    /// An element of an array of role `Index`, and a constant.
    Load(Access, i64),
    /// An element of an array of unsigned values, modulo a power of two.
    Hash(Access, i64),
}

/// `target op= value`
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    pub target: Access,
    pub operator: Update,
    pub value: Expression,
}

/// How an assignment uses the old value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Update {
    Set,
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Xor,
    Minimum,
    Maximum,
}

/// A condition.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// Two forms, and an operator of C.
    Compare(Affine, &'static str, Affine),
    /// `form % modulus op rest`
    Modulo(Affine, i64, &'static str, i64),
    /// `value > 0` of an element.
    Data(Access),
    /// Two elements, and an operator of C.
    Beats(Access, &'static str, Access),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    Read(Access),
    Integer(i64),
    /// In hundredths.
    Real(i64),
    /// A form as a value of type `int`, or `long` if it uses such an iterator.
    Affine(Affine),
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// `a / (b + c)`, where the constant c keeps the divisor positive.
    Ratio(Box<Expression>, Box<Expression>, i64),
    /// `a % c`
    Remainder(Box<Expression>, i64),
    /// A value times a power of ten that brings it below 1.
    Scaled(Box<Expression>, i64),
    Select(Box<Condition>, Box<Expression>, Box<Expression>),
    Cast(Type, Box<Expression>),
    /// A function of the file, of one number from -1 to 1, into the same range.
    Call(Function, Box<Expression>),
}

/// The operators that need no care beyond their type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Xor,
}

/// A function that a program calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// Straight-line code of the file.
    Smooth,
    /// Code of the file with a condition and a loop.
    Stepped,
    /// `fabs` of the library.
    Absolute,
    /// `sqrt(fabs(x))`, both of the library.
    Root,
}
