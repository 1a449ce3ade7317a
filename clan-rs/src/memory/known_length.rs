//! How many rows an array has according to its declaration or to the allocation of its memory.
//!
//! ```text
//! void f(int n, double x[n])                                n
//! double *x = malloc((n + 1) * m * sizeof *x);              n + 1, if subscripts or the type show rows of length m
//! double *x = new double[n];                                n
//! double y[100], *x = y;                                    100
//! ```
//!
//! `around/allocation.rs` decides which allocation counts.

use polyhedra::{PwAff, Text};
use scop::{BinaryOp, CType, IslPwAff};

use crate::affine::point::Point;
use crate::affine::translator::Affine;
use crate::around::allocation::{Memory, allocation, may_be_moved};
use crate::c::constant::fold;
use crate::c::ctree::{Expr, ExprKind, Length, TypeKind, VariableId};
use crate::errors::Result;
use crate::variables::environment::Environment;

/// A number of elements or bytes, as a product of factors.
#[derive(Debug, Default)]
pub struct Amount<'t> {
    factors: Vec<&'t Expr>,
    constant: i128,
}

impl<'t> Amount<'t> {
    fn of(environment: &Environment<'t>, exprs: impl IntoIterator<Item = &'t Expr>) -> Self {
        let mut amount = Self { factors: Vec::new(), constant: 1 };
        exprs.into_iter().for_each(|expr| amount.multiply(environment, expr));
        amount
    }

    fn multiply(&mut self, environment: &Environment<'t>, expr: &'t Expr) {
        let whole = expr.without_casts_that(&is_as_long);
        match (&whole.kind, fold(environment.tree, expr)) {
            (_, Some(value)) => self.constant = self.constant.saturating_mul(value),
            (ExprKind::Binary(BinaryOp::Mul, left, right), None) if !wraps_early(whole) => {
                self.multiply(environment, left);
                self.multiply(environment, right);
            }
            _ => self.factors.push(whole),
        }
    }
}

/// True for a conversion that keeps a length or makes it larger than any memory: a negative number becomes `size_t`.
fn is_as_long(from: CType, to: CType) -> bool {
    let ((low, high), (from_low, from_high)) = (to.range(), from.range());
    (low <= from_low && from_high <= high) || (to.is_unsigned() && to.size() == CType::ULong.size())
}

/// True for unsigned arithmetic that may wrap around to a smaller number, which is still a possible amount of memory.
fn wraps_early(expr: &Expr) -> bool {
    expr.ctype.arithmetic().is_none_or(|ctype| ctype.is_unsigned() && ctype.size() < CType::ULong.size())
}

/// The dimensions of an array except the outermost.
pub struct Inner {
    /// Their lengths.
    pub lengths: Vec<IslPwAff>,
    /// True if the declaration has none of them: only subscripts show them.
    pub hidden: bool,
    /// The size of an element in bytes.
    pub size: u32,
}

/// Returns the number of rows according to a declaration or an allocation.
pub fn rows(affine: &mut Affine, id: VariableId, inner: &Inner) -> Result<Option<IslPwAff>> {
    let environment = affine.environment;
    let variable = environment.tree.variable(id);
    let in_rows = |amount| (amount, if inner.hidden { &inner.lengths[..] } else { &[] }, 1);
    let (amount, lengths, unit) = match &variable.ctype.kind {
        TypeKind::Array { .. } if may_be_moved(environment, id) => return Ok(None),
        TypeKind::Array { length: Length::Constant(number), .. } => {
            in_rows(Amount { factors: Vec::new(), constant: (*number).into() })
        }
        TypeKind::Array { length: Length::Variable, .. } => {
            let Some(Some(length)) = variable.lengths.first() else { return Ok(None) };
            in_rows(Amount::of(environment, [length]))
        }
        _ => match allocation(environment, id) {
            Some(Memory::Bytes(sizes)) => {
                (Amount::of(environment, sizes), &inner.lengths[..], inner.size.into())
            }
            Some(Memory::Elements(counts)) => in_rows(Amount::of(environment, counts)),
            Some(Memory::Array(length)) => in_rows(Amount { factors: Vec::new(), constant: length.into() }),
            None => return Ok(None),
        },
    };
    let is_known = |factor: &&Expr| {
        let is_signed = factor.ctype.arithmetic().is_some_and(|ctype| !ctype.is_unsigned());
        environment.is_of_constants(factor) && (is_signed || factor.as_variable().is_some())
    };
    if !amount.factors.iter().all(is_known) {
        return Ok(None);
    }
    Ok(quotient(affine, amount, lengths, unit)?.map(IslPwAff))
}

/// Divides an amount by the lengths of some dimensions and the size of their elements.
fn quotient(
    affine: &mut Affine,
    amount: Amount<'_>,
    inner: &[IslPwAff],
    unit: i128,
) -> Result<Option<String>> {
    let point = Point::outside()?;
    let (mut constant, mut divisor) = (point.constant(amount.constant)?, point.constant(unit)?);
    let mut factors = Vec::new();
    for factor in amount.factors {
        let value = affine.attempt(|affine| affine.value(factor, &point, "array length"));
        let Ok(value) = value else { return Ok(None) };
        factors.push(value);
    }
    for length in inner {
        let length = PwAff::parse(&length.0)?.insert_domain(point.constant(0)?.get_domain_space()?)?;
        let mut same = Vec::new();
        for factor in &factors {
            same.push(factor.copy()?.ne_set(length.copy()?)?.is_empty()?);
        }
        match same.iter().position(|same| *same) {
            Some(position) => drop(factors.remove(position)),
            None if length.is_cst()? => divisor = divisor.mul(length)?,
            None => return Ok(None),
        }
    }
    if factors.len() > 1 {
        return Ok(None);
    }
    for rows in factors {
        constant = constant.mul(rows)?;
    }
    Ok(Some(constant.div(divisor)?.floor()?.project_domain_on_params()?.text()?))
}
