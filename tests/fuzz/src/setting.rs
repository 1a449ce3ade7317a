//! How a program is written down: its language, where its variables and iterators are declared, what leads to the
//! same memory, and code of the host between the regions that writes by other names.

mod draw;
mod fits;

use std::collections::{BTreeMap, BTreeSet};

/// What is special about the text of a program; nothing by default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Setting {
    pub language: Language,
    /// The iterators that are declared in front of the regions, and whether their last value is read after them.
    pub outside: BTreeMap<usize, bool>,
    pub interleaved: Option<Interleaved>,
    pub host: Vec<HostCode>,
    /// The second names of scalars that are local variables or, in C++, parameters.
    pub references: BTreeMap<usize, Reference>,
    /// Where variables of the file are, in C++.
    pub homes: BTreeMap<usize, Home>,
    pub function: FunctionKind,
}

/// The language of a program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    C,
    Cxx,
}

impl Language {
    /// How the names of its files end.
    pub fn ending(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cxx => "cpp",
        }
    }
}

/// Two arrays of one dimension whose elements are every second one behind pointers into the same memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Interleaved {
    pub first: usize,
    pub second: usize,
    /// Where the second begins; if that is even, they have elements in common.
    pub offset: i64,
}

/// A statement between regions that writes to an array.
#[derive(Debug, Clone, PartialEq)]
pub struct HostCode {
    /// The number of the node before which it stands, as `Regions` counts them.
    pub before: usize,
    pub array: usize,
    pub by: By,
    pub element: Element,
}

/// What the host names an array by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// A second pointer to the first element.
    Pointer,
    /// A reference to one element, in C a pointer to it.
    Reference,
    /// A function of the file.
    Function,
    /// `memset`
    Fill,
    /// `memcpy` from another array.
    Copy(usize),
}

/// The element that the host sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    First,
    Middle,
    Last,
}

/// A second name of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// By which the host reads it after the regions.
    Read,
    /// By which the regions use it.
    Used,
}

/// The scope of a variable of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Home {
    pub scope: Scope,
    /// Whether a variable of the same name is in another scope.
    pub twin: bool,
    /// Whether the function has a using-declaration for it.
    pub using: bool,
}

/// What a variable of the file is declared in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Namespace,
    Nested,
    Anonymous,
    Inline,
    /// `extern "C"`
    Linkage,
    /// A static member of a class.
    Class,
}

/// What kind of function has the regions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FunctionKind {
    #[default]
    Plain,
    /// A static member function, in the class.
    StaticMember,
    /// A member function, defined outside of its class.
    Member,
}

impl Setting {
    /// The numbers of the nodes before which code of the host stands.
    pub fn stops(&self) -> BTreeSet<usize> {
        self.host.iter().map(|code| code.before).collect()
    }

    /// True for an array that is one of two in the same memory.
    pub fn is_interleaved(&self, array: usize) -> bool {
        self.interleaved.as_ref().is_some_and(|pair| pair.first == array || pair.second == array)
    }
}

impl HostCode {
    /// What it touches.
    pub fn arrays(&self) -> Vec<usize> {
        match self.by {
            By::Copy(from) => vec![self.array, from],
            _ => vec![self.array],
        }
    }
}
