//! How many rows an array has for all that its declaration says, or the allocation of its memory.
//!
//! ```text
//! void f(int n, double x[n])                                n
//! double *x = malloc((n + 1) * m * sizeof *x);              n + 1, where subscripts or the type show rows of m elements
//! double *x = new double[n];                                n
//! double y[100], *x = y;                                    100
//! ```
//!
//! Such memory counts if it is the only one that the pointer leads to until the region ends, which the source says
//! before the region in a block around it, and nothing frees it in between (`freed`).

use polyhedra::{PwAff, Text};
use scop::{BinaryOp, CType, IslPwAff, SourceRange};

use crate::affine::expressions::Affine;
use crate::affine::point::Point;
use crate::around::freed;
use crate::around::outside;
use crate::around::touches::ALLOCATING;
use crate::c::constant::fold;
use crate::c::ctree::{
    Expr, ExprKind, Length, Lifetime, NEW_ARRAY, Stmt, StmtKind, Type, TypeKind, Unsupported, VariableId,
};
use crate::errors::Result;
use crate::variables::environment::Environment;

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

/// True for a conversion after which a length is the same, or more than there is memory: `size_t` of what is negative.
fn is_as_long(from: CType, to: CType) -> bool {
    let ((low, high), (from_low, from_high)) = (to.range(), from.range());
    (low <= from_low && from_high <= high) || (to.is_unsigned() && to.size() == CType::ULong.size())
}

/// True for unsigned arithmetic that may be less than the number that it should be, and still an amount of memory.
fn wraps_early(expr: &Expr) -> bool {
    expr.ctype.arithmetic().is_none_or(|ctype| ctype.is_unsigned() && ctype.size() < CType::ULong.size())
}

/// The memory that a pointer leads to.
pub enum Memory<'t> {
    /// It is allocated, and has as many bytes as these factors say.
    Bytes(&'t [Expr]),
    /// The same, in elements.
    Elements(&'t [Expr]),
    /// An array that is declared with this length.
    Array(u64),
}

impl<'t> Memory<'t> {
    /// The expressions that say how large it is.
    pub fn lengths(self) -> &'t [Expr] {
        match self {
            Self::Bytes(factors) | Self::Elements(factors) => factors,
            Self::Array(_) => &[],
        }
    }
}

/// The memory that a pointer leads to, if it is the same one until the region has ended.
fn only_memory<'t>(environment: &Environment<'t>, id: VariableId) -> Option<Memory<'t>> {
    let variable = environment.tree.variable(id);
    let is_own = variable.lifetime != Lifetime::Static && variable.member.is_none();
    let is_pointer = matches!(variable.ctype.kind, TypeKind::Pointer { .. });
    if !is_own || !is_pointer || environment.in_function.address_taken.contains(&id) {
        return None;
    }
    let writes = writes_before(environment, id);
    let value = match (&variable.initial, &writes[..]) {
        (Some(initial), []) => initial,
        (_, [write]) if !may_be_jumped_over(environment, **write) => {
            assigned(environment, &environment.function.body, **write)?
        }
        _ => return None,
    };
    let memory = memory(environment, &variable.ctype, value.without_casts())?;
    let stays = matches!(memory, Memory::Array(_)) || !freed::may_be_freed(environment, id);
    stays.then_some(memory)
}

/// Where a variable gets a value that it may have when the region begins.
fn writes_before<'t>(environment: &'t Environment, id: VariableId) -> Vec<&'t SourceRange> {
    let is_before = outside::may_be_before(environment);
    let writes = environment.in_function.writes.get(&id).into_iter().flatten();
    writes.filter(|write| is_before(**write)).collect()
}

/// True if a parameter, declared as an array, may be moved before the region: it is a pointer, and its declaration says
/// nothing of where it leads then.
pub fn may_be_moved(environment: &Environment, id: VariableId) -> bool {
    let variable = environment.tree.variable(id);
    variable.lifetime == Lifetime::Parameter
        && !variable.reference
        && (environment.in_function.address_taken.contains(&id) || !writes_before(environment, id).is_empty())
}

