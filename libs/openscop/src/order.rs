//! The order that the scatterings of a text give.

use polyhedra::Text;
use scop::IslSchedule;

use crate::error::{OpenScopError, Result};
use crate::file::{Block, RelationKind};
use crate::statement::one;
use crate::tree::{self, Scattered};

/// Returns the schedule tree of some scatterings.
pub fn order(block: &Block, scattered: &[Scattered]) -> Result<IslSchedule> {
    for (statement, scattered) in block.statements.iter().zip(scattered) {
        let at = one(statement, RelationKind::Scattering)?.at;
        if !scattered.is_function().map_err(|error| OpenScopError::isl(at, &error))? {
            let message = "this SCATTERING does not give every instance of the statement exactly one time";
            return Err(OpenScopError::meaning(at, message));
        }
    }
    let tree = tree::schedule(scattered).and_then(|tree| tree.text());
    tree.map(IslSchedule).map_err(|error| OpenScopError::isl(block.at, &error))
}
