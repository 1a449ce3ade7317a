//! The integer expressions of a loop program as functions of its points.
//!
//! The translation is exact: divisions and remainders are those of C, whatever the sign of the dividend.

use polyhedra::{DimType, Error, LocalSpace, PwAff, Result, Set, Val, context};
use scop::ast::{AstExpr, AstOp};

/// The names that expressions may use at one place of a loop program, and the points at which the place is reached.
pub struct Scope<'a> {
    /// The dimensions of the points, in order; other names are parameters.
    pub names: &'a [String],
    /// The points.
    pub domain: &'a Set,
}

impl Scope<'_> {
    /// Returns the value of an expression.
    ///
    /// # Errors
    /// Fails if the expression is not quasi-affine, or uses a name that is neither in the scope nor a parameter.
    pub fn value(&self, expr: &AstExpr) -> Result<PwAff> {
        match expr {
            AstExpr::Int(value) => self.constant(*value),
            AstExpr::Name(name) => self.variable(name),
            AstExpr::Op(operator, operands) => match (operator, &operands[..]) {
                (AstOp::Max, [first, rest @ ..]) => {
                    rest.iter().try_fold(self.value(first)?, |most, next| Ok(most.max(self.value(next)?)?))
                }
                (AstOp::Min, [first, rest @ ..]) => {
                    rest.iter().try_fold(self.value(first)?, |least, next| Ok(least.min(self.value(next)?)?))
                }
                (AstOp::Minus, [operand]) => Ok(self.value(operand)?.neg()?),
                (AstOp::Add, [left, right]) => Ok(self.value(left)?.add(self.value(right)?)?),
                (AstOp::Sub, [left, right]) => Ok(self.value(left)?.sub(self.value(right)?)?),
                (AstOp::Mul, [left, right]) => Ok(self.value(left)?.mul(self.value(right)?)?),
                (AstOp::FloorDiv, [left, right]) => Ok(self.value(left)?.div(self.value(right)?)?.floor()?),
                (AstOp::Div | AstOp::PosDiv, [left, right]) => self.quotient(left, right),
                (AstOp::PosMod | AstOp::ZeroMod, [left, right]) => self.remainder(left, right),
                (AstOp::Select, [condition, then, otherwise]) => {
                    self.choice(self.condition(condition)?, self.value(then)?, self.value(otherwise)?)
                }
                _ => self.choice(self.condition(expr)?, self.constant(1)?, self.constant(0)?),
            },
        }
    }

    /// Returns the points at which a condition holds, among all points of the space.
    ///
    /// # Errors
    /// Fails as [`Scope::value`] does.
    pub fn condition(&self, expr: &AstExpr) -> Result<Set> {
        if let AstExpr::Op(operator, operands) = expr
            && let [left, right] = &operands[..]
        {
            match operator {
                AstOp::And => return Ok(self.condition(left)?.intersect(self.condition(right)?)?),
                AstOp::Or => return Ok(self.condition(left)?.union(self.condition(right)?)?),
                AstOp::Eq => return Ok(self.value(left)?.eq_set(self.value(right)?)?),
                AstOp::Le => return self.at_most(left, right, 0),
                AstOp::Lt => return self.at_most(left, right, 1),
                AstOp::Ge => return self.at_most(right, left, 0),
                AstOp::Gt => return self.at_most(right, left, 1),
                _ => {}
            }
        }
        Ok(self.value(expr)?.non_zero_set()?)
    }

    /// Returns the points at which `left + gap <= right`, without the cases that the value of a maximum or minimum
    /// has.
    fn at_most(&self, left: &AstExpr, right: &AstExpr, gap: i64) -> Result<Set> {
        let (all_of, some_of) = match (left, right) {
            (AstExpr::Op(AstOp::Max, parts), _) => {
                (true, self.each(parts, |part| self.at_most(part, right, gap))?)
            }
            (_, AstExpr::Op(AstOp::Min, parts)) => {
                (true, self.each(parts, |part| self.at_most(left, part, gap))?)
            }
            (AstExpr::Op(AstOp::Min, parts), _) => {
                (false, self.each(parts, |part| self.at_most(part, right, gap))?)
            }
            (_, AstExpr::Op(AstOp::Max, parts)) => {
                (false, self.each(parts, |part| self.at_most(left, part, gap))?)
            }
            _ => {
                let left = self.value(left)?.add(self.constant(gap)?)?;
                return Ok(left.le_set(self.value(right)?)?);
            }
        };
        let mut parts = some_of.into_iter();
        let first = parts.next().ok_or_else(|| Error::new("a maximum or minimum of nothing"))?;
        parts.try_fold(first, |sum, part| Ok(if all_of { sum.intersect(part)? } else { sum.union(part)? }))
    }

    fn each(&self, parts: &[AstExpr], set: impl Fn(&AstExpr) -> Result<Set>) -> Result<Vec<Set>> {
        parts.iter().map(set).collect()
    }

    fn quotient(&self, left: &AstExpr, right: &AstExpr) -> Result<PwAff> {
        let (dividend, divisor) = (self.value(left)?, self.value(right)?);
        if self.is_never_negative(&dividend)? {
            return Ok(dividend.div(divisor)?.floor()?);
        }
        Ok(dividend.tdiv_q(divisor)?)
    }

    fn remainder(&self, left: &AstExpr, right: &AstExpr) -> Result<PwAff> {
        let dividend = self.value(left)?;
        match right {
            AstExpr::Int(divisor) if self.is_never_negative(&dividend)? => {
                Ok(dividend.mod_val(integer(*divisor)?)?)
            }
            _ => Ok(dividend.tdiv_r(self.value(right)?)?),
        }
    }

    fn is_never_negative(&self, value: &PwAff) -> Result<bool> {
        let negative = value.copy()?.lt_set(self.constant(0)?)?;
        Ok(negative.intersect(self.domain.copy()?)?.is_empty()?)
    }

    fn choice(&self, condition: Set, then: PwAff, otherwise: PwAff) -> Result<PwAff> {
        let then = then.intersect_domain(condition.copy()?)?;
        Ok(then.union_add(otherwise.subtract_domain(condition)?)?)
    }

    fn constant(&self, value: i64) -> Result<PwAff> {
        Ok(PwAff::val_on_domain(Set::universe(self.domain.get_space()?)?, integer(value)?)?)
    }

    fn variable(&self, name: &str) -> Result<PwAff> {
        let space = self.domain.get_space()?;
        let (kind, position) = match self.names.iter().position(|known| known == name) {
            Some(position) => (DimType::Set, position as i32),
            None => (DimType::Param, space.find_dim_by_name(DimType::Param, name)?),
        };
        let position = u32::try_from(position).map_err(|_| Error::new(format!("`{name}` is not defined")))?;
        Ok(PwAff::var_on_domain(LocalSpace::from_space(space)?, kind, position)?)
    }
}