/// The memory that a value leads to, for a pointer of a type.
fn memory<'t>(environment: &Environment<'t>, pointer: &Type, value: &'t Expr) -> Option<Memory<'t>> {
    match &value.kind {
        ExprKind::Call { callee: Some(callee), arguments } if !callee.of_user => {
            match (callee.name.as_str(), arguments.len()) {
                ("aligned_alloc", 2) => Some(Memory::Bytes(&arguments[1..])),
                (name, _) if ALLOCATING.contains(&name) => Some(Memory::Bytes(arguments)),
                _ => None,
            }
        }
        ExprKind::Other { what, parts } if what == NEW_ARRAY => {
            target(pointer)?.arithmetic().map(|_| Memory::Elements(&parts[..parts.len().min(1)]))
        }
        ExprKind::Variable(id) => {
            let variable = environment.tree.variable(*id);
            let TypeKind::Array { element, length: Length::Constant(length), .. } = &variable.ctype.kind
            else {
                return None;
            };
            let is_array = variable.lifetime != Lifetime::Parameter && !variable.reference;
            let same =
                element.arithmetic().is_some() && element.arithmetic() == target(pointer)?.arithmetic();
            (is_array && same).then_some(Memory::Array(*length))
        }
        _ => None,
    }
}

fn target(pointer: &Type) -> Option<&Type> {
    match &pointer.kind {
        TypeKind::Pointer { target, .. } => Some(target),
        _ => None,
    }
}

/// The value that an assignment gives, if it is a statement of a block that the region is in, and before it.
fn assigned<'t>(environment: &Environment<'t>, block: &'t Stmt, write: SourceRange) -> Option<&'t Expr> {
    let region = environment.region.range;
    let StmtKind::Compound(parts) = &block.kind else {
        if let StmtKind::If { condition, .. } = &block.kind
            && let Some(value) = assigned_within(condition, write)
        {
            return Some(value);
        }
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
            StmtKind::If { condition, .. } if assigned_within(condition, write).is_some() => {
                return assigned_within(condition, write);
            }
            _ if region.end <= part.range.end => return assigned(environment, part, write),
            _ => {}
        }
    }
    None
}

/// True if a label stands between an assignment and the region, or a `case` of a `switch` around both: another way may
/// lead to the region.
fn may_be_jumped_over(environment: &Environment, write: SourceRange) -> bool {
    let region = environment.region.range;
    let is_between = |stmt: &Stmt| write.start < stmt.range.start && stmt.range.start <= region.start;
    let mut passed = false;
    environment.function.body.walk(&mut |stmt| {
        let is_target = match &stmt.kind {
            StmtKind::Other { what: Unsupported::Label, .. } => true,
            StmtKind::Other { what: Unsupported::Case, .. } => {
                !is_in_switch_behind(&environment.function.body, stmt, write)
            }
            _ => false,
        };
        passed |= is_target && is_between(stmt);
    });
    passed
}

/// True if the innermost `switch` around a `case` begins behind an assignment.
fn is_in_switch_behind(body: &Stmt, case: &Stmt, write: SourceRange) -> bool {
    let mut innermost = None;
    body.walk(&mut |stmt| {
        let is_switch = matches!(stmt.kind, StmtKind::Other { what: Unsupported::Switch, .. });
        if is_switch && stmt.range.start <= case.range.start && case.range.end <= stmt.range.end {
            innermost = Some(stmt.range);
        }
    });
    innermost.is_some_and(|switch| write.start < switch.start)
}

/// The same for an assignment in a condition that is evaluated in any case: `if ((p = malloc(n)) == NULL)`.
fn assigned_within(condition: &Expr, write: SourceRange) -> Option<&Expr> {
    match &condition.kind {
        ExprKind::Assign { operator: None, value, .. } if condition.range == write => Some(value),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, first, _) => assigned_within(first, write),
        ExprKind::Conditional { condition, .. } => assigned_within(condition, write),
        ExprKind::Other { .. } => None,
        _ => condition.parts().into_iter().find_map(|part| assigned_within(part, write)),
    }
}

/// The memory of the array that a variable leads to or is a member of.
pub fn allocation<'t>(environment: &Environment<'t>, id: VariableId) -> Option<Memory<'t>> {
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
    only_memory(environment, owner).filter(|_| is_owner)
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
