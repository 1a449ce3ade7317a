//! The dense index function of a buffer (PoCC-GPU, section 5.1): the position of an element is the number of elements
//! before it.
//!
//! Elements are counted in the coordinates of the buffer's box, and once for all tiles. R is the set of places that
//! some tile of some block uses for some parameters. R is finite and has no parameters. Therefore the position (rho
//! in the paper) has neither parameters nor case distinctions on parameters. Two elements of one tile have different
//! places and hence different positions. Places in R that a border tile does not use are left empty.
//!
//! The number of elements before another is a different polynomial in each order of the dimensions: for a
//! parallelogram, it is affine in one order, and quadratic with cases in another. A superset of R may also have a
//! simpler polynomial. If the polynomial has more pieces than it is worth, space is wasted instead (PoCC-GPU, end of
//! section 5.1).

use std::collections::BTreeMap;

use barvinok::Counter;
use polyhedra::polynomial::{Monomial, Piece, Variable, least_multiple, pieces_of, values_on};
use polyhedra::{DimType, Map, PwQPolynomial, Result, Set, Simplify, Text};
use scop::{BufferId, IslPwQPolynomial, Numbering};

use crate::counting::Counting;
use crate::kernel::banks::orders;
use crate::kernel::view::names;

/// A dense layout.
pub struct Dense {
    /// The places that have a position: `{ B0[x] : … }`.
    pub places: Set,
    /// The position of each place.
    pub numbering: Numbering,
    /// The positions, by place.
    pub positions: BTreeMap<Vec<i64>, u64>,
    /// The number of polynomials that the position needs.
    pub pieces: usize,
    /// The highest degree of these polynomials.
    pub degree: u32,
    /// The number of terms in all of them.
    terms: usize,
}

impl Dense {
    /// Returns the number of places.
    pub fn elements(&self) -> u64 {
        self.positions.len() as u64
    }

    /// Returns the position of a place.
    pub fn position(&self, place: &[i64]) -> Option<u64> {
        self.positions.get(place).copied()
    }

    /// Returns the rank of the layout. Simpler layouts come first, and of equally simple ones those with fewer bank
    /// conflicts.
    fn rank(&self, cost: u64) -> (usize, u32, u64, usize, u64) {
        (self.pieces, self.degree, cost, self.terms, self.elements())
    }
}

/// Why a buffer has no dense layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotDense {
    /// It needs nearly all places of its box.
    Full,
    /// There are too many places to number.
    Large,
    /// The position has too many cases.
    Cases,
    /// The count failed.
    Uncounted(String),
}

/// The limits for a dense layout.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The largest number of places.
    pub elements: u64,
    /// The largest number of polynomials.
    pub pieces: usize,
}

/// The most places that are numbered one by one to check the count: more than shared memory can hold.
const MOST_PLACES: usize = 1 << 17;
/// The most convex parts of a set that is counted unchanged.
const MOST_PARTS: i32 = 8;
/// The largest intermediate value of a position, which must fit the type `int`.
const LARGEST_VALUE: i128 = i32::MAX as i128;

/// Finds the simplest dense layout of a buffer that uses the places `used`, `{ A0[x] : … }`, of a box of these sizes.
/// Also returns its cost.
pub fn number(
    counting: &Counting,
    used: &Set,
    id: BufferId,
    sizes: &[u32],
    bounds: Bounds,
    cost: impl Fn(&Dense) -> u64,
) -> Result<std::result::Result<(Dense, u64), NotDense>> {
    let mut why = NotDense::Full;
    let mut best: Option<(Dense, u64)> = None;
    for places in supersets(used, id)? {
        let count = places.count_within(bounds.elements)?;
        if count.is_none() {
            continue;
        }
        for order in orders(sizes.len()) {
            match in_order(counting, &places, &order, sizes)? {
                Ok(dense) if dense.pieces > bounds.pieces => why = NotDense::Cases,
                Ok(dense) => {
                    let cost = cost(&dense);
                    if best.as_ref().is_none_or(|(best, least)| dense.rank(cost) < best.rank(*least)) {
                        best = Some((dense, cost));
                    }
                }
                Err(other) => why = other,
            }
        }
    }
    Ok(best.ok_or(why))
}

