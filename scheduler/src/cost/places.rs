//! What is known about the sizes of a region.

use std::collections::BTreeMap;

use polyhedra::{Result, Set};
use scop::{ArrayId, Model};

use super::assumed::Assumed;

/// What is known about the sizes of a region.
pub struct Places {
    /// The values of the parameters, as a set.
    pub context: Set,
    arrays: BTreeMap<ArrayId, (f64, Vec<f64>)>,
}

impl Places {
    /// Gathers the sizes of the arrays of a region, for assumed values of its parameters.
    pub fn new(model: &Model, assumed: &Assumed) -> Result<Self> {
        let mut arrays = BTreeMap::new();
        for array in &model.arrays {
            let element = f64::from(array.element.size());
            let extents = assumed.extents(array)?;
            let lengths = extents.into_iter().map(|extent| extent.unwrap_or(f64::INFINITY)).collect();
            arrays.insert(array.id, (element, lengths));
        }
        Ok(Self { context: assumed.context()?, arrays })
    }

    /// Returns the bytes of an element.
    pub fn bytes(&self, array: ArrayId) -> f64 {
        self.arrays.get(&array).map_or(8.0, |(element, _)| *element)
    }

    /// Returns the elements of an array along each dimension; infinite where that is unknown.
    pub fn lengths(&self, array: ArrayId) -> Vec<f64> {
        self.arrays.get(&array).map_or_else(Vec::new, |(_, lengths)| lengths.clone())
    }

    /// Returns the bytes of an array; infinite if they are unknown.
    pub fn array_bytes(&self, array: ArrayId) -> f64 {
        let bytes = |(element, lengths): &(f64, Vec<f64>)| element * lengths.iter().product::<f64>();
        self.arrays.get(&array).map_or(f64::INFINITY, bytes)
    }
}
