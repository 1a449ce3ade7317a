//! The verifier. Every tool runs it on what it reads and on what it writes, except on parts that an earlier
//! tool found sound.
//!
//! After verification, code generation may refuse a document but never panics. A fault in what a tool wrote is
//! a bug of that tool; a fault in what a tool reads is one of the tool (or the person) that wrote it.
//!
//! The invariants, by number:
//!
//! * V1 ids: loops, statements, arrays, accesses, kernels and buffers are numbered 0, 1, … in order.
//! * V2 names: parameters, arrays and temporaries of a scop have free and distinct names ([`crate::names`]); so
//!   do functions, and the parameters and temporaries of each.
//! * V3 every isl text parses as its kind, and uses only the parameters of the scop and of the mapping.
//! * V4 a domain is in the space of its statement, with one dimension for each loop around it. The context, of
//!   which the assumptions are a part, and the extents of arrays depend only on parameters. Only the outermost
//!   extent and those that stand for loops may be unknown (all of them in a program that was described in
//!   OpenScop).
//! * V5 an access relation goes from its statement to its array, with the array's number of dimensions.
//! * V6 the body reads only through read accesses of the statement, assigns only through write accesses, and
//!   uses temporaries, iterators, parameters and functions only where they are defined, and with their types.
//!   Operators and functions have complex operands only where C allows them; the operands have one complex
//!   type, except that a real operand has the type of its parts. Accesses in control that depends on data are
//!   not certain, and only indirect accesses have subscripts. Only accesses that are neither certain nor
//!   indirect may be in both branches of an `if`. A function ends with a value.
//! * V7 the original order, the schedule and the trees of the mapping and the placement order exactly the
//!   instances of all statements (dead statements may be absent from all but the original order): none is lost
//!   on the way to a leaf, and no two are at the same time in the original order. The original order and the
//!   schedule have no extension nodes and no marks, and no tree has expansion nodes.
//! * V8 a dependence goes between the statements of its two accesses, of which at least one writes; only what
//!   is visible outside the region is live before or after it. A reduction goes between instances of the
//!   statement of its accesses, which read and write the same array. The dead statements exist and are listed
//!   once.
//! * V9 the kernels of the mapping are those that its tree and that of the placement mark, with the same number
//!   of loops around them and with the marks of tiles and threads below them. Every statement that is not dead
//!   is on the host or in kernels: in several kernels if the order splits it, so that each has some of its
//!   instances. Dimensions of grids and blocks are x, then y, then z, and trees use only the coordinates of
//!   these dimensions.
//! * V10 the arrays on the device have sizes for each of their dimensions; if their elements are numbered,
//!   those that are transferred have numbers. An array that stays on the device between regions is a plain
//!   slice. The buffers of a placement are used by accesses of their kernel to their array, and each access
//!   uses at most one buffer. Only buffers in shared memory may have a layout other than row-major; a dense
//!   numbering is a function on the places of its buffer.
//! * V11 the loop program uses only statements, kernels, buffers, arrays and iterators that exist, with indices
//!   of the right length; copies and barriers are inside kernels, transfers and launches outside. Only numbered
//!   elements are packed, by loops that contain nothing but elements of their array. Loops count upwards in
//!   constant steps to bounds that do not depend on the loop's iterator.
//! * V12 the source has one region for each scop, in order and without overlap.
//! * V13 texts that become part of generated code are of the form that clan-rs writes ([`crate::c_syntax`]):
//!   macros of a region are words, the C expressions of parameters have no side effects, those of arrays are
//!   variables, members or elements with constant subscripts, iterators are variables, constants are literals,
//!   and only functions of the program or of the C library are called. Loops and buffers have names that tools
//!   give, and the source file has a name that is possible in `#include`.
//! * V14 the tree of the mapping contains, besides instances of statements ([`crate::mark`]), only barriers in
//!   kernels. The tree of the placement may also contain copies in kernels, each of a buffer of its kernel, and
//!   transfers outside of kernels, of arrays on the device and their parts.
//! * V15 an access is expanded at most once, to an array of the expansions. This array is like the array of the
//!   source, with more dimensions before those of the source, and is visible only in the region. The expanded
//!   access has the subscripts of the source after those of the new dimensions. If an array of the expansions
//!   replaces an array of the model, that array has no other accesses. Each array of the expansions has a
//!   number of its own, which is that of an array of the model or the next one. A statement that stores last values
//!   is in no loop of the source, and each instance stores the element of a copy in the element of the source
//!   array that has the instance's coordinates. An instance of one that stores old values does the opposite, for its
//!   last coordinates. A sum with partial sums is an expanded update, which these divide among themselves by one of its
//!   loops; the statements that begin and combine them are in the loops around the sum; so are those of a selection, each
//!   of whose stages divides loops of its update, and those of a prefix sum, which is an expanded update in a loop. Each
//!   variant of the region is sound as if it were the region, and the schedule is of a variant that exists.
//! * V16 a loop comes after the loop that it is in. The loops of a statement are an outermost loop, one
//!   directly in that, and so on. Claims and waived dependences refer to loops that exist.
//! * V17 the wishes of a scop are for its region. A tool that writes a mapping or a placement answers the
//!   wishes for it, and answers refer to kernels that exist.
//! * V18 a specialised nest and the general nest beside it contain statements, copies and barriers, but neither
//!   launches nor transfers.
//! * V19 a reduction whose instances may be executed in any order performs one atomic operation in each
//!   instance ([`crate::contribution()`]), and no dependence goes between its own accesses.
//! * V20 memory objects and procedures are numbered in order. Host code, arrays and classes refer to memory objects,
//!   procedures and scops that exist, and each scop stands at most once in the host code. The parts of a procedure lie
//!   within it, one after the other. Addresses and sizes are C expressions without side effects. Only code that runs
//!   other code says of what it touches that it comes before that. What keeps an array from staying on the device is
//!   said of arrays without memory, and so is that they are none of the memory objects.
//! * V21 an array is resident in a class of the plan that contains all of its memory, and no memory object is in two
//!   classes. The calls of a plan stand at texts of the host code, where something can be added.
//! * V22 the order of updates is free only if every order gives the same bits ([`crate::is_exact`]) or the user
//!   permits another one, and threads can have partial values. Threads share sums of their kernel whose order is free
//!   and not given up anyway, or which they can do in order; they are the 32 threads along x. A buffer of partial
//!   values is a register of the accesses of one such sum, and each has one.

