//! The proof: does a schedule, or the loop program made from it, respect the dependences?
//!
//! A document with a loop program is checked by that, because it is what runs ([`program`]); of all others the latest
//! tree is checked ([`tree`]). `docs/proof.md` says what exactly is proved, and what is not.
//!
//! [`check`] takes documents that have a schedule, of whatever stage, and [`check_order`] those that are only analysed
//! and got a new order. Both are told which tool asks: a message about a fault of ours names it.

mod expansions;
mod groups;
mod program;
mod report;
mod stage;
mod tree;

use polyhedra::Result;
use scop::{
    Analysed, Diagnostic, Diagnostics, Findings, GIVEN_UP, Outcome, Program, Region, Stage, allowance,
};

pub use report::pair_in_words;
pub use stage::Checkable;
use stage::{Order, Sections};

/// The operations of isl that the check of one scop may take; nearly all take less than a hundredth of it.
const OPERATIONS: u64 = 30_000_000;

/// Names the dependences that the loop program of a document breaks, or its schedule where it has no loop program yet:
/// one message for each two statements between which some are broken, for each statement that runs more than once or
/// not at all, and for each access that does not find its element. Where instances of a loop program run twice, nothing
/// else is asked of it. A scop that is too complicated to check, or has numbers that are too large for it, is
/// undecided.
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
    findings
}

fn too_complicated(scop: &str, path: &str, region: Option<&Region>) -> Diagnostic {
    Diagnostic::given_up("E0206", format!("the schedule of {scop} is too complicated to check"))
        .with_help("split the region into smaller ones, or ask the scheduler for something simpler")
        .perhaps_at(path, region.map(|region| region.range), GIVEN_UP)
}

/// Takes a document whose order came from elsewhere, if it respects the dependences. They were found in the order of
/// the source and stay what every later stage compares with.
///
/// # Errors
/// One message for each two statements between which dependences are broken.
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
