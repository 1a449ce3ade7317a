//! Places in memory whose addresses C text can compute, and ranges of them.

mod build;
mod polynomial;
mod terms;

use std::collections::BTreeSet;

use scop::{BinaryOp, CType, HostPlace};

pub use build::is_local;
pub use polynomial::Polynomial;
pub use terms::{Loaded, Lvalue, Step, Term};

use crate::c::ctree::{Expr, Tree, Type, TypeKind, VariableId};
use crate::host::expressions::{is_vector, without_address};
use crate::host::place::build::{Builder, length_of, range_of_found};
use crate::host::place::terms::in_long;
use crate::host::pointers::Pointers;
use crate::host::solver::Node;

/// `low < high`, or `low <= high`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guard {
    /// The left side.
    pub low: Term,
    /// The right side.
    pub high: Term,
    /// True for `<=`.
    pub inclusive: bool,
}

/// What a place consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent {
    /// From the first byte of one lvalue to the last byte of another.
    Between(Lvalue, Lvalue),
    /// What a pointer points to; the pointer is the value of this lvalue, plus an offset.
    From(Lvalue, Option<Term>, Option<Term>),
}

/// A part of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The bytes.
    pub extent: Extent,
    /// Nothing is touched unless all of these hold.
    pub guards: Vec<Guard>,
    /// The memory that is read to compute the address, apart from variables.
    pub loads: Vec<Node>,
    /// True if some of that memory is itself found through pointers or subscripts: the address must be computed only
    /// where the access certainly happens.
    pub follows: bool,
    /// The variables whose values are read to compute the address.
    pub reads: BTreeSet<VariableId>,
    /// True if no byte in between is left out.
    pub whole: bool,
    /// What it consists of.
    pub content: Content,
}

/// What a place consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Numbers of so many bytes.
    Numbers(u32),
    /// A pointer.
    Pointer,
    /// Something else, or it is not known.
    Other,
}

impl Content {
    fn of(ctype: &Type) -> Self {
        match ctype.arithmetic() {
            Some(ctype) => Self::Numbers(ctype.size()),
            None if matches!(ctype.kind, TypeKind::Pointer { .. }) => Self::Pointer,
            None => Self::Other,
        }
    }

    fn of_target(pointer: &Type) -> Self {
        match &pointer.kind {
            TypeKind::Pointer { target, .. } | TypeKind::Array { element: target, .. } => Self::of(target),
            _ => Self::Other,
        }
    }
}

impl Place {
    /// Returns the place of an lvalue; of what an algorithm finds in a range, that range.
    pub fn of(pointers: &Pointers, tree: &Tree, expr: &Expr) -> Option<Self> {
        if let Some([first, last]) = range_of_found(tree, expr) {
            return Some(Self { whole: false, ..Self::range(pointers, [first, last], first)? });
        }
        let mut place = Builder::new(pointers);
        if tree.has_own_address_of && matches!(expr.ctype.kind, TypeKind::Other(_)) {
            return None;
        }
        let lvalue = place.lvalue(expr)?;
        let Builder { loads, reads, follows, .. } = place;
        let extent = Extent::Between(lvalue.clone(), lvalue);
        let content = Content::of(&expr.ctype);
        Some(Self { extent, guards: Vec::new(), loads, reads, follows, whole: true, content })
    }

    /// Returns the place from where a pointer points, with a number of bytes if it is known.
    pub fn from(pointers: &Pointers, pointer: &Expr, bytes: Option<&Expr>) -> Option<Self> {
        let mut place = Builder::new(pointers);
        let bytes = match bytes {
            Some(bytes) => Some(place.term(bytes)?),
            None => None,
        };
        let (lvalue, offset) = place.pointer(pointer.without_casts())?;
        let Builder { loads, reads, follows, .. } = place;
        let extent = Extent::From(lvalue, offset, bytes);
        let content = Content::of_target(&pointer.without_casts().ctype);
        Some(Self { extent, guards: Vec::new(), loads, reads, follows, whole: true, content })
    }

    /// Returns the place that begins where a pointer or an iterator points, and has as many elements as there are
    /// between two others.
    pub fn range(pointers: &Pointers, [first, last]: [&Expr; 2], from: &Expr) -> Option<Self> {
        let mut place = Builder::new(pointers);
        let (low, high, start) = (place.iterator(first)?, place.iterator(last)?, place.iterator(from)?);
        if low.0 != high.0 {
            return None;
        }
        let number = |offset: Option<Term>| offset.unwrap_or(Term::Integer(0, CType::Int));
        let (begin, end, start_index) = (number(low.1), number(high.1), number(start.1));
        let after = match begin == start_index {
            true => end.clone(),
            false => {
                let length = Term::binary(BinaryOp::Sub, end.clone(), begin.clone());
                Term::binary(BinaryOp::Add, start_index.clone(), length)
            }
        };
        let element = |index: Term| {
            let mut lvalue = start.0.clone();
            lvalue.steps.push(Step::Index(index));
            lvalue
        };
        let extent = Extent::Between(element(start_index), element(after.minus_one()));
        let guards = vec![Guard { low: begin, high: end, inclusive: false }];
        let Builder { loads, reads, follows, .. } = place;
        Some(Self { extent, guards, loads, reads, follows, whole: true, content: Content::Other })
    }

