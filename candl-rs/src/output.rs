//! Output dependences: from a write to the next writes of the same element.

use polyhedra::Result;
use polyhedra::last::Last;

use crate::dataflow::Dataflow;

/// Returns the pairs of a write and the writes after it, up to and including the first one that certainly happens.
/// The transitive closure contains all pairs, as in [`crate::anti`].
pub fn output(dataflow: &Dataflow<'_>) -> Result<Last> {
    let writes = dataflow.accesses.writes()?;
    dataflow.compute(&writes, &writes)
}
