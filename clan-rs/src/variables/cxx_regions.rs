//! Checks what C++ regions must not contain, although each part of it is valid C.

use std::collections::BTreeSet;

use scop::BinaryOp;

use crate::c::ctree::{Expr, ExprKind, Stmt, VariableId};
use crate::errors::{Fault, Faults, NAME, SIDE_EFFECT, TEMPLATE};
use crate::variables::environment::Environment;

/// Refuses regions in templates and `constexpr` functions, names that cannot be repeated before the region, and
/// expressions whose evaluation order C leaves unspecified.
pub fn check(environment: &Environment, faults: &mut Faults) {
    if environment.function.is_template {
        faults.push(in_template(environment));
    }
    if environment.function.is_constexpr {
        faults.push(in_constexpr(environment));
    }
    for name in environment.qualified_names().filter(|name| name.text.is_none()) {
        let message =
            format!("the call cannot name `{}` as the region does", environment.name(name.variable));
        let label = "this name contains macros or template arguments";
        let fault = Fault::new(NAME, message, name.range, label);
        faults.push(fault.with_help(
            "write `space::name` without macros, and introduce a name for the class, as in `using row = table<int>;`",
        ));
    }
    environment.region.statements.iter().for_each(|stmt| check_order(environment, stmt, faults));
}

/// Refuses expressions in a statement whose evaluation order C leaves unspecified but C++ specifies. The statement
/// belongs to a region or to a function that a region calls.
pub fn check_order(environment: &Environment, stmt: &Stmt, faults: &mut Faults) {
    if environment.tree.is_cxx {
        stmt.walk_expressions(environment.tree, &mut |expr| check_operands(environment, expr, faults));
    }
}

fn in_template(environment: &Environment) -> Fault {
    let message = format!("this region is in a template, `{}`", environment.function.shown);
    Fault::new(TEMPLATE, message, environment.region.opening, "its text stands for many functions")
        .with_help("move the loops to a function with the types that you use, and call it from the template")
}

fn in_constexpr(environment: &Environment) -> Fault {
    let message = format!("this region is in a `constexpr` function, `{}`", environment.function.shown);
    Fault::new(TEMPLATE, message, environment.region.opening, "compilers cannot execute the translation")
        .with_help("remove `constexpr`, or keep one function for constants and another for the device")
}

/// Refuses an expression in which one operand changes a variable that another one uses. The translation performs
/// the effects inside an expression before the rest of it (see `effects`). C leaves the order unspecified and
/// forbids programs to depend on it, but C++17 orders the operands of `=`, `<<` and `[]`.
fn check_operands(environment: &Environment, expr: &Expr, faults: &mut Faults) {
    let ordered = match &expr.kind {
        ExprKind::Comma(..) | ExprKind::Conditional { .. } => return,
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => return,
        ExprKind::Assign { .. } => true,
        _ => false,
    };
    let parts = expr.parts();
    for (position, part) in parts.iter().enumerate() {
        // The right side of an assignment is evaluated first, and so are its effects.
        if ordered && position > 0 {
            continue;
        }
        let changed = changed_in(part);
        let others = parts.iter().enumerate().filter(|&(other, _)| other != position);
        let seen: BTreeSet<VariableId> = others.flat_map(|(_, other)| mentioned_in(other)).collect();
        if let Some(&id) = changed.intersection(&seen).next() {
            let message = format!("`{}` is changed and used in one expression", environment.name(id));
            let fault = Fault::new(SIDE_EFFECT, message, expr.range, "the order matters here");
            faults.push(
                fault.with_help("write the assignment as a statement of its own, before or after this one"),
            );
        }
    }
}

/// Returns the variables that an expression changes; for an element, the array or pointer.
fn changed_in(expr: &Expr) -> BTreeSet<VariableId> {
    let mut changed = BTreeSet::new();
    expr.walk(&mut |inner| {
        if let ExprKind::Assign { target, .. } | ExprKind::Increment { target, .. } = &inner.kind {
            changed.extend(base(target));
        }
    });
    changed
}

fn mentioned_in(expr: &Expr) -> BTreeSet<VariableId> {
    let mut mentioned = BTreeSet::new();
    expr.walk(&mut |inner| mentioned.extend(base(inner)));
    mentioned
}

fn base(expr: &Expr) -> Option<VariableId> {
    match &expr.kind {
        ExprKind::Subscript { base: array, .. } => base(array),
        _ => expr.as_place(),
    }
}
