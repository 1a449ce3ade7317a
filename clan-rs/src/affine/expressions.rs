//! C expressions as isl's piecewise quasi-affine expressions, and C conditions as sets.
//!
//! Signed sums and products are treated as exact, because C leaves their overflow undefined. Unsigned arithmetic,
//! narrowing conversions and left shifts, whose overflow C++ and the compilers define, are affine only if they do not
//! wrap around. This is proved for the instances at hand; if it holds only for some values of the parameters, these
//! values are assumed, and the assumption is recorded.

use std::collections::BTreeSet;

use polyhedra::{PwAff, Set, Val, context};
use scop::{BinaryOp, CType, UnaryOp};

use crate::affine::cases::{DIVISORS, has_too_many_cases, too_many_cases};
use crate::affine::point::Point;
use crate::affine::translator::{Affine, Mode};
use crate::c::constant::fold;
use crate::c::ctree::{Expr, ExprKind, VariableId};
use crate::errors::Result;
use crate::variables::products::{self};

impl Affine<'_, '_> {
    /// Returns the value of an integer expression at a point. `role` says in words what the expression is for.
    pub fn value(&mut self, expr: &Expr, point: &Point, role: &'static str) -> Result<PwAff> {
        self.role = role;
        self.evaluate(expr, point)
    }

    /// Returns the values of the point's iterators for which a condition holds.
    pub fn condition(&mut self, expr: &Expr, point: &Point, role: &'static str) -> Result<Set> {
        self.role = role;
        let holds = self.holds(expr, point)?;
        let not_analysed = role == "condition" && self.environment.opaque.divides_too_often;
        if not_analysed && !polyhedra::divisors(&holds)?.is_empty() {
            return Err(too_many_cases(expr));
        }
        if has_too_many_cases(&point.when(&holds)?.domain)? {
            return Err(too_many_cases(expr));
        }
        Ok(holds)
    }

    /// Returns the same for the condition of an `if`; `has_otherwise` is true if the `if` has another branch.
    pub fn condition_of_branches(&mut self, expr: &Expr, point: &Point, has_otherwise: bool) -> Result<Set> {
        let holds = self.condition(expr, point, "condition")?;
        if has_otherwise && has_too_many_cases(&point.unless(&holds)?.domain)? {
            return Err(too_many_cases(expr));
        }
        let divisors: BTreeSet<_> = self.divisors.union(&polyhedra::divisors(&holds)?).copied().collect();
        if divisors.len() > DIVISORS {
            self.divides_too_often = true;
            return Err(too_many_cases(expr));
        }
        self.divisors = divisors;
        Ok(holds)
    }

