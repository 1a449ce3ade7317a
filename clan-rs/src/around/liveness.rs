//! What the region leaves alive: variables of the function that nothing reads afterwards are not.
//!
//! A variable is dead behind the region if it is the function's own, no pointer to it exists, and no code that may run
//! later, around loops included, reads it before it is set.

use crate::around::outside::may_be_read_after;
use crate::c::ctree::{Expr, ExprKind, Function, Lifetime, Tree, TypeKind, VariableId};
use crate::c::facts::Facts;
use crate::memory::arrays::Arrays;
use crate::variables::environment::Environment;

/// Marks the arrays whose last values nobody reads.
pub fn mark_dead(environment: &Environment, arrays: &mut Arrays) {
    for (&id, &array) in &arrays.known {
        let array = &mut arrays.arrays[array.index()];
        array.dead_after = array.visible && is_dead(environment, id);
    }
}

fn is_dead(environment: &Environment, id: VariableId) -> bool {
    is_private(environment, id) && !may_be_read_after(environment, id)
}

/// True for a variable of the function that no code elsewhere can use, because no pointer to it exists.
pub fn is_private(environment: &Environment, id: VariableId) -> bool {
    let escapes = || escapes(environment.tree, environment.function, &environment.in_function, id);
    is_own(environment, id) && !escapes()
}

/// True for a variable that lives no longer than the call of the function. A parameter that is an array is the
/// caller's.
fn is_own(environment: &Environment, id: VariableId) -> bool {
    let variable = environment.tree.variable(id);
    // A structure may be read as a whole.
    if variable.member.is_some() {
        return false;
    }
    match variable.ctype.kind {
        TypeKind::Arithmetic(_) => variable.lifetime != Lifetime::Static,
        TypeKind::Array { .. } => variable.lifetime == Lifetime::Automatic,
        TypeKind::Pointer { .. } | TypeKind::Other(_) => false,
    }
}

/// True if a pointer to a variable of a function or into it may exist: its address is taken, or it is used other than
/// by its elements.
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

/// True for the whole of `a[i][j]` or `s`, if it is a number and stands for an element of the variable.
fn is_number_in(expr: &Expr, id: VariableId) -> bool {
    let is_reference = matches!(expr.kind, ExprKind::Variable(_) | ExprKind::Subscript { .. });
    is_reference && expr.ctype.arithmetic().is_some() && base_of(expr) == Some(id)
}

/// The variable below the subscripts of a reference.
fn base_of(expr: &Expr) -> Option<VariableId> {
    match &expr.kind {
        ExprKind::Subscript { base, .. } => base_of(base),
        ExprKind::Binary(_, left, right) if expr.ctype.is_pointer_like() => {
            base_of(if left.ctype.is_pointer_like() { left } else { right })
        }
        _ => expr.as_variable(),
    }
}
