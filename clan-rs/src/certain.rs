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

/// The variables and members that the region certainly mentions.
fn places(environment: &Environment) -> BTreeSet<VariableId> {
    let mut places = BTreeSet::new();
    for stmt in &environment.region.statements {
        visit_statement(environment, stmt, &mut places);
    }
    places
}

fn visit_statement(environment: &Environment, stmt: &Stmt, places: &mut BTreeSet<VariableId>) {
    match &stmt.kind {
        StmtKind::Compound(parts) => {
            parts.iter().for_each(|part| visit_statement(environment, part, places));
        }
        StmtKind::For { init, condition, .. } => {
            visit_statement(environment, init, places);
            visit(condition, places);
        }
        StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => visit(condition, places),
        StmtKind::Expression(expr) => visit(expr, places),
        StmtKind::Declaration(ids) => {
            let initials = ids.iter().filter_map(|&id| environment.tree.variable(id).initial.as_ref());
            initials.for_each(|initial| visit(initial, places));
        }
        StmtKind::Return(_) | StmtKind::Empty | StmtKind::Other { .. } => {}
    }
}

fn visit(expr: &Expr, places: &mut BTreeSet<VariableId>) {
    places.extend(expr.as_place());
    match &expr.kind {
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, first, _) => visit(first, places),
        ExprKind::Conditional { condition, .. } => visit(condition, places),
        // What an address is taken of is not read.
        ExprKind::AddressOf(_) | ExprKind::Other { .. } => {}
        _ => expr.parts().into_iter().for_each(|part| visit(part, places)),
    }
}
