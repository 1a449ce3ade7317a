//! Keeps elements in shared memory from one step of a tile loop to the next (PoCC-GPU, section 5.1).
//!
//! Let D(t) be the elements in the buffer in step t of the innermost sequential tile loop. Only D(t) - D(t - 1) is
//! copied in; the rest is already there. The paper moves kept elements to new positions, in a parallel assignment.
//! Here nothing moves, because an element's place does not depend on t: it is the element's index modulo a size that
//! is large enough for D(t). The elements of one step therefore have different places, and the barrier at the end of
//! a step prevents new elements from overwriting elements that are still read.

use polyhedra::{DimType, Map, PwAff, PwMultiAff, Result, Simplify, Text, Val, context, integer};

use crate::index::staged::Staged;
use crate::kernel::view::names;

/// A buffer whose elements keep their places.
pub struct Steps {
    /// The sizes of its dimensions.
    pub sizes: Vec<u32>,
    /// The place of an element: `{ [[h] -> A[x]] -> A[x mod m] }`.
    pub place: PwMultiAff,
    /// The elements that are copied before each step.
    pub copy_in: Map,
    /// The order of the copies: the elements that are copied in each step but the first begin at 0.
    pub order: PwMultiAff,
    /// True if some index is taken modulo the size; otherwise the box does not move.
    pub turns: bool,
    retained: u64,
}

impl Steps {
    /// Returns the number of elements that are kept from one step to the next, away from the borders.
    pub fn retained(&self) -> u64 {
        self.retained
    }
}

/// Decides how elements are kept. That is possible if the kernel has a sequential tile loop, the box moves by a
/// constant distance in each step, and the steps follow each other without gaps.
pub fn steps(staged: &Staged<'_>, copy_in: &Map) -> Result<Option<Steps>> {
    let view = staged.view;
    if view.tile_depth <= view.block_depth {
        return Ok(None);
    }
    let tiles = staged.touched.copy()?.domain()?.simplified()?;
    if tiles.n_basic_set()? != 1 || !copy_in.copy()?.domain()?.is_subset(&tiles)? {
        return Ok(None);
    }
    let next = next_step(view.tile_depth)?;
    if tiles.copy()?.apply(next.copy()?)?.intersect(tiles)?.is_empty()? {
        return Ok(None);
    }
    let Some(distances) = distances(staged, &next)? else { return Ok(None) };
    let sizes = &staged.bounding_box.sizes;
    let retained = sizes
        .iter()
        .zip(&distances)
        .map(|(&size, &distance)| u64::from(size).saturating_sub(distance.unsigned_abs()))
        .product();
    if retained == 0 {
        return Ok(None);
    }
    let fresh = fresh(copy_in, next)?;
    let mut place = staged.bounding_box.place(staged.boxed)?;
    let mut order = place.copy()?;
    let mut ring = Vec::new();
    for (position, (&size, &distance)) in sizes.iter().zip(&distances).enumerate() {
        let size = if distance == 0 { size } else { turning_size(staged, size) };
        if distance != 0 {
            let index = element(staged, position)?.mod_val(Val::int_from_si(context(), size.into())?)?;
            place = place.set_pw_aff(position as u32, index)?;
        }
        if distance > 0 {
            let first = Val::int_from_si(context(), distance - i64::from(sizes[position]))?;
            let index = order.get_at(position as i32)?.add_constant_val(first)?;
            order = order.set_pw_aff(position as u32, index)?;
        }
        ring.push(size);
    }
    let turns = distances.iter().any(|distance| *distance != 0);
    Ok(Some(Steps { sizes: ring, place, copy_in: fresh, order, turns, retained }))
}

/// Returns the elements D(t) - D(t - 1).
fn fresh(elements: &Map, next: Map) -> Result<Map> {
    let before = elements.copy()?.apply_domain(next)?;
    elements.copy()?.subtract(before)?.simplified()
}

