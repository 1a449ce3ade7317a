//! How many rows an array has for all that its declaration says, or the allocation of its memory.
//!
//! ```text
//! void f(int n, double x[n])                                n
//! double *x = malloc((n + 1) * m * sizeof *x);              n + 1, where subscripts or the type show rows of m elements
//! ```
//!
//! An allocation counts if it is the only value that the pointer ever gets, stands before the region in a block around it, and
//! nothing frees memory in between.

use polyhedra::{PwAff, Text};
use scop::{BinaryOp, IslPwAff, SourceRange};

use crate::affine::Affine;
use crate::constant::fold;
use crate::ctree::{Expr, ExprKind, Length, Lifetime, Stmt, StmtKind, TypeKind, VariableId};
use crate::environment::Environment;
use crate::errors::Result;
use crate::outside;
use crate::point::Point;
use crate::touches::ALLOCATING;

/// A number of elements or bytes, as factors.
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
        let expr = expr.without_casts();
        match (&expr.kind, fold(environment.tree, expr)) {
            (_, Some(value)) => self.constant = self.constant.saturating_mul(value),
            (ExprKind::Binary(BinaryOp::Mul, left, right), None) => {
                self.multiply(environment, left);
                self.multiply(environment, right);
            }
            _ => self.factors.push(expr),
        }
    }
}

/// The expressions that say how much memory is allocated for a pointer.
fn allocated<'t>(environment: &Environment<'t>, id: VariableId) -> Option<&'t [Expr]> {
    let variable = environment.tree.variable(id);
    let is_own = variable.lifetime != Lifetime::Static && variable.member.is_none();
    let is_pointer = matches!(variable.ctype.kind, TypeKind::Pointer { .. });
    if !is_own || !is_pointer || environment.in_function.address_taken.contains(&id) {
        return None;
    }
    let writes = environment.in_function.writes.get(&id).map_or(&[][..], Vec::as_slice);
    let value = match (&variable.initial, writes) {
        (Some(initial), []) => initial,
        (_, [write]) => assigned(environment, &environment.function.body, *write)?,
        _ => return None,
    };
    let ExprKind::Call { callee: Some(callee), arguments } = &value.without_casts().kind else { return None };
    let sizes = match (callee.name.as_str(), arguments.len()) {
        ("aligned_alloc", 2) => &arguments[1..],
        (name, _) if ALLOCATING.contains(&name) && !callee.of_user => arguments,
        _ => return None,
    };
    (!frees_memory(environment)).then_some(sizes)
}

/// The value that an assignment gives, if it is a statement of a block that the region is in, and before it.
fn assigned<'t>(environment: &Environment<'t>, block: &'t Stmt, write: SourceRange) -> Option<&'t Expr> {
    let region = environment.region.range;
    let StmtKind::Compound(parts) = &block.kind else {
        let mut around = block.parts().into_iter();
        let around = around.find(|part| part.range.start <= region.start && region.end <= part.range.end)?;
        return assigned(environment, around, write);
    };
    for part in parts.iter().take_while(|part| part.range.start < region.start) {
        match &part.kind {
            StmtKind::Expression(Expr {
                kind: ExprKind::Assign { operator: None, value, .. },
                range,
                ..
            }) if *range == write => {
                return Some(value);
            }
            _ if region.end <= part.range.end => return assigned(environment, part, write),
            _ => {}
        }
    }
    None
}

/// True if memory may be freed between an allocation and the region.
fn frees_memory(environment: &Environment) -> bool {
    let anywhere = outside::is_repeated(environment);
    let mut frees = false;
    environment.function.body.walk_expressions(environment.tree, &mut |expr| {
        let before = anywhere || expr.range.start < environment.region.range.start;
        if let (true, ExprKind::Call { callee, .. }) = (before, &expr.kind) {
            let name = callee.as_ref().map_or("free", |callee| callee.name.as_str());
            frees |= name.contains("free") || name.contains("realloc");
        }
    });
    frees
}

/// The expressions that say how much memory is allocated for the array that a variable leads to or is a member of.
pub fn allocation<'t>(environment: &Environment<'t>, id: VariableId) -> Option<&'t [Expr]> {
    let owner = match &environment.tree.variable(id).member {
        Some(member) if member.structures > 0 => member.of,
        _ => id,
    };
    let is_owner = environment
        .tree
        .variable(id)
        .member
        .as_ref()
        .is_none_or(|member| member.base == environment.tree.variable(owner).name);
    allocated(environment, owner).filter(|_| is_owner)
}

/// The dimensions of an array but the outermost.
pub struct Inner {
    /// Their lengths.
    pub lengths: Vec<IslPwAff>,
    /// True if the declaration has none of them: subscripts alone show them.
    pub hidden: bool,
    /// The bytes of an element.
    pub size: u32,
}

/// The number of rows that a declaration or an allocation says.
pub fn rows(affine: &mut Affine, id: VariableId, inner: &Inner) -> Result<Option<IslPwAff>> {
    let environment = affine.environment;
    let variable = environment.tree.variable(id);
    let in_rows = |amount| (amount, if inner.hidden { &inner.lengths[..] } else { &[] }, 1);
    let (amount, lengths, unit) = match &variable.ctype.kind {
        TypeKind::Array { length: Length::Constant(number), .. } => {
            in_rows(Amount { factors: Vec::new(), constant: (*number).into() })
        }
        TypeKind::Array { length: Length::Variable, .. } => {
            let Some(Some(length)) = variable.lengths.first() else { return Ok(None) };
            in_rows(Amount::of(environment, [length]))
        }
        _ => match allocation(environment, id) {
            Some(sizes) => (Amount::of(environment, sizes), &inner.lengths[..], inner.size.into()),
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

/// An amount over the lengths of some dimensions and the size of their elements.
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
