//! How long the host takes for statements.

use gpu::target::Gpu;
use polyhedra::{Result, Set, Text};
use scop::{Arithmetic, Model, StatementId};

use crate::cost::{Places, count};

/// The operations that a division or a function of the C library stands for.
const LIBRARY_OPERATIONS: u64 = 8;

/// Returns the microseconds that a thread of the host takes for all instances of some statements.
pub fn host_time(
    statements: impl IntoIterator<Item = StatementId>,
    model: &Model,
    places: &Places,
    gpu: &Gpu,
) -> Result<f64> {
    let mut operations = 0.0;
    for id in statements {
        let statement = model.statement(id)?;
        let domain = Set::parse(&statement.domain.0)?
            .intersect_params(places.context.copy()?)?
            .project_out_all_params()?;
        let Arithmetic { fp32, fp64, library } = Arithmetic::of(statement);
        let accesses = statement.accesses.len() as u64;
        let each = (accesses + fp32 + fp64 + LIBRARY_OPERATIONS * library).max(1);
        operations += count(&domain)?.points * each as f64;
    }
    Ok(operations / gpu.rates.host_operations_per_microsecond)
}
