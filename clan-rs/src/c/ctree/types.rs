//! Types, and attributes that change the meaning of declarations.

use scop::{CType, SourceRange};

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type {
    /// Its kind.
    pub kind: TypeKind,
    /// True if it is `const`.
    pub constant: bool,
    /// True if it is `volatile`.
    pub volatile: bool,
}

/// The kinds of types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeKind {
    /// An arithmetic type.
    Arithmetic(CType),
    /// A pointer.
    Pointer {
        /// The type that it points to.
        target: Box<Type>,
        /// True if it is `restrict`.
        restrict: bool,
    },
    /// An array.
    Array {
        /// The type of its elements.
        element: Box<Type>,
        /// Its length.
        length: Length,
        /// True for a parameter that is declared `a[restrict n]`.
        restrict: bool,
    },
    /// Any other type, as C writes it.
    Other(String),
}

/// The length of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// A constant.
    Constant(u64),
    /// An expression that is not constant.
    Variable,
    /// None: `double a[]`.
    Incomplete,
}

impl Type {
    /// Returns the arithmetic type, if it is one.
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

/// An attribute that changes, or may change, the meaning of a declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Its name without surrounding underscores; empty if a macro assembles it.
    pub name: String,
    /// Its place, if it is in the main file.
    pub range: Option<SourceRange>,
}
