//! Sets of elements of an array.

use polyhedra::{DimType, Result, Set, Simplify, Text, UnionSet};
use scop::{Access, Array, LiveAccess};

use crate::kernel::view::names;

/// Returns the empty set of an array's elements, in their space.
pub fn no_elements(array: &Array) -> Result<Set> {
    Set::parse(&format!("{{ {}[{}] : false }}", array.id, names("x", array.extents.len() as u32)))
}

/// Returns the elements of an array that some accesses touch and that `live` lists for these accesses: those with
/// values from before the region, or those with values for the code after it.
pub fn live_elements(live: &[LiveAccess], accesses: &[&Access], array: &Array) -> Result<Set> {
    let mut all = no_elements(array)?;
    for item in live.iter().filter(|item| accesses.iter().any(|access| access.id == item.access)) {
        let space = all.get_space()?;
        all = all.union(UnionSet::parse(&item.elements.0)?.extract_set(space)?)?;
    }
    all.simplified()
}

/// True if no part of a set has as many dimensions as the array, as for corners and edges.
///
/// # Errors
/// Returns isl's error if an isl operation fails.
pub fn is_thin(elements: &Set) -> Result<bool> {
    let dimensions = elements.dim(DimType::Set)? as u32;
    let parts = elements.get_basic_set_list()?;
    for position in 0..parts.size()? {
        let equalities = parts.get_at(position)?.affine_hull()?.get_constraint_list()?;
        let mut is_flat = false;
        for equality in 0..equalities.size()? {
            is_flat |= equalities.get_at(equality)?.involves_dims(DimType::Set, 0, dimensions)?;
        }
        if !is_flat {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_and_edges_are_thin() {
        let cases = [
            ("[n] -> { A0[i, j] : i = 0 and (j = 0 or j = n - 1) }", true),
            ("[n] -> { A0[i, j] : j = n and 0 <= i < n }", true),
            ("[n] -> { A0[i, j] : 0 <= i < n and 0 <= j <= i }", false),
            ("[n] -> { A0[i, j] : j = 0 or 0 <= i, j < n }", false),
            ("[n] -> { A0[i, j] : n = 3 and 0 <= i, j < n }", false),
            ("{ A0[i, j] : false }", true),
        ];
        for (text, expected) in cases {
            assert_eq!(is_thin(&Set::parse(text).unwrap()).unwrap(), expected, "{text}");
        }
    }
}
