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
//! * V4 a domain is in the space of its statement, with one dimension for each iterator; the context and the extents of
//!   arrays depend on parameters alone, and only the outermost extent and those that stand for loops may be unknown
//!   (all of them in a program that was described in OpenScop).
//! * V5 an access relation goes from its statement to its array, with the array's number of dimensions.
//! * V6 the body reads only through read accesses of the statement, assigns only through write accesses, and uses
//!   temporaries, iterators, parameters and functions only where they are defined, and with their types. Operators and functions have complex operands only
//!   where C has them, of one type, beside which a real operand is of the type of their parts. Accesses in control that
//!   depends on data are not certain, and only indirect ones have subscripts. A function ends with a value.
//! * V7 the original order and the schedule order exactly the instances of all statements (the schedule also those that
//!   gpulocalizer added, and perhaps not those of dead statements): none is lost on the way to a leaf, and no two are at the same
//!   time in the original order.
//! * V8 a dependence goes between the statements of its two accesses, of which at least one writes; only what is
//!   visible outside the region is live before or behind it. A reduction goes between instances of the statement of its accesses,
//!   which read and write the same array. Nothing is said of dead statements, which exist.
//! * V9 the kernels of the mapping are those that the tree marks, with as many loops around them, and every statement that
//!   is not dead is in one kernel or on the host. Dimensions of grids and blocks are x, then y, then z.
//! * V10 the arrays on the device have sizes for each of their dimensions; if their elements are numbered, those that are transferred
//!   have numbers. The buffers of a placement are used by accesses of their kernel to their array, each access by one at
//!   most. Only buffers in shared memory have another layout than row by row; a dense numbering is a function on the places of its
//!   buffer.
//! * V11 the loop program names only statements, kernels, buffers, arrays and iterators that exist, with indices of the
//!   right length; copies and barriers are inside kernels, transfers and launches outside. Only numbered elements are packed, by
//!   loops over elements of their array and nothing else.
//! * V12 the source has one region for each scop, in order and without overlap.

mod body;
mod complex;
mod loops;
mod mapping;
mod numbering;
mod placement;
mod relations;
mod report;
mod source;
mod space;
#[cfg(test)]
mod tests;
mod texts;
mod tree;
pub(crate) mod tree_text;

use crate::{Program, Scop, Stage, bounded};

use report::Report;
use texts::Parsed;

/// One violated invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its number.
    pub invariant: u32,
    /// Where in the document, and what is wrong.
    pub message: String,
}

/// A part of the document that some tools neither use nor write; they need not check it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The order of the source.
    Order,
    /// What candl-rs found.
    Dependences,
    /// The order of the generated program.
    Schedule,
}

/// All violated invariants of a program; none if it is sound.
pub fn verify<S: Stage>(program: &Program<S>) -> Vec<Fault> {
    verify_without(program, &[])
}

/// The violated invariants of a program, some of its parts left unread.
pub fn verify_without<S: Stage>(program: &Program<S>, unread: &[Part]) -> Vec<Fault> {
    let mut report = Report::default();
    source::check_regions(program, &mut report);
    numbering::check_scop_names(program, &mut report);
    numbering::check_function_names(&program.functions, &mut report);
    body::check_functions(&program.functions, &mut report);
    for (position, scop) in program.scops.iter().enumerate() {
        report.enter(format!("scop {position}"));
        bounded(|| check_scop(scop, program, unread, &mut report));
    }
    report.into_faults()
}

/// Later checks rely on earlier ones only in that they skip what did not parse or does not exist: that is a fault already.
fn check_scop<S: Stage>(scop: &Scop<S>, program: &Program<S>, unread: &[Part], report: &mut Report) {
    let (model, stage) = (&scop.model, &scop.stage);
    numbering::check_ids(model, stage, report);
    numbering::check_names(model, report);
    let parsed = Parsed::new(model, stage, unread, report);
    relations::check_domains(model, program.source.is_complete(), &parsed, report);
    relations::check_accesses(model, &parsed, report);
    body::check_bodies(model, &program.functions, report);
    tree::check_order(&parsed, report);
    let dead = stage.dependences().map_or(&[][..], |dependences| &dependences.dead);
    tree::check_schedule(&parsed, dead, report);
    if let Some(dependences) = stage.dependences().filter(|_| !unread.contains(&Part::Dependences)) {
        relations::check_dependences(model, dependences, &parsed, report);
    }
    if let Some(mapping) = stage.mapping() {
        mapping::check_mapping(model, mapping, dead, &parsed, report);
    }
    if let (Some(placement), Some(mapping)) = (stage.placement(), stage.mapping()) {
        placement::check_placement(model, mapping, placement, &parsed, report);
    }
    if let (Some(ast), Some(placement), Some(mapping)) = (stage.ast(), stage.placement(), stage.mapping()) {
        loops::check_loops(model, mapping, placement, ast, report);
    }
}
