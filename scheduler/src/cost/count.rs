//! Estimates how many integer points a set has.

use std::sync::LazyLock;

use polyhedra::{DimType, Map, Polyhedron, Result, Set, Simplify, polyhedra_of};

/// The number of paths along which a set is sampled.
const PATHS: usize = 128;

/// The most parts of a set that are sampled apart; a set with more is replaced by a convex one.
const MOST_PARTS: i32 = 8;

/// An estimate of the size of a set.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Count {
    /// The number of points.
    pub points: f64,
    /// The mean number of values of each dimension for given values of the dimensions before.
    pub extents: Vec<f64>,
    /// The same as most points find it: the mean over all points, which counts a long row more often than a short one.
    pub extents_at_points: Vec<f64>,
    /// The number of points of the projection on the first dimensions: of none, one, and so on.
    pub prefixes: Vec<f64>,
    /// Some of the points.
    pub samples: Vec<Vec<i64>>,
}

/// Estimates the number of points of a set without parameters: exactly for boxes, and within a few percent for
/// triangles and the like.
///
/// Knuth's estimator: a path chooses a value for one dimension after another, and the product of the numbers of choices
/// is on average the number of points. The choices follow a fixed sequence that covers all ranges evenly, so the
/// estimate is the same everywhere.
pub fn count(set: &Set) -> Result<Count> {
    let dimensions = set.dim(DimType::Set)? as usize;
    let (extents, prefixes) = (vec![0.0; dimensions], vec![0.0; dimensions + 1]);
    let extents_at_points = extents.clone();
    let mut total = Count { points: 0.0, extents, extents_at_points, prefixes, samples: Vec::new() };
    let set = if set.n_basic_set()? > MOST_PARTS {
        Set::from_basic_set(set.copy()?.simple_hull()?)?
    } else {
        set.copy()?.make_disjoint()?.simplified()?
    };
    let parts = set.get_basic_set_list()?;
    for position in 0..parts.size()? {
        let part = Part::new(Set::from_basic_set(parts.get_at(position)?)?, dimensions)?;
        part.add_to(&mut total);
    }
    if total.points > 0.0 {
        total.extents_at_points.iter_mut().for_each(|extent| *extent /= total.points);
        let means = total.prefixes.windows(2).map(|prefixes| prefixes[1] / prefixes[0]);
        total.extents = means.collect();
    }
    Ok(total)
}

/// A convex part of a set.
struct Part {
    /// For each dimension, the projection of the part on this dimension and those before.
    projections: Vec<Vec<Polyhedron>>,
}

/// The values of a dimension: those from `lower` to `upper` with a stride.
struct Values {
    lower: i64,
    upper: i64,
    stride: i64,
}

impl Part {
    fn new(set: Set, dimensions: usize) -> Result<Self> {
        let mut projections = Vec::new();
        for dimension in 0..dimensions {
            let first = dimension as u32 + 1;
            let projection = set.copy()?.project_out(DimType::Set, first, dimensions as u32 - first)?;
            projections.push(polyhedra_of(&Map::from_range(projection)?)?);
        }
        Ok(Self { projections })
    }

    fn add_to(&self, total: &mut Count) {
        for path in 0..PATHS {
            let (mut point, mut weight, mut sizes) = (Vec::new(), 1.0, Vec::new());
            for (dimension, projection) in self.projections.iter().enumerate() {
                let Some(values) = values(projection, &point) else {
                    weight = 0.0;
                    break;
                };
                let others = values.upper.saturating_sub(values.lower) / values.stride;
                let number = others as f64 + 1.0;
                let chosen = ((even(path, dimension) * number) as i64).min(others);
                point.push(values.lower.saturating_add(chosen.saturating_mul(values.stride)));
                total.prefixes[dimension] += weight / PATHS as f64;
                weight *= number;
                sizes.push(number);
            }
            if weight > 0.0 {
                let weight = weight / PATHS as f64;
                total.points += weight;
                total.prefixes[self.projections.len()] += weight;
                total
                    .extents_at_points
                    .iter_mut()
                    .zip(sizes)
                    .for_each(|(extent, size)| *extent += weight * size);
                total.samples.push(point);
            }
        }
    }
}

/// Numbers from 0 to 1 for each dimension, one for each path: of so many equal intervals, each has one number, in an
/// order that is independent for each dimension, that of the fractions of multiples of an irrational number.
static EVEN: LazyLock<[[f64; PATHS]; ROOTS.len()]> = LazyLock::new(|| ROOTS.map(intervals_in_order));

/// The squares of irrational numbers.
const ROOTS: [f64; 6] = [2.0, 3.0, 5.0, 7.0, 11.0, 13.0];

