//! candl-rs finds what must stay in order.
//!
//! [`run`] goes through these passes for every scop:
//!
//! 1. [`accesses`]: the access relations, tagged with the accesses that cause them;
//! 2. [`order`]: the order of the source, refined to the steps inside a statement;
//! 3. [`flow`], [`anti`], [`output`]: who must stay before whom;
//! 4. [`live`]: which values come from before the region, and which stay behind it.
//!
//! [`check`] compares a transformed schedule with the dependences, and [`dot`] draws them.

mod accesses;
mod anti;
mod check;
mod dataflow;
mod flow;
mod graph;
mod live;
mod options;
mod order;
mod output;

use polyhedra::{Result as IslResult, limit_operations};
use scop::{
    Analysed, Dependences, Diagnostic, Diagnostics, Extracted, Model, Outcome, Program, Region, Scop,
};

use crate::dataflow::Dataflow;

pub use check::check;
pub use options::{Mode, Options};

/// The name of this tool.
pub const NAME: &str = "candl-rs";

/// Adds the dependences to every scop.
///
/// # Errors
/// If a scop is so complicated that isl fails on it, or would work on it for minutes.
pub fn run(program: Program<Extracted>) -> Result<Outcome<Program<Analysed>>, Diagnostics> {
    let source = program.source.clone();
    let mut regions = source.regions.iter();
    let analyse = |scop: Scop<Extracted>| {
        let region = regions.next();
        match limit_operations(OPERATIONS, || dependences(&scop.model)) {
            Ok(dependences) => Ok(Scop { model: scop.model, stage: Analysed { dependences } }),
            Err(error) => Err(Diagnostics::from(given_up(&error, &source.path, region))),
        }
    };
    program.try_map(analyse).map(Outcome::new)
}

/// Elementary operations of isl that the analysis of one scop may take: about half a minute.
const OPERATIONS: u64 = 30_000_000;

/// The document is sound, so what isl cannot do with it is a limit of isl's: it gives up, or fails on rare combinations of
/// conditions with `%` and bounds that differ between statements.
fn given_up(error: &polyhedra::Error, path: &str, region: Option<&Region>) -> Diagnostic {
    let (code, label) = if error.is_limit() {
        ("E0206", "given up after a bounded number of steps".to_owned())
    } else {
        ("E0207", error.to_string())
    };
    let diagnostic = Diagnostic::error(code, "the dependences of this region are too complicated to find")
        .with_help("split the region into smaller ones, or simplify conditions: those with `%` cost most");
    match region {
        Some(region) => diagnostic.at(path, region.range, label),
        None => diagnostic,
    }
}

/// The dependences of a scop.
///
/// # Errors
/// If isl gives up, or if the model violates an invariant of the document.
pub fn dependences(model: &Model) -> IslResult<Dependences> {
    let dataflow = Dataflow::new(model)?;
    Ok(Dependences {
        flow: flow::flow(&dataflow)?,
        anti: anti::anti(&dataflow)?,
        output: output::output(&dataflow)?,
        live_in: live::live_in(&dataflow)?,
        live_out: live::live_out(&dataflow)?,
        reductions: Vec::new(),
        dead: Vec::new(),
    })
}

/// The dependence graph of a document in Graphviz's language.
///
/// # Errors
/// None: the signature is that of all tools.
pub fn dot(program: Program<Analysed>) -> Result<Outcome<String>, Diagnostics> {
    Ok(Outcome::new(graph::dot(&program)))
}
