//! Types, and the attributes that change what is declared with them.

use scop::{CType, SourceRange};

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// True if objects of it cannot be changed.
    pub constant: bool,
    /// True if objects of it change on their own.
    pub volatile: bool,
}

/// The kinds of types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeKind {
    /// A number.
    Arithmetic(CType),
    /// A pointer.
    Pointer {
        /// To what.
        target: Box<Type>,
        /// True if nothing else points there.
        restrict: bool,
    },
    /// An array.
    Array {
        /// Its elements.
        element: Box<Type>,
        /// How many.
        length: Length,
        /// True for a parameter that is declared `a[restrict n]`.
        restrict: bool,
    },
    /// Any other, as C writes it.
    Other(String),
}

/// The length of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// A constant.
    Constant(u64),
    /// An expression.
    Variable,
    /// None: `double a[]`.
    Incomplete,
}

impl Type {
    /// The arithmetic type, if it is one.
    pub fn arithmetic(&self) -> Option<CType> {
        match self.kind {
            TypeKind::Arithmetic(ctype) => Some(ctype),
            _ => None,
        }
    }

    /// True for pointers and arrays.
    pub fn is_pointer_like(&self) -> bool {
        matches!(self.kind, TypeKind::Pointer { .. } | TypeKind::Array { .. })
    }
}

/// An attribute that changes what a declaration means, or may do so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Its name, without underscores around it; nothing if a macro puts it together.
    pub name: String,
    /// Where it stands, if in the main file.
    pub range: Option<SourceRange>,
}