    /// Returns the place of so many bytes from an element on to which a pointer leads.
    pub fn section(pointers: &Pointers, pointer: &Expr, start: Term, bytes: Term) -> Option<Self> {
        let mut place = Self::from(pointers, pointer, None)?;
        for term in [&start, &bytes] {
            term.add_variables(&mut place.reads);
            term.add_loads(&mut place.loads);
        }
        if let Extent::From(_, offset, length) = &mut place.extent {
            *offset = match offset.take() {
                None if matches!(start, Term::Integer(0, _)) => None,
                None => Some(start),
                Some(offset) => Some(in_long(BinaryOp::Add, offset, start)),
            };
            *length = Some(bytes);
        }
        place.follows = !place.loads.is_empty();
        Some(place)
    }

    /// Returns the place of so many bytes from an element of a vector on.
    pub fn of_vector(pointers: &Pointers, vector: &Expr, start: Term, bytes: Term) -> Option<Self> {
        let mut place = Builder::new(pointers);
        let lvalue = place.elements_of(vector)?;
        let Builder { loads, reads, .. } = place;
        let elements = Loaded { lvalue, ctype: CType::Int, loads, reads };
        Some(Self::of_member(elements, false, start, bytes))
    }

    /// Returns the place of all elements of a vector; those have so many bytes.
    pub fn of_whole_vector(pointers: &Pointers, vector: &Expr, size: u32) -> Option<Self> {
        let length = length_of(pointers, without_address(vector))?;
        let bytes = Term::product(length, Term::Integer(i128::from(size), CType::Long));
        Self::of_vector(pointers, vector, Term::Integer(0, CType::Long), bytes)
    }

    /// Returns the place of the vector itself before a member function or operator, or that a reference is bound to:
    /// the object that has the address and the number of its elements.
    pub fn of_header(pointers: &Pointers, vector: &Expr) -> Option<Self> {
        let vector = without_address(vector);
        if pointers.tree().has_own_address_of || !is_vector(pointers.tree(), vector) {
            return None;
        }
        let mut place = Builder::new(pointers);
        let lvalue = place.vector(vector)?;
        let Builder { loads, reads, follows, .. } = place;
        let extent = Extent::Between(lvalue.clone(), lvalue);
        Some(Self { extent, guards: Vec::new(), loads, reads, follows, whole: true, content: Content::Other })
    }

    /// Returns the place of so many bytes from an element of a member on, which is a pointer or an array.
    pub fn of_member(member: Loaded, is_pointer: bool, start: Term, bytes: Term) -> Self {
        let Loaded { mut lvalue, mut loads, mut reads, .. } = member;
        if is_pointer {
            lvalue.loaded = lvalue.steps.len();
        }
        for term in [&start, &bytes] {
            term.add_variables(&mut reads);
            term.add_loads(&mut loads);
        }
        let extent = Extent::From(lvalue, Some(start), Some(bytes));
        let follows = !loads.is_empty();
        Self { extent, guards: Vec::new(), loads, reads, follows, whole: true, content: Content::Other }
    }

    /// Returns all variables that its text names.
    pub fn names(&self) -> BTreeSet<VariableId> {
        let root = match &self.extent {
            Extent::Between(low, _) => low.root,
            Extent::From(lvalue, ..) => lvalue.root,
        };
        self.reads.iter().copied().chain([root]).collect()
    }

    /// True if C text can name all of its variables: that which counts in a loop over a range has no name.
    pub fn has_text(&self, tree: &Tree) -> bool {
        self.names().iter().all(|id| !tree.variable(*id).name.is_empty())
    }

    /// Returns the C text.
    pub fn text(&self, tree: &Tree) -> HostPlace {
        let guard = |guard: &Guard| {
            let operator = if guard.inclusive { "<=" } else { "<" };
            format!("{} {operator} {}", guard.low.text(tree, 11), guard.high.text(tree, 11))
        };
        let guards: Vec<String> = self.guards.iter().map(guard).collect();
        let guarded = |text: String| match guards.is_empty() {
            true => text,
            false => format!("({} ? {text} : 0)", guards.join(" && ")),
        };
        let address = |text: String| if self.loads.is_empty() { text } else { guarded(text) };
        match &self.extent {
            Extent::Between(low, high) => {
                let (first, last) = (low.text(tree), high.text(tree));
                let bytes = match low == high {
                    true => format!("sizeof({first})"),
                    false => format!("(char *)(&{last} + 1) - (char *)&{first}"),
                };
                HostPlace { address: address(format!("&{first}")), bytes: Some(guarded(bytes)) }
            }
            Extent::From(lvalue, offset, bytes) => {
                let pointer = match (lvalue.text(tree), offset) {
                    (pointer, Some(offset)) => format!("&{pointer}[{}]", offset.text(tree, 0)),
                    (pointer, None) => pointer,
                };
                HostPlace {
                    address: address(pointer),
                    bytes: bytes.as_ref().map(|bytes| guarded(bytes.text(tree, 0))),
                }
            }
        }
    }
}
