//! Comparisons of points and of paths.

use polyhedra::{DimType, Map, Result, Set};

use super::leaf::{Leaf, Step};

/// Returns the number of leading steps that two paths share.
pub fn common(first: &[Step], second: &[Step]) -> usize {
    first.iter().zip(second).take_while(|(first, second)| first == second).count()
}

/// True if the paths diverge at two children of a block, and the first path's child comes first in the text.
pub fn is_before(first: &[Step], second: &[Step]) -> bool {
    let steps = common(first, second);
    let children = (first.get(steps), second.get(steps));
    matches!(children, (Some(Step::Child(first)), Some(Step::Child(second))) if first < second)
}

/// Extends a set of values of the leading dimensions to all dimensions of a leaf.
pub fn extended(prefixes: Set, leaf: &Leaf<'_>) -> Result<Set> {
    extended_to(prefixes, leaf.names.len())
}

/// Extends a set of values of the leading dimensions to `dimensions` dimensions.
pub fn extended_to(prefixes: Set, dimensions: usize) -> Result<Set> {
    let known = prefixes.dim(DimType::Set)?;
    Ok(prefixes.add_dims(DimType::Set, dimensions as u32 - known as u32)?)
}

/// Which of two points comes first in a dimension.
#[derive(Debug, Clone, Copy)]
pub enum Order {
    /// The first does.
    Before,
    /// The second does.
    After,
}

/// Returns the pairs whose first point comes before (or after) the second in a dimension.
pub fn compare(points: &Map, dimension: usize, order: Order) -> Result<Map> {
    let (points, dimension) = (points.copy()?, dimension as i32);
    Ok(match order {
        Order::Before => points.order_lt(DimType::In, dimension, DimType::Out, dimension)?,
        Order::After => points.order_gt(DimType::In, dimension, DimType::Out, dimension)?,
    })
}

/// Returns the pairs that agree in a dimension.
pub fn equal(points: Map, dimension: usize) -> Result<Map> {
    Ok(points.equate(DimType::In, dimension as i32, DimType::Out, dimension as i32)?)
}

/// Returns the pairs that differ in a dimension, in up to two non-empty parts, one for each [`Order`].
pub fn apart(points: &Map, dimension: usize) -> Result<Vec<Map>> {
    let mut parts = Vec::new();
    for order in [Order::Before, Order::After] {
        let part = compare(points, dimension, order)?;
        if !part.is_empty()? {
            parts.push(part);
        }
    }
    Ok(parts)
}
