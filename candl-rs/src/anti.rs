//! Anti dependences: from a read to the next writes of the element.

use polyhedra::Result;
use scop::Dependence;

use crate::dataflow::Dataflow;

/// From every read to the writes after it, up to and including the first that certainly happens.
///
/// That is enough: the writes after that one are ordered by output dependences, so the transitive closure of
/// anti and output dependences has every pair of a read and a later write of the element. All pairs would say
/// the same in relations that are much larger.
pub fn anti(dataflow: &Dataflow<'_>) -> Result<Vec<Dependence>> {
    let accesses = &dataflow.accesses;
    let last = dataflow.compute(&accesses.writes()?, &accesses.reads)?;
    dataflow.dependences(last.dependences.copy()?)
}