mod added;
mod body;
mod code;
mod complex;
mod expansions;
mod host;
mod loops;
mod mapping;
mod numbering;
mod placement;
mod relations;
mod report;
mod seal;
mod source;
mod space;
mod sums;
#[cfg(test)]
mod tests;
mod texts;
mod tree;
pub mod tree_text;
mod wishes;

use crate::{Analysed, Function, Program, Region, Scop, Source, Stage};

pub use report::Fault;
pub use seal::Seal;

use report::Report;
use seal::Digests;
use texts::Parsed;

/// Returns all violated invariants of a program; none if it is sound.
pub fn verify<S: Stage>(program: &Program<S>) -> Vec<Fault> {
    seal(program, &Seal::default()).err().unwrap_or_default()
}

/// Verifies a program, except for the parts that the seal `known` covers, and returns the program's seal.
///
/// # Errors
/// Returns the violated invariants.
pub fn seal<S: Stage>(program: &Program<S>, known: &Seal) -> Result<Seal, Vec<Fault>> {
    let mut report = Report::default();
    source::check_regions(program, &mut report);
    host::check_host(program, &mut report);
    host::check_plan(program, &mut report);
    numbering::check_scop_names(program, &mut report);
    numbering::check_function_names(&program.functions, &mut report);
    body::check_functions(&program.functions, &mut report);
    code::check_file_name(&program.source.path, &mut report);
    code::check_functions(&program.functions, &mut report);
    let mut sealed = Vec::new();
    for (position, scop) in program.scops.iter().enumerate() {
        let around = Around {
            functions: &program.functions,
            source: &program.source,
            region: program.source.regions.get(position),
        };
        report.enter(format!("scop {position}"));
        report.require(15, scop.stage.variant_exists(), || {
            "it has an order of a variant that does not exist".to_owned()
        });
        sealed.extend(around.seal(scop, known, &mut report));
        for (number, variant) in scop.stage.variants().iter().enumerate() {
            report.enter(format!("scop {position}, variant {number}"));
            let (expansions, dependences) = (variant.expansions.clone(), variant.dependences.clone());
            let stage = Analysed { expansions, dependences, variants: Vec::new() };
            sealed.extend(around.seal(&Scop::new(scop.extracted().clone(), stage), known, &mut report));
        }
    }
    let faults = report.into_faults();
    if faults.is_empty() { Ok(sealed.into_iter().collect()) } else { Err(faults) }
}

/// The program around a scop.
#[derive(Clone, Copy)]
struct Around<'a> {
    functions: &'a [Function],
    source: &'a Source,
    region: Option<&'a Region>,
}

