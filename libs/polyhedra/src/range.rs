//! The range of one dimension of a set, as functions of the other dimensions.

use isl_rs::{Aff, BasicSet, Constraint, DimType, LibISLError, LocalSpace, PwAff, Set, Val};

use crate::{Error, Result, Simplify, Text, context, integer};

/// The values between which a dimension lies.
pub struct Range {
    /// The smallest value, as a function of the other dimensions.
    pub lower: PwAff,
    /// The largest value, as a function of the other dimensions.
    pub upper: PwAff,
    /// The convex hull of the set, with the dimension as its last.
    pub hull: BasicSet,
}

/// Returns the range of the last dimension of a set. It is read off the constraints of the set's convex hull without
/// existentially quantified variables, and therefore has no case distinctions other than `min` and `max`.
///
/// The range may be larger than that of the set, and is defined even where the set is empty.
///
/// # Errors
///
/// Fails if the dimension is not bounded.
pub fn range_of_last(set: &Set) -> Result<Range> {
    let set = set.copy()?.remove_divs()?;
    let hull = set.copy()?.simple_hull()?.remove_redundancies()?;
    range_in_hull(&set, hull)
}

/// As [`range_of_last`], but with few bounds, which keeps `min` and `max` short; the range and the hull may be
/// larger.
///
/// The bounds that are kept have the smallest coefficients of the dimension. The others are mostly combinations of
/// bounds on several dimensions, and seldom the tightest.
///
/// # Errors
///
/// Fails as [`range_of_last`] does.
pub fn rough_range_of_last(set: &Set) -> Result<Range> {
    let set = set.copy()?.remove_divs()?;
    let hull = set.copy()?.simple_hull()?.remove_redundancies()?;
    range_in_hull(&set, with_few_bounds(&hull)?)
}

/// As [`range_of_last`], but with those bounds that are the tightest at some of these points: values of the other
/// dimensions, with values for all parameters. At most three are kept on each side.
///
/// # Errors
///
/// Fails as [`range_of_last`] does.
pub fn range_of_last_near(set: &Set, points: &[Set]) -> Result<Range> {
    let set = set.copy()?.remove_divs()?;
    let hull = set.copy()?.simple_hull()?.remove_redundancies()?;
    range_in_hull(&set, with_tight_bounds(&hull, points)?)
}

/// The maximum number of bounds on each side of a range that is tight near some points.
const TIGHT: usize = 3;

/// The constraints of a convex set.
struct Divided {
    /// Those that do not bound the last dimension from one side alone.
    others: BasicSet,
    /// The lower bounds and the upper bounds of the last dimension.
    sides: [Vec<Constraint>; 2],
}

impl Divided {
    fn new(hull: &BasicSet) -> Result<Self> {
        let last = hull.dim(DimType::Set)? as u32 - 1;
        let constraints = hull.get_constraint_list()?;
        let mut others = BasicSet::universe(hull.get_space()?)?;
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for position in 0..constraints.size()? {
            let constraint = constraints.get_at(position)?;
            if !constraint.involves_dims(DimType::Set, last, 1)? || constraint.is_equality()? {
                others = others.add_constraint(constraint)?;
            } else if constraint.is_lower_bound(DimType::Set, last)? {
                lower.push(constraint);
            } else {
                upper.push(constraint);
            }
        }
        Ok(Self { others, sides: [lower, upper] })
    }
}

/// Returns the length of the text of a constraint.
fn length(constraint: &Constraint) -> Result<usize> {
    Ok(BasicSet::from_constraint(constraint.copy()?)?.text()?.len())
}

/// Removes all but the tightest lower and upper bounds of the last dimension from a convex set.
fn with_tight_bounds(hull: &BasicSet, points: &[Set]) -> Result<BasicSet> {
    let last = hull.dim(DimType::Set)? as u32 - 1;
    let Divided { others: mut kept, sides } = Divided::new(hull)?;
    for (side, is_lower) in sides.into_iter().zip([true, false]) {
        let mut bounds = Vec::new();
        for constraint in side {
            let bound = constraint.get_bound(DimType::Set, last as i32)?;
            let bound = if is_lower { bound.ceil()? } else { bound.floor()? };
            let bound = PwAff::from_aff(bound.drop_dims(DimType::In, last, 1)?)?;
            let mut values = Vec::new();
            for point in points {
                let here = bound.copy()?.intersect_domain(point.copy()?)?;
                let value = integer(&here.max_val()?).unwrap_or(0);
                values.push(if is_lower { value } else { -value });
            }
            bounds.push((length(&constraint)?, values, constraint));
        }
        // Of bounds that are equally tight, the one that is shorter.
        bounds.sort_by_key(|(length, ..)| *length);
        for position in tightest(&bounds.iter().map(|(_, values, _)| &values[..]).collect::<Vec<_>>()) {
            kept = kept.add_constraint(bounds[position].2.copy()?)?;
        }
    }
    Ok(kept)
}

