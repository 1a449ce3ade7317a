//! Places in the loops of a region.

use polyhedra::{DimType, LocalSpace, PwAff, Set, Simplify, Text, Val, context};

use crate::affine::iterator_values::Values;
use crate::c::ctree::VariableId;
use crate::errors::Result;

/// A place in the loops of a region.
pub struct Point {
    /// The iterators of the loops around it, outermost first.
    pub loops: Vec<VariableId>,
    /// The values of the iterators for which control passes here, in an anonymous space.
    pub domain: Set,
    /// What other iterators are here.
    pub values: Values,
}

impl Point {
    /// Outside all loops.
    pub fn outside() -> Result<Self> {
        Ok(Self::new(Vec::new(), Set::parse("{ [] }")?))
    }

    /// A place where nothing is known of iterators of other loops.
    pub fn new(loops: Vec<VariableId>, domain: Set) -> Self {
        Self { loops, domain, values: Values::default() }
    }

    /// The same place.
    pub fn copy(&self) -> Result<Self> {
        Ok(Self { loops: self.loops.clone(), domain: self.domain.copy()?, values: self.values.copy()? })
    }

    /// The same place where `condition` holds.
    pub fn when(&self, condition: &Set) -> Result<Self> {
        let domain = self.domain.copy()?.intersect(condition.copy()?)?.simplified()?;
        let values = self.values.within(&domain)?;
        Ok(Self { loops: self.loops.clone(), domain, values })
    }

    /// The same place where `condition` does not hold.
    pub fn unless(&self, condition: &Set) -> Result<Self> {
        let domain = self.domain.copy()?.subtract(condition.copy()?)?.simplified()?;
        let values = self.values.within(&domain)?;
        Ok(Self { loops: self.loops.clone(), domain, values })
    }

    /// True if control never passes here.
    pub fn is_nowhere(&self) -> Result<bool> {
        Ok(self.domain.is_empty()?)
    }

    /// The number of loops around it.
    pub fn depth(&self) -> u32 {
        self.loops.len() as u32
    }

    /// All values of the iterators.
    pub fn universe(&self) -> Result<Set> {
        Ok(Set::universe(self.domain.get_space()?)?)
    }

    /// The expression that has this value everywhere.
    pub fn constant(&self, value: i128) -> Result<PwAff> {
        let value = Val::read_from_str(context(), &value.to_string())?;
        Ok(PwAff::val_on_domain(self.universe()?, value)?)
    }

    /// The value of the iterator of a loop around.
    pub fn iterator(&self, position: u32) -> Result<PwAff> {
        let space = LocalSpace::from_space(self.domain.get_space()?)?;
        Ok(PwAff::var_on_domain(space, DimType::Set, position)?)
    }

    /// The value of a parameter.
    pub fn parameter(&self, name: &str) -> Result<PwAff> {
        let value = PwAff::parse(&format!("[{name}] -> {{ [] -> [({name})] }}"))?;
        Ok(value.add_dims(DimType::In, self.depth())?)
    }
}
