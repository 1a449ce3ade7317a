//! Checks that numbered blocks have the coordinates that their launch means to start.
//!
//! A block finds its coordinates by its rank, the slowest first: the coordinate `b` is the last one with `before(b)` at
//! most the rank, and the rank among the blocks with this `b` is what is left. This is a bijection between the ranks
//! from 0 to `blocks - 1` and the tuples of coordinates between their bounds if, for all values of the loops around
//! the launch and of the slower coordinates,
//!
//! * `before(lower) = 0`;
//! * `before(b + 1) - before(b)` is the number of blocks with the coordinate `b`, for `lower <= b < upper`;
//! * `blocks` is the number of all blocks.
//!
//! The number of blocks with given coordinates is the length of the last range or, by the two properties, the sum of
//! `before(upper)` and the number of blocks with the coordinate `upper`. So each property is an equation between
//! quasi-polynomials, which [`super::vanish`] decides.

use polyhedra::{DimType, Result, Set};
use scop::ast::{AstExpr, AstOp, Ranked, RankedCoordinate};

use super::value::{Scope, operation};
use super::vanish::vanishes;

/// The blocks that exist where `names` have the values in `domain`: the set has the coordinates of `axes`, in their
/// order, as further dimensions.
pub fn started(names: &[String], domain: Set, ranked: &Ranked, axes: &[&str]) -> Result<Set> {
    let mut all = names.to_vec();
    all.extend(axes.iter().map(|axis| (*axis).to_owned()));
    let points = domain.add_dims(DimType::Set, axes.len() as u32)?;
    let mut inside = points.copy()?;
    for one in &ranked.coordinates {
        inside = inside.intersect(between(&Scope { names: &all, domain: &points }, one)?)?;
    }
    Ok(inside)
}

/// True if ranks are a bijection to the coordinates of blocks, for all values of `names` in `domain`.
pub fn is_bijection(names: &[String], domain: &Set, ranked: &Ranked) -> Result<bool> {
    let ranked = &with_rounded_bounds(ranked);
    let mut names = names.to_vec();
    let mut outer = domain.copy()?;
    let all = rows(&ranked.coordinates);
    if !is_zero(&names, &outer, &difference(ranked.blocks.clone(), all))? {
        return Ok(false);
    }
    for (position, one) in ranked.coordinates.iter().enumerate() {
        let Some(before) = &one.before else { break };
        let first = with_value(before, one, &one.lower);
        let exists = Scope { names: &names, domain: &outer }.condition(&operation(
            AstOp::Le,
            one.lower.clone(),
            one.upper.clone(),
        ))?;
        if !is_zero(&names, &outer.copy()?.intersect(exists)?, &first)? {
            return Ok(false);
        }
        names.push(one.axis.block_parameter().to_owned());
        let points = outer.add_dims(DimType::Set, 1)?;
        let scope = Scope { names: &names, domain: &points };
        let inside = points.copy()?.intersect(between(&scope, one)?)?;
        let (own, next) = (name_of(one), operation(AstOp::Add, name_of(one), AstExpr::Int(1)));
        let goes_on = scope.condition(&operation(AstOp::Lt, own, one.upper.clone()))?;
        let step = difference(with_value(before, one, &next), before.clone());
        let step = difference(step, rows(&ranked.coordinates[position + 1..]));
        if !is_zero(&names, &inside.copy()?.intersect(goes_on)?, &step)? {
            return Ok(false);
        }
        outer = inside;
    }
    Ok(true)
}

/// Returns the numbering with bounds in which no division is taken to be exact.
fn with_rounded_bounds(ranked: &Ranked) -> Ranked {
    let coordinates = ranked.coordinates.iter().map(|one| RankedCoordinate {
        lower: rounded(&one.lower),
        upper: rounded(&one.upper),
        ..one.clone()
    });
    Ranked { coordinates: coordinates.collect(), blocks: ranked.blocks.clone() }
}

