//! Whether the memory of a pointer may be freed before a region.
//!
//! Any code that has the address may free the memory: code that is called with the address, or code that is called
//! after the address was stored somewhere. What a function does is known if its body is known, and for some functions
//! of the C library.

use std::collections::BTreeSet;

use scop::{BinaryOp, UnaryOp};

use crate::around::outside;
use crate::c::ctree::{Callee, Expr, ExprKind, Stmt, StmtKind, Tree, Unnamed, VariableId};
use crate::c::library;
use crate::regions::facts::RegionFacts;

/// Functions of the C library that free nothing, keep no address that they are passed, and call no function of the
/// program.
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

/// True if the memory that a pointer points to may be freed between its allocation and the region. Requires that this
/// memory is the only value of the pointer and that the pointer's own address is not taken.
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

/// True if a statement may run code that frees memory, regardless of who has the address.
pub fn may_free_any(tree: &Tree, stmt: &Stmt) -> bool {
    let mut frees = false;
    stmt.walk(&mut |inner| frees |= matches!(inner.kind, StmtKind::Other { .. }));
    stmt.walk_expressions(tree, &mut |expr| frees |= is_unknown(tree, expr));
    frees
}

/// True if an expression stores an address in a pointer's memory elsewhere, or passes it to code that may store it.
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

/// True if an expression, apart from its parts, may run code that frees memory.
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

/// True if a function may free memory; `seen` contains the functions that were already visited.
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

/// True for a function of the C library that is known by its name neither to free memory nor to keep addresses.
fn is_keeping(tree: &Tree, callee: &Callee) -> bool {
    let name = callee.name.as_str();
    let known =
        KEEPING.contains(&name) || library::ALLOCATING.contains(&name) || library::is_mathematical(name);
    known && !callee.of_user && callee.attribute.is_none() && tree.function(name).is_none()
}

/// True if the value of an expression may be an address in the memory that a pointer points to.
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

/// True if an lvalue may be in the memory that a pointer points to.
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