    pub(crate) fn evaluate(&mut self, expr: &Expr, point: &Point) -> Result<PwAff> {
        let ctype = match expr.ctype.arithmetic() {
            Some(ctype) if ctype.is_integer() => ctype,
            _ => return Err(self.not_integer(expr)),
        };
        if let Some(value) = fold(self.environment.tree, expr) {
            return point.constant(self.checked_constant(value, expr)?);
        }
        match &expr.kind {
            ExprKind::Variable(_) | ExprKind::Member { .. } => match expr.as_place() {
                Some(id) => self.variable(id, expr, point),
                None => Err(self.not_affine(expr)),
            },
            ExprKind::Unary(UnaryOp::Plus, operand) => self.evaluate(operand, point),
            ExprKind::Unary(UnaryOp::Minus, operand) => {
                let value = self.evaluate(operand, point)?.neg()?;
                self.in_range(value, ctype, expr, point)
            }
            ExprKind::Unary(UnaryOp::Complement, operand) => {
                let value = self.evaluate(operand, point)?.neg()?.sub(point.constant(1)?)?;
                self.in_range(value, ctype, expr, point)
            }
            ExprKind::Unary(UnaryOp::Not, _) => Ok(self.holds(expr, point)?.indicator_function()?),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, expr, point),
            ExprKind::Cast { operand, .. } if ctype == CType::Bool => {
                Ok(self.holds(operand, point)?.indicator_function()?)
            }
            ExprKind::Cast { operand, .. } => {
                let value = self.evaluate(operand, point)?;
                self.converted(value, ctype, operand, expr, point)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let holds = self.holds(condition, point)?;
                let then = self.evaluate(then, &point.when(&holds)?)?;
                let otherwise = self.evaluate(otherwise, &point.unless(&holds)?)?;
                Ok(holds.indicator_function()?.cond(then, otherwise)?)
            }
            _ => Err(self.not_affine(expr)),
        }
    }

    fn variable(&mut self, id: VariableId, expr: &Expr, point: &Point) -> Result<PwAff> {
        if let Some(position) = point.loops.iter().position(|&iterator| iterator == id) {
            return point.iterator(position as u32);
        }
        if self.environment.iterators.contains(&id) {
            return self.value_after_loop(id, expr, point);
        }
        if let Some(name) = self.environment.parameters.get(&id) {
            return point.parameter(name);
        }
        match &self.environment.tree.variable(id).initial {
            Some(initial) if self.environment.aliases.contains(&id) => self.evaluate(initial, point),
            _ => Err(self.unusable(id, expr)),
        }
    }

    /// Returns the value of an iterator outside its loops, if it is known at all instances.
    fn value_after_loop(&mut self, id: VariableId, expr: &Expr, point: &Point) -> Result<PwAff> {
        let Some(value) = point.values.get(id) else { return Err(self.unusable(id, expr)) };
        let unknown = self.instances(point)?.subtract(value.value.copy()?.domain()?)?;
        if unknown.is_empty()? {
            return Ok(value.value.copy()?);
        }
        if !unknown.is_subset(&value.set)? && self.environment.has_unused_value_before(id) {
            self.wanted.insert(id);
        }
        Err(self.unusable(id, expr))
    }

    fn binary(
        &mut self,
        operator: BinaryOp,
        left: &Expr,
        right: &Expr,
        expr: &Expr,
        point: &Point,
    ) -> Result<PwAff> {
        use BinaryOp::*;
        match operator {
            Lt | Gt | Le | Ge | Eq | Ne | And | Or => {
                return Ok(self.holds(expr, point)?.indicator_function()?);
            }
            Add | Sub | Mul => {}
            Div | Rem | Shl | Shr | BitAnd => return self.scaled(operator, left, right, expr, point),
            BitOr | BitXor => return Err(self.not_affine(expr)),
        }
        let tree = self.environment.tree;
        if operator == Mul && fold(tree, left).is_none() && fold(tree, right).is_none() {
            let (left, right) = (self.evaluate(left, point)?, self.evaluate(right, point)?);
            if !left.is_cst()? && !right.is_cst()? {
                return self.product_parameter(expr, point);
            }
        }
        let (left, right) = (self.evaluate(left, point)?, self.evaluate(right, point)?);
        let value = match operator {
            Add => left.add(right)?,
            Sub => left.sub(right)?,
            _ => left.mul(right)?,
        };
        let ctype = expr.ctype.arithmetic().unwrap_or(CType::Int);
        self.in_range(value, ctype, expr, point)
    }

    /// Returns the parameter for a product of integers that the region does not change.
    fn product_parameter(&mut self, expr: &Expr, point: &Point) -> Result<PwAff> {
        let found = products::factors(self.environment, expr).map(|found| products::key(&found));
        let known = found.and_then(|key| Some((self.known_products.get(&key)?.clone(), key)));
        match known {
            Some((parameter, key)) if self.mode == Mode::Exact => {
                self.use_product(key, parameter.clone())?;
                point.parameter(&parameter.name)
            }
            _ => Err(self.product(expr)),
        }
    }

    /// Translates operators with a constant operand (the right one, except for `&`): `/`, `%`, shifts, and `& (2^k -
    /// 1)`.
    fn scaled(
        &mut self,
        operator: BinaryOp,
        left: &Expr,
        right: &Expr,
        expr: &Expr,
        point: &Point,
    ) -> Result<PwAff> {
        let tree = self.environment.tree;
        let (left, number) = match (operator, fold(tree, left), fold(tree, right)) {
            (_, _, Some(number)) => (left, number),
            (BinaryOp::BitAnd, Some(number), None) => (right, number),
            _ => return Err(self.not_affine(expr)),
        };
        let number = self.checked_constant(number, expr)?;
        let ctype = expr.ctype.arithmetic().unwrap_or(CType::Int);
        let bits = 8 * i128::from(ctype.size());
        let value = self.evaluate(left, point)?;
        match operator {
            BinaryOp::Div if number > 0 => self.quotient(value, number, point),
            BinaryOp::Rem if number > 0 => self.remainder(value, number, point),
            BinaryOp::Shl if (0..bits - 1).contains(&number) => {
                let value = value.mul(point.constant(1 << number)?)?;
                self.require_range(&value, ctype, expr, point)?;
                Ok(value)
            }
            BinaryOp::Shr if (0..bits).contains(&number) => {
                Ok(value.div(point.constant(1 << number)?)?.floor()?)
            }
            BinaryOp::BitAnd if number >= 0 && (number + 1) & number == 0 => {
                Ok(value.mod_val(Val::read_from_str(context(), &(number + 1).to_string())?)?)
            }
            _ => Err(self.not_affine(expr)),
        }
    }

    /// Divides as C does, which truncates; for dividends that are not negative, the simpler floor gives the same
    /// result.
    fn quotient(&mut self, value: PwAff, divisor: i128, point: &Point) -> Result<PwAff> {
        let divisor = point.constant(divisor)?;
        if self.is_nonnegative(&value, point)? {
            Ok(value.div(divisor)?.floor()?)
        } else {
            Ok(value.tdiv_q(divisor)?)
        }
    }

    fn remainder(&mut self, value: PwAff, divisor: i128, point: &Point) -> Result<PwAff> {
        if self.is_nonnegative(&value, point)? {
            Ok(value.mod_val(Val::read_from_str(context(), &divisor.to_string())?)?)
        } else {
            Ok(value.tdiv_r(point.constant(divisor)?)?)
        }
    }

    fn is_nonnegative(&self, value: &PwAff, point: &Point) -> Result<bool> {
        Ok(self.known(point)?.is_subset(&value.copy()?.nonneg_set()?)?)
    }

    fn converted(
        &mut self,
        value: PwAff,
        ctype: CType,
        operand: &Expr,
        expr: &Expr,
        point: &Point,
    ) -> Result<PwAff> {
        let (least, largest) = ctype.range();
        let (from_least, from_largest) = operand.ctype.arithmetic().unwrap_or(CType::Int).range();
        if least <= from_least && from_largest <= largest {
            return Ok(value);
        }
        self.require_range(&value, ctype, expr, point)?;
        Ok(value)
    }

    /// Returns the result of an arithmetic operator, which must not wrap around in an unsigned type.
    fn in_range(&mut self, value: PwAff, ctype: CType, expr: &Expr, point: &Point) -> Result<PwAff> {
        if ctype.is_unsigned() {
            self.require_range(&value, ctype, expr, point)?;
        }
        Ok(value)
    }

    fn holds(&mut self, expr: &Expr, point: &Point) -> Result<Set> {
        use BinaryOp::*;
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => Ok(self.holds(operand, point)?.complement()?),
            ExprKind::Binary(And, left, right) => {
                let left = self.holds(left, point)?;
                let right = self.holds(right, &point.when(&left)?)?;
                Ok(left.intersect(right)?)
            }
            ExprKind::Binary(Or, left, right) => {
                let left = self.holds(left, point)?;
                let right = self.holds(right, &point.unless(&left)?)?;
                Ok(left.union(right)?)
            }
            ExprKind::Binary(operator @ (Lt | Gt | Le | Ge | Eq | Ne), left, right) => {
                let (left, right) = (self.evaluate(left, point)?, self.evaluate(right, point)?);
                Ok(match operator {
                    Lt => left.lt_set(right)?,
                    Gt => left.gt_set(right)?,
                    Le => left.le_set(right)?,
                    Ge => left.ge_set(right)?,
                    Eq => left.eq_set(right)?,
                    _ => left.ne_set(right)?,
                })
            }
            _ => Ok(self.evaluate(expr, point)?.ne_set(point.constant(0)?)?),
        }
    }
}
