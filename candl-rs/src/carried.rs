//! Which loops carry a dependence.

use polyhedra::{DimType, Map, Result};

/// Returns the positions of those of the `shared` outermost loops that carry pairs of a relation between instances:
/// the two instances differ in the iteration of this loop and agree in those of its outer loops.
pub fn carried(pairs: Map, shared: usize) -> Result<Vec<usize>> {
    let mut carried = Vec::new();
    let mut pairs = pairs;
    for position in 0..shared {
        let same = pairs.copy()?.equate(DimType::In, position as i32, DimType::Out, position as i32)?;
        if !pairs.is_subset(&same)? {
            carried.push(position);
        }
        pairs = same;
    }
    Ok(carried)
}

/// Returns the pairs of a dependence that one loop carries: they differ in its iteration and agree in those of its
/// outer loops.
pub fn carried_at(mut pairs: Map, depth: usize) -> Result<Map> {
    for outer in 0..depth as i32 {
        pairs = pairs.equate(DimType::In, outer, DimType::Out, outer)?;
    }
    let same = pairs.copy()?.equate(DimType::In, depth as i32, DimType::Out, depth as i32)?;
    Ok(pairs.subtract(same)?)
}