/// Returns the positions of the bounds that are the largest at most points, each of which is better at some points
/// than those before: at first the one with the largest sum.
fn tightest(bounds: &[&[i64]]) -> Vec<usize> {
    let points = bounds.first().map_or(0, |values| values.len());
    let mut best = vec![i64::MIN; points];
    let mut chosen = Vec::new();
    while chosen.len() < TIGHT {
        let gain = |values: &[i64]| -> i128 {
            let gains =
                values.iter().zip(&best).map(|(value, best)| (i128::from(*value) - i128::from(*best)).max(0));
            gains.sum()
        };
        let Some(most) = bounds.iter().map(|values| gain(values)).max().filter(|most| *most > 0) else {
            break;
        };
        let Some(position) = bounds.iter().position(|values| gain(values) == most) else { break };
        best.iter_mut().zip(bounds[position]).for_each(|(best, value)| *best = (*best).max(*value));
        chosen.push(position);
    }
    if chosen.is_empty() && !bounds.is_empty() { vec![0] } else { chosen }
}

/// The maximum number of bounds on each side of a rough range.
const FEW: usize = 2;

/// Removes all but a few lower and upper bounds of the last dimension from a convex set.
fn with_few_bounds(hull: &BasicSet) -> Result<BasicSet> {
    let last = hull.dim(DimType::Set)? - 1;
    let Divided { others: mut kept, sides } = Divided::new(hull)?;
    for side in sides {
        let mut bounds = Vec::new();
        for constraint in side {
            let coefficient = constraint.get_coefficient_val(DimType::Set, last)?.abs()?;
            bounds.push(((coefficient.get_num_si()?, length(&constraint)?), constraint));
        }
        bounds.sort_by_key(|(key, _)| *key);
        for (_, constraint) in bounds.into_iter().take(FEW) {
            kept = kept.add_constraint(constraint)?;
        }
    }
    Ok(kept)
}

fn range_in_hull(set: &Set, hull: BasicSet) -> Result<Range> {
    let (lower, upper) = bounds(&hull)?;
    let lower = lower.map_or_else(|| widest(set, Side::Lower), |bound| Ok(Some(bound)))?;
    let upper = upper.map_or_else(|| widest(set, Side::Upper), |bound| Ok(Some(bound)))?;
    match (lower, upper) {
        (Some(lower), Some(upper)) => Ok(Range { lower, upper, hull }),
        _ => Err(Error::new("a dimension that must be finite has no bounds")),
    }
}

/// Returns the smallest value of one dimension of a set and the number of values up to the largest, as functions of
/// the parameters.
///
/// Unlike [`range_of_last`], this is exact: memory for the set is not larger than necessary. A set with several
/// pieces or with strides may need case distinctions. The functions are simplified for parameters for which the set
/// is not empty, and have no meaning for others. The extent of an empty set is zero.
///
/// # Errors
///
/// Fails if the dimension is not bounded.
pub fn parameter_range(set: &Set, position: u32) -> Result<(PwAff, PwAff)> {
    if set.is_empty()? {
        return Ok((PwAff::parse("{ [(0)] }")?, PwAff::parse("{ [(0)] }")?));
    }
    let dimensions = set.dim(DimType::Set)? as u32;
    let known = set.copy()?.params()?;
    let alone = set
        .copy()?
        .project_out(DimType::Set, position + 1, dimensions - position - 1)?
        .project_out(DimType::Set, 0, position)?
        .simplified()?;
    let (lower, upper) = if alone.n_basic_set()? == 1 && !alone.involves_locals()? {
        let Range { lower, upper, .. } = range_of_last(&alone)?;
        (lower.project_domain_on_params()?, upper.project_domain_on_params()?)
    } else {
        (alone.copy()?.dim_min(0)?, alone.dim_max(0)?)
    };
    // Where the set is not empty, isl may deduce that a division leaves no remainder; elsewhere the functions must
    // have the values that C computes.
    let lower = lower.simplified()?.gist(known.copy()?)?.floor()?;
    let upper = upper.simplified()?.gist(known)?.floor()?;
    let one = Val::int_from_si(context(), 1)?;
    let extent = upper.sub(lower.copy()?)?.add_constant_val(one)?.simplified()?;
    Ok((lower, extent))
}

