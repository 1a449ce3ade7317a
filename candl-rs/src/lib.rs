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

use polyhedra::Result as IslResult;
use scop::{Analysed, Dependences, Diagnostic, Diagnostics, Extracted, Model, Outcome, Program, Scop};

use crate::dataflow::Dataflow;

pub use check::check;
pub use options::{Mode, Options};

/// The name of this tool.
pub const NAME: &str = "candl-rs";

/// Adds the dependences to every scop.
///
/// # Errors
/// Only if isl gives up, which is reported as a bug.
pub fn run(program: Program<Extracted>) -> Result<Outcome<Program<Analysed>>, Diagnostics> {
    program.try_map(analyse).map(Outcome::new)
}

fn analyse(scop: Scop<Extracted>) -> Result<Scop<Analysed>, Diagnostics> {
    match dependences(&scop.model) {
        Ok(dependences) => Ok(Scop { model: scop.model, stage: Analysed { dependences } }),
        Err(error) => Err(Diagnostic::bug(NAME, format!("scop {}: {error}", scop.model.name)).into()),
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
    })
}

/// The dependence graph of a document in Graphviz's language.
///
/// # Errors
/// None: the signature is that of all tools.
pub fn dot(program: Program<Analysed>) -> Result<Outcome<String>, Diagnostics> {
    Ok(Outcome::new(graph::dot(&program)))
}