/// Places of a buffer.
struct Places(Set);

impl Places {
    /// Returns the number of places if it is at most `most`.
    fn count_within(&self, most: u64) -> Result<Option<u64>> {
        let limit = usize::try_from(most).unwrap_or(MOST_PLACES).min(MOST_PLACES);
        Ok(polyhedra::points_of(&self.0, limit)?.map(|points| points.len() as u64))
    }
}

/// Returns the places of a buffer that some tile uses, and simpler supersets of them.
fn supersets(used: &Set, id: BufferId) -> Result<Vec<Places>> {
    let used = used.copy()?.set_tuple_name(&id.to_string())?.simplified()?;
    let hull = Set::from_basic_set(used.copy()?.simple_hull()?)?;
    let convex = used.n_basic_set()? == 1 && used.is_equal(&hull)?;
    let mut candidates = Vec::new();
    if used.n_basic_set()? <= MOST_PARTS {
        candidates.push(Places(used));
    }
    if !convex {
        candidates.push(Places(hull));
    }
    Ok(candidates)
}

/// Numbers the places in one lexicographic order.
fn in_order(
    counting: &Counting,
    places: &Places,
    order: &[usize],
    sizes: &[u32],
) -> Result<std::result::Result<Dense, NotDense>> {
    let before = not_after(&places.0, order)?.text()?;
    let text = places.0.text()?;
    let both = |counter: &mut Counter| Ok((counter.card_of_images(&before)?, counter.card(&text)?));
    let (count, all) = match counting.count(both)? {
        Ok(counts) => counts,
        Err(error) => return Ok(Err(NotDense::Uncounted(error.to_string()))),
    };
    let domain = places.0.copy()?;
    let one = PwQPolynomial::parse(&one_on(&domain)?)?;
    let position = PwQPolynomial::parse(&count)?.sub(one)?.gist(domain.copy()?)?.coalesce()?;
    let position = match in_one_piece(&position, places)? {
        Some(simpler) => simpler,
        None => position,
    };
    let whole = position.copy()?.intersect_domain(domain.copy()?)?;
    if !domain.is_subset(&whole.copy()?.domain()?)? {
        return Ok(Err(NotDense::Cases));
    }
    let Ok(pieces) = pieces_of(&position) else { return Ok(Err(NotDense::Cases)) };
    if !pieces.iter().all(|piece| is_small(piece, sizes)) {
        return Ok(Err(NotDense::Large));
    }
    let Some(positions) = positions(&pieces, &places.0)? else { return Ok(Err(NotDense::Cases)) };
    let degree = pieces.iter().flat_map(|piece| &piece.terms).map(|term| degree(&term.powers)).max();
    Ok(Ok(Dense {
        places: domain,
        numbering: Numbering { position: IslPwQPolynomial(whole.text()?), count: IslPwQPolynomial(all) },
        positions,
        pieces: pieces.len(),
        degree: degree.unwrap_or(0),
        terms: pieces.iter().map(|piece| piece.terms.len()).sum(),
    }))
}

/// Looks for a single polynomial that numbers all places. Counting gives some rows a piece of their own although the
/// same formula holds for them.
fn in_one_piece(position: &PwQPolynomial, places: &Places) -> Result<Option<PwQPolynomial>> {
    let Ok(pieces) = pieces_of(position) else { return Ok(None) };
    if pieces.len() < 2 {
        return Ok(None);
    }
    for piece in pieces {
        let everywhere = Piece { domain: places.0.copy()?, terms: piece.terms };
        let text = text_of(&everywhere.terms, &places.0)?;
        if positions(&[everywhere], &places.0)?.is_some() {
            return Ok(Some(PwQPolynomial::parse(&text)?));
        }
    }
    Ok(None)
}

/// Returns a sum of terms as a function on the space of some places, in isl's notation.
fn text_of(terms: &[Monomial], places: &Set) -> Result<String> {
    let dims = names("x", places.dim(DimType::Set)? as u32);
    let terms: Vec<String> = terms.iter().map(term_text).collect();
    let sum = if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") };
    Ok(format!("{{ {}[{dims}] -> ({sum}) }}", places.get_tuple_name()?))
}

