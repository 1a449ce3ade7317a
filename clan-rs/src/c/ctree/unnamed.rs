//! Expressions that no pass analyses.

use std::borrow::Cow;

use super::variable_id::VariableId;

/// The kind of an expression that has no [`super::ExprKind`] of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unnamed {
    /// A string literal.
    Text,
    /// `{a, b}`; its parts are the expressions in the braces.
    InitialiserList,
    /// `(double[]){a, b}`.
    CompoundLiteral,
    /// A lambda expression.
    Lambda,
    /// `throw`.
    Throw,
    /// `new T[n]` with an arithmetic type T; its first part is n.
    NewArray,
    /// A bit-field.
    BitField,
    /// A member of a union.
    UnionMember,
    /// Another member that no variable represents, described in words.
    Member(&'static str),
    /// A call of the member function with this name.
    MemberCall(String),
    /// An assignment of class objects.
    ObjectAssignment,
    /// Another overloaded operator of a class, by its name: `operator[]`.
    Operator(String),
    /// An expression of C++ that the analysis of host code understands; elsewhere it is like any other of its kind.
    Understood(Understood, Box<Unnamed>),
    /// A short expression of another kind, quoted from the source.
    Quoted(String),
    /// Another value that could be computed before the region, described in words.
    Value(Cow<'static, str>),
    /// Any other expression, described in words.
    Other(Cow<'static, str>),
}

impl Unnamed {
    /// Creates [`Self::Other`].
    pub fn other(words: &'static str) -> Self {
        Self::Other(words.into())
    }

    /// Creates [`Self::Value`].
    pub fn value(words: &'static str) -> Self {
        Self::Value(words.into())
    }

    /// Returns its kind without what only the analysis of host code knows.
    pub fn plain(&self) -> &Self {
        match self {
            Self::Understood(_, plain) => plain,
            plain => plain,
        }
    }

    /// Returns its description for messages.
    pub fn words(&self) -> Cow<'_, str> {
        match self {
            Self::Text => "a string".into(),
            Self::InitialiserList => "an initialiser list".into(),
            Self::CompoundLiteral => "a compound literal".into(),
            Self::Lambda => "a lambda expression".into(),
            Self::Throw => "`throw`".into(),
            Self::NewArray => "`new`".into(),
            Self::BitField => "a bit-field".into(),
            Self::UnionMember => "a member of a union".into(),
            Self::Member(words) => (*words).into(),
            Self::MemberCall(name) => format!("a call of the member function `{name}`").into(),
            Self::ObjectAssignment => "an assignment of objects of a class".into(),
            Self::Operator(name) => format!("`{name}` of a class").into(),
            Self::Understood(_, plain) => plain.words(),
            Self::Quoted(text) => format!("`{text}`").into(),
            Self::Value(words) | Self::Other(words) => words.as_ref().into(),
        }
    }
}

/// What holds the elements of an object of C++'s library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// A vector: a `std::vector` of numbers with the allocator of the library. Its elements are memory of their own.
    Vector,
    /// A `std::array` of so many numbers, which consists of these.
    Array(u64),
}

/// What an expression of C++ does, if the analysis of host code understands it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Understood {
    /// A call of a member function whose body is in the tree, by its unique name there; with the `this` of the caller,
    /// if no object is written.
    Member(String, Option<VariableId>),
    /// A call of an operator that is a function of its own and whose body is in the tree, by its unique name there:
    /// `u += v`. Its name comes first among its parts.
    Operator(String),
    /// An element: `v[i]`, `v.front()`, `v.back()`, `v.at(i)`.
    Element(Container),
    /// A pointer or an iterator to the elements: `v.data()`, `v.begin()`, `v.end()`.
    Data(Container),
    /// An iterator that is made of others, which are pointers in all but name, or a comparison of them.
    Iterator {
        /// True if the first operand is changed.
        changes: bool,
    },
    /// The number to which an iterator points: `*it`, `it[n]`.
    Pointed,
    /// A property: `v.size()`, `v.empty()`.
    Property(Container),
    /// A change of the elements or of the length of a vector by numbers: `v.resize(n)`.
    Change,
    /// `v.swap(w)`.
    Swap,
    /// A vector that is made of numbers: `std::vector<double> v(n)`.
    Making,
    /// A structure that is made as a copy of another one, byte by byte.
    Copy,
    /// A structure to which the bytes of another one are assigned.
    Assign,
    /// A number or a string that is printed: `std::cout << x`.
    Print,
    /// `delete p` and `delete[] p`, where p points to numbers.
    Delete,
}
