//! Expressions that no pass analyses.

use std::borrow::Cow;

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
            Self::Quoted(text) => format!("`{text}`").into(),
            Self::Value(words) | Self::Other(words) => words.as_ref().into(),
        }
    }
}
