//! The parameters for which the source stays within its arrays.
//!
//! For other parameters the source has no meaning, and the program may do anything: a loop of `n` steps over
//! `double a[1000]` says nothing about `n = 1001`.

use polyhedra::{DimType, LocalSpace, Map, PwAff, Result, Set, Text};
use scop::{Array, Certainty, Model};

/// Returns the parameters in the context for which no certain access leaves its array.
pub fn within_arrays(model: &Model) -> Result<Set> {
    let mut within = Set::parse(&model.context.0)?;
    for statement in &model.statements {
        let domain = Set::parse(&statement.domain.0)?;
        for access in statement.accesses.iter().filter(|access| access.certainty == Certainty::Must) {
            let array = model.array(access.array)?;
            let touched = Map::parse(&access.relation.0)?.intersect_domain(domain.copy()?)?.range()?;
            let outside = touched.copy()?.subtract(elements(array, &touched)?)?;
            within = within.subtract(outside.params()?)?;
        }
    }
    Ok(within)
}

/// Returns the elements of an array, as far as its extents are known, in the space of some of them.
fn elements(array: &Array, some: &Set) -> Result<Set> {
    let mut elements = Set::universe(some.get_space()?)?;
    for (position, extent) in array.extents.iter().enumerate() {
        let Some(extent) = &extent.value else { continue };
        let space = LocalSpace::from_space(some.get_space()?)?;
        let index = PwAff::var_on_domain(space, DimType::Set, position as u32)?;
        let extent = PwAff::parse(&extent.0)?.insert_domain(some.get_space()?)?;
        elements = elements.intersect(index.copy()?.nonneg_set()?)?.intersect(index.lt_set(extent)?)?;
    }
    Ok(elements)
}
