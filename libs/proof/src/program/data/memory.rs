//! Checks that the places of buffers are in their memory, and that no two coincide.

use std::collections::BTreeSet;

use polyhedra::polynomial::{pieces_of, values_on};
use polyhedra::{DimType, PwQPolynomial, Result, Set, Text};
use scop::{Buffer, Layout};

use super::users::User;
use crate::program::instances::{function, pulled_back};

/// The maximum number of places of a dense numbering: more than any shared memory has.
const MOST_PLACES: usize = 1 << 17;

/// The memory of a buffer.
pub struct Memory {
    /// Its places, as vectors without a name.
    places: Set,
    /// False if two places coincide, one lies after the end, or there are more than [`MOST_PLACES`].
    pub is_sound: bool,
}

impl Memory {
    /// Returns the memory of a buffer.
    pub fn of(buffer: &Buffer) -> Result<Self> {
        let Layout::Dense { numbering, elements } = &buffer.layout else {
            return Ok(Self { places: box_of(&buffer.sizes)?, is_sound: true });
        };
        let position = PwQPolynomial::parse(&numbering.position.0)?;
        let places = position.copy()?.domain()?;
        let pieces = pieces_of(&position.gist(places.copy()?)?)?;
        let values = values_on(&pieces, &places, MOST_PLACES)?;
        let mut taken = BTreeSet::new();
        let is_sound = values.is_some_and(|values| {
            values.iter().all(|(_, value)| (0..i64::from(*elements)).contains(value) && taken.insert(*value))
        });
        Ok(Self { places: places.reset_tuple_id()?, is_sound })
    }

    /// Returns the points at which a user goes to a place that does not exist.
    pub fn beyond(&self, user: &User<'_>, points: Set) -> Result<Option<Set>> {
        let inside = pulled_back(self.places.copy()?, &function(user.leaf, user.place)?)?;
        let beyond = points.subtract(inside)?;
        Ok(if beyond.is_empty()? { None } else { Some(beyond) })
    }
}

/// `{ [x, y] : 0 <= x < 16 and 0 <= y < 32 }`
fn box_of(sizes: &[u32]) -> Result<Set> {
    let names = polyhedra::numbered("x", sizes.len());
    let mut places = Set::parse(&format!("{{ [{}] }}", names.join(", ")))?;
    for (position, size) in sizes.iter().enumerate() {
        let top = i32::try_from(*size).unwrap_or(i32::MAX) - 1;
        places = places.lower_bound_si(DimType::Set, position as u32, 0)?;
        places = places.upper_bound_si(DimType::Set, position as u32, top)?;
    }
    Ok(places)
}
