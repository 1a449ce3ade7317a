//! The lengths of arrays that `new` makes, where `delete` ends them.
//!
//! `new double[n]` makes an array of n numbers, whatever function allocates its memory, and `delete[]` is passed the
//! address of its first element (C++17, [expr.new] and [expr.delete]). So nothing is assumed of `operator new`, which
//! another file may replace.
//!
//! The length is known at a `delete[]` if it is the same for all arrays that the pointer may point to, and
//!
//! - it is a constant; or
//! - its variables are named in all of the function, which sets them once, where they are declared, and the function
//!   makes and deletes the arrays in one activation: it does not call itself, and only its own variables, or those of
//!   functions that it calls, lead to the arrays.

use std::collections::{BTreeSet, HashMap};

use scop::CType;

use crate::c::ctree::{
    Expr, ExprKind, Function, Lifetime, StmtKind, Tree, TypeKind, Understood, Unnamed, Unsupported,
    VariableId,
};
use crate::host::expressions::{arguments_of, function_of, understood};
use crate::host::opaque::Opaque;
use crate::host::place::Term;
use crate::host::placed::{Placed, declared_in};
use crate::host::pointers::Pointers;

/// The number of bytes that each `delete` ends, as far as it is known.
pub type Deleted = HashMap<*const Expr, Term>;

/// Finds the lengths in a file.
pub fn of_deleted(tree: &Tree, opaque: &Opaque<'_>, pointers: &Pointers<'_>, placed: &Placed) -> Deleted {
    let mut found = Deleted::new();
    if pointers.new_arrays.is_empty() {
        return found;
    }
    for function in tree.all_functions().filter(|one| !opaque.is_opaque(one)) {
        let mut inside = None;
        function.body.walk_expressions(tree, &mut |expr| {
            if let Some((Understood::Delete, _)) = understood(expr)
                && let [pointer] = arguments_of(expr)
            {
                let inside = inside.get_or_insert_with(|| Inside::new(tree, pointers, placed, function));
                found.extend(inside.bytes(expr, pointer).map(|bytes| (std::ptr::from_ref(expr), bytes)));
            }
        });
    }
    found
}

/// A function with a `delete`.
struct Inside<'a> {
    tree: &'a Tree,
    pointers: &'a Pointers<'a>,
    function: &'a Function,
    /// The variables that keep their values as long as the function is executed.
    fixed: BTreeSet<VariableId>,
    /// The arrays that it makes, if each belongs to one activation.
    own: BTreeSet<*const Expr>,
}

impl<'a> Inside<'a> {
    fn new(tree: &'a Tree, pointers: &'a Pointers<'a>, placed: &Placed, function: &'a Function) -> Self {
        let mut own = BTreeSet::new();
        if !calls_itself(tree, function) {
            function.body.walk_expressions(tree, &mut |expr| {
                own.insert(std::ptr::from_ref(expr));
            });
        }
        let fixed = fixed(tree, pointers, placed, function);
        Self { tree, pointers, function, fixed, own }
    }

    /// Returns the number of bytes that a `delete` ends.
    fn bytes(&self, delete: &Expr, pointer: &Expr) -> Option<Term> {
        let mut all = None;
        for object in self.pointers.objects_in(self.pointers.value_of(pointer)).iter() {
            // What was not made by `new` is not deleted, unless other code made it.
            let Some((_, made)) = self.pointers.new_arrays.iter().find(|(id, _)| id.0 == object) else {
                if object == 0 {
                    return None;
                } else {
                    continue;
                };
            };
            let bytes = self.bytes_of(object, made, delete)?;
            if all.as_ref().is_some_and(|known| *known != bytes) {
                return None;
            }
            all = Some(bytes);
        }
        all
    }

    fn bytes_of(&self, object: usize, made: &Expr, delete: &Expr) -> Option<Term> {
        let ExprKind::Other { parts, .. } = &made.kind else { return None };
        let TypeKind::Pointer { target, .. } = &made.ctype.kind else { return None };
        let size = Term::Integer(i128::from(target.arithmetic()?.size()), CType::Long);
        // There is no array of a negative length, so the conversion of the length changes nothing.
        let length = match Term::of(self.pointers, parts.first()?)? {
            Term::Cast(CType::ULong, inner) if inner.ctype().is_integer() => *inner,
            length => length,
        };
        let mut names = BTreeSet::new();
        length.add_variables(&mut names);
        let mut loads = Vec::new();
        length.add_loads(&mut loads);
        let is_before = |id: &VariableId| {
            let variable = self.tree.variable(*id);
            let is_parameter = self.function.parameters.contains(id);
            is_parameter || variable.declared_at.is_some_and(|place| place.end <= delete.range.start)
        };
        let is_known = names.is_empty()
            || self.own.contains(&std::ptr::from_ref(made))
                && names.is_subset(&self.fixed)
                && names.iter().all(is_before)
                && self.is_of_one_activation(object);
        (is_known && loads.is_empty()).then(|| Term::product(length, size))
    }

    /// True if only variables that end with functions lead to an object, and no other code.
    fn is_of_one_activation(&self, object: usize) -> bool {
        let holders = self.pointers.holders_of(object);
        holders.is_some_and(|holders| {
            holders.iter().all(|id| self.tree.variable(*id).lifetime != Lifetime::Static)
        })
    }
}

/// Returns the variables of a function that are set once, where they are declared, in every execution of the function,
/// and whose names stand for them in all of it.
fn fixed(tree: &Tree, pointers: &Pointers<'_>, placed: &Placed, function: &Function) -> BTreeSet<VariableId> {
    let mut found: BTreeSet<VariableId> = function.parameters.iter().copied().collect();
    if let StmtKind::Compound(parts) = &function.body.kind {
        found.extend(parts.iter().flat_map(declared_in));
    }
    let pointed_to = pointers.pointed_to();
    found.retain(|id| {
        let variable = tree.variable(*id);
        let objects = pointers.objects_in(pointers.variable(*id));
        variable.lifetime != Lifetime::Static
            && !variable.reference
            && variable.is_integer()
            && placed.is_named(*id)
            && objects.is_disjoint(&pointed_to)
    });
    let mut leads_back = false;
    function.body.walk(&mut |stmt| {
        let is_jump = matches!(
            &stmt.kind,
            StmtKind::Other {
                what: Unsupported::Goto(_) | Unsupported::Label(_) | Unsupported::Assembly,
                ..
            }
        );
        leads_back |= is_jump;
    });
    if leads_back {
        return BTreeSet::new();
    }
    function.body.walk_expressions(tree, &mut |expr| {
        if let ExprKind::Assign { target, .. } | ExprKind::Increment { target, .. } = &expr.kind
            && let Some(id) = target.as_variable()
        {
            found.remove(&id);
        }
    });
    found
}

/// True if a function may call itself, directly or through other functions of the file.
fn calls_itself(tree: &Tree, function: &Function) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![function];
    while let Some(one) = open.pop() {
        one.body.walk_expressions(tree, &mut |expr| {
            let called = match &expr.kind {
                ExprKind::Call { callee: Some(callee), .. } => function_of(tree, callee),
                ExprKind::Other {
                    what: Unnamed::Understood(Understood::Member(name, _) | Understood::Operator(name), _),
                    ..
                } => tree.function(name),
                _ => None,
            };
            open.extend(called.filter(|called| seen.insert(called.name.as_str())));
        });
    }
    seen.contains(function.name.as_str())
}
