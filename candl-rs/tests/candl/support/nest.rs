//! Loop nests as data.

use std::collections::BTreeMap;
use std::fmt;

use scop::{AccessKind, Certainty};

/// A linear expression in iterators and the parameter `n`, such as `2*i - 1`.
#[derive(Debug, Clone, PartialEq)]
pub struct Affine {
    pub terms: Vec<(i64, String)>,
    pub constant: i64,
}

impl Affine {
    pub fn value(&self, variables: &BTreeMap<String, i64>) -> i64 {
        self.terms.iter().map(|(factor, name)| factor * variables[name]).sum::<i64>() + self.constant
    }
}

/// Parses text such as `2*i - j + 1`; every term except the first has a sign before it.
impl From<&str> for Affine {
    fn from(text: &str) -> Self {
        let mut affine = Self { terms: Vec::new(), constant: 0 };
        for term in text.replace(' ', "").replace('-', "+-").split('+').filter(|term| !term.is_empty()) {
            let (factor, name) = match term.split_once('*') {
                Some((factor, name)) => (factor.parse().unwrap(), name),
                None if term.trim_start_matches('-').parse::<i64>().is_ok() => (term.parse().unwrap(), ""),
                None => (if term.starts_with('-') { -1 } else { 1 }, term.trim_start_matches('-')),
            };
            if name.is_empty() {
                affine.constant += factor
            } else {
                affine.terms.push((factor, name.to_owned()))
            }
        }
        affine
    }
}

impl fmt::Display for Affine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (factor, name) in &self.terms {
            write!(f, "{factor}*{name} + ")?;
        }
        write!(f, "{}", self.constant)
    }
}

/// The element that a reference names.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// The element with these subscripts.
    Element(Vec<Affine>),
    /// An unknown element of a one-dimensional array, from 0 to `n - 1`.
    Somewhere,
}

/// A reference to an array.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    pub array: String,
    pub target: Target,
    pub kind: AccessKind,
}

impl Reference {
    pub fn certainty(&self) -> Certainty {
        if self.target == Target::Somewhere { Certainty::May } else { Certainty::Must }
    }
}

/// Parses `A[i, j - 1]`, or `A[?]` for an unknown element of `A`.
pub fn at(text: &str, kind: AccessKind) -> Reference {
    let (array, subscripts) = text.trim().trim_end_matches(']').split_once('[').unwrap();
    let target = match subscripts {
        "?" => Target::Somewhere,
        "" => Target::Element(Vec::new()),
        _ => Target::Element(subscripts.split(',').map(Affine::from).collect()),
    };
    Reference { array: array.to_owned(), target, kind }
}

/// A loop or a statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Nest {
    /// `for (iterator = lower; iterator < upper; iterator++) body`
    Loop { iterator: String, lower: Affine, upper: Affine, body: Vec<Nest> },
    /// Assignments, each given as its references: the reads, then the write.
    Statement(Vec<Vec<Reference>>),
}

/// Creates a loop.
pub fn nest(iterator: &str, lower: &str, upper: &str, body: Vec<Nest>) -> Nest {
    Nest::Loop { iterator: iterator.to_owned(), lower: lower.into(), upper: upper.into(), body }
}

/// Parses `A[i] = B[i] | A[i - 1]; s[] = A[i]`: assignments, each with a list of references that it reads.
pub fn statement(text: &str) -> Nest {
    let assignment = |text: &str| {
        let (left, right) = text.split_once('=').unwrap();
        let reads = right.split('|').filter(|read| !read.trim().is_empty());
        let mut references: Vec<_> = reads.map(|read| at(read, AccessKind::Read)).collect();
        references.push(at(left, AccessKind::Write));
        references
    };
    Nest::Statement(text.split(';').map(assignment).collect())
}

/// A region: a sequence of nests, the arrays that only the region can access, and the arrays that are not read
/// after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    pub nests: Vec<Nest>,
    pub hidden: Vec<&'static str>,
    pub dead_after: Vec<&'static str>,
}

impl Region {
    pub fn new(nests: Vec<Nest>) -> Self {
        Self { nests, hidden: Vec::new(), dead_after: Vec::new() }
    }

    /// Returns the references of all statements, in source order, which is the order of their ids.
    pub fn references(&self) -> Vec<&Reference> {
        self.statements().into_iter().flatten().flatten().collect()
    }

    /// Returns the statements in source order.
    pub fn statements(&self) -> Vec<&Vec<Vec<Reference>>> {
        let mut found = Vec::new();
        self.nests.iter().for_each(|nest| collect(nest, &mut found));
        found
    }
}

fn collect<'a>(nest: &'a Nest, found: &mut Vec<&'a Vec<Vec<Reference>>>) {
    match nest {
        Nest::Loop { body, .. } => body.iter().for_each(|nest| collect(nest, found)),
        Nest::Statement(steps) => found.push(steps),
    }
}
