//! The elements of an array that are transferred, as a few boxes.
//!
//! One call copies a box of up to three dimensions between host and device. Its elements have the same places as in
//! the slice. For example, of the second array of a stencil only the borders are read. They are a frame, which
//! consists of two boxes for each dimension.

use polyhedra::{Cuboid, DimType, PwAff, Result, Set, Simplify, Text, zero_without};
use scop::{ElementBox, IslPwAff};

/// The largest number of boxes for each dimension: two for a frame, and some for boxes that exist only for some
/// parameters.
const BOXES_PER_DIMENSION: usize = 3;

/// Divides the elements of a set into boxes, for parameters in `known`; returns nothing if that takes more than a few
/// boxes.
///
/// # Errors
/// Returns isl's error if an isl operation fails.
pub fn boxes(elements: &Set, known: &Set) -> Result<Option<Vec<ElementBox<IslPwAff>>>> {
    let elements = elements.copy()?.intersect_params(known.copy()?)?.simplified()?;
    if elements.is_empty()? {
        return Ok(Some(Vec::new()));
    }
    if let Some(one) = one_box(&elements, known)? {
        return Ok(Some(vec![one]));
    }
    if let Some(frame) = frame(&elements)?
        && let Some(boxes) = each(frame, known)?
    {
        return Ok(Some(boxes));
    }
    each(pieces(&elements)?, known)
}

/// Converts some sets to boxes and omits empty ones; returns nothing if one is not a box, or if there are too many.
fn each(sets: Vec<Set>, known: &Set) -> Result<Option<Vec<ElementBox<IslPwAff>>>> {
    let mut boxes = Vec::new();
    for set in sets {
        if set.is_empty()? {
            continue;
        }
        let most = BOXES_PER_DIMENSION * set.dim(DimType::Set)? as usize;
        match one_box(&set, known)? {
            Some(one) if boxes.len() < most => boxes.push(one),
            _ => return Ok(None),
        }
    }
    Ok(Some(boxes))
}

/// Converts a set to a box, if it is one. The box has an extent of zero for known parameters for which the set is
/// empty.
fn one_box(set: &Set, known: &Set) -> Result<Option<ElementBox<IslPwAff>>> {
    let cuboid = Cuboid::around(set)?;
    let sometimes = Set::universe(set.get_space()?)?.intersect_params(set.copy()?.params()?)?;
    if !cuboid.part_of(sometimes)?.is_equal(set)? {
        return Ok(None);
    }
    in_words(cuboid, set, known).map(Some)
}

/// Returns the smallest box that contains a set, or nothing if the set is empty.
///
/// # Errors
/// Returns isl's error if an isl operation fails.
pub fn box_around(set: &Set, known: &Set) -> Result<Option<ElementBox<IslPwAff>>> {
    let set = set.copy()?.intersect_params(known.copy()?)?.simplified()?;
    if set.is_empty()? {
        return Ok(None);
    }
    let universe = Set::universe(set.get_space()?)?.intersect_params(set.copy()?.params()?)?;
    let cuboid = Cuboid::around(&set)?;
    let whole = cuboid.part_of(universe)?;
    in_words(cuboid, &whole, known).map(Some)
}

/// Returns the box of a set. Its outermost extent is zero where the set is empty, even if the functions of `cuboid`
/// are not.
fn in_words(cuboid: Cuboid, set: &Set, known: &Set) -> Result<ElementBox<IslPwAff>> {
    let everywhere = Set::universe(set.get_space()?)?.intersect_params(known.copy()?)?;
    let always = is_defined(&cuboid, known)? && cuboid.part_of(everywhere)?.is_equal(set)?;
    let Cuboid { lower, mut extent } = cuboid;
    if !always && let Some(outermost) = extent.first_mut() {
        *outermost = zero_without(set, outermost.copy()?)?;
    }
    Ok(ElementBox { lower: texts(&lower)?, extent: texts(&extent)? })
}

