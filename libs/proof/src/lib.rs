//! The proof: does a schedule, or the loop program made from it, respect the dependences?
//!
//! A document with a loop program is checked by that program, because it is what runs ([`program`]). Any other
//! document is checked by its latest schedule tree ([`tree`]). `docs/proof.md` describes what exactly is proved and
//! what is not.
//!
//! What a document says about memory that stays on the device between regions is checked as a whole ([`residency`]).
//!
//! [`check`] takes documents that have a schedule, of any stage. [`check_order`] takes documents that are only
//! analysed and have a new order. Both take the name of the calling tool, which messages about internal errors name.

mod expansions;
mod groups;
mod program;
mod report;
mod residency;
mod stage;
mod tree;

use polyhedra::Result;
use scop::{
    Analysed, Diagnostic, Diagnostics, Findings, GIVEN_UP, Outcome, Program, Region, Stage, allowance,
};

pub use program::is_bijection;
pub use report::pair_in_words;
pub use residency::check as check_residency;
pub use stage::Checkable;
use stage::{Order, Sections};

/// The maximum number of isl operations for the check of one scop. Nearly all scops need less than a hundredth of
/// it.
const OPERATIONS: u64 = 30_000_000;

/// Checks the loop program of each scop, or its schedule if it has no loop program yet. There is a message for each
/// two statements between which dependences are broken, for each statement with instances that run more than once or
/// never, and for each access that does not find its element. If instances of a loop program run twice, nothing
/// after that is checked. There is also a message for each access of host code that may not find the last value of an
/// element, because this is on the device. A scop is undecided if it is too complicated to check or has numbers that
/// are too large for the check.
pub fn check<S: Stage>(tool: &str, program: &Program<S>) -> Findings {
    let mut findings = Findings::default();
    for (number, scop) in program.scops.iter().enumerate() {
        let Some(sections) = Sections::of(scop) else { continue };
        let region = program.source.regions.get(number);
        let why = too_complicated(&scop.model.name, &program.source.path, region);
        let check = || check_scop(&program.source.path, &sections);
        match allowance::spend(OPERATIONS, why.clone(), check) {
            Ok(found) => findings.refuted.extend(found),
            Err(error) if error.is_limit() => {
                findings.undecided.insert(number, why);
            }
            Err(error) => {
                let failure = program.source.failure(tool, &scop.model.name, region, &error);
                if error.is_too_large() {
                    findings.undecided.insert(number, failure);
                } else {
                    findings.refuted.push(failure);
                }
            }
        }
    }
    findings.refuted.extend(residency::check(program));
    findings
}

fn too_complicated(scop: &str, path: &str, region: Option<&Region>) -> Diagnostic {
    Diagnostic::given_up("E0206", format!("the schedule of {scop} is too complicated to check"))
        .with_help("split the region into smaller ones, or ask the scheduler for something simpler")
        .perhaps_at(path, region.map(|region| region.range), GIVEN_UP)
}

/// Accepts a document whose order was replaced, if the new order respects the dependences. They were found in the
/// order of the source, and every later stage compares with them.
///
/// # Errors
/// Returns the messages if a dependence is broken, an instance runs twice, or a scop cannot be checked.
pub fn check_order(
    tool: &str,
    program: Program<Analysed>,
) -> std::result::Result<Outcome<Program<Analysed>>, Diagnostics> {
    let path = &program.source.path;
    let mut messages = Vec::new();
    for (number, scop) in program.scops.iter().enumerate() {
        let name = &scop.model.name;
        let sections = Sections {
            extracted: scop.extracted(),
            expansions: scop.stage.expansions(),
            model: &scop.model,
            dependences: &scop.stage.dependences,
            kernels: &[],
            order: Order::Tree(&scop.model.order),
        };
        let region = program.source.regions.get(number);
        let refusal = too_complicated(name, path, region);
        match allowance::spend(OPERATIONS, refusal.clone(), || check_scop(path, &sections)) {
            Ok(found) => messages.extend(found),
            Err(error) if error.is_limit() => messages.push(refusal),
            Err(error) => messages.push(program.source.failure(tool, name, region, &error)),
        }
    }
    if messages.is_empty() { Ok(Outcome::new(program)) } else { Err(Diagnostics(messages)) }
}

fn check_scop(path: &str, sections: &Sections<'_>) -> Result<Vec<Diagnostic>> {
    let mut messages = expansions::check(path, sections)?;
    messages.extend(match sections.order {
        Order::Program(placement, program) => program::check_program(path, sections, placement, program)?,
        Order::Tree(schedule) => tree::check_tree(path, sections, schedule)?,
    });
    Ok(messages)
}
