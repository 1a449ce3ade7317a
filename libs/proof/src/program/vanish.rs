//! Decides whether a quasi-polynomial is 0 at all points of a set.
//!
//! A floor `q = floor(e / d)` becomes a variable of its own, with `0 <= e - d q < d`. What is left is a polynomial,
//! which is 0 on the set if the equations that hold there make all of its terms cancel. Where they do not, the set is
//! split into cases with more equations: two floors of expressions that differ by a constant have one of two
//! differences, the remainder of a small divisor has few values, and so may the difference of any two floors. If the
//! terms do not cancel in some case, the answer is no, which may be wrong; a yes is a proof.

use polyhedra::{DimType, Error, Map, Result, Set, Simplify, integer, polyhedra_of};
use scop::ast::{AstExpr, AstOp};

use super::polynomial::{Affine, Polynomial, reduced};
use super::value::{Scope, operation};

/// The most cases into which a set is split one after the other.
const DEPTH: u32 = 6;

/// The distance of two floors is examined value by value if it differs by no more than this from any of its values.
const FAR: i64 = 2;

/// The largest divisor whose remainders are examined one by one.
const SMALL_DIVISOR: i64 = 8;

/// True if an expression in `names` and the parameters is certainly 0 at all points of a set.
///
/// An exact division that is the whole expression, or a term or a case of it, is taken to leave no remainder.
///
/// # Errors
/// Returns isl's error if it exceeds a limit.
pub fn vanishes(names: &[String], set: &Set, expr: &AstExpr) -> Result<bool> {
    match decided(names, set, expr) {
        Err(error) if !error.is_limit() => Ok(false),
        answer => answer,
    }
}