/// Returns a function of the parameters with its value where `set` has points, and zero elsewhere, where the results
/// of [`parameter_range`] have no meaning.
///
/// # Errors
///
/// Returns isl's error if an isl operation fails.
pub fn zero_without(set: &Set, function: PwAff) -> Result<PwAff> {
    let sometimes = set.copy()?.params()?;
    let outside = PwAff::parse("{ [(0)] }")?.intersect_params(sometimes.copy()?.complement()?)?;
    function.intersect_params(sometimes)?.union_add(outside)?.simplified()
}

/// Returns the value of a function that has only one value.
///
/// # Errors
///
/// Returns isl's error if an isl operation fails.
pub fn constant_value(function: PwAff) -> Result<Option<i64>> {
    if !function.is_cst()? {
        return Ok(None);
    }
    let (least, most) = (integer(&function.copy()?.min_val()?), integer(&function.max_val()?));
    Ok(least.ok().zip(most.ok()).and_then(|(least, most)| (least == most).then_some(least)))
}

/// Returns the part of a set in which `lower <= x < upper` holds in one dimension, for functions of the parameters.
pub fn bounded(set: Set, position: u32, lower: PwAff, upper: PwAff) -> Result<Set> {
    let space = set.get_space()?;
    let local = LocalSpace::from_space(space.copy()?)?;
    let x = PwAff::from_aff(Aff::var_on_domain(local, DimType::Set, position)?)?;
    let lower = lower.insert_domain(space.copy()?)?;
    let upper = upper.insert_domain(space)?;
    Ok(set.intersect(x.copy()?.ge_set(lower)?)?.intersect(x.lt_set(upper)?)?)
}

/// The product of the ranges of the dimensions of a set: `lower <= x < lower + extent` in each.
///
/// The functions have no meaning for parameters for which the set is empty.
pub struct Cuboid {
    /// The smallest value in each dimension.
    pub lower: Vec<PwAff>,
    /// The number of values up to the largest, in each dimension.
    pub extent: Vec<PwAff>,
}

impl Cuboid {
    /// Returns the smallest cuboid that contains a set.
    ///
    /// # Errors
    ///
    /// Fails as [`parameter_range`] does.
    pub fn around(set: &Set) -> Result<Self> {
        let ranges = (0..set.dim(DimType::Set)? as u32).map(|position| parameter_range(set, position));
        let (lower, extent) = ranges.collect::<Result<Vec<_>>>()?.into_iter().unzip();
        Ok(Self { lower, extent })
    }

    /// Returns the part of a set that is in the cuboid.
    ///
    /// # Errors
    ///
    /// Returns isl's error if an isl operation fails.
    pub fn part_of(&self, mut set: Set) -> Result<Set> {
        for (position, (lower, extent)) in self.lower.iter().zip(&self.extent).enumerate() {
            let upper = lower.copy()?.add(extent.copy()?)?;
            set = bounded(set, position as u32, lower.copy()?, upper)?;
        }
        Ok(set)
    }
}

/// One of the two ends of a range.
#[derive(Clone, Copy)]
enum Side {
    Lower,
    Upper,
}

/// Returns the smallest lower or the largest upper bound of the convex pieces of a union whose hull has none.
fn widest(set: &Set, side: Side) -> Result<Option<PwAff>> {
    let pieces = set.get_basic_set_list()?;
    let mut widest = None;
    for position in 0..pieces.size()? {
        let (lower, upper) = bounds(&pieces.get_at(position)?.remove_redundancies()?)?;
        let (bound, choose): (_, Choose) = match side {
            Side::Lower => (lower, PwAff::min),
            Side::Upper => (upper, PwAff::max),
        };
        let Some(bound) = bound else { return Ok(None) };
        widest = Some(combine(widest, bound, choose)?);
    }
    Ok(widest)
}

