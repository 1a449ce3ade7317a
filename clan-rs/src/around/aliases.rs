//! Which variables of a function may lead to the same memory.

use scop::CType;

use crate::around::escape::escapes;
use crate::around::touches::{ALLOCATING, Memory, Stored, Touch};
use crate::c::ctree::{ExprKind, Function, Lifetime, Stmt, Tree, Type, TypeKind, VariableId};
use crate::c::facts::Facts;
use crate::c::strict_aliasing::may_hold;

/// The memory that the variables of a function may denote or point to.
pub struct Aliases<'a> {
    tree: &'a Tree,
    function: &'a Function,
    facts: Facts,
}

impl<'a> Aliases<'a> {
    /// Collects the facts of the whole function.
    pub fn new(tree: &'a Tree, function: &'a Function) -> Self {
        Self { tree, function, facts: Facts::of(tree, [&function.body]) }
    }

    /// True if the memory that a variable denotes or points to may no longer exist after a statement: either the
    /// variable is declared in the statement, or it is set there and may point to something else that is declared
    /// there.
    pub fn is_gone_after(&self, stmt: &Stmt, variable: VariableId) -> bool {
        let facts = Facts::of(self.tree, [stmt]);
        if facts.declared.contains(&variable) {
            return true;
        }
        let is_set = facts.may_change(variable) || self.facts.address_taken.contains(&variable);
        let is_memory = |id: &VariableId| {
            let kind = &self.tree.variable(*id).ctype.kind;
            matches!(kind, TypeKind::Array { .. } | TypeKind::Other(_))
                || self.facts.address_taken.contains(id)
        };
        is_set && facts.declared.iter().any(is_memory)
    }

    /// True if touched memory may be the array of a variable. If the memory is written, it may also lie between
    /// elements of the array: what lies between them is copied back with them.
    pub fn may_touch(&self, variable: VariableId, touch: Touch) -> bool {
        let fits = self.may_be_element(variable, touch.stored);
        // Allocated memory has the type with which it was last written (C11, 6.5p6).
        let becomes = fits || touch.writes;
        match (self.is_object(variable), touch.memory) {
            (true, Memory::Object(other)) => other == variable,
            (true, Memory::PointedTo(_)) => fits && self.is_reachable(variable),
            (true, Memory::Somewhere) => fits && self.is_reachable(variable),
            (false, Memory::Somewhere) => becomes,
            // Unknown code that cannot access the array may still never return.
            (_, Memory::Anything) => true,
            (false, Memory::Object(other)) => {
                fits && other != variable && self.is_reachable(other) && !self.is_older(variable, other)
            }
            (false, Memory::PointedTo(other)) => {
                other == variable || becomes && !self.are_apart(variable, other, touch.writes)
            }
        }
    }

    /// True for an array, false for a pointer to one.
    fn is_object(&self, variable: VariableId) -> bool {
        let variable = self.tree.variable(variable);
        matches!(variable.ctype.kind, TypeKind::Array { .. }) && variable.lifetime != Lifetime::Parameter
    }

    fn may_be_element(&self, variable: VariableId, stored: Stored) -> bool {
        let Some(element) = element(&self.tree.variable(variable).ctype) else { return true };
        match stored {
            Stored::Any => true,
            Stored::Pointer => may_hold(element, None),
            Stored::Number(number) => may_hold(element, Some(number)) || may_hold(number, Some(element)),
        }
    }

    /// True if pointers to a variable may exist.
    fn is_reachable(&self, id: VariableId) -> bool {
        self.tree.variable(id).lifetime == Lifetime::Static
            || self.facts.address_taken.contains(&id)
            || escapes(self.tree, self.function, &self.facts, id)
    }

    /// True if a pointer cannot point to a local variable: its memory is older than the variable, or was allocated
    /// for it.
    fn is_older(&self, pointer: VariableId, other: VariableId) -> bool {
        self.tree.variable(other).lifetime != Lifetime::Static
            && (self.is_fixed(pointer) || self.is_fresh(pointer))
    }

    /// True if two pointers point to different memory: one of them points to memory that was allocated for it, or one
    /// is `restrict` and the memory is not written. The elements of a `restrict` parameter are accessed through it
    /// alone, but not what lies between them (`re[2 * i]`, `im[2 * i]`).
    fn are_apart(&self, one: VariableId, other: VariableId, writes: bool) -> bool {
        let pair = [one, other];
        let fixed = pair.map(|id| self.is_fixed(id));
        let fresh = pair.map(|id| self.is_fresh(id));
        let known = (0..2).all(|k| fixed[k] || fresh[k]);
        let restrict = pair.iter().any(|&id| is_restrict(&self.tree.variable(id).ctype));
        known && (fresh.contains(&true) || restrict && !writes)
    }

    /// True for a parameter that nothing changes.
    fn is_fixed(&self, id: VariableId) -> bool {
        self.tree.variable(id).lifetime == Lifetime::Parameter && !self.facts.may_change(id)
    }

    /// True for a pointer that is initialised with memory allocated for it and is never changed.
    fn is_fresh(&self, id: VariableId) -> bool {
        let variable = self.tree.variable(id);
        let Some(initial) = &variable.initial else { return false };
        let is_new = match &initial.without_casts().kind {
            ExprKind::Call { callee: Some(callee), .. } => {
                ALLOCATING.contains(&callee.name.as_str()) && self.tree.function(&callee.name).is_none()
            }
            _ => false,
        };
        is_new && variable.lifetime == Lifetime::Automatic && !self.facts.may_change(id)
    }
}

/// Returns the type of the numbers in an array.
fn element(ctype: &Type) -> Option<CType> {
    match &ctype.kind {
        TypeKind::Array { element: inner, .. } | TypeKind::Pointer { target: inner, .. } => element(inner),
        TypeKind::Arithmetic(ctype) => Some(*ctype),
        TypeKind::Other(_) => None,
    }
}

fn is_restrict(ctype: &Type) -> bool {
    matches!(ctype.kind, TypeKind::Pointer { restrict: true, .. } | TypeKind::Array { restrict: true, .. })
}
