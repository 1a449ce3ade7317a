//! Expressions that no pass looks into.

use std::borrow::Cow;

/// What an expression is for which this tree has no kind of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unnamed {
    /// A string literal.
    Text,
    /// `{a, b}`, with what stands in the braces as its parts.
    InitialiserList,
    /// `(double[]){a, b}`.
    CompoundLiteral,
    /// A lambda expression.
    Lambda,
    /// `throw`.
    Throw,
    /// `new T[n]`, with n as its first part; T is a number.
    NewArray,
    /// A member with a width in bits.
    BitField,
    /// A member of a union.
    UnionMember,
    /// Another member that no variable stands for, in words.
    Member(&'static str),
    /// A call of the member function of this name.
    MemberCall(String),
    /// An assignment of objects of a class.
    ObjectAssignment,
    /// Another operator of a class, by its name: `operator[]`.
    Operator(String),
    /// A short expression of a kind without a name, by its text.
    Quoted(String),
    /// Another value that could be computed before the region, in words.
    Value(Cow<'static, str>),
    /// Anything else, in words.
    Other(Cow<'static, str>),
}

impl Unnamed {
    /// Anything without a variant of its own.
    pub fn other(words: &'static str) -> Self {
        Self::Other(words.into())
    }

    /// Such a value that could be computed before the region.
    pub fn value(words: &'static str) -> Self {
        Self::Value(words.into())
    }

    /// What it is called in messages.
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
            Self::Quoted(text) => format!("`{text}`").into(),
            Self::Value(words) | Self::Other(words) => words.as_ref().into(),
        }
    }
}
