//! The head of a `for` loop: its iterator, first value, condition and step.

use scop::{BinaryOp, CType};

use crate::c::constant;
use crate::c::ctree::{Expr, ExprKind, Stmt, StmtKind, Tree, VariableId};
use crate::errors::{ENDLESS, Fault, LOOP, Result};

/// The head of a `for` loop whose iterator has an integer type and a constant step.
#[derive(Debug, Clone, Copy)]
pub struct Header<'t> {
    /// The iterator.
    pub iterator: VariableId,
    /// Its first value.
    pub first: &'t Expr,
    /// The condition under which the loop continues.
    pub condition: &'t Expr,
    /// What is added after each iteration; not 0.
    pub step: i128,
}

impl<'t> Header<'t> {
    /// Returns the head of a `for` loop with these three parts.
    pub fn of(tree: &'t Tree, init: &'t Stmt, condition: &'t Expr, step: &'t Expr) -> Result<Self> {
        let (iterator, first) = initialisation(tree, init)?;
        let variable = tree.variable(iterator);
        if !variable.is_integer() || variable.arithmetic() == Some(CType::Bool) {
            let message = format!("the loop variable `{}` is not an integer", variable.name);
            return Err(Fault::new(LOOP, message, init.range, "only integers can count loops")
                .with_help("declare it as `int` or `long`"));
        }
        if variable.ctype.volatile {
            let message = format!("the loop variable `{}` is volatile", variable.name);
            return Err(Fault::new(LOOP, message, init.range, "it may change at any time")
                .with_help("use an ordinary variable"));
        }
        let amount = signed_step(variable.arithmetic(), step_of(tree, iterator, step)?);
        if amount == 0 {
            let message = "the step of this loop is zero";
            return Err(Fault::new(ENDLESS, message, step.range, "this changes nothing").with_help(format!(
                "write `{0}++`, or `{0} += c` with a constant c other than zero",
                variable.name
            )));
        }
        Ok(Self { iterator, first, condition, step: amount })
    }
}

fn initialisation<'t>(tree: &'t Tree, init: &'t Stmt) -> Result<(VariableId, &'t Expr)> {
    match &init.kind {
        StmtKind::Declaration(ids) => {
            if let &[id] = &ids[..]
                && let Some(first) = &tree.variable(id).initial
            {
                return Ok((id, first));
            }
        }
        StmtKind::Expression(Expr { kind: ExprKind::Assign { operator: None, target, value }, .. }) => {
            if let Some(id) = target.as_variable() {
                return Ok((id, value));
            }
        }
        _ => {}
    }
    Err(Fault::new(
        LOOP,
        "this loop does not begin by setting one variable",
        init.range,
        "not of the form `i = first`",
    )
    .with_help("write `for (i = first; …)` or `for (int i = first; …)`, with one variable"))
}

/// Returns the amount that is added once the sum is converted to the iterator's type: adding 4294967295 to a 32-bit
/// iterator subtracts 1.
fn signed_step(ctype: Option<CType>, amount: i128) -> i128 {
    let Some(ctype) = ctype else { return amount };
    let values = 1 << (8 * ctype.size());
    let amount = amount.rem_euclid(values);
    if amount > (values - 1) / 2 { amount - values } else { amount }
}

/// Returns the constant that is added by `i++`, `i += c`, `i = i + c` and similar expressions.
fn step_of(tree: &Tree, iterator: VariableId, step: &Expr) -> Result<i128> {
    let amount = match &step.kind {
        ExprKind::Increment { down, target, .. } if target.as_variable() == Some(iterator) => {
            Some(if *down { -1 } else { 1 })
        }
        ExprKind::Assign { operator, target, value } if target.as_variable() == Some(iterator) => {
            match operator {
                Some(BinaryOp::Add) => constant::fold(tree, value),
                Some(BinaryOp::Sub) => constant::fold(tree, value).map(|amount| -amount),
                None => added(tree, iterator, value),
                Some(_) => None,
            }
        }
        _ => None,
    };
    amount.ok_or_else(|| {
        let name = &tree.variable(iterator).name;
        let message = format!("the step of this loop does not add a constant to `{name}`");
        Fault::new(LOOP, message, step.range, "not a constant step").with_help(format!(
            "write `{name}++`, `{name}--`, `{name} += c` or `{name} -= c` with a constant c"
        ))
    })
}

fn added(tree: &Tree, iterator: VariableId, value: &Expr) -> Option<i128> {
    // A conversion that loses bits of the iterator changes the sum: `i = (unsigned char)(i + 1)`.
    let bytes = tree.variable(iterator).arithmetic()?.size();
    let keeps = |_, to: CType| to.size() >= bytes && to != CType::Bool;
    let is_iterator = |expr: &Expr| expr.without_casts_that(&keeps).as_variable() == Some(iterator);
    match &value.without_casts_that(&keeps).kind {
        ExprKind::Binary(BinaryOp::Add, left, right) if is_iterator(left) => constant::fold(tree, right),
        ExprKind::Binary(BinaryOp::Add, left, right) if is_iterator(right) => constant::fold(tree, left),
        ExprKind::Binary(BinaryOp::Sub, left, right) if is_iterator(left) => {
            constant::fold(tree, right).map(|amount| -amount)
        }
        _ => None,
    }
}
