//! Anti dependences: from a read to the next writes of the same element.

use polyhedra::Result;
use scop::Dependence;

use crate::dataflow::Dataflow;

/// Returns the pairs of a read and the writes after it, up to and including the first one that certainly happens.
///
/// Later writes are ordered after that one by output dependences. The transitive closure of anti and output
/// dependences therefore contains every pair of a read and a later write of the element. Storing all pairs would
/// express the same in much larger relations.
pub fn anti(dataflow: &Dataflow<'_>) -> Result<Vec<Dependence>> {
    let accesses = &dataflow.accesses;
    let last = dataflow.compute(&accesses.writes()?, &accesses.reads)?;
    dataflow.dependences(last.dependences.copy()?)
}
