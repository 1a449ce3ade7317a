//! Whether the memory of a pointer may be freed before a region.
//!
//! Whoever has got the address may free it: code that is called with it, or code that is called after it was kept
//! somewhere. What functions do is known if their bodies are, and of some of the C library.

use std::collections::BTreeSet;

use scop::{BinaryOp, UnaryOp};

use crate::around::outside;
use crate::around::touches::ALLOCATING;
use crate::c::ctree::{Callee, Expr, ExprKind, Stmt, StmtKind, Tree, Unnamed, VariableId};
use crate::c::library;
use crate::regions::facts::RegionFacts;

/// Functions of the C library that free nothing, keep no address that they get, and call nothing of the program's.
const KEEPING: [&str; 52] = [
    "abort",
    "abs",
    "assert",
    "atof",
    "atoi",
    "atol",
    "calloc",
    "clock",
    "clock_gettime",
    "difftime",
    "exit",
    "fabs",
    "fflush",
    "fgets",
    "fopen",
    "fprintf",
    "fputc",
    "fputs",
    "fread",
    "fscanf",
    "fseek",
    "fwrite",
    "getc",
    "getchar",
    "getenv",
    "gettimeofday",
    "labs",
    "llabs",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "omp_get_max_threads",
    "omp_get_wtime",
    "perror",
    "printf",
    "putc",
    "putchar",
    "puts",
    "rand",
    "rand_r",
    "scanf",
    "snprintf",
    "sprintf",
    "srand",
    "sscanf",
    "strcmp",
    "strlen",
    "strtod",
    "strtol",
    "strtoul",
    "time",
];

/// True if the memory that a pointer leads to may be freed between its allocation and the region. It is the only value
/// of the pointer, whose own address nobody takes.
pub fn may_be_freed(facts: &RegionFacts, id: VariableId) -> bool {
    let tree = facts.tree;
    let is_before = outside::may_be_before(facts);
    let (mut escapes, mut calls_unknown) = (false, false);
    facts.function.body.walk(&mut |stmt| {
        if let StmtKind::Declaration(ids) = &stmt.kind {
            let mut initials = ids.iter().filter_map(|&other| tree.variable(other).initial.as_ref());
            escapes |= is_before(stmt.range) && initials.any(|initial| leads(initial, id));
        }
        for expr in stmt.expressions(tree) {
            expr.walk(&mut |inner| {
                if is_before(inner.range) {
                    escapes |= is_kept(tree, inner, id);
                    calls_unknown |= is_unknown(tree, inner);
                }
            });
        }
    });
    escapes && calls_unknown
}

/// True if a statement may run code that frees memory, whoever has its address.
pub fn may_free_any(tree: &Tree, stmt: &Stmt) -> bool {
    let mut frees = false;
    stmt.walk(&mut |inner| frees |= matches!(inner.kind, StmtKind::Other { .. }));
    stmt.walk_expressions(tree, &mut |expr| frees |= is_unknown(tree, expr));
    frees
}

/// True if an expression keeps the address of a pointer's memory somewhere else, or hands it to somebody who may.
fn is_kept(tree: &Tree, expr: &Expr, id: VariableId) -> bool {
    let leads = |part: &Expr| leads(part, id);
    match &expr.kind {
        ExprKind::Assign { target, value, .. } => target.as_variable() != Some(id) && leads(value),
        ExprKind::Call { callee, arguments } => {
            !callee.as_ref().is_some_and(|callee| is_keeping(tree, callee)) && arguments.iter().any(leads)
        }
        ExprKind::Other { parts, .. } => parts.iter().any(leads),
        _ => false,
    }
}

/// True if an expression itself may run code that frees memory.
fn is_unknown(tree: &Tree, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call { callee: Some(callee), .. } => may_free(tree, callee, &mut BTreeSet::new()),
        ExprKind::Call { callee: None, .. } => true,
        ExprKind::Other { what, .. } => {
            !matches!(what, Unnamed::Text | Unnamed::InitialiserList | Unnamed::Lambda)
        }
        _ => false,
    }
}

/// True if a function may free memory; `seen` are those that were looked at.
fn may_free<'t>(tree: &'t Tree, callee: &'t Callee, seen: &mut BTreeSet<&'t str>) -> bool {
    if callee.attribute.is_some() {
        return true;
    }
    let Some(function) = tree.function(&callee.name) else { return !is_keeping(tree, callee) };
    let mut frees = false;
    if seen.insert(&callee.name) {
        function.body.walk_expressions(tree, &mut |expr| {
            frees |= match &expr.kind {
                ExprKind::Call { callee: Some(inner), .. } => may_free(tree, inner, seen),
                _ => is_unknown(tree, expr),
            };
        });
    }
    frees
}

/// True for a function that neither frees memory nor keeps addresses, for all that its name says.
fn is_keeping(tree: &Tree, callee: &Callee) -> bool {
    let name = callee.name.as_str();
    let known = KEEPING.contains(&name) || ALLOCATING.contains(&name) || library::is_mathematical(name);
    known && !callee.of_user && callee.attribute.is_none() && tree.function(name).is_none()
}

/// True if the value of an expression may be an address in the memory of a pointer.
fn leads(expr: &Expr, id: VariableId) -> bool {
    match &expr.kind {
        ExprKind::Variable(other) => *other == id,
        ExprKind::Subscript { base, .. } | ExprKind::Member { base, .. } => {
            expr.ctype.arithmetic().is_none() && leads(base, id)
        }
        ExprKind::Binary(operator, left, right) => {
            !is_comparison(*operator) && (leads(left, id) || leads(right, id))
        }
        ExprKind::AddressOf(operand) => leads_to_place(operand, id),
        ExprKind::Unary(UnaryOp::Not, _) => false,
        _ => expr.parts().into_iter().any(|part| leads(part, id)),
    }
}

/// True if a place may be in the memory of a pointer.
fn leads_to_place(place: &Expr, id: VariableId) -> bool {
    match &place.kind {
        ExprKind::Subscript { base, .. } | ExprKind::Member { base, .. } => leads(base, id),
        _ => leads(place, id),
    }
}

fn is_comparison(operator: BinaryOp) -> bool {
    use BinaryOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
    [And, Eq, Ge, Gt, Le, Lt, Ne, Or].contains(&operator)
}
