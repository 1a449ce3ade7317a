//! The dependences of a model as it is, without further expansions.

use polyhedra::Result;
use scop::{Dependences, Model, StatementId};

use crate::dataflow::{Dataflow, Flow};
use crate::live::Ends;
use crate::{Reductions, anti, flow, live, output, reductions, relax, waive};

/// Returns the dependences of a model without some statements.
pub fn dependences(model: &Model, dead: &[StatementId], reductions: Reductions) -> Result<Dependences> {
    let dataflow = Dataflow::without(model, dead)?;
    let ends = Ends::new(&dataflow)?;
    let found = Dependences {
        flow: flow::flow(&dataflow)?,
        anti: Vec::new(),
        output: Vec::new(),
        live_in: live::live_in(&dataflow)?,
        live_out: ends.live_out(&dataflow)?,
        reductions: Vec::new(),
        dead: dead.to_vec(),
        waived: Vec::new(),
    };
    let flows = dataflow.flows()?;
    completed(dataflow, &flows, found, reductions)
}

/// Adds what follows from the accesses to memory: anti and output dependences, reductions, and claims.
pub fn completed(
    dataflow: Dataflow<'_>,
    flows: &[Flow],
    mut found: Dependences,
    reductions: Reductions,
) -> Result<Dependences> {
    let model = dataflow.model;
    let output = output::output(&dataflow)?;
    found.anti = anti::anti(&dataflow)?;
    found.output = dataflow.dependences(output.dependences.copy()?)?;
    found.reductions = reductions::reductions(&dataflow, flows, &found)?;
    if reductions == Reductions::Any {
        relax::relax(dataflow, &mut found)?;
    }
    waive::waive(model, &mut found)?;
    Ok(found)
}
