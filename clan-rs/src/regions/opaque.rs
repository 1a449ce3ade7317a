//! Control that depends on data: which loops and conditions are steps of a statement.
//!
//! A loop whose bounds are not determined by iterators and parameters cannot be a dimension of a domain. The whole
//! loop then belongs to one statement, with everything in it, and so does an `if` on data that contains no other
//! loops. Which loops and conditions these are shows only when the bounds and conditions of a region are translated:
//! extraction is repeated with those found so far, until no more are found.

use std::collections::{BTreeMap, BTreeSet};

use crate::c::ctree::{Stmt, StmtKind, Tree, VariableId};
use crate::c::facts::Facts;
use crate::errors::{CHANGED, DATA_DEPENDENT, Fault, ITERATOR_CHANGED, LOOP, NOT_AFFINE, SIDE_EFFECT, WRAPS};

/// The loops and conditions of a region that become steps of statements, each with the reason.
#[derive(Debug, Default, Clone)]
pub struct Opaque {
    steps: BTreeMap<usize, Fault>,
    /// True if the conditions of the region divide by too many different numbers: then all conditions that divide
    /// become steps.
    pub divides_too_often: bool,
}

impl Opaque {
    /// Marks a statement to become steps.
    pub fn add(&mut self, stmt: &Stmt, reason: Fault) {
        self.steps.insert(address(stmt), reason);
    }

    /// Adds everything from another.
    pub fn extend(&mut self, other: Self) {
        self.steps.extend(other.steps);
        self.divides_too_often |= other.divides_too_often;
    }

    /// True if it contains nothing.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty() && !self.divides_too_often
    }

    /// True for a statement that becomes steps; `while` loops always do.
    pub fn contains(&self, stmt: &Stmt) -> bool {
        matches!(stmt.kind, StmtKind::While { .. }) || self.steps.contains_key(&address(stmt))
    }

    /// Returns why a loop becomes steps.
    pub fn reason(&self, stmt: &Stmt) -> Option<&Fault> {
        self.steps.get(&address(stmt))
    }

    /// True if a statement is or contains a loop that is a dimension of a domain.
    pub fn has_loops(&self, stmt: &Stmt) -> bool {
        if self.contains(stmt) {
            return false;
        }
        matches!(stmt.kind, StmtKind::For { .. }) || stmt.parts().into_iter().any(|part| self.has_loops(part))
    }

    /// Calls `visit` on a statement and all statements in it, except those that become steps or are inside such a
    /// statement.
    pub fn walk_around<'t>(&self, stmt: &'t Stmt, visit: &mut dyn FnMut(&'t Stmt)) {
        if self.contains(stmt) {
            return;
        }
        visit(stmt);
        for part in stmt.parts() {
            self.walk_around(part, visit);
        }
    }

    /// Returns the variables that are changed by steps among some statements.
    pub fn changed<'t>(
        &self,
        tree: &'t Tree,
        statements: impl IntoIterator<Item = &'t Stmt>,
    ) -> BTreeSet<VariableId> {
        let mut changed = BTreeSet::new();
        for stmt in statements {
            if self.contains(stmt) {
                let facts = Facts::of(tree, [stmt]);
                changed.extend(facts.writes.into_keys());
                changed.extend(facts.declared);
            } else {
                changed.extend(self.changed(tree, stmt.parts()));
            }
        }
        changed
    }
}

/// Returns the address of a statement, which identifies it: statements do not move while a region is extracted.
fn address(stmt: &Stmt) -> usize {
    std::ptr::from_ref(stmt).addr()
}

/// True if a fault no longer arises once the statement is translated into steps: a fault about values that are not
/// known before the region runs, or about the form of a loop.
pub fn steps_avoid(fault: &Fault) -> bool {
    let code = fault.0.code.as_str();
    [NOT_AFFINE, CHANGED, DATA_DEPENDENT, WRAPS, LOOP, ITERATOR_CHANGED, SIDE_EFFECT].contains(&code)
}