fn rounded(expr: &AstExpr) -> AstExpr {
    let AstExpr::Op(operator, operands) = expr else { return expr.clone() };
    let operator = if *operator == AstOp::Div { AstOp::PosDiv } else { *operator };
    AstExpr::Op(operator, operands.iter().map(rounded).collect())
}

fn is_zero(names: &[String], set: &Set, expr: &AstExpr) -> Result<bool> {
    vanishes(names, set, expr)
}

/// `lower <= b <= upper`
fn between(scope: &Scope<'_>, one: &RankedCoordinate) -> Result<Set> {
    let above = scope.condition(&operation(AstOp::Ge, name_of(one), one.lower.clone()))?;
    Ok(above.intersect(scope.condition(&operation(AstOp::Le, name_of(one), one.upper.clone()))?)?)
}

/// Returns the number of blocks with given slower coordinates.
fn rows(coordinates: &[RankedCoordinate]) -> AstExpr {
    let Some((one, faster)) = coordinates.split_first() else { return AstExpr::Int(1) };
    let count = match &one.before {
        Some(before) => operation(AstOp::Add, before.clone(), rows(faster)),
        None => {
            let length = difference(one.upper.clone(), one.lower.clone());
            operation(AstOp::Add, length, AstExpr::Int(1))
        }
    };
    let exists = operation(AstOp::Le, one.lower.clone(), one.upper.clone());
    let last = with_value(&count, one, &one.upper);
    AstExpr::Op(AstOp::Select, vec![exists, last, AstExpr::Int(0)])
}

fn difference(left: AstExpr, right: AstExpr) -> AstExpr {
    operation(AstOp::Sub, left, right)
}

fn name_of(one: &RankedCoordinate) -> AstExpr {
    AstExpr::Name(one.axis.block_parameter().to_owned())
}

