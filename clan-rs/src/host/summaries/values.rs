//! The values that pointers of a file get.

use std::collections::{BTreeSet, HashMap};

use crate::c::ctree::{Expr, ExprKind, Understood, Unnamed, VariableId};
use crate::host::bits::Bits;
use crate::host::expressions::{arguments_of, function_of};
use crate::host::pointers::Pointers;
use crate::host::statements::Followed;

/// The values that pointers of a file get.
pub struct Values<'t> {
    /// What calls pass for each parameter, with the place of the caller among the functions that are followed; nothing
    /// where that is not known.
    pub passed: HashMap<VariableId, Vec<(usize, Option<&'t Expr>)>>,
    /// The variables that something assigns to.
    pub assigned: BTreeSet<VariableId>,
    /// The objects to which pointers lead.
    pub pointed_to: Bits,
}

impl<'t> Values<'t> {
    /// Collects the values in some functions.
    pub fn of(pointers: &Pointers<'t>, followed: &[Followed]) -> Self {
        let tree = pointers.tree();
        let mut values =
            Self { passed: HashMap::new(), assigned: BTreeSet::new(), pointed_to: pointers.pointed_to() };
        let functions: Vec<_> = tree.all_functions().collect();
        for (place, one) in followed.iter().enumerate() {
            let Some(function) = functions.get(one.procedure.id.index()) else { continue };
            function.body.walk_expressions(tree, &mut |expr| {
                let (called, arguments) = match &expr.kind {
                    ExprKind::Assign { target, .. } | ExprKind::Increment { target, .. } => {
                        values.assigned.extend(target.as_variable());
                        return;
                    }
                    ExprKind::Call { callee: Some(callee), arguments } => {
                        (function_of(tree, callee), &arguments[..])
                    }
                    ExprKind::Other {
                        what: Unnamed::Understood(Understood::Member(name, _) | Understood::Operator(name), _),
                        ..
                    } => (tree.function(name), arguments_of(expr)),
                    _ => return,
                };
                let Some(called) = called else { return };
                let is_known = called.parameters.len() == arguments.len();
                for (position, parameter) in called.parameters.iter().enumerate() {
                    let value = arguments.get(position).filter(|_| is_known);
                    values.passed.entry(*parameter).or_default().push((place, value));
                }
            });
        }
        values
    }
}