fn decided(names: &[String], set: &Set, expr: &AstExpr) -> Result<bool> {
    let mut terms = Terms::new(names, set)?;
    for (set, value) in terms.pieces(set, expr, Quotients::Whole)? {
        if !value.is_zero() && !terms.is_zero_on(&set, &value)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What is known of exact divisions (`exactdiv`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quotients {
    /// There is no remainder: the equations in [`super::rank`] say that the result is a sum of whole numbers.
    Whole,
    /// Only what the set says.
    Unknown,
}

/// A function on parts of a set, which do not overlap.
type Pieces = Vec<(Set, Polynomial)>;

/// The variables of polynomials: first the names, then the parameters, then floors.
struct Terms {
    names: Vec<String>,
    parameters: Vec<String>,
    /// The dividends, in terms of variables before, and the divisors.
    floors: Vec<(Affine, i64)>,
}

impl Terms {
    fn new(names: &[String], set: &Set) -> Result<Self> {
        let parameters = (0..set.dim(DimType::Param)? as u32)
            .map(|position| Ok(set.get_dim_name(DimType::Param, position)?.to_owned()))
            .collect::<Result<_>>()?;
        Ok(Self { names: names.to_vec(), parameters, floors: Vec::new() })
    }

    fn variable(&self, name: &str) -> Result<usize> {
        let all = self.names.iter().chain(&self.parameters);
        let position = all.clone().position(|known| known == name);
        position.ok_or_else(|| Error::new(format!("`{name}` is not defined")))
    }

    fn first_floor(&self) -> usize {
        self.names.len() + self.parameters.len()
    }

    /// Returns the values of an expression on parts of a set.
    fn pieces(&mut self, set: &Set, expr: &AstExpr, quotients: Quotients) -> Result<Pieces> {
        let (operator, operands) = match expr {
            AstExpr::Int(value) => return Ok(vec![(set.copy()?, Polynomial::constant(*value))]),
            AstExpr::Name(name) => {
                return Ok(vec![(set.copy()?, Polynomial::variable(self.variable(name)?))]);
            }
            AstExpr::Op(operator, operands) => (operator, &operands[..]),
        };
        match (operator, operands) {
            (AstOp::Minus, [one]) => self.each(set, &[one], quotients, |values| values[0].scaled((-1, 1))),
            (AstOp::Add, [left, right]) => {
                self.each(set, &[left, right], quotients, |values| values[0].plus(&values[1]))
            }
            (AstOp::Sub, [left, right]) => {
                self.each(set, &[left, right], quotients, |values| values[0].minus(&values[1]))
            }
            (AstOp::Mul, [left, right]) => {
                self.each(set, &[left, right], Quotients::Unknown, |values| values[0].times(&values[1]))
            }
            (AstOp::Max | AstOp::Min, [one]) => self.pieces(set, one, Quotients::Unknown),
            (AstOp::Max | AstOp::Min, [first, rest @ ..]) => {
                let rest = AstExpr::Op(*operator, rest.to_vec());
                let comparison = if *operator == AstOp::Max { AstOp::Ge } else { AstOp::Le };
                let all_of = |rest: &AstExpr| match rest {
                    AstExpr::Op(_, operands) if operands.len() == 1 => operands[0].clone(),
                    several => several.clone(),
                };
                let condition = operation(comparison, first.clone(), all_of(&rest));
                self.choice(set, &condition, (first, &rest), Quotients::Unknown)
            }
            (AstOp::Select, [condition, then, otherwise]) => {
                self.choice(set, condition, (then, otherwise), quotients)
            }
            (AstOp::Div, [dividend, AstExpr::Int(divisor)])
                if *divisor > 0 && quotients == Quotients::Whole =>
            {
                let factor = (1, i128::from(*divisor));
                self.each(set, &[dividend], Quotients::Unknown, |values| values[0].scaled(factor))
            }
            (AstOp::FloorDiv, [dividend, AstExpr::Int(divisor)]) if *divisor > 0 => {
                self.floor(set, dividend, *divisor)
            }
            // C rounds towards zero.
            (AstOp::PosDiv | AstOp::Div, [dividend, AstExpr::Int(divisor)]) if *divisor > 0 => {
                let scope = Scope { names: &self.names, domain: set };
                let positive = scope.condition(&operation(AstOp::Ge, dividend.clone(), AstExpr::Int(0)))?;
                if !set.is_subset(&positive)? {
                    return Err(undefined(expr));
                }
                self.floor(set, dividend, *divisor)
            }
            _ => Err(undefined(expr)),
        }
    }

    fn choice(
        &mut self,
        set: &Set,
        condition: &AstExpr,
        (then, otherwise): (&AstExpr, &AstExpr),
        quotients: Quotients,
    ) -> Result<Pieces> {
        let holds = Scope { names: &self.names, domain: set }.condition(condition)?;
        let inside = set.copy()?.intersect(holds.copy()?)?.simplified()?;
        let outside = set.copy()?.subtract(holds)?.simplified()?;
        let mut pieces = Vec::new();
        for (set, value) in [(inside, then), (outside, otherwise)] {
            if !set.is_empty()? {
                pieces.extend(self.pieces(&set, value, quotients)?);
            }
        }
        Ok(pieces)
    }

    fn floor(&mut self, set: &Set, dividend: &AstExpr, divisor: i64) -> Result<Pieces> {
        let mut found = Vec::new();
        for (set, value) in self.pieces(set, dividend, Quotients::Unknown)? {
            let dividend = value.affine().ok_or_else(|| Error::new("a quotient of products"))?;
            let floor = (dividend, divisor);
            let known = self.floors.iter().position(|known| *known == floor);
            let position = known.unwrap_or_else(|| {
                self.floors.push(floor);
                self.floors.len() - 1
            });
            found.push((set, Polynomial::variable(self.first_floor() + position)));
        }
        Ok(found)
    }

    /// Returns what `combine` makes of the values of some expressions.
    fn each(
        &mut self,
        set: &Set,
        exprs: &[&AstExpr],
        quotients: Quotients,
        combine: impl Fn(&[Polynomial]) -> Option<Polynomial>,
    ) -> Result<Pieces> {
        let mut known = vec![(set.copy()?, Vec::new())];
        for expr in exprs {
            let mut more = Vec::new();
            for (set, values) in known {
                for (set, value) in self.pieces(&set, expr, quotients)? {
                    let values: Vec<Polynomial> = values.iter().cloned().chain([value]).collect();
                    more.push((set, values));
                }
            }
            known = more;
        }
        known.into_iter().map(|(set, values)| Ok((set, combine(&values).ok_or_else(too_large)?))).collect()
    }

    /// True if a polynomial is 0 at all points of a set, which has no dimensions for floors.
    fn is_zero_on(&self, set: &Set, value: &Polynomial) -> Result<bool> {
        let used = self.used_floors(value);
        let mut names = self.names.clone();
        names.extend(used.iter().map(|floor| floor_name(*floor)));
        let points = set.copy()?.add_dims(DimType::Set, used.len() as u32)?;
        let mut lifted = points.copy()?;
        for &floor in &used {
            for condition in self.definition(floor) {
                lifted = lifted.intersect(Scope { names: &names, domain: &points }.condition(&condition)?)?;
            }
        }
        self.cancels(&lifted, value, (&names, &used), DEPTH)
    }

    /// Returns the floors of a polynomial, and those in their dividends.
    fn used_floors(&self, value: &Polynomial) -> Vec<usize> {
        let first = self.first_floor();
        let mut used: Vec<usize> =
            value.variables().filter_map(|variable| variable.checked_sub(first)).collect();
        let mut next = 0;
        while let Some(&floor) = used.get(next) {
            let inner = self.floors[floor].0.terms.iter();
            used.extend(inner.filter_map(|(variable, _)| variable.checked_sub(first)));
            next += 1;
        }
        used.sort_unstable();
        used.dedup();
        used
    }

    /// `0 <= e - d q` and `e - d q < d`
    fn definition(&self, floor: usize) -> [AstExpr; 2] {
        let rest = self.remainder(floor);
        let divisor = AstExpr::Int(self.floors[floor].1);
        [operation(AstOp::Ge, rest.clone(), AstExpr::Int(0)), operation(AstOp::Lt, rest, divisor)]
    }

    /// `e - d q`
    fn remainder(&self, floor: usize) -> AstExpr {
        let (dividend, divisor) = &self.floors[floor];
        let name = AstExpr::Name(floor_name(floor));
        let multiple = operation(AstOp::Mul, AstExpr::Int(*divisor), name);
        operation(AstOp::Sub, self.written(dividend), multiple)
    }

    fn written(&self, affine: &Affine) -> AstExpr {
        affine.terms.iter().fold(AstExpr::Int(affine.constant), |sum, (variable, factor)| {
            let all = self.names.iter().chain(&self.parameters);
            let name = all.clone().nth(*variable).cloned();
            let name = name.unwrap_or_else(|| floor_name(*variable - self.first_floor()));
            let term = operation(AstOp::Mul, AstExpr::Int(*factor), AstExpr::Name(name));
            operation(AstOp::Add, sum, term)
        })
    }

    /// True if the terms of a polynomial cancel at all points of a set, which has dimensions for `names` and the
    /// `used` floors.
    fn cancels(
        &self,
        set: &Set,
        value: &Polynomial,
        (names, used): (&[String], &[usize]),
        depth: u32,
    ) -> Result<bool> {
        let parts = set.copy()?.make_disjoint()?.get_basic_set_list()?;
        for position in 0..parts.size()? {
            let part = parts.get_at(position)?;
            if part.is_empty()? {
                continue;
            }
            let hull = Set::from_basic_set(part.copy()?.affine_hull()?)?;
            let value = self.with_equations(value, &hull, used)?;
            if value.is_zero() {
                continue;
            }
            let part = Set::from_basic_set(part)?;
            if depth == 0 || !self.cancels_in_cases(&part, &value, (names, used), depth - 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Splits a set into cases in which more equations hold. Returns false if there are none, or in some case the
    /// terms do not cancel.
    fn cancels_in_cases(
        &self,
        set: &Set,
        value: &Polynomial,
        (names, used): (&[String], &[usize]),
        depth: u32,
    ) -> Result<bool> {
        let answer = self.cancels_in_some(self.cases(used), set, value, (names, used), depth)?;
        if let Some(answer) = answer {
            return Ok(answer);
        }
        // These cost more to find, and are seldom needed.
        let more = self.distances(set, (names, used))?;
        Ok(self.cancels_in_some(more, set, value, (names, used), depth)?.unwrap_or(false))
    }

    /// Splits a set in the first of some ways that splits it, and returns whether the terms cancel in all cases;
    /// nothing if no way splits it.
    fn cancels_in_some(
        &self,
        ways: Vec<Vec<AstExpr>>,
        set: &Set,
        value: &Polynomial,
        (names, used): (&[String], &[usize]),
        depth: u32,
    ) -> Result<Option<bool>> {
        for cases in ways {
            let mut parts = Vec::new();
            for case in &cases {
                let part = set.copy()?.intersect(Scope { names, domain: set }.condition(case)?)?;
                if !part.is_empty()? {
                    parts.push(part);
                }
            }
            // Cases of which only one exists are known already.
            if parts.len() < 2 {
                continue;
            }
            for part in parts {
                if !self.cancels(&part, value, (names, used), depth)? {
                    return Ok(Some(false));
                }
            }
            return Ok(Some(true));
        }
        Ok(None)
    }

    /// Returns the ways to split into cases, of which one holds: the differences of floors, and remainders.
    fn cases(&self, used: &[usize]) -> Vec<Vec<AstExpr>> {
        let mut all = Vec::new();
        for (position, &one) in used.iter().enumerate() {
            for &other in &used[position + 1..] {
                let ((dividend, divisor), (minuend, other_divisor)) =
                    (&self.floors[one], &self.floors[other]);
                if divisor != other_divisor || dividend.terms != minuend.terms {
                    continue;
                }
                let least = (i128::from(minuend.constant) - i128::from(dividend.constant))
                    .div_euclid(i128::from(*divisor));
                let names = [other, one].map(|floor| AstExpr::Name(floor_name(floor)));
                let [minuend, subtrahend] = names;
                let distance = operation(AstOp::Sub, minuend, subtrahend);
                let Ok(least) = i64::try_from(least) else { continue };
                let is = |value| operation(AstOp::Eq, distance.clone(), AstExpr::Int(value));
                all.push(vec![is(least), is(least.saturating_add(1))]);
            }
        }
        for &floor in used {
            let divisor = self.floors[floor].1;
            if divisor <= SMALL_DIVISOR {
                let is = |value| operation(AstOp::Eq, self.remainder(floor), AstExpr::Int(value));
                all.push((0..divisor).map(is).collect());
            }
        }
        all
    }

    /// Returns the ways to split by the distance of two floors, where it has several values, but few.
    fn distances(&self, set: &Set, (names, used): (&[String], &[usize])) -> Result<Vec<Vec<AstExpr>>> {
        let mut all = Vec::new();
        let example = set.copy()?.sample_point()?;
        for (position, &one) in used.iter().enumerate() {
            for &other in &used[position + 1..] {
                let names_of = [one, other].map(|floor| AstExpr::Name(floor_name(floor)));
                let [minuend, subtrahend] = names_of;
                let distance = operation(AstOp::Sub, minuend, subtrahend);
                // Limits that an optimum would give, isl does not find for all sets without bounds.
                let number = |floor: usize| -> Result<i64> {
                    let position = used.iter().position(|known| *known == floor).unwrap_or(0);
                    integer(&example.get_coordinate_val(DimType::Set, (self.names.len() + position) as i32)?)
                };
                let there = number(one)?.saturating_sub(number(other)?);
                let (least, most) = (there.saturating_sub(FAR), there.saturating_add(FAR));
                let scope = Scope { names, domain: set };
                let near = scope
                    .condition(&operation(AstOp::Ge, distance.clone(), AstExpr::Int(least)))?
                    .intersect(scope.condition(&operation(
                        AstOp::Le,
                        distance.clone(),
                        AstExpr::Int(most),
                    ))?)?;
                if set.is_subset(&near)? {
                    let is = |value| operation(AstOp::Eq, distance.clone(), AstExpr::Int(value));
                    all.push((least..=most).map(is).collect());
                }
            }
        }
        Ok(all)
    }

    /// Replaces variables by what the equations of a set say that they are.
    fn with_equations(&self, value: &Polynomial, hull: &Set, used: &[usize]) -> Result<Polynomial> {
        let mut value = value.clone();
        let mut known: Vec<Polynomial> = Vec::new();
        for polyhedron in polyhedra_of(&Map::from_range(hull.copy()?)?)? {
            let (floors, parameters) = (polyhedron.output - self.names.len(), polyhedron.parameters);
            let first_parameter = polyhedron.output + polyhedron.local;
            for constraint in polyhedron.constraints.iter().filter(|constraint| constraint.equality) {
                let numbers = &constraint.coefficients;
                if numbers[polyhedron.output..first_parameter].iter().any(|number| *number != 0) {
                    continue;
                }
                let of = |column: usize| {
                    if column < self.names.len() {
                        Some(column)
                    } else {
                        used.get(column - self.names.len()).map(|floor| self.first_floor() + floor)
                    }
                };
                let dimensions =
                    (0..self.names.len() + floors).filter_map(|column| Some((of(column)?, numbers[column])));
                let parameters = (0..parameters)
                    .map(|position| (self.names.len() + position, numbers[first_parameter + position]));
                let mut equation = Polynomial::constant(numbers.last().copied().unwrap_or(0));
                for (variable, number) in dimensions.chain(parameters) {
                    let term = Polynomial::variable(variable).scaled((number.into(), 1));
                    equation = term.and_then(|term| equation.plus(&term)).ok_or_else(too_large)?;
                }
                known.push(equation);
            }
        }
        // Gaussian elimination: each equation gives one variable.
        let mut position = 0;
        while position < known.len() {
            let equation = known[position].clone();
            position += 1;
            let Some(affine) = equation.affine() else { continue };
            // Floors are replaced first: they are in the way of other terms.
            let Some(&(variable, factor)) = affine.terms.iter().max_by_key(|(variable, _)| *variable) else {
                continue;
            };
            let rest = Affine {
                terms: affine.terms.iter().copied().filter(|(other, _)| *other != variable).collect(),
                constant: affine.constant,
            };
            let factor = reduced(-1, factor.into()).ok_or_else(too_large)?;
            let replacement = rest.polynomial().and_then(|rest| rest.scaled(factor)).ok_or_else(too_large)?;
            value = value.with(variable, &replacement).ok_or_else(too_large)?;
            for later in &mut known[position..] {
                let changed = later.with(variable, &replacement).ok_or_else(too_large)?;
                *later = changed;
            }
        }
        Ok(value)
    }
}

fn floor_name(floor: usize) -> String {
    format!("floor{floor}")
}

fn undefined(expr: &AstExpr) -> Error {
    Error::new(format!("`{expr}` is not known to be a whole number"))
}

fn too_large() -> Error {
    Error::new("a number in a proof is too large")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails panics")]
mod tests {
    use polyhedra::Text;

    use super::*;

    #[test]
    fn expressions_are_zero_where_their_terms_cancel() {
        for (set, expr, expected) in [
            ("{ [x, y] : x = y }", "x * x - x * y", true),
            ("{ [x, y] : x >= y }", "x * x - x * y", false),
            ("{ [x, y] }", "floordiv(x + 8, 4) - floordiv(x, 4) - 2", true),
            ("{ [x, y] }", "floordiv(x + 7, 4) - floordiv(x, 4) - 2", false),
            ("{ [x, y] }", "floordiv(x, 2) + floordiv(x + 1, 2) - x", true),
            ("{ [x, y] }", "floordiv(floordiv(x, 16), 2) - floordiv(x, 32)", true),
            ("{ [x, y] : x >= 0 }", "posdiv(x, 4) - floordiv(x, 4)", true),
            ("{ [x, y] }", "max(x, y) + min(x, y) - x - y", true),
            ("{ [x, y] }", "select(x < y, y - x, x - y) - max(x - y, y - x)", true),
            ("[n] -> { [x, y] : y = n and x = 2n }", "x - 2 * y", true),
            ("{ [x, y] : 4 <= x < 8 }", "y * floordiv(x, 4) - y", true),
            ("{ [x, y] : 4 <= x <= 8 }", "y * floordiv(x, 4) - y", false),
        ] {
            let names = ["x", "y"].map(ToOwned::to_owned);
            let found = vanishes(&names, &Set::parse(set).unwrap(), &expr.parse().unwrap()).unwrap();
            assert_eq!(found, expected, "{set} {expr}");
        }
    }

    #[test]
    fn quotients_that_c_rounds_otherwise_are_not_known() {
        let names = ["x".to_owned()];
        for (set, expected) in [("{ [x] : x >= 0 }", true), ("{ [x] : x >= -3 }", false)] {
            let expr = "posdiv(x, 2) - floordiv(x, 2)".parse().unwrap();
            assert_eq!(vanishes(&names, &Set::parse(set).unwrap(), &expr).unwrap(), expected, "{set}");
        }
        for (expr, expected) in [
            ("exactdiv(x * x + x, 2) - exactdiv(x * x, 2) - exactdiv(x, 2)", true),
            ("3 * exactdiv(x * x, 2) - exactdiv(3 * x * x, 2)", false),
        ] {
            let set = Set::parse("{ [x] }").unwrap();
            assert_eq!(vanishes(&names, &set, &expr.parse().unwrap()).unwrap(), expected, "{expr}");
        }
    }
}
