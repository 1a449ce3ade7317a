//! The leading subscripts of arrays that have a copy for each iteration.

use polyhedra::{DimType, Map, Text};
use scop::{ArrayId, Model};

/// Returns the iterators that are the leading subscripts of an access.
pub fn leading(relation: &str, model: &Model, array: ArrayId) -> Vec<usize> {
    let relation = Map::parse(relation).unwrap();
    let iterators = relation.dim(DimType::In).unwrap();
    let is_subscript = |k: &i32, subscript: i32| {
        let equal = relation.copy().unwrap().equate(DimType::In, *k, DimType::Out, subscript).unwrap();
        relation.is_subset(&equal).unwrap()
    };
    let subscripts = 0..i32::try_from(model.arrays[array.index()].scope_depth).unwrap();
    let iterator = |subscript| (0..iterators).find(|k| is_subscript(k, subscript)).unwrap();
    subscripts.map(|subscript| usize::try_from(iterator(subscript)).unwrap()).collect()
}