fn integer(value: i64) -> Result<Val> {
    Ok(Val::int_from_si(context(), value)?)
}

/// Returns an operation of two operands.
pub fn operation(operator: AstOp, left: AstExpr, right: AstExpr) -> AstExpr {
    AstExpr::Op(operator, vec![left, right])
}

#[cfg(test)]
mod tests {
    use polyhedra::Text;

    use super::*;

    /// Conditions of a loop program, and what they mean in isl's notation.
    const CONDITIONS: &[(&str, &str)] = &[
        ("x < y", "x < y"),
        ("x <= y", "x <= y"),
        ("x > y", "x > y"),
        ("x >= y", "x >= y"),
        ("x == y", "x = y"),
        ("x == 2 or y == 3 and x == 4", "x = 2 or (y = 3 and x = 4)"),
        ("min(x, 3) <= y", "x <= y or 3 <= y"),
        ("max(x, 3) <= y", "x <= y and 3 <= y"),
        ("x <= min(y, 3)", "x <= y and x <= 3"),
        ("x < max(y, 3)", "x < y or x < 3"),
        ("max(x, 3) >= y", "x >= y or 3 >= y"),
        ("max(x, y) == 3", "(x = 3 and y <= 3) or (y = 3 and x <= 3)"),
        ("min(x, y) == 3", "(x = 3 and y >= 3) or (y = 3 and x >= 3)"),
        ("floordiv(x, 3) == y", "y = floor(x / 3)"),
        ("posdiv(x, 3) == y", "(x >= 0 and y = floor(x / 3)) or (x < 0 and y = -floor(-x / 3))"),
        ("exactdiv(x, 3) == y", "(x >= 0 and y = floor(x / 3)) or (x < 0 and y = -floor(-x / 3))"),
        ("exactdiv(x, 3) <= 0", "x <= 2"),
        ("posmod(x, 3) == y", "(x >= 0 and y = x mod 3) or (x < 0 and y = -((-x) mod 3))"),
        ("zeromod(x, 3) == y", "(x >= 0 and y = x mod 3) or (x < 0 and y = -((-x) mod 3))"),
        ("select(x < y, x + 5, -y) == 3", "(x < y and x = -2) or (x >= y and y = -3)"),
        ("(x < y) + 2 * (x < 0) == 1", "0 <= x < y"),
    ];

    #[test]
    fn conditions_mean_what_they_do_in_c() {
        let names = ["x", "y"].map(ToOwned::to_owned);
        let domain = Set::parse("{ [x, y] : -9 <= x <= 9 and -9 <= y <= 9 }").unwrap();
        let scope = Scope { names: &names, domain: &domain };
        for (condition, expected) in CONDITIONS {
            let found = scope.condition(&condition.parse().unwrap()).unwrap();
            let found = found.intersect(domain.copy().unwrap()).unwrap();
            let expected = Set::parse(&format!("{{ [x, y] : {expected} }}")).unwrap();
            let expected = expected.intersect(domain.copy().unwrap()).unwrap();
            assert!(found.is_equal(&expected).unwrap(), "{condition}: {}", found.text().unwrap());
        }
    }
}
