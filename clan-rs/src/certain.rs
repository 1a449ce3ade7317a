//! What a region evaluates in any case, read off its text: the heads of its outermost loops, the first conditions,
//! statements without one.

use std::collections::BTreeSet;

use scop::{BinaryOp, c_syntax};

use crate::ctree::{Expr, ExprKind, Stmt, StmtKind, VariableId};
use crate::environment::Environment;

/// The pointers that the region certainly follows, as C writes them before it.
pub fn pointers(environment: &Environment) -> BTreeSet<String> {
    let mut pointers = BTreeSet::new();
    for id in places(environment) {
        if !environment.declared.contains(&environment.tree.root(id)) {
            pointers.extend(c_syntax::pointers(&environment.expression(id)));
        }
    }
    pointers
}

/// The pointers and arrays from outside whose first element the region certainly uses: `*p`, and `p[0]`.
pub fn first_elements(environment: &Environment) -> BTreeSet<VariableId> {
    let mut found = found(environment).first_elements;
    found.retain(|&id| !environment.declared.contains(&environment.tree.root(id)));
    found
}

/// The variables and members that the region certainly mentions.
fn places(environment: &Environment) -> BTreeSet<VariableId> {
    found(environment).places
}

/// What a region certainly evaluates.
#[derive(Default)]
struct Found {
    places: BTreeSet<VariableId>,
    first_elements: BTreeSet<VariableId>,
}

fn found(environment: &Environment) -> Found {
    let mut found = Found::default();
    for stmt in &environment.region.statements {
        visit_statement(environment, stmt, &mut found);
    }
    found
}

fn visit_statement(environment: &Environment, stmt: &Stmt, found: &mut Found) {
    match &stmt.kind {
        StmtKind::Compound(parts) => {
            parts.iter().for_each(|part| visit_statement(environment, part, found));
        }
        StmtKind::For { init, condition, .. } => {
            visit_statement(environment, init, found);
            visit(condition, found);
        }
        StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => visit(condition, found),
        StmtKind::Expression(expr) => visit(expr, found),
        StmtKind::Declaration(ids) => {
            let initials = ids.iter().filter_map(|&id| environment.tree.variable(id).initial.as_ref());
            initials.for_each(|initial| visit(initial, found));
        }
        StmtKind::Return(_) | StmtKind::Empty | StmtKind::Other { .. } => {}
    }
}

fn visit(expr: &Expr, found: &mut Found) {
    found.places.extend(expr.as_place());
    found.first_elements.extend(first_element(expr));
    match &expr.kind {
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, first, _) => visit(first, found),
        ExprKind::Conditional { condition, .. } => visit(condition, found),
        // What an address is taken of is not read.
        ExprKind::AddressOf(_) | ExprKind::Other { .. } => {}
        _ => expr.parts().into_iter().for_each(|part| visit(part, found)),
    }
}

/// The pointer or array whose first element an expression is.
fn first_element(expr: &Expr) -> Option<VariableId> {
    match &expr.kind {
        ExprKind::Subscript { base, index } if matches!(index.kind, ExprKind::Integer(0)) => {
            expr.ctype.arithmetic().and(base.as_variable())
        }
        _ => None,
    }
}