/// Returns the largest lower and the smallest upper bound of the last dimension of a convex set, as functions of the
/// others.
fn bounds(hull: &BasicSet) -> Result<(Option<PwAff>, Option<PwAff>)> {
    let last = hull.dim(DimType::Set)? as u32 - 1;
    let constraints = hull.get_constraint_list()?;
    let (mut lower, mut upper) = (None, None);
    for position in 0..constraints.size()? {
        let constraint = constraints.get_at(position)?;
        let bound = |round: fn(Aff) -> std::result::Result<Aff, LibISLError>| -> Result<PwAff> {
            let bound = round(constraint.get_bound(DimType::Set, last as i32)?)?;
            Ok(PwAff::from_aff(bound.drop_dims(DimType::In, last, 1)?)?)
        };
        let equality = constraint.is_equality()? && constraint.involves_dims(DimType::Set, last, 1)?;
        if equality || constraint.is_lower_bound(DimType::Set, last)? {
            lower = Some(combine(lower, bound(Aff::ceil)?, PwAff::max)?);
        }
        if equality || constraint.is_upper_bound(DimType::Set, last)? {
            upper = Some(combine(upper, bound(Aff::floor)?, PwAff::min)?);
        }
    }
    Ok((lower, upper))
}

type Choose = fn(PwAff, PwAff) -> std::result::Result<PwAff, LibISLError>;

