//! Checks that values that pass between host and device are transferred.

use polyhedra::Result;
use scop::Diagnostic;

use super::facts::Facts;
use super::transfers::{Part, parts, stale, transfers};
use super::users::Buffers;
use super::within::within_arrays;
use crate::report::Fault;

/// Returns the messages about values that one side computes and the other reads without a transfer in between.
pub fn check(facts: &Facts<'_>, buffers: &Buffers<'_>) -> Result<Vec<Diagnostic>> {
    let mut messages = Vec::new();
    for flow in &facts.sections.dependences.flow {
        for (source, access) in facts.executing(flow.source) {
            for (sink, read) in facts.executing(flow.sink) {
                let to_device = sink.leaf.launch.is_some();
                let is_argument = to_device && !facts.slices.iter().any(|slice| slice.array == access.array);
                if source.leaf.launch.is_some() == to_device || is_argument {
                    continue;
                }
                let transfers = transfers(&facts.walked.leaves, access.array, to_device);
                let wanted = |part: &Part<'_>| part.array == access.array && part.to_device == to_device;
                let parts: Vec<Part<'_>> = parts(&facts.walked.leaves).filter(wanted).collect();
                let (from, to) = ((source, access), (sink, read));
                let Some(points) = stale(from, to, &flow.relation.0, &transfers, (&parts, buffers))? else {
                    continue;
                };
                let points = points.intersect_params(within_arrays(facts.sections.model)?)?;
                if !points.is_empty()? {
                    messages.push(facts.message(sink, Fault::Untransferred(flow.sink), points)?);
                }
            }
        }
    }
    Ok(messages)
}
