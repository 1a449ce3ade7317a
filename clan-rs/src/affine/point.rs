//! Places in the loops of a region.

use polyhedra::{DimType, LocalSpace, PwAff, Set, Simplify, Text, Val, context};

use crate::affine::iterator_values::Values;
use crate::c::ctree::VariableId;
use crate::errors::Result;

/// A place in the loops of a region.
pub struct Point {
    /// The iterators of the loops around it, outermost first.
    pub loops: Vec<VariableId>,
    /// The values of the iterators for which control reaches the place, in an anonymous space.
    pub domain: Set,
    /// What is known about other iterators at the place.
    pub values: Values,
}

impl Point {
    /// Returns the place outside all loops.
    pub fn outside() -> Result<Self> {
        Ok(Self::new(Vec::new(), Set::parse("{ [] }")?))
    }

    /// Creates a place where nothing is known about iterators of other loops.
    pub fn new(loops: Vec<VariableId>, domain: Set) -> Self {
        Self { loops, domain, values: Values::default() }
    }

    /// Returns a copy.
    pub fn copy(&self) -> Result<Self> {
        Ok(Self { loops: self.loops.clone(), domain: self.domain.copy()?, values: self.values.copy()? })
    }

    /// Returns the same place, where `condition` holds.
    pub fn when(&self, condition: &Set) -> Result<Self> {
        let domain = self.domain.copy()?.intersect(condition.copy()?)?.simplified()?;
        let values = self.values.within(&domain)?;
        Ok(Self { loops: self.loops.clone(), domain, values })
    }

    /// Returns the same place, where `condition` does not hold.
    pub fn unless(&self, condition: &Set) -> Result<Self> {
        let domain = self.domain.copy()?.subtract(condition.copy()?)?.simplified()?;
        let values = self.values.within(&domain)?;
        Ok(Self { loops: self.loops.clone(), domain, values })
    }

    /// True if control never reaches the place.
    pub fn is_nowhere(&self) -> Result<bool> {
        Ok(self.domain.is_empty()?)
    }

    /// Returns the number of loops around it.
    pub fn depth(&self) -> u32 {
        self.loops.len() as u32
    }

    /// Returns the set of all values of the iterators.
    pub fn universe(&self) -> Result<Set> {
        Ok(Set::universe(self.domain.get_space()?)?)
    }

    /// Returns the expression that has this value everywhere.
    pub fn constant(&self, value: i128) -> Result<PwAff> {
        let value = Val::read_from_str(context(), &value.to_string())?;
        Ok(PwAff::val_on_domain(self.universe()?, value)?)
    }

    /// Returns the value of the iterator of a loop around the place.
    pub fn iterator(&self, position: u32) -> Result<PwAff> {
        let space = LocalSpace::from_space(self.domain.get_space()?)?;
        Ok(PwAff::var_on_domain(space, DimType::Set, position)?)
    }

    /// Returns the value of a parameter.
    pub fn parameter(&self, name: &str) -> Result<PwAff> {
        let value = PwAff::parse(&format!("[{name}] -> {{ [] -> [({name})] }}"))?;
        Ok(value.add_dims(DimType::In, self.depth())?)
    }
}