fn term_text(term: &Monomial) -> String {
    let mut text = format!("({}/{})", term.numerator, term.denominator);
    for (variable, exponent) in &term.powers {
        text += &format!(" * {}", vec![variable_text(variable); *exponent as usize].join(" * "));
    }
    text
}

fn variable_text(variable: &Variable) -> String {
    match variable {
        Variable::Parameter(name) => name.clone(),
        Variable::Dimension(position) => format!("x{position}"),
        Variable::Floor { terms, constant, divisor } => {
            let summand =
                |(variable, factor): &(Variable, i64)| format!("{factor}*{}", variable_text(variable));
            let sum: Vec<String> = terms.iter().map(summand).chain([constant.to_string()]).collect();
            format!("floor(({})/{divisor})", sum.join(" + "))
        }
    }
}

/// Returns the relation `{ B0[x] -> B0[y] }` where y is x or precedes it in the lexicographic order of the given
/// dimensions.
fn not_after(places: &Set, order: &[usize]) -> Result<Map> {
    let dimensions = order.len() as u32;
    let name = places.get_tuple_name()?;
    let ordered: Vec<String> = order.iter().map(|dimension| format!("x{dimension}")).collect();
    let dims = names("x", dimensions);
    let reorder = Map::parse(&format!("{{ {name}[{dims}] -> [{}] }}", ordered.join(", ")))?;
    let ordered = places.copy()?.apply(reorder.copy()?)?;
    let pairs = ordered.copy()?.lex_ge_set(ordered)?;
    let back = reorder.reverse()?;
    Ok(pairs.apply_domain(back.copy()?)?.apply_range(back)?)
}

/// Returns the function `{ B0[x] -> 1 }`.
fn one_on(places: &Set) -> Result<String> {
    let dims = names("x", places.dim(DimType::Set)? as u32);
    Ok(format!("{{ {}[{dims}] -> 1 }}", places.get_tuple_name()?))
}

/// Returns the positions of all places, or nothing if there are too many places, if two places have the same
/// position, or if a position is not below the number of places.
fn positions(pieces: &[Piece], places: &Set) -> Result<Option<BTreeMap<Vec<i64>, u64>>> {
    let Some(values) = values_on(pieces, places, MOST_PLACES)? else { return Ok(None) };
    let mut taken = vec![false; values.len()];
    let mut positions = BTreeMap::new();
    for (place, value) in values {
        let free =
            usize::try_from(value).ok().and_then(|value| taken.get_mut(value)).filter(|taken| !**taken);
        let Some(free) = free else { return Ok(None) };
        *free = true;
        positions.insert(place, value.unsigned_abs());
    }
    Ok(Some(positions))
}

/// True if no intermediate value of a polynomial leaves the type `int` in the box.
fn is_small(piece: &Piece, sizes: &[u32]) -> bool {
    let common = piece.terms.iter().map(|term| i128::from(term.denominator)).fold(1, least_multiple);
    let largest = piece.terms.iter().try_fold(0i128, |sum, term| {
        let factor = i128::from(term.numerator).abs() * (common / i128::from(term.denominator));
        let value = term.powers.iter().try_fold(factor, |value, (variable, exponent)| {
            value.checked_mul(largest_value(variable, sizes)?.checked_pow(*exponent)?)
        })?;
        sum.checked_add(value)
    });
    largest.is_some_and(|largest| largest <= LARGEST_VALUE)
}

/// Returns the largest absolute value of a variable in the box.
fn largest_value(variable: &Variable, sizes: &[u32]) -> Option<i128> {
    match variable {
        Variable::Parameter(_) => None,
        Variable::Dimension(position) => sizes.get(*position as usize).map(|size| i128::from(*size)),
        Variable::Floor { terms, constant, .. } => {
            terms.iter().try_fold(i128::from(*constant).abs(), |sum, (variable, factor)| {
                sum.checked_add(largest_value(variable, sizes)?.checked_mul(i128::from(*factor).abs())?)
            })
        }
    }
}

