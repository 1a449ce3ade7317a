//! Checks numberings, because libbarvinok 0.41 omits some cases in which a set is flat.
//!
//! A function P numbers the elements of a set C in lexicographic order if it is 0 at the first element and increases
//! by one from each element to the next. isl, which cannot count, proves this for all values of the parameters if the
//! polynomials allow it. Otherwise small values are tried. This is not a proof, but all known wrong cases are those
//! of small sets.

use polyhedra::polynomial::{evaluate, pieces_of};
use polyhedra::{DimType, PwAff, PwQPolynomial, Result, Set, Text, Val, context, points_of, within};
use scop::Numbering;

use crate::counting::numbering::is_zero;
#[cfg(test)]
use crate::counting::numbering::{Numberer, Refusal};

/// The limit on isl operations for a proof.
const OPERATIONS: u64 = 1_000_000;

/// True if a numbering is right, as far as that can be checked.
pub fn is_right(numbering: &Numbering, elements: &Set) -> Result<bool> {
    Ok(within(OPERATIONS, || is_proved(numbering, elements))? == Some(true)
        || is_right_where_small(numbering, elements)?)
}

/// Numbers the elements of a set, from counting to the proof, without asking whether that is worthwhile.
#[cfg(test)]
pub fn number(numberer: &Numberer<'_>, elements: &Set) -> Result<std::result::Result<Numbering, Refusal>> {
    let count = match numberer.count(elements)? {
        Ok(count) => count,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let numbering = match numberer.positions(elements)? {
        Ok(position) => Numbering { position, count },
        Err(refusal) => return Ok(Err(refusal)),
    };
    Ok(match is_right(&numbering, elements)? {
        true => Ok(numbering),
        false => Err(Refusal::wrong()),
    })
}

/// True if isl proves a numbering. If it does not, the numbering may still be right.
fn is_proved(numbering: &Numbering, elements: &Set) -> Result<bool> {
    let space = elements.get_space()?;
    let zero = || {
        Ok::<_, polyhedra::Error>(PwQPolynomial::zero(
            space.copy()?.from_domain()?.add_dims(DimType::Out, 1)?,
        )?)
    };
    let position = zero()?.add(PwQPolynomial::parse(&numbering.position.0)?)?;
    let dimensions = elements.dim(DimType::Set)? as u32;
    let count = PwQPolynomial::parse(&numbering.count.0)?;
    let is_counted_elsewhere = !is_zero(&count.copy()?.subtract_domain(elements.copy()?.params()?)?)?;
    let count =
        count.from_range()?.insert_dims(DimType::In, 0, dimensions)?.reset_domain_space(space.copy()?)?;
    let count = zero()?.add(count)?;
    let (first, last) = (elements.copy()?.lexmin()?, elements.copy()?.lexmax()?);
    Ok(!is_counted_elsewhere
        && is_zero(&position.copy()?.intersect_domain(first)?)?
        && is_one_more(&count, &position, last)?
        && goes_up_by_one(&position, elements, dimensions)?)
}

/// True if the function is one more at each element than at the element before.
fn goes_up_by_one(position: &PwQPolynomial, elements: &Set, dimensions: u32) -> Result<bool> {
    let nameless = elements.copy()?.reset_tuple_id()?;
    let next = nameless.copy()?.lex_lt_set(nameless)?.lexmin()?;
    let pairs = next.wrap()?.flatten()?.coalesce()?;
    // The first half of a pair's coordinates are those of an element, the second half those of the next element.
    let of_half = |other: u32| {
        let wide = position.copy()?.insert_dims(DimType::In, other, dimensions)?;
        Ok::<_, polyhedra::Error>(wide.reset_domain_space(pairs.get_space()?)?)
    };
    is_one_more(&of_half(0)?, &of_half(dimensions)?, pairs.copy()?)
}

/// True if the first function is one more than the second everywhere in a set. Each convex part is examined
/// separately, with its equations.
fn is_one_more(more: &PwQPolynomial, less: &PwQPolynomial, set: Set) -> Result<bool> {
    let difference = more.copy()?.sub(less.copy()?)?;
    let parts = set.get_basic_set_list()?;
    for position in 0..parts.n_basic_set()? {
        let part = parts.get_basic_set(position)?.to_set()?;
        let one = PwAff::val_on_domain(part.copy()?, Val::int_from_si(context(), 1)?)?;
        let here = difference.copy()?.intersect_domain(part)?;
        if !is_zero(&here.sub(PwQPolynomial::from_pw_aff(one)?)?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// How many elements and values of the parameters are counted one by one to check libbarvinok's count.
const COUNTED: usize = 600;

/// True if a numbering is right for small values of the parameters.
fn is_right_where_small(numbering: &Numbering, elements: &Set) -> Result<bool> {
    let Ok(positions) = numbering.pieces(elements) else { return Ok(true) };
    let count = pieces_of(&PwQPolynomial::parse(&numbering.count.0)?)?;
    let names = names_of(elements)?;
    let mut left = COUNTED;
    for values in (0..).flat_map(|largest| tuples(names.len(), largest)) {
        let known: Vec<(&str, i64)> = names.iter().map(String::as_str).zip(values.iter().copied()).collect();
        let Some(mut points) = points_of(&at(elements, &values)?, left)? else { return Ok(true) };
        left = left.saturating_sub(points.len() + 1);
        points.sort();
        for (point, number) in points.iter().zip(1..) {
            if evaluate(&positions, &known, point)? != number {
                return Ok(false);
            }
        }
        if evaluate(&count, &known, &[])? != points.len() as i64 {
            return Ok(false);
        }
        if left == 0 || names.is_empty() {
            return Ok(true);
        }
    }
    Ok(true)
}

/// Returns the names of the parameters of a set.
fn names_of(set: &Set) -> Result<Vec<String>> {
    let count = set.dim(DimType::Param)? as u32;
    (0..count).map(|position| Ok(set.get_dim_name(DimType::Param, position)?.to_owned())).collect()
}

/// Returns a set for these values of its parameters, without the parameters.
fn at(set: &Set, values: &[i64]) -> Result<Set> {
    let mut here = set.copy()?;
    for (position, &value) in values.iter().enumerate() {
        here = here.fix_val(DimType::Param, position as u32, Val::int_from_si(context(), value)?)?;
    }
    Ok(here.project_out(DimType::Param, 0, values.len() as u32)?)
}

/// Returns all lists of `length` numbers from zero on whose largest number is `largest`. The empty list belongs to
/// `largest` 0.
fn tuples(length: usize, largest: i64) -> Vec<Vec<i64>> {
    let mut lists = vec![Vec::new()];
    for _ in 0..length {
        let longer = |list: &Vec<i64>| {
            let list = list.clone();
            (0..=largest).map(move |value| list.iter().copied().chain([value]).collect::<Vec<i64>>())
        };
        lists = lists.iter().flat_map(longer).collect();
    }
    lists.retain(|list| list.iter().copied().max().unwrap_or(0) == largest);
    lists
}

#[cfg(test)]
mod tests {
    use polyhedra::{Set, Text};
    use scop::IslPwQPolynomial;

    use super::*;
    use crate::counting::if_there;

    #[test]
    fn numberings_of_footprints_are_proved() {
        let Some(counting) = if_there() else { return };
        for text in [
            "[n] -> { A0[i, j] : 0 <= j <= i < n }",
            "[n, m] -> { A0[i, j] : 0 <= i < n and i <= j < m }",
            "[n] -> { A0[i, i] : 0 <= i < n }",
            "[n] -> { A0[i, j] : 0 <= i < n and 0 <= j < n and (i + j) mod 2 = 1 }",
            "[n] -> { A0[i, 3] : 0 <= i < n; A0[2, j] : 0 <= j < n }",
            "[n] -> { A0[i, j, k] : 0 <= k <= j <= i < n }",
            "{ A0[i] : 0 <= i < 9 and i mod 3 = 1 }",
        ] {
            let elements = Set::parse(text).unwrap();
            let right = number(&Numberer::new(&counting), &elements).unwrap().unwrap();
            assert!(is_proved(&right, &elements).unwrap(), "{text}: {right:?}");
            let doubled = |function: &IslPwQPolynomial| {
                let two = Val::int_from_si(context(), 2).unwrap();
                let function = PwQPolynomial::parse(&function.0).unwrap().scale_val(two).unwrap();
                IslPwQPolynomial(function.text().unwrap())
            };
            let one = PwAff::val_on_domain(elements.copy().unwrap(), Val::int_from_si(context(), 1).unwrap());
            let one = PwQPolynomial::from_pw_aff(one.unwrap()).unwrap();
            let later = PwQPolynomial::parse(&right.position.0).unwrap().add(one).unwrap().text().unwrap();
            for wrong in [
                Numbering { position: IslPwQPolynomial(later), ..right.clone() },
                Numbering { position: doubled(&right.position), ..right.clone() },
                Numbering { count: doubled(&right.count), ..right.clone() },
            ] {
                assert!(!is_proved(&wrong, &elements).unwrap(), "{text}: {wrong:?}");
            }
        }
    }

    /// For m = 4, libbarvinok takes the second of two elements for the first.
    #[test]
    fn what_is_counted_wrong_is_not_numbered() {
        let Some(counting) = if_there() else { return };
        let elements = "[m] -> { A0[i, j] : m mod 2 = 0 and (1 + 2i + j) mod 6 = 0 and 0 <= i <= 2 and 5 - 2i <= j < m }";
        let elements = Set::parse(elements).unwrap();
        match number(&Numberer::new(&counting), &elements).unwrap() {
            Ok(numbering) => assert!(is_right_where_small(&numbering, &elements).unwrap()),
            Err(refusal) => assert!(matches!(refusal, Refusal::Hard(_)), "{refusal:?}"),
        }
        let count = IslPwQPolynomial("[m] -> { 1/2 * m : m mod 2 = 0 and m >= 2 }".to_owned());
        let position = IslPwQPolynomial("[m] -> { A0[i, j] -> 0 : i = 0 }".to_owned());
        assert!(!is_right_where_small(&Numbering { position, count }, &elements).unwrap());
    }

    /// Each condition of the two proofs rejects something: the first position, the steps, the number of elements, and
    /// that there are no elements for other parameters.
    #[test]
    fn positions_and_counts_are_those_of_the_elements() {
        let elements = Set::parse("[n] -> { A0[i, j] : 0 <= i < n and 0 <= j <= i }").unwrap();
        let (row, count) = ("1/2 * i + 1/2 * i^2 + j", "(1/2 * n + 1/2 * n^2)");
        for (position, count, expected) in [
            (row.to_owned(), format!("{count} : n > 0"), true),
            (format!("1 + {row}"), format!("1 + {count} : n > 0"), false),
            (format!("{row} + i"), format!("{count} + n - 1 : n > 0"), false),
            (row.to_owned(), format!("1 + {count} : n > 0"), false),
            (row.to_owned(), format!("{count} - 1 : n > 0"), false),
            (row.to_owned(), format!("{count} : n > 0; [n] -> 1 : n = 0"), false),
            (row.to_owned(), format!("{count} : n > 0; [n] -> 1 : n = -3"), false),
        ] {
            let position = IslPwQPolynomial(format!(
                "[n] -> {{ A0[i, j] -> ({position}) : 0 <= i < n and 0 <= j <= i }}"
            ));
            let count = format!("[n] -> {{ {} }}", count.replace("[n] -> ", ""));
            let numbering = Numbering { position, count: IslPwQPolynomial(count) };
            assert_eq!(is_proved(&numbering, &elements).unwrap(), expected, "{numbering:?}");
            let is_small = !numbering.count.0.contains("-3");
            assert_eq!(
                is_right_where_small(&numbering, &elements).unwrap(),
                expected || !is_small,
                "{numbering:?}"
            );
            assert_eq!(is_right(&numbering, &elements).unwrap(), expected || !is_small, "{numbering:?}");
        }
        // A set without parameters is counted once.
        let numbered = |count: &str| Numbering {
            position: IslPwQPolynomial("{ A0[i] -> (i) : 0 <= i < 9 }".to_owned()),
            count: IslPwQPolynomial(count.to_owned()),
        };
        let nine = Set::parse("{ A0[i] : 0 <= i < 9 }").unwrap();
        assert!(is_right(&numbered("{ 9 }"), &nine).unwrap());
        assert!(!is_right(&numbered("{ 10 }"), &nine).unwrap());
    }

    #[test]
    fn small_values_of_parameters_are_listed() {
        assert_eq!(tuples(0, 0), [Vec::<i64>::new()]);
        assert_eq!(tuples(1, 3), [[3]]);
        assert_eq!(tuples(2, 1), [[0, 1], [1, 0], [1, 1]]);
    }
}
