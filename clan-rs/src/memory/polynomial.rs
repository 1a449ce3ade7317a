//! Subscripts that are polynomials: sums of affine expressions times products of parameters.
//!
//! *before → after*: `(k * ny + j) * nx + i` becomes the terms `k` for the product nx·ny, `j` for nx, and `i` for 1.
//! From these terms, [`crate::memory::linearised`] finds the array that the subscript refers to, with the dimensions
//! that C does not show.
//!
//! Unsigned arithmetic is arithmetic modulo a power of two. Sums and products commute with it, so only the final
//! value must be proved to be in range, provided that no intermediate value is converted to a wider type.

use std::collections::BTreeMap;

use polyhedra::{DimType, PwAff, Set, Text};
use scop::{BinaryOp, CType, UnaryOp};

use crate::affine::point::Point;
use crate::affine::translator::{Affine, Mode};
use crate::c::ctree::{Expr, ExprKind};
use crate::errors::{Fault, Result, WRAPS};
use crate::memory::reference::Subscript;

/// A product of expressions in the parameters, each as isl's text, sorted; an empty product is 1.
pub type Monomial = Vec<String>;

/// A sum of terms.
pub struct Polynomial {
    /// The coefficient of each product.
    pub terms: BTreeMap<Monomial, PwAff>,
    /// The width of the unsigned type in which it was computed, if one was.
    pub bits: Option<u32>,
}

impl Polynomial {
    /// Creates a polynomial from an affine expression.
    pub fn linear(value: PwAff) -> Self {
        Self { terms: BTreeMap::from([(Monomial::new(), value)]), bits: None }
    }

    fn add_term(&mut self, monomial: Monomial, value: PwAff) -> Result<()> {
        let sum = match self.terms.remove(&monomial) {
            Some(present) => present.add(value)?,
            None => value,
        };
        self.terms.insert(monomial, sum);
        Ok(())
    }

    fn plus(mut self, other: Self, negative: bool) -> Result<Self> {
        for (monomial, value) in other.terms {
            self.add_term(monomial, if negative { value.neg()? } else { value })?;
        }
        Ok(self)
    }

    /// Returns the product; nothing if two factors depend on loops.
    fn times(&self, other: &Self) -> Result<Option<Self>> {
        let mut product = Self { terms: BTreeMap::new(), bits: None };
        for (left, first) in &self.terms {
            for (right, second) in &other.terms {
                let mut monomial: Monomial = left.iter().chain(right).cloned().collect();
                let Some(value) = coefficient(first.copy()?, second.copy()?, &mut monomial)? else {
                    return Ok(None);
                };
                monomial.sort();
                product.add_term(monomial, value)?;
            }
        }
        Ok(Some(product))
    }
}

/// Multiplies two coefficients; nothing if both depend on loops. A factor in the parameters alone moves to the
/// monomial.
fn coefficient(first: PwAff, second: PwAff, monomial: &mut Monomial) -> Result<Option<PwAff>> {
    if first.is_cst()? || second.is_cst()? {
        return Ok(Some(first.mul(second)?));
    }
    let one = |value: &PwAff| -> Result<PwAff> { Ok(value.copy()?.sub(value.copy()?)?.add(unit(value)?)?) };
    match (parameters_alone(&first)?, parameters_alone(&second)?) {
        (Some(left), Some(right)) => {
            let value = one(&first)?;
            monomial.extend([left, right]);
            Ok(Some(value))
        }
        (Some(left), None) => {
            monomial.push(left);
            Ok(Some(second))
        }
        (None, Some(right)) => {
            monomial.push(right);
            Ok(Some(first))
        }
        (None, None) => Ok(None),
    }
}

fn unit(value: &PwAff) -> Result<PwAff> {
    let depth = value.dim(DimType::In)?;
    Ok(PwAff::parse("{ [] -> [(1)] }")?.add_dims(DimType::In, depth.unsigned_abs())?)
}

/// Returns the text of an expression, if it depends on no loop.
fn parameters_alone(value: &PwAff) -> Result<Option<String>> {
    let depth = value.dim(DimType::In)?.unsigned_abs();
    if value.involves_dims(DimType::In, 0, depth)? || !value.isa_aff()? {
        return Ok(None);
    }
    Ok(Some(value.copy()?.project_domain_on_params()?.drop_unused_params()?.text()?))
}

impl Affine<'_, '_> {
    /// Returns the value of a subscript, which may contain products of parameters and loop variables.
    pub fn polynomial(&mut self, subscript: &Subscript, point: &Point, mode: Mode) -> Result<Polynomial> {
        let before = std::mem::replace(&mut self.mode, mode);
        self.role = "subscript";
        let result = self.sum(subscript, point);
        self.mode = before;
        result
    }

