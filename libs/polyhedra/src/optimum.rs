//! Reliable lexicographic optima.
//!
//! `lexmax` of isl 0.27 returns the *first* element of some sets with integer divisions, such as the range of `{
//! S0[i] -> A0[2i, j] : i - 2 <= 2j < i }` for `2 <= i < n`. Each result is therefore checked, and if it is wrong,
//! the optimum is computed again from another description of the set.
//!
//! For other sets isl fails: where it takes a dimension for a remainder, the dividend may contain another dimension
//! of the range ("affine expression involves some of the domain dimensions"). It does not search for remainders if
//! the range has one dimension.

use isl_rs::{DimType, Map, Set};

use crate::{Error, Result, Text};

/// The end at which an optimum is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The lexicographically smallest element.
    First,
    /// The lexicographically largest element.
    Last,
}

/// Returns the first or last element to which a relation leads from each point of its domain.
///
/// # Errors
/// Fails if isl does not find it, or there is none.
pub fn optimum(map: &Map, end: End) -> Result<Map> {
    let words: [fn(&Map) -> Result<Map>; 3] =
        [|map| Ok(map.copy()?), |map| Ok(map.copy()?.remove_redundancies()?), |map| Map::parse(&map.text()?)];
    for word in words {
        let found = unchecked_optimum(&word(map)?, end)?;
        if is_optimum(map, &found, end)? {
            return Ok(found);
        }
    }
    Err(Error::new("isl finds no first or last element"))
}

/// Returns what isl takes for the first or last elements, for callers that accept any element.
///
/// # Errors
/// Fails if isl does not find one.
pub fn unchecked_optimum(map: &Map, end: End) -> Result<Map> {
    match of_isl(map.copy()?, end) {
        Err(error) if !error.is_limit() && !map.range_is_wrapping()? => one_by_one(map, end),
        found => found,
    }
}

fn of_isl(map: Map, end: End) -> Result<Map> {
    Ok(match end {
        End::First => map.lexmin()?,
        End::Last => map.lexmax()?,
    })
}

/// Computes the optimum of one dimension after the other, with the dimensions before it fixed.
fn one_by_one(map: &Map, end: End) -> Result<Map> {
    let dimensions = map.dim(DimType::Out)? as u32;
    let mut left = map.copy()?;
    for position in 0..dimensions {
        let after = dimensions - position - 1;
        let alone = left.copy()?.project_out(DimType::Out, position + 1, after)?;
        let best = of_isl(alone.project_out(DimType::Out, 0, position)?, end)?;
        let best = best.insert_dims(DimType::Out, 0, position)?;
        let mut best = best.insert_dims(DimType::Out, position + 1, after)?;
        if left.has_tuple_id(DimType::Out)? {
            best = best.set_tuple_id(DimType::Out, left.get_tuple_id(DimType::Out)?)?;
        }
        left = left.intersect(best)?;
    }
    Ok(left)
}

/// Returns the first or last element of a set, for each value of the parameters.
///
/// # Errors
/// Fails as [`optimum`] does.
pub fn optimum_of_set(set: &Set, end: End) -> Result<Set> {
    Ok(optimum(&Map::from_range(set.copy()?)?, end)?.range()?)
}

fn is_optimum(map: &Map, found: &Map, end: End) -> Result<bool> {
    if !map.copy()?.domain()?.is_subset(&found.copy()?.domain()?)? || !found.is_subset(map)? {
        return Ok(false);
    }
    let space = map.copy()?.range()?.get_space()?;
    let beyond = match end {
        End::First => Map::lex_gt(space)?,
        End::Last => Map::lex_lt(space)?,
    };
    let others = found.copy()?.reverse()?.apply_range(map.copy()?)?;
    Ok(others.intersect(beyond)?.is_empty()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a set of which isl finds the wrong end.
    fn strided() -> Set {
        let relation = Map::parse("[n] -> { S0[i] -> A0[2i, j] : -2 + i <= 2j < i }").unwrap();
        let domain = Set::parse("[n] -> { S0[i] : 2 <= i < n }").unwrap();
        relation.intersect_domain(domain).unwrap().range().unwrap()
    }

    #[test]
    fn both_ends_are_found() {
        let cases = [
            (End::First, "[n] -> { A0[4, 0] : n >= 3 }"),
            (End::Last, "[n] -> { A0[2n - 2, j] : n >= 3 and -3 + n <= 2j <= -2 + n }"),
        ];
        for (end, expected) in cases {
            let found = optimum_of_set(&strided(), end).unwrap();
            assert!(
                found.is_equal(&Set::parse(expected).unwrap()).unwrap(),
                "{end:?}: {}",
                found.text().unwrap()
            );
        }
    }

    #[test]
    fn one_dimension_after_the_other_is_the_same() {
        for map in [
            "[n] -> { A[i] -> B[j, k] : 0 <= j < n and i <= j + 2k <= n }",
            "{ [i] -> [j, 3j - i] : i <= 2j < 9 }",
        ] {
            let map = Map::parse(map).unwrap();
            let found = one_by_one(&map, End::First).unwrap();
            assert!(found.is_equal(&map.lexmin().unwrap()).unwrap(), "{}", found.text().unwrap());
        }
    }

    #[test]
    fn the_last_elements_are_found_one_by_one() {
        let map = Map::parse("[n] -> { A[i] -> B[j, k] : 0 <= j < n and i <= j + 2k <= n }").unwrap();
        let found = one_by_one(&map, End::Last).unwrap();
        assert!(found.is_equal(&map.lexmax().unwrap()).unwrap(), "{}", found.text().unwrap());
    }

    /// A first element has to exist for each point, be an element of the relation, and have no element before it.
    #[test]
    fn what_is_no_element_is_noticed() {
        let map = Map::parse("{ [i] -> [j, k] : 0 <= i <= 4 and i <= j <= 9 and 0 <= k <= j }").unwrap();
        for (found, is_first) in [
            ("{ [i] -> [i, 0] : 0 <= i <= 4 }", true),
            ("{ [i] -> [i, 0] : 1 <= i <= 4 }", false),
            ("{ [i] -> [i - 1, 0] : 0 <= i <= 4 }", false),
            ("{ [i] -> [i + 1, 0] : 0 <= i <= 4 }", false),
            ("{ [i] -> [j, 0] : 0 <= i <= 4 and i <= j <= i + 1 }", false),
        ] {
            let first = Map::parse(found).unwrap();
            assert_eq!(is_optimum(&map, &first, End::First).unwrap(), is_first, "{found}");
        }
        assert!(
            is_optimum(&map, &Map::parse("{ [i] -> [9, 9] : 0 <= i <= 4 }").unwrap(), End::Last).unwrap()
        );
    }

    #[test]
    fn the_wrong_end_is_noticed() {
        let set = Map::from_range(strided()).unwrap();
        let first = Map::from_range(Set::parse("[n] -> { A0[4, 0] : n >= 3 }").unwrap()).unwrap();
        assert!(is_optimum(&set, &first, End::First).unwrap());
        assert!(!is_optimum(&set, &first, End::Last).unwrap());
    }
}
