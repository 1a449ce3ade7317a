//! What is known about the sizes of a region.

use std::collections::BTreeMap;

use polyhedra::{Result, Set};
use scop::{ArrayId, Model};

use super::assumed::Assumed;

/// What is known about the sizes of a region.
pub struct Places {
    /// The values of the parameters, as a set.
    pub context: Set,
    arrays: BTreeMap<ArrayId, (f64, f64)>,
}

impl Places {
    /// Gathers the sizes of the arrays of a region, for assumed values of its parameters.
    pub fn new(model: &Model, assumed: &Assumed) -> Result<Self> {
        let mut arrays = BTreeMap::new();
        for array in &model.arrays {
            let element = f64::from(array.element.size());
            let extents = assumed.extents(array)?;
            let elements = extents.iter().copied().map(|extent| extent.unwrap_or(f64::INFINITY));
            arrays.insert(array.id, (element, element * elements.product::<f64>()));
        }
        Ok(Self { context: assumed.context()?, arrays })
    }

    /// Returns the bytes of an element.
    pub fn bytes(&self, array: ArrayId) -> f64 {
        self.arrays.get(&array).map_or(8.0, |(element, _)| *element)
    }

    /// Returns the bytes of an array; infinite if they are unknown.
    pub fn array_bytes(&self, array: ArrayId) -> f64 {
        self.arrays.get(&array).map_or(f64::INFINITY, |(_, all)| *all)
    }
}
