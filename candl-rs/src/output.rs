//! Output dependences: from a write to the next writes of the element.

use polyhedra::Result;
use scop::Dependence;

use crate::dataflow::{Dataflow, Sources};

/// From every write to the writes behind it, up to and including the first that certainly happens; the
/// transitive closure has all pairs, as for [`crate::anti`].
pub fn output(dataflow: &Dataflow<'_>) -> Result<Vec<Dependence>> {
    let accesses = &dataflow.accesses;
    let writes = accesses.must_writes.copy()?.union(accesses.may_writes.copy()?)?;
    let flow = dataflow.compute(&writes, Sources::Writes)?;
    dataflow.dependences(flow.get_may_dependence()?)
}
