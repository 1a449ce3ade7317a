//! What a region certainly evaluates, determined from its text: the headers of its outermost loops, its first
//! conditions, and its unconditional statements.

use std::collections::BTreeSet;

use scop::{BinaryOp, c_syntax};

use crate::around::freed;
use crate::around::outside;
use crate::c::ctree::{Expr, ExprKind, Lifetime, Stmt, StmtKind, VariableId};
use crate::variables::environment::Environment;

/// Returns the pointers that the region certainly dereferences, as C expressions before the region.
pub fn pointers(environment: &Environment) -> BTreeSet<String> {
    let mut pointers = BTreeSet::new();
    for id in places(environment) {
        if !environment.declared.contains(&environment.tree.root(id)) {
            pointers.extend(c_syntax::pointers(&environment.expression(id)));
        }
    }
    pointers
}

/// Returns the pointers and arrays from outside the region whose first element (`*p` or `p[0]`) it certainly uses.
pub fn first_elements(environment: &Environment) -> BTreeSet<VariableId> {
    let mut found = found(environment).first_elements;
    found.retain(|&id| !environment.declared.contains(&environment.tree.root(id)));
    found
}

/// Returns the pointers whose first element is certainly used before the region, so that it exists. Their values
/// never change, and no memory is freed between the use and the region.
pub fn first_elements_before(environment: &Environment) -> BTreeSet<VariableId> {
    let tree = environment.tree;
    let mut found = Found::default();
    if !outside::is_repeated(environment) {
        let before = statements_before(environment).unwrap_or_default();
        let kept = before.into_iter().rev().take_while(|stmt| !freed::may_free_any(tree, stmt));
        kept.filter(|stmt| matches!(stmt.kind, StmtKind::Expression(_) | StmtKind::Declaration(_)))
            .for_each(|stmt| visit_statement(environment, stmt, &mut found));
    }
    let is_fixed = |id: &VariableId| {
        let variable = tree.variable(*id);
        variable.lifetime != Lifetime::Static && !environment.in_function.may_change(*id)
    };
    found.first_elements.into_iter().filter(is_fixed).collect()
}

/// Returns the statements of the enclosing blocks that are certainly executed before the region, in source order.
/// Returns `None` if the region is inside another kind of statement, whose parts may be skipped.
fn statements_before<'t>(environment: &Environment<'t>) -> Option<Vec<&'t Stmt>> {
    let region = environment.region.range;
    let mut before = Vec::new();
    let mut around = &environment.function.body;
    loop {
        let mut inner = around.parts().into_iter();
        let inner = inner.find(|part| part.range.start <= region.start && region.end <= part.range.end);
        match &around.kind {
            StmtKind::Compound(parts) => {
                before.extend(parts.iter().take_while(|part| part.range.end <= region.start));
            }
            StmtKind::If { .. } => {}
            _ => return None,
        }
        match inner {
            Some(inner) => around = inner,
            None => return Some(before),
        }
    }
}

/// Returns the variables and members that the region certainly mentions.
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
        // The operand of `&` is not read.
        ExprKind::AddressOf(_) | ExprKind::Other { .. } => {}
        _ => expr.parts().into_iter().for_each(|part| visit(part, found)),
    }
}

/// Returns the pointer or array of which an expression is the first element.
fn first_element(expr: &Expr) -> Option<VariableId> {
    match &expr.kind {
        ExprKind::Subscript { base, index } if matches!(index.kind, ExprKind::Integer(0)) => {
            expr.ctype.arithmetic().and(base.as_variable())
        }
        _ => None,
    }
}
