//! The spaces of the sets and relations in a document.

use std::fmt;

use polyhedra::{
    DimType, Map, MultiUnionPwAff, PwAff, PwQPolynomial, Result, Set, Space, Text, UnionMap, UnionPwMultiAff,
    UnionSet,
};

use crate::{Array, Statement};

/// An isl object in one space, or in several spaces with the same parameters.
pub trait HasSpace {
    /// Returns the space.
    fn space(&self) -> Result<Space>;
}

macro_rules! impl_has_space {
    ($($type:ty),* $(,)?) => {$(
        impl HasSpace for $type {
            fn space(&self) -> Result<Space> {
                Ok(self.get_space()?)
            }
        }
    )*};
}

impl_has_space!(Set, Map, PwAff, PwQPolynomial, UnionSet, UnionMap, MultiUnionPwAff, UnionPwMultiAff);

/// Returns the names of an object's parameters, including unused ones.
pub fn parameters(object: &impl HasSpace) -> Result<Vec<String>> {
    let space = object.space()?;
    let count = u32::try_from(space.dim(DimType::Param)?).unwrap_or_default();
    (0..count).map(|position| Ok(space.get_dim_name(DimType::Param, position)?.to_owned())).collect()
}

/// One side of a relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tuple {
    /// The name; none for an anonymous tuple.
    pub name: Option<String>,
    /// The number of dimensions.
    pub dimensions: usize,
}

impl Tuple {
    /// Creates a named tuple.
    pub fn named(name: impl fmt::Display, dimensions: usize) -> Self {
        Self { name: Some(name.to_string()), dimensions }
    }

    /// Creates an anonymous tuple.
    pub fn anonymous(dimensions: usize) -> Self {
        Self { name: None, dimensions }
    }

    /// Returns the tuple of a statement's instances.
    pub fn instances(statement: &Statement) -> Self {
        Self::named(statement.id, statement.depth())
    }

    /// Returns the tuple of an array's elements.
    pub fn elements(array: &Array) -> Self {
        Self::named(array.id, array.extents.len())
    }

    fn of(space: &Space, side: DimType) -> Result<Self> {
        let name = space.has_tuple_name(side)?.then(|| space.get_tuple_name(side).map(str::to_owned));
        let dimensions = usize::try_from(space.dim(side)?).unwrap_or_default();
        Ok(Self { name: name.transpose()?, dimensions })
    }
}

impl fmt::Display for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.as_deref().unwrap_or_default();
        let plural = if self.dimensions == 1 { "" } else { "s" };
        write!(f, "{name}[] with {} dimension{plural}", self.dimensions)
    }
}

/// Returns the tuple of a set.
pub fn set_tuple(set: &Set) -> Result<Tuple> {
    Tuple::of(&set.get_space()?, DimType::Set)
}

/// Returns the tuples on both sides of a relation.
pub fn map_tuples(map: &Map) -> Result<(Tuple, Tuple)> {
    let space = map.get_space()?;
    Ok((Tuple::of(&space, DimType::In)?, Tuple::of(&space, DimType::Out)?))
}

/// Returns the tuple of an expression's domain; anonymous without dimensions if it depends only on parameters.
pub fn domain_tuple(expression: &PwAff) -> Result<Tuple> {
    let space = expression.get_domain_space()?;
    if space.is_params()? { Ok(Tuple::anonymous(0)) } else { Tuple::of(&space, DimType::Set) }
}

/// Returns the tuple of a count's domain; anonymous without dimensions if it depends only on parameters.
pub fn counted_tuple(number: &PwQPolynomial) -> Result<Tuple> {
    let space = number.get_domain_space()?;
    if space.is_params()? { Ok(Tuple::anonymous(0)) } else { Tuple::of(&space, DimType::Set) }
}

/// Returns the two tuples of a relation's domain, if the domain consists of pairs.
pub fn wrapped_tuples(map: &Map) -> Result<Option<(Tuple, Tuple)>> {
    let space = map.get_space()?.domain()?;
    if !space.is_wrapping()? {
        return Ok(None);
    }
    let pair = space.unwrap()?;
    Ok(Some((Tuple::of(&pair, DimType::In)?, Tuple::of(&pair, DimType::Out)?)))
}

/// An isl object that may occur in a document.
pub trait Object: Text + HasSpace {
    /// Its description in messages.
    const KIND: &'static str;
}

impl Object for Set {
    const KIND: &'static str = "a set in one space";
}

impl Object for Map {
    const KIND: &'static str = "a relation between two spaces";
}

impl Object for PwAff {
    const KIND: &'static str = "a quasi-affine expression";
}

impl Object for PwQPolynomial {
    const KIND: &'static str = "a piecewise quasi-polynomial";
}