/// Returns the map `{ [h0, h1] -> [h0, h1 + 1] }`.
fn next_step(depth: u32) -> Result<Map> {
    let all = names("h", depth);
    Map::parse(&format!("{{ [{all}] -> [{all} + 1] }}"))
}

/// Returns the distance by which the box moves in each step, for each dimension, if it is constant.
fn distances(staged: &Staged<'_>, next: &Map) -> Result<Option<Vec<i64>>> {
    let here = staged.bounding_box.offset()?;
    let there = here.copy()?.pullback_pw_multi_aff(PwMultiAff::from_map(next.copy()?)?)?;
    let mut distances = Vec::new();
    for position in 0..here.dim(DimType::Out)? {
        let difference = there.get_at(position)?.sub(here.get_at(position)?)?.simplified()?;
        if !difference.isa_aff()? {
            return Ok(None);
        }
        let difference = difference.as_aff()?;
        if !difference.is_cst()? {
            return Ok(None);
        }
        let value = difference.get_constant_val()?;
        distances.push(integer(&value)?);
    }
    Ok(Some(distances))
}

/// Rounds a size up to a power of two, so that remainders cost nothing, unless that wastes too much of the memory.
fn turning_size(staged: &Staged<'_>, size: u32) -> u32 {
    let rounded = size.checked_next_power_of_two().unwrap_or(size);
    let others = staged.bounding_box.elements() / u64::from(size.max(1));
    let bytes = others.saturating_mul(rounded.into()).saturating_mul(staged.bytes.into());
    if bytes <= staged.budget / 4 { rounded } else { size }
}

/// Returns an index of an element: `{ [[h] -> A[x]] -> [x_k] }`.
fn element(staged: &Staged<'_>, position: usize) -> Result<PwAff> {
    let universe = Map::universe(staged.boxed.get_space()?)?;
    Ok(PwMultiAff::from_map(universe.range_map()?)?.get_at(position as i32)?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use polyhedra::points_of;
    use proptest::prelude::*;

    use super::*;
    use crate::random_cases;

    /// Returns the pairs of a step and an element.
    fn pairs(relation: &Map) -> BTreeSet<(i64, i64)> {
        let set = relation.copy().unwrap().wrap().unwrap().flatten().unwrap();
        let points = points_of(&set, 10_000).unwrap().unwrap();
        points.into_iter().map(|point| (point[0], point[1])).collect()
    }

    proptest! {
        #![proptest_config(random_cases(64))]

        /// The elements that are copied before a step and those that are kept from the previous step are the elements
        /// that the step needs, and they have different places.
        #[test]
        fn what_stays_and_what_comes_is_what_a_step_needs(
            steps in 1i64..6, distance in -5i64..6, size in 1i64..9, stride in 1i64..3, wasted in 0i64..3
        ) {
            let text = format!(
                "{{ [t] -> A0[x] : 0 <= t < {steps} and {distance} t <= x < {distance} t + {size} and x mod {stride} = 0 }}"
            );
            let needed = Map::parse(&text).unwrap();
            let copied = pairs(&fresh(&needed, next_step(1).unwrap()).unwrap());
            let needed = pairs(&needed);
            let of = |pairs: &BTreeSet<(i64, i64)>, step: i64| -> BTreeSet<i64> {
                pairs.iter().filter(|(t, _)| *t == step).map(|(_, x)| *x).collect()
            };
            let mut there = BTreeSet::new();
            for step in 0..steps {
                let (needs, comes) = (of(&needed, step), of(&copied, step));
                let stays: BTreeSet<i64> = needs.intersection(&there).copied().collect();
                prop_assert!(stays.is_disjoint(&comes));
                there = stays.union(&comes).copied().collect();
                prop_assert_eq!(&there, &needs);
                let places: BTreeSet<i64> = there.iter().map(|x| x.rem_euclid(size + wasted)).collect();
                prop_assert_eq!(places.len(), there.len());
            }
        }
    }
}