fn degree(powers: &[(Variable, u32)]) -> u32 {
    powers.iter().map(|(_, exponent)| exponent).sum()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use barvinok::Work;
    use polyhedra::polynomial::evaluate;
    use proptest::prelude::*;

    use super::*;
    use crate::counting::WORK;
    use crate::random_cases;

    fn numbered(used: &str, sizes: &[u32]) -> Option<std::result::Result<(Dense, u64), NotDense>> {
        let counting = Counting::open();
        if counting.missing().is_some() {
            return None;
        }
        let bounds = Bounds { elements: sizes.iter().map(|&size| u64::from(size)).product(), pieces: 2 };
        Some(number(&counting, &Set::parse(used).unwrap(), BufferId(0), sizes, bounds, |_| 0).unwrap())
    }

    #[test]
    fn what_is_not_counted_in_time_is_an_error_and_no_reason_for_another_layout() {
        let counting = Counting::open();
        if counting.missing().is_some() {
            return;
        }
        let used = Set::parse("{ A0[i, j] : 0 <= j <= i < 24 }").unwrap();
        let bounds = Bounds { elements: 576, pieces: 2 };
        let dense = || number(&counting, &used, BufferId(0), &[24, 24], bounds, |_| 0);
        counting.allow(Work { time: Duration::ZERO, ..WORK });
        let late = dense().err().unwrap();
        assert!(late.is_limit() && !late.is_out_of_operations(), "{late}");
        counting.allow(Work { numbers: 10, ..WORK });
        let uncounted = NotDense::Uncounted(barvinok::Error::Limit.to_string());
        assert_eq!(dense().unwrap().err(), Some(uncounted));
    }

    /// Sets of places, with the degree of the single polynomial that numbers them, and the number of places.
    #[test]
    fn positions_are_simple() {
        let cases: [(&str, &[u32], u32, u64); 4] = [
            ("{ A0[i, j] : 0 <= j <= i < 24 }", &[24, 24], 2, 300),
            ("{ A0[i, j] : 0 <= j < 32 and j <= i < 32 + j }", &[63, 32], 1, 1024),
            ("{ A0[i] : 0 <= i < 64 and i mod 2 = 0 }", &[63], 1, 32),
            ("{ A0[i] : 0 <= i < 7 }", &[7], 1, 7),
        ];
        for (used, sizes, degree, elements) in cases {
            let Some(found) = numbered(used, sizes) else { return };
            let (found, _) = found.ok().unwrap();
            assert_eq!((found.pieces, found.degree, found.elements()), (1, degree, elements), "{used}");
        }
    }

    proptest! {
        #![proptest_config(random_cases(48))]

        /// Each place has a position of its own, below the number of places, if isl's polynomial is evaluated point
        /// by point.
        #[test]
        fn positions_are_dense_and_distinct(
            a in -2i64..3, b in -2i64..3, low in -6i64..7, width in 0i64..9, stride in 1i64..4, dimensions in 1usize..4
        ) {
            let sizes = vec![7u32; dimensions];
            let third = if dimensions > 2 { format!(" and 0 <= k <= 6 and k <= {width}") } else { String::new() };
            let second = if dimensions > 1 { " and 0 <= j <= 6" } else { "" };
            let dims = ["i", "j", "k"][..dimensions].join(", ");
            let slope = if dimensions > 1 { format!("{a}*i + {b}*j") } else { format!("{a}*i") };
            let used = format!(
                "{{ A0[{dims}] : 0 <= i <= 6{second}{third} and {low} <= {slope} <= {low} + {width} and i mod {stride} = 0 }}"
            );
            let Some(found) = numbered(&used, &sizes) else { return Ok(()) };
            let Ok((found, _)) = found else { return Ok(()) };
            let position = PwQPolynomial::parse(&found.numbering.position.0).unwrap();
            let pieces = pieces_of(&position).unwrap();
            let places = polyhedra::points_of(&position.domain().unwrap(), 1000).unwrap().unwrap();
            let mut positions: Vec<i64> =
                places.iter().map(|place| evaluate(&pieces, &[], place).unwrap()).collect();
            positions.sort_unstable();
            prop_assert_eq!(positions, (0..places.len() as i64).collect::<Vec<_>>());
            let used = polyhedra::points_of(&Set::parse(&used).unwrap(), 1000).unwrap().unwrap();
            prop_assert!(used.iter().all(|place| places.contains(place)));
        }
    }
}
