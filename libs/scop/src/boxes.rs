//! Boxes of elements.

use polyhedra::{Cuboid, PwAff, Result, Set, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::IslPwAff;

/// The boxes of elements of an array that are transferred in each direction, no element twice. The numbers in
/// them are functions of the parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Boxes<Number> {
    /// To the device before the region.
    pub to_device: Vec<ElementBox<Number>>,
    /// From the device after the region.
    pub from_device: Vec<ElementBox<Number>>,
}

/// The elements `x` with `lower <= x < lower + extent` in each dimension; empty if an extent is negative or
/// zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ElementBox<Number> {
    /// The first index of each dimension.
    pub lower: Vec<Number>,
    /// The number of indices of each dimension.
    pub extent: Vec<Number>,
}

impl<Number> ElementBox<Number> {
    /// Returns the box with each number translated.
    ///
    /// # Errors
    /// Returns the error of `translate`.
    pub fn try_map<Other>(&self, translate: impl Fn(&Number) -> Result<Other>) -> Result<ElementBox<Other>> {
        Ok(ElementBox {
            lower: self.lower.iter().map(&translate).collect::<Result<_>>()?,
            extent: self.extent.iter().map(&translate).collect::<Result<_>>()?,
        })
    }
}

impl<Number> Boxes<Number> {
    /// Returns the boxes with each number translated.
    ///
    /// # Errors
    /// Returns the error of `translate`.
    pub fn try_map<Other>(&self, translate: impl Fn(&Number) -> Result<Other>) -> Result<Boxes<Other>> {
        let all = |boxes: &[ElementBox<Number>]| {
            boxes.iter().map(|one| one.try_map(&translate)).collect::<Result<Vec<_>>>()
        };
        Ok(Boxes { to_device: all(&self.to_device)?, from_device: all(&self.from_device)? })
    }
}

impl ElementBox<IslPwAff> {
    /// Returns the part of a set that is in the box.
    ///
    /// # Errors
    /// Returns isl's error if an isl operation fails.
    pub fn part_of(&self, elements: Set) -> Result<Set> {
        let parsed = self.try_map(|number| PwAff::parse(&number.0))?;
        Cuboid { lower: parsed.lower, extent: parsed.extent }.part_of(elements)
    }
}
