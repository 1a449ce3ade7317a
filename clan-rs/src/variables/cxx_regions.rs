//! What a region of C++ must not have, although each part of it could be C.

use std::collections::BTreeSet;

use scop::BinaryOp;

use crate::c::ctree::{Expr, ExprKind, Stmt, VariableId};
use crate::errors::{Fault, Faults, NAME, SIDE_EFFECT, TEMPLATE};
use crate::variables::environment::Environment;

/// Refuses regions in templates, names that cannot be written again before the region, and expressions whose order C
/// leaves open.
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
        let label = "macros or template arguments stand in this name";
        let fault = Fault::new(NAME, message, name.range, label);
        faults.push(fault.with_help(
            "write `space::name` without macros, with a name for the class, as in `using row = table<int>;`",
        ));
    }
    environment.region.statements.iter().for_each(|stmt| check_order(environment, stmt, faults));
}

/// Refuses expressions of a statement, in a region or in a function that it calls, whose order C leaves open and C++
/// does not.
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

/// Effects inside an expression happen before the rest of it (see `effects`), which C allows, because it leaves their
/// order open and forbids to look. C++17 orders the operands of `=`, `<<` and `[]`, so that a program may look.
fn check_operands(environment: &Environment, expr: &Expr, faults: &mut Faults) {
    let ordered = match &expr.kind {
        ExprKind::Comma(..) | ExprKind::Conditional { .. } => return,
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => return,
        ExprKind::Assign { .. } => true,
        _ => false,
    };
    let parts = expr.parts();
    for (position, part) in parts.iter().enumerate() {
        // The value is evaluated before the target, and its effects happen before.
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

/// The variables that an expression changes, be they arrays or pointers to what it changes.
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
