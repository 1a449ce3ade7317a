//! Accesses and when they happen.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::{DimType, Error, Map, Result, Space, UnionMap, integer, maps_of};

/// The accesses of one tag to one array.
pub struct Timed<'a> {
    /// The name of the array.
    pub array: String,
    /// `{ [S0[i] -> a1[]] -> A0[x] }`
    pub elements: Map,
    /// The subscripts that are the same in all instances.
    fixed: Vec<Option<i64>>,
    /// When they happen.
    pub time: &'a Time,
}

impl<'a> Timed<'a> {
    /// Each map of a union `{ [S0[i] -> a1[]] -> A0[x] }`.
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
    /// True if it is seen at once that no element is one of another access.
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
    /// The coordinates before the first that differs from instance to instance: which nest of the region it is.
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

    /// Whether all instances come before all of another access, or after them; nothing if that is a question for the
    /// instances.
    pub fn of_nest(&self, other: &Self) -> Option<Ordering> {
        let differing = self.nest.iter().zip(&other.nest).find(|(own, others)| own != others);
        differing.map(|(own, others)| own.cmp(others))
    }
}

/// When each access happens, by the name of its tag.
pub struct Times(BTreeMap<String, Time>);

impl Times {
    /// Reads `{ [S0[i] -> a1[]] -> [t] }`.
    pub fn new(times: &UnionMap) -> Result<Self> {
        let timed = |map: Map| Ok((tag_name(map.get_space()?.domain()?)?, Time::new(map)?));
        Ok(Self(maps_of(times)?.into_iter().map(timed).collect::<Result<_>>()?))
    }

    fn of(&self, tag: &str) -> Result<&Time> {
        self.0.get(tag).ok_or_else(|| Error::new(format!("nobody says when {tag} happens")))
    }
}

/// `a1` of `[S0[i] -> a1[]]`.
fn tag_name(space: Space) -> Result<String> {
    Ok(space.unwrap()?.get_tuple_name(DimType::Out)?.to_owned())
}
