//! Flow dependences: from the last write of an element to the read of its value.

use polyhedra::Result;
use scop::Dependence;

use crate::dataflow::Dataflow;

/// Computes value-based flow dependences (Feautrier's array dataflow analysis). A may write does not hide earlier
/// writes, so a read that it reaches depends on both.
pub fn flow(dataflow: &Dataflow<'_>) -> Result<Vec<Dependence>> {
    dataflow.dependences(dataflow.values.dependences.copy()?)
}