impl Around<'_> {
    /// Checks a scop and returns its digests.
    fn seal<S: Stage>(self, scop: &Scop<S>, known: &Seal, report: &mut Report) -> Vec<String> {
        match Digests::new(scop, self.functions, self.source.is_complete()) {
            Ok(digests) => {
                let check = || check_scop(scop, self, &digests, known, report);
                self.source.within_limits("the verifier", self.region, check);
                digests.of(&scop.stage).cloned().collect()
            }
            Err(error) => {
                report.fault(3, format!("it cannot be written: {error}"));
                Vec::new()
            }
        }
    }
}

/// Checks a scop. Ids, names and texts that become part of generated code are checked in any case; the other
/// parts are checked only if the seal does not cover them.
///
/// Later checks rely on earlier ones only in one way: they skip what was not parsed or does not exist, which is
/// already a fault.
fn check_scop<S: Stage>(
    scop: &Scop<S>,
    around: Around<'_>,
    digests: &Digests,
    known: &Seal,
    report: &mut Report,
) {
    let (model, stage) = (&scop.model, &scop.stage);
    numbering::check_ids(model, stage, report);
    numbering::check_names(model, report);
    numbering::check_loops(model, report);
    code::check_code(model, stage, around.functions, report);
    wishes::check_wishes(model, stage, report);
    let new = |digest: &str| !known.covers(digest);
    if !digests.of(stage).any(|digest| new(digest)) {
        return;
    }
    let parsed = Parsed::new(model, report);
    let dead = stage.dependences().map_or(&[][..], |dependences| &dependences.dead);
    if new(&digests.model) {
        let extracted = scop.extracted();
        let added = extracted.statements.len() < model.statements.len();
        let own = added.then(|| Parsed::new(extracted, report));
        let parsed = own.as_ref().unwrap_or(&parsed);
        relations::check_domains(extracted, around.source.is_complete(), parsed, report);
        relations::check_accesses(extracted, parsed, report);
        body::check_bodies(extracted, around.functions, report);
        tree::check_order(&extracted.order, parsed, report);
    }
    let expansions = stage.expansions().filter(|expansions| !expansions.is_empty());
    if let Some(expansions) = expansions.filter(|_| new(&digests.expansions)) {
        expansions::check_expansions(scop.extracted(), expansions, &parsed, report);
        relations::check_instances(model, &parsed, report);
        relations::check_accesses(model, &parsed, report);
        body::check_bodies(model, around.functions, report);
        let adds = expansions.last_values.is_some() || expansions.old_values.is_some();
        let adds = adds || expansions.partial_sums.is_some() || expansions.selections.is_some();
        let adds = adds || expansions.prefix_sums.is_some();
        if expansions.order.is_some() || adds {
            tree::check_order(&model.order, &parsed, report);
        }
    }
    if let Some(dependences) = stage.dependences().filter(|_| new(&digests.dependences)) {
        relations::check_dependences(model, dependences, &parsed, report);
        sums::check_freedom(model, dependences, report);
    }
    if let Some(schedule) = stage.schedule().filter(|_| new(&digests.schedule)) {
        tree::check_schedule(schedule, &parsed, dead, report);
    }
    let Some(mapping) = stage.mapping() else { return };
    if new(&digests.mapping) {
        mapping::check_mapping(model, mapping, dead, &parsed, report);
        if let Some(dependences) = stage.dependences() {
            sums::check_shared(model, dependences, mapping, report);
        }
        let tree = stage.mapped().and_then(|tree| tree::check_mapped(tree, &parsed, dead, report));
        if let Some(tree) = tree {
            mapping::check_marks("the tree of the mapping", mapping, &tree, report);
            added::check_added(model, None, &tree, report);
        }
    }
    let Some(placement) = stage.placement() else { return };
    if new(&digests.placement) {
        placement::check_placement(model, mapping, placement, &parsed, report);
        if let Some(dependences) = stage.dependences() {
            sums::check_partial(model, dependences, mapping, placement, report);
        }
        let tree = stage.placed().and_then(|tree| tree::check_placed(tree, &parsed, dead, report));
        if let Some(tree) = tree {
            mapping::check_marks("the tree of the placement", mapping, &tree, report);
            added::check_added(model, Some(placement), &tree, report);
        }
    }
    if let Some(ast) = stage.ast().filter(|_| new(&digests.ast)) {
        loops::check_loops(model, mapping, placement, ast, report);
    }
}