/// True if the extents are defined for all known parameters. In C, a function has an arbitrary value where it is
/// undefined.
fn is_defined(cuboid: &Cuboid, known: &Set) -> Result<bool> {
    for extent in &cuboid.extent {
        if !known.is_subset(&extent.copy()?.params()?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the elements of some boxes for the known parameters, in the space of `like`.
///
/// # Errors
/// Returns isl's error if an isl operation fails.
pub fn union(boxes: &[ElementBox<IslPwAff>], like: &Set, known: &Set) -> Result<Set> {
    let universe = Set::universe(like.get_space()?)?.intersect_params(known.copy()?)?;
    let mut all = Set::empty(like.get_space()?)?;
    for one in boxes {
        all = all.union(one.part_of(universe.copy()?)?)?;
    }
    all.simplified()
}

fn texts(functions: &[PwAff]) -> Result<Vec<IslPwAff>> {
    functions.iter().map(|function| Ok(IslPwAff(function.text()?))).collect()
}

/// Divides a box with a box-shaped hole into disjoint parts: for each dimension, the parts before and after the hole,
/// within the bounds of the hole in the earlier dimensions. Returns nothing if the set, which is not a box, does not
/// have this shape either.
fn frame(set: &Set) -> Result<Option<Vec<Set>>> {
    let all = Set::universe(set.get_space()?)?.intersect_params(set.copy()?.params()?)?;
    let mut rest = Cuboid::around(set)?.part_of(all)?;
    let hole = rest.copy()?.subtract(set.copy()?)?.simplified()?;
    let Cuboid { lower, extent } = Cuboid::around(&hole)?;
    let mut parts = Vec::new();
    for (position, (lower, extent)) in lower.iter().zip(&extent).enumerate() {
        let position = position as u32;
        let end = lower.copy()?.add(extent.copy()?)?;
        parts.extend(beside(&rest, position, lower, &end)?);
        rest = polyhedra::bounded(rest, position, lower.copy()?, end)?;
    }
    // If the hole is empty for some parameters, its bounds are meaningless there.
    let mut union = Set::empty(set.get_space()?)?;
    for part in &parts {
        if !part.is_disjoint(&union)? {
            return Ok(None);
        }
        union = union.union(part.copy()?)?;
    }
    Ok(if union.is_equal(set)? { Some(parts) } else { None })
}

/// Returns the parts of a set before and after a range of values of one dimension.
fn beside(set: &Set, position: u32, lower: &PwAff, end: &PwAff) -> Result<[Set; 2]> {
    let least = Cuboid::around(set)?;
    let (first, count) = (&least.lower[position as usize], &least.extent[position as usize]);
    let outer_end = first.copy()?.add(count.copy()?)?;
    Ok([
        polyhedra::bounded(set.copy()?, position, first.copy()?, lower.copy()?)?,
        polyhedra::bounded(set.copy()?, position, end.copy()?, outer_end)?,
    ])
}

/// Returns disjoint convex pieces of a set.
fn pieces(set: &Set) -> Result<Vec<Set>> {
    let pieces = set.copy()?.make_disjoint()?.get_basic_set_list()?;
    (0..pieces.size()?).map(|position| Ok(Set::from_basic_set(pieces.get_at(position)?)?)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::random_cases;

    /// Checks that the boxes of a set contain all of its elements, no others, and none twice. Returns the number of
    /// boxes, if the set is a few boxes.
    fn count(text: &str, known: &str) -> Option<usize> {
        let (elements, known) = (Set::parse(text).unwrap(), Set::parse(known).unwrap());
        let boxes = boxes(&elements, &known).unwrap()?;
        let mut seen = Set::empty(elements.get_space().unwrap()).unwrap();
        for one in &boxes {
            let outermost = PwAff::parse(&one.extent[0].0).unwrap();
            assert!(known.is_subset(&outermost.params().unwrap()).unwrap(), "{text}: not for all parameters");
            for function in one.lower.iter().chain(&one.extent) {
                let function = PwAff::parse(&function.0).unwrap();
                let rounded = function.copy().unwrap().floor().unwrap();
                assert!(
                    function.is_equal(&rounded).unwrap(),
                    "{text}: {} is no integer",
                    function.text().unwrap()
                );
            }
            let here = union(std::slice::from_ref(one), &elements, &known).unwrap();
            assert!(here.is_disjoint(&seen).unwrap(), "{text}: {} twice", here.text().unwrap());
            seen = seen.union(here).unwrap();
        }
        let elements = elements.intersect_params(known).unwrap();
        assert!(seen.is_equal(&elements).unwrap(), "{text}: {}", seen.text().unwrap());
        Some(boxes.len())
    }

    #[test]
    fn boxes_are_found() {
        let frame = "0 <= i < n and 0 <= j < m and not (1 <= i < n - 1 and 1 <= j < m - 1)";
        let cube =
            "0 <= i < n and 0 <= j < n and 0 <= k < n and not (2 <= i < n - 1 and 1 <= j < n and 1 <= k < n)";
        let cases = [
            ("[n] -> { A0[i] : n <= i < n }".to_owned(), Some(0)),
            ("[n] -> { A0[i] : 3 <= i < n }".to_owned(), Some(1)),
            ("[n] -> { A0[i] : 0 <= i < n and (i = 0 or i = n - 1) }".to_owned(), Some(2)),
            ("[n] -> { A0[i, j] : 1 <= i < n - 1 and 1 <= j < n - 1 }".to_owned(), Some(1)),
            (format!("[n, m] -> {{ A0[i, j] : n > 2 and m > 2 and {frame} }}"), Some(4)),
            (format!("[n] -> {{ A0[i, j, k] : n > 3 and {cube} }}"), Some(4)),
            (
                "[n] -> { A0[i, j] : 0 <= i < n and 0 <= j < n or n <= i < 2 n and 0 <= j < 2 n }".to_owned(),
                Some(2),
            ),
            ("[n] -> { A0[i, j] : 0 <= j <= i < n }".to_owned(), None),
            ("[n] -> { A0[i, j] : 0 <= i < n and 0 <= j < n and j mod 2 = 0 }".to_owned(), None),
        ];
        for (text, expected) in cases {
            assert_eq!(count(&text, "{ : }"), expected, "{text}");
        }
    }

    /// A triangle and a box with two holes are not frames. Neither is the last set: for `n` = 1 there is no hole, and
    /// the parts before and after it would be the same element.
    #[test]
    fn frames_have_parts_beside_the_hole() {
        for (text, expected) in [
            ("[n] -> { A0[i] : n > 2 and 0 <= i < n and (i < 1 or i > 1) }", Some(2)),
            ("[n] -> { A0[i, j] : n > 3 and 0 <= i, j < n and (i < 1 or i > 2 or j < 1 or j > 2) }", Some(4)),
            ("[n] -> { A0[i, j] : n > 3 and 0 <= i, j < n and (i < 1 or j < 1) }", Some(2)),
            ("[n] -> { A0[i, j] : 0 <= j <= i < n }", None),
            ("[n] -> { A0[i, j] : n > 9 and 0 <= i, j < n and not (i = j = 2) and not (i = j = 4) }", None),
            ("[n] -> { A0[i] : 0 <= i < n and (i = 0 or i = n - 1) }", None),
        ] {
            let parts = frame(&Set::parse(text).unwrap()).unwrap();
            let parts = parts.map(|parts| parts.iter().filter(|part| !part.is_empty().unwrap()).count());
            assert_eq!(parts, expected, "{text}");
        }
    }

    /// If a condition on the parameters decides whether a set has elements, its box is empty where the condition does
    /// not hold. A condition that is known to hold is not checked.
    #[test]
    fn boxes_are_empty_where_there_is_nothing() {
        let text = "[n, t] -> { A0[i] : 0 <= i < n and t > 0 }";
        assert_eq!(count(text, "[t] -> { : }"), Some(1));
        let number = |known: &str| {
            let boxes = boxes(&Set::parse(text).unwrap(), &Set::parse(known).unwrap()).unwrap().unwrap();
            PwAff::parse(&boxes[0].extent[0].0).unwrap().n_piece().unwrap()
        };
        assert_eq!((number("[t] -> { : }"), number("[t] -> { : t > 0 }")), (2, 1));
    }

    /// A function that is defined only where the set has elements is zero elsewhere, not an arbitrary value in C.
    #[test]
    fn boxes_have_extents_for_all_parameters() {
        let one_or_more = "[n] -> { : n > 0 }";
        for text in [
            "[n] -> { A0[i] : i > 0 and 4 - n <= i <= n }",
            "[n] -> { A0[i] : 0 <= i < n and n > 3; A0[7] : n = 2 }",
            "[n] -> { A0[i, j] : 2 <= i < n and 0 <= j < 4 and n > 2; A0[i, j] : i = 3 and 0 <= j < 2 and n = 1 }",
        ] {
            assert!(count(text, one_or_more).is_some(), "{text}");
            let around = box_around(&Set::parse(text).unwrap(), &Set::parse(one_or_more).unwrap());
            let outermost = PwAff::parse(&around.unwrap().unwrap().extent[0].0).unwrap();
            assert!(
                Set::parse(one_or_more).unwrap().is_subset(&outermost.params().unwrap()).unwrap(),
                "{text}"
            );
        }
    }

    /// isl computes with fractions; C rounds them.
    #[test]
    fn boxes_have_whole_numbers() {
        for text in [
            "[n] -> { A0[i] : 3 i = 2 n - 5 }",
            "[n] -> { A0[i, j] : 2 j = n and 0 <= i < n }",
            "[n] -> { A0[i, j] : i >= 0 and 0 <= j <= 1 and exists (e: 2 e >= 2 + i + j and 4 e < 2 n - i + 2 j) }",
        ] {
            assert!(count(text, "{ : }").is_some(), "{text}");
        }
    }

    proptest! {
        #![proptest_config(random_cases(60))]

        #[test]
        fn boxes_are_the_set(
            parts in prop::collection::vec((0i64..4, -2i64..3, 0i64..4, -2i64..3, prop::bool::ANY), 1..4),
        ) {
            let part = |&(i, n, j, m, minus): &(i64, i64, i64, i64, bool)| {
                let sign = if minus { "not " } else { "" };
                format!("{sign}({i} <= i < n + {n} and {j} <= j < m + {m})")
            };
            let (inside, outside): (Vec<_>, Vec<_>) = parts.iter().partition(|part| !part.4);
            let any = inside.iter().map(&part).chain(["0 <= i < n and 0 <= j < m".to_owned()]);
            let any = any.collect::<Vec<_>>().join(" or ");
            let all: Vec<_> = std::iter::once(format!("({any})")).chain(outside.iter().map(part)).collect();
            let text = format!("[n, m] -> {{ A0[i, j] : {} }}", all.join(" and "));
            count(&text, "[n, m] -> { : n > 1 and m > 1 }");
            count(&text, "[n, m] -> { : }");
        }
    }
}