    fn sum(&mut self, subscript: &Subscript, point: &Point) -> Result<Polynomial> {
        let mut sum = Polynomial::linear(point.constant(0)?);
        for (negative, part) in &subscript.parts {
            let value = self.expand(part, point)?;
            let narrow = value.bits.is_some_and(|bits| bits < 64);
            if narrow && self.mode != Mode::Survey && !is_single(subscript) {
                return Err(self.wraps_on_the_way(part));
            }
            let bits = sum.bits.max(value.bits);
            sum = sum.plus(value, *negative)?;
            sum.bits = bits;
        }
        Ok(sum)
    }

    fn expand(&mut self, expr: &Expr, point: &Point) -> Result<Polynomial> {
        let (assumed, said) = (self.assumed.copy()?, self.warnings.len());
        let fault = match self.evaluate(expr, point) {
            Ok(value) => return Ok(Polynomial::linear(value)),
            Err(fault) => fault,
        };
        self.assumed = assumed;
        self.warnings.truncate(said);
        let Some(ctype) = expr.ctype.arithmetic() else { return Err(fault) };
        match &expr.kind {
            ExprKind::Variable(id) if self.environment.aliases.contains(id) => {
                match &self.environment.tree.variable(*id).initial {
                    Some(initial) => self.expand(initial, point),
                    None => Err(fault),
                }
            }
            ExprKind::Unary(UnaryOp::Plus, operand) => self.expand(operand, point),
            ExprKind::Unary(UnaryOp::Minus, operand) => {
                let zero = Polynomial::linear(point.constant(0)?);
                let operand = self.expand(operand, point)?;
                let bits = self.width(ctype, &zero, &operand, expr)?;
                Ok(Polynomial { bits, ..zero.plus(operand, true)? })
            }
            ExprKind::Binary(operator @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let (left, right) = (self.expand(left, point)?, self.expand(right, point)?);
                let bits = self.width(ctype, &left, &right, expr)?;
                Ok(Polynomial { bits, ..left.plus(right, *operator == BinaryOp::Sub)? })
            }
            ExprKind::Binary(BinaryOp::Mul, left, right) => {
                let (left, right) = (self.expand(left, point)?, self.expand(right, point)?);
                let bits = self.width(ctype, &left, &right, expr)?;
                let product = left.times(&right)?.ok_or_else(|| self.product(expr))?;
                Ok(Polynomial { bits, ..product })
            }
            ExprKind::Cast { operand, .. } => self.converted_polynomial(operand, ctype, expr, point),
            _ => Err(fault),
        }
    }

    /// Returns the width of the unsigned type in which an operator computes, if there is one.
    fn width(&self, ctype: CType, left: &Polynomial, right: &Polynomial, expr: &Expr) -> Result<Option<u32>> {
        let own = 8 * ctype.size();
        let before = left.bits.max(right.bits);
        let widened = [left.bits, right.bits].into_iter().flatten().any(|bits| bits != own);
        if widened && self.mode != Mode::Survey {
            return Err(self.wraps_on_the_way(expr));
        }
        Ok(if ctype.is_unsigned() { Some(own) } else { before })
    }

    fn converted_polynomial(
        &mut self,
        operand: &Expr,
        ctype: CType,
        expr: &Expr,
        point: &Point,
    ) -> Result<Polynomial> {
        let mut value = self.expand(operand, point)?;
        let from = operand.ctype.arithmetic().map_or(0, CType::size);
        if ctype == CType::Bool || ctype.size() < from || !ctype.is_integer() {
            return Err(self.wraps_on_the_way(expr));
        }
        if ctype.is_unsigned() && value.bits.is_none() {
            value.bits = Some(8 * ctype.size());
        }
        Ok(value)
    }

    fn wraps_on_the_way(&self, expr: &Expr) -> Fault {
        let message = format!("{} may wrap around", self.subject());
        Fault::new(WRAPS, message, expr.range, "not proved to fit into the types of the intermediate results")
            .with_help("compute subscripts in signed integers such as `int` or `long`")
    }

    /// Returns the values of the loop variables for which `0 <= index < extent`.
    pub fn within(&self, index: &PwAff, extent: &PwAff, point: &Point) -> Result<Set> {
        let below = index.copy()?.lt_set(extent.copy()?)?;
        Ok(index.copy()?.ge_set(point.constant(0)?)?.intersect(below)?)
    }
}

/// True for a single summand; the zero of `*(p + i)`, which is `(p + i)[0]`, does not count.
fn is_single(subscript: &Subscript) -> bool {
    subscript.parts.iter().filter(|(_, part)| !matches!(part.kind, ExprKind::Integer(0))).count() <= 1
}
