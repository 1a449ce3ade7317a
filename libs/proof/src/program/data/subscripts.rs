//! Checks that subscripts are those that the document requires.

use polyhedra::{DimType, PwAff, PwMultiAff, Result, Set};
use scop::ast::AstExpr;

use crate::program::instances::{Executed, function};

/// Returns the points at which an access does not go where it has to; nothing if there are none.
pub fn misplaced(executed: &Executed<'_>, index: &[AstExpr], expected: PwMultiAff) -> Result<Option<Set>> {
    let expected = executed.at_points(expected)?;
    let actual = function(executed.leaf, index)?;
    for position in 0..index.len() as i32 {
        let difference = actual.get_at(position)?.sub(expected.get_at(position)?)?;
        if is_plainly_zero(&difference)? {
            continue;
        }
        let mut points = difference.non_zero_set()?.intersect(executed.points.copy()?)?;
        for (dimension, name) in executed.leaf.names.iter().enumerate() {
            let parameter = points.find_dim_by_name(DimType::Param, name)?;
            if parameter >= 0 {
                points = points.equate(DimType::Param, parameter, DimType::Set, dimension as i32)?;
                points = points.project_out(DimType::Param, parameter as u32, 1)?;
            }
        }
        if !points.is_empty()? {
            return Ok(Some(points));
        }
    }
    Ok(None)
}

fn is_plainly_zero(value: &PwAff) -> Result<bool> {
    Ok(value.isa_aff()? && value.copy()?.as_aff()?.plain_is_zero()?)
}