fn intervals_in_order(square: f64) -> [f64; PATHS] {
    let fraction = |path: usize| ((path as f64 + 0.5) * square.sqrt()).fract();
    let mut paths: [usize; PATHS] = std::array::from_fn(|path| path);
    paths.sort_by(|one, other| fraction(*one).total_cmp(&fraction(*other)));
    let mut numbers = [0.0; PATHS];
    for (interval, path) in paths.into_iter().enumerate() {
        numbers[path] = (interval as f64 + 0.5) / PATHS as f64;
    }
    numbers
}

fn even(path: usize, dimension: usize) -> f64 {
    EVEN[dimension % ROOTS.len()][path]
}

/// Returns the values that the last dimension of a projection has behind a point; nothing if there are none.
fn values(projection: &[Polyhedron], point: &[i64]) -> Option<Values> {
    projection.iter().filter_map(|polyhedron| values_of(polyhedron, point)).reduce(|all, more| Values {
        lower: all.lower.min(more.lower),
        upper: all.upper.max(more.upper),
        stride: all.stride.min(more.stride),
    })
}

fn values_of(polyhedron: &Polyhedron, point: &[i64]) -> Option<Values> {
    let (mut lower, mut upper, mut stride) = (None::<i64>, None::<i64>, 1);
    let own = point.len();
    for constraint in &polyhedron.constraints {
        let coefficients = &constraint.coefficients;
        let locals = &coefficients[polyhedron.output..][..polyhedron.local];
        let coefficient = coefficients[own];
        if let Some(local) = locals.iter().find(|local| **local != 0) {
            if constraint.equality && coefficient != 0 {
                stride = stride.max(local.saturating_abs() / coefficient.saturating_abs().max(1)).max(1);
            }
            continue;
        }
        let constant = coefficients.last().copied().unwrap_or(0);
        let known = point.iter().zip(coefficients).fold(i128::from(constant), |sum, (value, coefficient)| {
            sum + i128::from(*value) * i128::from(*coefficient)
        });
        let known = known.clamp(i128::from(i64::MIN / 2), i128::from(i64::MAX / 2)) as i64;
        // coefficient * value + known >= 0
        if coefficient == 0 {
            if known < 0 || constraint.equality && known != 0 {
                return None;
            }
            continue;
        }
        let bound = -known;
        if coefficient > 0 || constraint.equality {
            let (bound, by) = if coefficient > 0 { (bound, coefficient) } else { (-bound, -coefficient) };
            let least = bound.div_euclid(by) + i64::from(bound.rem_euclid(by) != 0);
            lower = Some(lower.map_or(least, |lower: i64| lower.max(least)));
        }
        if coefficient < 0 || constraint.equality {
            let (known, by) = if coefficient < 0 { (known, -coefficient) } else { (-known, coefficient) };
            let most = known.div_euclid(by);
            upper = Some(upper.map_or(most, |upper: i64| upper.min(most)));
        }
    }
    let (lower, upper) = (lower?, upper?);
    (lower <= upper).then_some(Values { lower, upper, stride })
}

#[cfg(test)]
mod tests {
    use polyhedra::Text;

    use super::*;

    #[test]
    fn boxes_are_counted_exactly_and_other_shapes_nearly() {
        for (set, points, tolerance) in [
            ("{ [] }", 1.0, 0.0),
            ("{ [i, j] : 0 <= i < 100 and 5 <= j < 25 }", 2000.0, 0.0),
            ("{ [i, j] : 0 <= i < 1000 and 0 <= j <= i }", 500_500.0, 0.01),
            ("{ [i, j, k] : 0 <= i < 1000 and 0 <= j <= i and 0 <= k <= j }", 1.67e8, 0.03),
            ("{ [i, j] : 0 <= i < 1000 and j = i }", 1000.0, 0.0),
            ("{ [i, j] : 0 <= i < 1000 and i mod 2 = 0 and 0 <= j < 3 }", 1500.0, 0.0),
            ("{ [i, j] : 0 <= i < 10 and 0 <= j < 3; [i, j] : 20 <= i < 30 and 0 <= j < 3 }", 60.0, 0.0),
            ("{ [i] : 3 <= i < 3 }", 0.0, 0.0),
            ("{ [t, i] : 0 <= t < 100 and t <= i < t + 50 }", 5000.0, 0.0),
        ] {
            let found = count(&Set::parse(set).unwrap()).unwrap().points;
            assert!((found - points).abs() <= tolerance * points, "{set}: {found}");
        }
    }

    #[test]
    fn extents_are_means_over_rows_and_over_points() {
        let found = count(&Set::parse("{ [i, j] : 0 <= i < 1000 and 0 <= j <= i }").unwrap()).unwrap();
        assert_eq!(found.extents[0], 1000.0);
        assert!((found.extents[1] - 500.5).abs() < 5.0, "all rows weigh the same: {found:?}");
        let at_points = found.extents_at_points[1];
        assert!((at_points - 667.0).abs() < 10.0, "rows weigh as much as they have points: {found:?}");
        assert_eq!(found.prefixes[..2], [1.0, 1000.0]);
    }
}
