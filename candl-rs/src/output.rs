//! Output dependences: from a write to the next writes of the element.

use polyhedra::Result;
use polyhedra::last::Last;

use crate::dataflow::Dataflow;

/// From every write to the writes after it, up to and including the first that certainly happens; the
/// transitive closure has all pairs, as for [`crate::anti`].
pub fn output(dataflow: &Dataflow<'_>) -> Result<Last> {
    let writes = dataflow.accesses.writes()?;
    dataflow.compute(&writes, &writes)
}