fn combine(old: Option<PwAff>, new: PwAff, choose: Choose) -> Result<PwAff> {
    Ok(match old {
        Some(old) => choose(old, new)?.simplified()?,
        None => new,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    /// Sets of one dimension, each with its smallest value and its number of values.
    #[test]
    fn finds_the_range_of_parameters() {
        let cases = [
            ("[n] -> { [x] : 0 <= x < n }", "[n] -> { [(0)] }", "[n] -> { [(n)] }"),
            ("[n] -> { [x] : 3 <= x <= n + 1 }", "[n] -> { [(3)] }", "[n] -> { [(-1 + n)] }"),
            (
                "[n] -> { [x] : exists e : x = 3 e and 0 <= x < n }",
                "[n] -> { [(0)] }",
                "[n] -> { [(1 + 3*floor((n - 1)/3))] }",
            ),
            ("[n] -> { [x] : 0 <= 32 x < n }", "[n] -> { [(0)] }", "[n] -> { [(floor((31 + n)/32))] }"),
            (
                "[n] -> { [x] : 0 <= x < n or x = 0 }",
                "[n] -> { [(0)] }",
                "[n] -> { [(1)] : n <= 0; [(n)] : n > 0 }",
            ),
        ];
        for (set, lower, extent) in cases {
            let (found_lower, found_extent) = parameter_range(&Set::parse(set).unwrap(), 0).unwrap();
            let same = |found: &PwAff, wanted: &str| {
                let known = Set::parse(set).unwrap().params().unwrap();
                let wanted = PwAff::parse(wanted).unwrap().intersect_params(known.copy().unwrap()).unwrap();
                found.copy().unwrap().intersect_params(known).unwrap().is_equal(&wanted).unwrap()
            };
            assert!(same(&found_lower, lower), "{set}: lower {}", found_lower.text().unwrap());
            assert!(same(&found_extent, extent), "{set}: extent {}", found_extent.text().unwrap());
        }
    }

    #[test]
    fn tells_constants() {
        let cases = [
            ("[n] -> { [(7)] }", Some(7)),
            ("[n] -> { [(7)] : n > 0; [(7)] : n < 0 }", Some(7)),
            ("[n] -> { [(7)] : n > 0; [(8)] : n < 0 }", None),
            ("[n] -> { [(floor((n + 7)/4))] }", None),
        ];
        for (text, value) in cases {
            assert_eq!(constant_value(PwAff::parse(text).unwrap()).unwrap(), value, "{text}");
        }
    }

    #[track_caller]
    fn assert_same(what: &str, found: &PwAff, wanted: &str) {
        let wanted = PwAff::parse(wanted).unwrap();
        assert!(found.is_equal(&wanted).unwrap(), "{what}: {}", found.text().unwrap());
    }

    /// All bounds count and are rounded into the set; of the bounds of different parts of a union, the widest
    /// counts.
    #[test]
    fn the_last_dimension_lies_between_its_bounds() {
        for (set, lower, upper) in [
            (
                "[n] -> { [i, x] : i <= 3x and 2x <= n }",
                "[n] -> { [i] -> [(floor((i + 2)/3))] }",
                "[n] -> { [i] -> [(floor((n)/2))] }",
            ),
            (
                "[n] -> { [i, x] : x >= i and x >= n and x <= 9 and x <= i + 7 }",
                "[n] -> { [i] -> [(i)] : i >= n; [i] -> [(n)] : i < n }",
                "[n] -> { [i] -> [(9)] : i >= 2; [i] -> [(i + 7)] : i < 2 }",
            ),
            ("{ [i, x] : x = i + 1 }", "{ [i] -> [(i + 1)] }", "{ [i] -> [(i + 1)] }"),
            (
                "[n, m] -> { [x] : n <= x <= 5 or m <= x <= 7 }",
                "[n, m] -> { [] -> [(n)] : n <= m; [] -> [(m)] : n > m }",
                "[n, m] -> { [] -> [(7)] }",
            ),
            (
                "[n, m] -> { [x] : 0 <= x < n or 0 <= x < m }",
                "[n, m] -> { [] -> [(0)] }",
                "[n, m] -> { [] -> [(n - 1)] : n >= m; [] -> [(m - 1)] : n < m }",
            ),
        ] {
            let range = range_of_last(&Set::parse(set).unwrap()).unwrap();
            assert_same(set, &range.lower, lower);
            assert_same(set, &range.upper, upper);
        }
        assert!(range_of_last(&Set::parse("[n, m] -> { [x] : 0 <= x < n or x >= m }").unwrap()).is_err());
    }

    /// Of many bounds, those with the smallest coefficients are kept.
    #[test]
    fn rough_ranges_have_few_bounds() {
        let set = Set::parse("[a, b, c] -> { [x] : a <= x and b <= 2x and c <= 3x and x <= 9 }").unwrap();
        let range = rough_range_of_last(&set).unwrap();
        let lower = "[a, b, c] -> { [] -> [(a)] : 2a >= b; [] -> [(floor((b + 1)/2))] : 2a < b }";
        assert_same("lower", &range.lower, lower);
        assert_same("upper", &range.upper, "[a, b, c] -> { [] -> [(9)] }");
        assert!(set.is_subset(&Set::from_basic_set(range.hull).unwrap()).unwrap());
    }

    /// This includes parameters for which isl may assume that a division leaves no remainder.
    #[test]
    fn ranges_are_whole_numbers_everywhere() {
        let (lower, extent) = parameter_range(&Set::parse("[n] -> { [x] : 3x = n }").unwrap(), 0).unwrap();
        assert_same("lower", &lower, "[n] -> { [(floor((n)/3))] }");
        assert_same("extent", &extent, "[n] -> { [(1)] }");
        let (lower, extent) =
            parameter_range(&Set::parse("[n] -> { [x] : x > n and x < n }").unwrap(), 0).unwrap();
        assert_eq!((constant_value(lower).unwrap(), constant_value(extent).unwrap()), (Some(0), Some(0)));
    }

    #[test]
    fn functions_may_be_zero_where_a_set_is_empty() {
        let set = Set::parse("[n] -> { [x] : 3 <= x < n }").unwrap();
        let function = PwAff::parse("[n] -> { [(n + 5)] }").unwrap();
        let found = zero_without(&set, function).unwrap();
        assert_same("zero", &found, "[n] -> { [(n + 5)] : n >= 4; [(0)] : n < 4 }");
    }

    #[test]
    fn cuboids_hold_a_set_and_nothing_beyond_it() {
        let set = |text: &str| Set::parse(&format!("[n] -> {{ [x, y] : {text} }}")).unwrap();
        let cuboid = Cuboid::around(&set("2 <= x < n and x <= y <= x + 3")).unwrap();
        let part = cuboid.part_of(set("n >= 3")).unwrap();
        let expected = set("n >= 3 and 2 <= x < n and 2 <= y <= n + 2");
        assert!(part.is_equal(&expected).unwrap(), "{}", part.text().unwrap());
        let number = |text: &str| PwAff::parse(text).unwrap();
        let row = bounded(set("true"), 1, number("[n] -> { [(n)] }"), number("[n] -> { [(2n)] }")).unwrap();
        assert!(row.is_equal(&set("n <= y < 2n")).unwrap(), "{}", row.text().unwrap());
    }

    #[test]
    fn refuses_a_dimension_without_bounds() {
        let set = Set::parse("[n] -> { [x] : x >= n }").unwrap();
        assert!(parameter_range(&set, 0).is_err());
    }
}