/// Returns an expression for another value of a coordinate.
fn with_value(expr: &AstExpr, one: &RankedCoordinate, value: &AstExpr) -> AstExpr {
    expr.with_values(&|name| (name == one.axis.block_parameter()).then(|| value.clone()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails panics")]
mod tests {
    use polyhedra::Text;
    use scop::Axis;

    use super::*;

    fn coordinate(axis: Axis, lower: &str, upper: &str, before: Option<&str>) -> RankedCoordinate {
        let expr = |text: &str| text.parse().unwrap();
        RankedCoordinate { axis, lower: expr(lower), upper: expr(upper), before: before.map(expr) }
    }

    fn holds(domain: &str, coordinates: Vec<RankedCoordinate>, blocks: &str) -> bool {
        let ranked = Ranked { coordinates, blocks: blocks.parse().unwrap() };
        is_bijection(&["h".to_owned()], &Set::parse(domain).unwrap(), &ranked).unwrap()
    }

    const ALL: &str = "[n] -> { [h] : 0 <= h < n }";

    #[test]
    fn triangles_are_numbered() {
        for (before, blocks, expected) in [
            ("exactdiv(by * by + by, 2)", "exactdiv(n * n + n, 2)", true),
            ("exactdiv(by * by + by, 2)", "exactdiv(n * n + n, 2) + 1", false),
            ("exactdiv(by * by - by, 2)", "exactdiv(n * n + n, 2)", false),
            ("exactdiv(by * by + by, 2) + 1", "exactdiv(n * n + n, 2) + 1", false),
        ] {
            let rows = coordinate(Axis::Y, "0", "n - 1", Some(before));
            let columns = coordinate(Axis::X, "0", "by", None);
            assert_eq!(holds(ALL, vec![rows, columns], blocks), expected, "{before} {blocks}");
        }
    }

    #[test]
    fn triangles_of_oblong_tiles_are_numbered() {
        let before = "by * floordiv(by, 2) - floordiv(by, 2) * floordiv(by, 2) + by - floordiv(by, 2)";
        let columns = || coordinate(Axis::X, "0", "floordiv(by, 2)", None);
        let blocks = |before: &str| {
            let before: AstExpr = before.parse().unwrap();
            before.with_values(&|name| (name == "by").then(|| "n".parse().unwrap())).to_string()
        };
        let rows = |before| coordinate(Axis::Y, "0", "n - 1", Some(before));
        assert!(holds(ALL, vec![rows(before), columns()], &blocks(before)));
        let wrong = before.replace("+ by", "+ 2 * by");
        assert!(!holds(ALL, vec![rows(&wrong), columns()], &blocks(&wrong)));
        let wrong = before.replace("floordiv(by, 2) + by", "floordiv(by + 1, 2) + by");
        assert!(!holds(ALL, vec![rows(&wrong), columns()], &blocks(&wrong)));
    }

    #[test]
    fn empty_rows_have_no_blocks() {
        let rows = || {
            coordinate(Axis::Y, "0", "n - 1", Some("select(by <= 4, 0, exactdiv((by - 4) * (by - 5), 2))"))
        };
        let columns = || coordinate(Axis::X, "5", "by", None);
        let blocks = "select(n <= 4, 0, exactdiv((n - 4) * (n - 5), 2))";
        assert!(holds(ALL, vec![rows(), columns()], blocks));
        assert!(!holds(ALL, vec![rows(), columns()], "exactdiv((n - 4) * (n - 5), 2)"), "6 for n = 1");
    }

    /// The lower triangle of a factorisation: tiles of 16 rows and 32 columns, without the first rows and columns.
    #[test]
    fn triangles_that_begin_later_are_numbered() {
        let before = "exactdiv(3 * by + by * by + 4 * (floordiv(h + 2, 16) - by) * floordiv(h + 1, 32) \
                      - 4 * (1 + floordiv(h + 2, 16)) * floordiv(h + 18, 32) \
                      + 4 * floordiv(h + 18, 32) * floordiv(h + 18, 32) - 2 * floordiv(by, 2), 4)";
        let blocks = "(1 + floordiv(n + 15, 16)) * floordiv(n + 30, 32) - floordiv(n + 30, 32) * floordiv(n + 30, 32) \
                      + (floordiv(h + 2, 16) - floordiv(n + 15, 16)) * floordiv(h + 1, 32) \
                      - (1 + floordiv(h + 2, 16)) * floordiv(h + 18, 32) + floordiv(h + 18, 32) * floordiv(h + 18, 32)";
        let rows = |before| coordinate(Axis::Y, "floordiv(h + 2, 16)", "floordiv(n - 1, 16)", Some(before));
        let columns =
            || coordinate(Axis::X, "floordiv(h + 1, 32)", "min(floordiv(by, 2), floordiv(n - 2, 32))", None);
        let domain = "[n] -> { [h] : 0 <= h <= n - 3 }";
        assert!(holds(domain, vec![rows(before), columns()], blocks));
        let upper_first =
            || coordinate(Axis::X, "posdiv(h + 1, 32)", "min(posdiv(n - 2, 32), floordiv(by, 2))", None);
        assert!(
            holds(domain, vec![rows(before), upper_first()], blocks),
            "the order of operands does not matter"
        );
        assert!(!holds(domain, vec![rows(before), columns()], &format!("{blocks} + 1")));
    }

    #[test]
    fn three_coordinates_are_numbered() {
        let layers = coordinate(Axis::Z, "0", "n - 1", Some("exactdiv(bz * (bz + 1) * (bz + 2), 6)"));
        let rows = coordinate(Axis::Y, "0", "bz", Some("exactdiv(by * by + by, 2)"));
        let columns = coordinate(Axis::X, "h", "h + by", None);
        assert!(holds(ALL, vec![layers, rows, columns], "exactdiv(n * (n + 1) * (n + 2), 6)"));
    }
}
