//! Ends of the program after which nothing uses memory of interest.
//!
//! After `exit`, functions that were registered for that may run, in this file or in others; after an exception, its
//! handlers; after `abort`, a handler of its signal. Memory of interest is safe from them if
//!
//! - unknown code cannot reach it, no other file announces it, and the user does not hold it;
//! - no function that unknown code can call mentions a variable that is part of it or leads to it;
//! - no destructor of the program, and no handler of exceptions, is in sight.
//!
//! That handlers of signals do not use it is assumed, except that `abort` and `assert` raise one themselves: so no file
//! of the user's may name a function that sets handlers.

use std::collections::BTreeSet;

use crate::c::ctree::{ExprKind, Function, Lifetime, Tree, Understood, Unnamed};
use crate::host::bits::Bits;
use crate::host::opaque::Opaque;
use crate::host::pointers::Pointers;
use crate::host::solver::EXPOSED;

/// Ends of the program that need nothing of the memory of interest.
#[derive(Debug, Clone, Copy, Default)]
pub struct Endings {
    /// `exit`.
    pub exit: bool,
    /// `abort`, and an `assert` that fails.
    pub abort: bool,
    /// An exception.
    pub throwing: bool,
}

impl Endings {
    /// Finds out which ends need nothing of some objects. `is_alone` if no other file takes part and nothing is held.
    pub fn of(
        tree: &Tree,
        opaque: &Opaque<'_>,
        pointers: &Pointers<'_>,
        objects: &Bits,
        is_alone: bool,
    ) -> Self {
        let is_private = is_alone && objects.is_disjoint(pointers.objects_in(EXPOSED));
        let has_destructors = tree.all_functions().any(|function| function.shown.starts_with('~'));
        let exit = is_private && !has_destructors && !is_reached_by_others(tree, opaque, pointers, objects);
        Self { exit, abort: !tree.handles_signals, throwing: exit && !tree.catches }
    }
}

/// True if a function that unknown code can call, or one that it calls, may use some objects.
fn is_reached_by_others(tree: &Tree, opaque: &Opaque<'_>, pointers: &Pointers<'_>, objects: &Bits) -> bool {
    let is_callable =
        |function: &&Function| opaque.is_called_from_elsewhere(function) && function.name != "main";
    let mut open: Vec<&Function> = tree.all_functions().filter(is_callable).collect();
    let mut seen: BTreeSet<&str> = open.iter().map(|function| function.name.as_str()).collect();
    while let Some(function) = open.pop() {
        let mut is_reached = opaque.is_opaque(function);
        function.body.walk_expressions(tree, &mut |expr| match &expr.kind {
            ExprKind::Variable(id) if tree.variable(*id).lifetime == Lifetime::Static => {
                is_reached |= !pointers.reachable_from(*id).is_disjoint(objects);
            }
            ExprKind::Call { callee: Some(callee), .. } => {
                open.extend(tree.function(&callee.name).filter(|one| seen.insert(&one.name)));
            }
            ExprKind::Other {
                what: Unnamed::Understood(Understood::Member(name, _) | Understood::Operator(name), _),
                ..
            } => {
                open.extend(tree.function(name).filter(|one| seen.insert(&one.name)));
            }
            _ => {}
        });
        if is_reached {
            return true;
        }
    }
    false
}
