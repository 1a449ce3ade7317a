//! The dependences of a model as it is, without further expansions.

use polyhedra::Result;
use scop::{Dependences, Model, StatementId, Wish};

use crate::dataflow::{Dataflow, Flow};
use crate::live::Ends;
use crate::{Reductions, anti, flow, live, output, permission, reductions, relax, waive};

/// Which reductions relax dependences, and the permissions of the command line for another order of sums.
pub type Freedoms<'a> = (Reductions, &'a [Wish]);

/// Returns the dependences of a model without some statements.
pub fn dependences(model: &Model, dead: &[StatementId], freedoms: Freedoms<'_>) -> Result<Dependences> {
    let dataflow = Dataflow::without(model, dead)?;
    let ends = Ends::new(&dataflow)?;
    let found = Dependences { dead: dead.to_vec(), ..flows_of_values(&dataflow, &ends)? };
    let flows = dataflow.flows()?;
    completed(dataflow, &flows, found, freedoms)
}

/// Returns the flow of values, without what [`completed`] adds.
pub fn flows_of_values(dataflow: &Dataflow<'_>, ends: &Ends) -> Result<Dependences> {
    Ok(Dependences {
        flow: flow::flow(dataflow)?,
        anti: Vec::new(),
        output: Vec::new(),
        live_in: live::live_in(dataflow)?,
        live_out: ends.live_out(dataflow)?,
        reductions: Vec::new(),
        dead: Vec::new(),
        waived: Vec::new(),
    })
}

/// Adds what follows from the accesses to memory: anti and output dependences, reductions, and claims.
pub fn completed(
    dataflow: Dataflow<'_>,
    flows: &[Flow],
    mut found: Dependences,
    (reductions, permissions): Freedoms<'_>,
) -> Result<Dependences> {
    let model = dataflow.model;
    let output = output::output(&dataflow)?;
    found.anti = anti::anti(&dataflow)?;
    found.output = dataflow.dependences(output.dependences.copy()?)?;
    found.reductions = reductions::reductions(&dataflow, flows, &found)?;
    permission::permit(model, &mut found.reductions, permissions)?;
    if reductions == Reductions::Any {
        relax::relax(dataflow, &mut found)?;
    }
    waive::waive(model, &mut found)?;
    Ok(found)
}
