//! Which variables only the code of their own function can use.

use crate::c::ctree::{Expr, ExprKind, Function, Lifetime, Tree, TypeKind, VariableId};
use crate::c::facts::Facts;
use crate::regions::facts::RegionFacts;

/// True for a variable of the function that no code elsewhere can use, because no pointer to it exists.
pub fn is_private(facts: &RegionFacts, id: VariableId) -> bool {
    let escapes = || escapes(facts.tree, facts.function, &facts.in_function, id);
    is_own(facts, id) && !escapes()
}

/// True for a variable that lives no longer than the call of the function. An array parameter belongs to the caller.
fn is_own(facts: &RegionFacts, id: VariableId) -> bool {
    let variable = facts.tree.variable(id);
    // The structure may be used as a whole.
    if variable.member.is_some() {
        return false;
    }
    match variable.ctype.kind {
        TypeKind::Arithmetic(_) => variable.lifetime != Lifetime::Static,
        TypeKind::Array { .. } => variable.lifetime == Lifetime::Automatic,
        TypeKind::Pointer { .. } | TypeKind::Other(_) => false,
    }
}

/// True if a pointer to a variable of a function, or into it, may exist: its address is taken, or it is used in any
/// other way than by its elements.
pub fn escapes(tree: &Tree, function: &Function, facts: &Facts, id: VariableId) -> bool {
    if facts.address_taken.contains(&id) {
        return true;
    }
    let (mut uses, mut elements, mut addressed) = (0, 0, false);
    function.body.walk_expressions(tree, &mut |expr| {
        uses += usize::from(expr.as_variable() == Some(id));
        elements += usize::from(is_number_in(expr, id));
        if let ExprKind::AddressOf(operand) = &expr.kind {
            addressed |= base_of(operand) == Some(id);
        }
    });
    addressed || uses != elements
}

/// True if the whole expression is a number and denotes an element of the variable, such as `a[i][j]` or `s`.
fn is_number_in(expr: &Expr, id: VariableId) -> bool {
    let is_reference = matches!(expr.kind, ExprKind::Variable(_) | ExprKind::Subscript { .. });
    is_reference && expr.ctype.arithmetic().is_some() && base_of(expr) == Some(id)
}

/// Returns the variable that the subscripts of a reference apply to.
fn base_of(expr: &Expr) -> Option<VariableId> {
    match &expr.kind {
        ExprKind::Subscript { base, .. } => base_of(base),
        ExprKind::Binary(_, left, right) if expr.ctype.is_pointer_like() => {
            base_of(if left.ctype.is_pointer_like() { left } else { right })
        }
        _ => expr.as_variable(),
    }
}
