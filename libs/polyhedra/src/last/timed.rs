//! Accesses and their times.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::{DimType, Error, Map, Result, Space, UnionMap, integer, maps_of};

/// The accesses of one tag to one array.
pub struct Timed<'a> {
    /// The name of the array.
    pub array: String,
    /// `{ [S0[i] -> a1[]] -> A0[x] }`
    pub elements: Map,
    /// The value of each subscript that is the same in all instances.
    fixed: Vec<Option<i64>>,
    /// When they happen.
    pub time: &'a Time,
}

impl<'a> Timed<'a> {
    /// Returns the accesses of each map of a union `{ [S0[i] -> a1[]] -> A0[x] }`.
    pub fn all(union: &UnionMap, times: &'a Times) -> Result<Vec<Self>> {
        let timed = |elements: Map| {
            let tag = tag_name(elements.get_space()?.domain()?)?;
            let array = elements.get_tuple_name(DimType::Out)?.to_owned();
            let time = times.of(&tag)?;
            let fixed = fixed(&elements)?;
            Ok(Self { array, elements, fixed, time })
        };
        maps_of(union)?.into_iter().map(timed).collect()
    }
}

impl Timed<'_> {
    /// True if it is obvious that the two accesses have no element in common.
    pub fn is_elsewhere(&self, other: &Self) -> bool {
        let mut subscripts = self.fixed.iter().zip(&other.fixed);
        self.array != other.array
            || subscripts.any(|(own, others)| own.zip(*others).is_some_and(|(own, others)| own != others))
    }
}

fn fixed(elements: &Map) -> Result<Vec<Option<i64>>> {
    let fixed = |position| {
        let value = elements.plain_get_val_if_fixed(DimType::Out, position)?;
        Ok(if value.is_nan()? { None } else { Some(integer(&value)?) })
    };
    (0..elements.dim(DimType::Out)? as u32).map(fixed).collect()
}

/// When the instances of an access happen.
pub struct Time {
    /// `{ [S0[i] -> a1[]] -> [t] }`
    pub map: Map,
    /// The coordinates before the first that differs between instances; they identify the nest within the region.
    pub nest: Vec<i64>,
}

impl Time {
    fn new(map: Map) -> Result<Self> {
        let mut nest = Vec::new();
        for position in 0..map.dim(DimType::Out)? as u32 {
            let value = map.plain_get_val_if_fixed(DimType::Out, position)?;
            if value.is_nan()? {
                break;
            }
            nest.push(integer(&value)?);
        }
        Ok(Self { map, nest })
    }

    /// Returns whether all instances come before or after all instances of another access; nothing if that depends
    /// on the instances.
    pub fn of_nest(&self, other: &Self) -> Option<Ordering> {
        let differing = self.nest.iter().zip(&other.nest).find(|(own, others)| own != others);
        differing.map(|(own, others)| own.cmp(others))
    }
}

/// The time of each access, by the name of its tag.
pub struct Times(BTreeMap<String, Time>);

impl Times {
    /// Reads `{ [S0[i] -> a1[]] -> [t] }`.
    pub fn new(times: &UnionMap) -> Result<Self> {
        let timed = |map: Map| Ok((tag_name(map.get_space()?.domain()?)?, Time::new(map)?));
        Ok(Self(maps_of(times)?.into_iter().map(timed).collect::<Result<_>>()?))
    }

    fn of(&self, tag: &str) -> Result<&Time> {
        self.0.get(tag).ok_or_else(|| Error::new(format!("it is not known when {tag} happens")))
    }
}

/// `a1` of `[S0[i] -> a1[]]`.
fn tag_name(space: Space) -> Result<String> {
    Ok(space.unwrap()?.get_tuple_name(DimType::Out)?.to_owned())
}
