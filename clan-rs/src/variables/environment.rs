//! The role of each variable in a region: iterator, parameter, alias of an affine expression, or memory.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use scop::{BinaryOp, SourceRange};

use crate::around::allocation::{self, Memory};
use crate::around::outside;
use crate::c::ctree::{Expr, ExprKind, Lifetime, Stmt, StmtKind, VariableId};
use crate::c::facts::Facts;
use crate::regions::facts::RegionFacts;
use crate::regions::header::Header;
use crate::variables::names::Names;
use crate::variables::tracked::tracked;

/// The variables of a region.
pub struct Environment<'t> {
    /// The region and its facts, which are accessed through the environment.
    facts: RegionFacts<'t>,
    /// The iterators whose values outside their loops matter.
    pub tracked: BTreeSet<VariableId>,
    /// Integers that the region declares with a value, never changes, and uses where an affine expression is
    /// required: names for that expression.
    pub aliases: BTreeSet<VariableId>,
    /// The names of the integers that the region does not change and that occur in bounds, conditions, subscripts
    /// or array lengths.
    pub parameters: BTreeMap<VariableId, String>,
}

impl<'t> Deref for Environment<'t> {
    type Target = RegionFacts<'t>;

    fn deref(&self) -> &RegionFacts<'t> {
        &self.facts
    }
}

impl<'t> Environment<'t> {
    /// Determines the roles of the variables of a region.
    pub fn new(facts: RegionFacts<'t>, taken: &mut Names) -> Self {
        let tracked = tracked(&facts);
        let variables = Classification { facts: &facts };
        let wanted = variables.wanted();
        let aliases = wanted.iter().copied().filter(|&id| variables.may_be_alias(id)).collect();
        let unchanged = wanted.into_iter().filter(|&id| variables.may_be_parameter(id));
        let parameters = unchanged.chain(facts.entered.iter().copied()).collect::<BTreeSet<_>>();
        let named = |id| (id, taken.unused(&facts.tree.variable(id).plain_name()));
        let parameters = parameters.into_iter().map(named).collect();
        Self { tracked, aliases, parameters, facts }
    }

    /// True if an iterator certainly has no value at the beginning of the region.
    pub fn has_no_value_before(&self, id: VariableId) -> bool {
        let variable = self.tree.variable(id);
        let range = self.region.range;
        let inside = |write: &SourceRange| range.start <= write.start && write.end <= range.end;
        let set_outside = self.in_function.writes.get(&id).into_iter().flatten().any(|write| !inside(write));
        let fresh = variable.lifetime == Lifetime::Automatic && variable.initial.is_none() && !set_outside;
        fresh && !self.in_function.address_taken.contains(&id) && !outside::is_repeated(self)
    }

    /// True if an iterator may have a value at the beginning of the region that is not yet a parameter.
    pub fn has_unused_value_before(&self, id: VariableId) -> bool {
        !self.in_region.declared.contains(&id) && !self.entered.contains(&id) && !self.has_no_value_before(id)
    }
}

/// The classification of the variables of a region.
struct Classification<'e, 't> {
    facts: &'e RegionFacts<'t>,
}

impl<'t> Deref for Classification<'_, 't> {
    type Target = RegionFacts<'t>;

    fn deref(&self) -> &RegionFacts<'t> {
        self.facts
    }
}

impl<'t> Classification<'_, 't> {
    /// Returns the variables in bounds, conditions, subscripts and array lengths.
    fn wanted(&self) -> BTreeSet<VariableId> {
        let mut wanted = BTreeSet::new();
        for stmt in &self.region.statements {
            stmt.walk(&mut |inner| self.want_statement(inner, &mut wanted));
        }
        for &id in self.in_region.uses.keys() {
            for length in self.lengths_in_parameters(id) {
                self.want(length, &mut wanted);
            }
        }
        wanted
    }

    /// Collects the variables in the affine parts of a statement.
    fn want_statement(&self, stmt: &'t Stmt, wanted: &mut BTreeSet<VariableId>) {
        match &stmt.kind {
            StmtKind::For { init, condition, step, .. } => {
                if let Ok(header) = Header::of(self.tree, init, condition, step) {
                    self.want(header.first, wanted);
                }
                self.want(condition, wanted);
                self.want(step, wanted);
            }
            StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => {
                self.want(condition, wanted);
            }
            _ => {
                for expr in stmt.expressions(self.tree) {
                    expr.walk(&mut |inner| self.want_in_value(inner, wanted));
                }
            }
        }
    }

    fn want_in_value(&self, expr: &'t Expr, wanted: &mut BTreeSet<VariableId>) {
        match &expr.kind {
            ExprKind::Subscript { base, index } => {
                self.want(index, wanted);
                self.want_offsets(base, wanted);
            }
            ExprKind::Conditional { condition, .. }
            | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, condition, _)
                if self.is_of_integers(condition) =>
            {
                self.want(condition, wanted);
            }
            _ => {}
        }
    }

    /// Collects the variables in a base such as `p + i`, which contains a subscript.
    fn want_offsets(&self, base: &'t Expr, wanted: &mut BTreeSet<VariableId>) {
        if let ExprKind::Binary(_, left, right) = &base.without_casts().kind {
            for part in [left, right] {
                if part.ctype.is_pointer_like() {
                    self.want_offsets(part, wanted);
                } else {
                    self.want(part, wanted);
                }
            }
        }
    }

    fn want(&self, expr: &'t Expr, wanted: &mut BTreeSet<VariableId>) {
        expr.walk(&mut |inner| {
            if let Some(id) = inner.as_place()
                && wanted.insert(id)
                && self.may_be_alias(id)
                && let Some(initial) = &self.tree.variable(id).initial
            {
                self.want(initial, wanted);
            }
        });
    }

    /// True if an expression consists only of integers that the region does not compute, and does not contain a
    /// given variable.
    fn is_of_integers_but(&self, expr: &Expr, id: VariableId) -> bool {
        let mut occurs = false;
        expr.walk(&mut |inner| occurs |= inner.as_place() == Some(id));
        !occurs && self.is_of_integers(expr)
    }

    /// True if an expression consists only of integers that the region does not compute.
    fn is_of_integers(&self, expr: &Expr) -> bool {
        let parts = || expr.parts().into_iter().all(|part| self.is_of_integers(part));
        match &expr.kind {
            ExprKind::Integer(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast { .. }
            | ExprKind::Conditional { .. } => {
                expr.ctype.arithmetic().is_some_and(|ctype| ctype.is_integer()) && parts()
            }
            ExprKind::Variable(_) | ExprKind::Member { .. } => expr.as_place().is_some_and(|id| {
                self.is_steady_iterator(id)
                    || self.tree.variable(id).constant.is_some()
                    || self.may_be_parameter(id)
                    || self.may_be_alias(id)
            }),
            _ => false,
        }
    }

    /// True for an iterator that no opaque step changes.
    fn is_steady_iterator(&self, id: VariableId) -> bool {
        self.iterators.contains(&id) && !self.in_steps.contains(&id)
    }

    fn may_be_alias(&self, id: VariableId) -> bool {
        let variable = self.tree.variable(id);
        self.declared.contains(&id)
            && variable.is_integer()
            && !variable.ctype.volatile
            && variable.lifetime == Lifetime::Automatic
            && !self.in_region.may_change(id)
            && variable.initial.as_ref().is_some_and(|initial| self.is_of_integers_but(initial, id))
            && !self.is_outdated(&self.region.statements, id)
    }

    /// True if a variable is declared in a block among `statements` that afterwards changes an iterator in the
    /// variable's initialiser. Aliases in the initialiser need no check here: they are checked themselves, and
    /// their blocks extend at least as far.
    fn is_outdated(&self, statements: &[&'t Stmt], id: VariableId) -> bool {
        let declares =
            |stmt: &&'t Stmt| matches!(&stmt.kind, StmtKind::Declaration(ids) if ids.contains(&id));
        let Some(position) = statements.iter().position(declares) else {
            return statements.iter().any(|stmt| match &stmt.kind {
                StmtKind::Declaration(_) => false,
                _ => self.is_outdated(&stmt.parts(), id),
            });
        };
        let after = Facts::of(self.tree, statements[position + 1..].iter().copied());
        let mut outdated = false;
        let initial = self.tree.variable(id).initial.iter();
        initial.for_each(|initial| {
            initial.walk(&mut |inner| {
                let used = inner.as_variable().filter(|used| self.iterators.contains(used));
                outdated |= used.is_some_and(|iterator| after.may_change(iterator));
            })
        });
        outdated
    }

    fn may_be_parameter(&self, id: VariableId) -> bool {
        let variable = self.tree.variable(id);
        variable.is_integer()
            && !variable.ctype.volatile
            && variable.constant.is_none()
            && !self.declared.contains(&id)
            && !self.iterators.contains(&id)
            && !self.in_region.writes.contains_key(&id)
    }

    /// Returns the variable lengths of an array whose variables still have the values that they had at the
    /// declaration.
    fn lengths_in_parameters(&self, id: VariableId) -> Vec<&'t Expr> {
        let lengths = self.tree.variable(id).lengths.iter().flatten();
        let allocated = allocation::allocation(self, id).filter(|_| self.has_data_dependent_accesses());
        let lengths = lengths.chain(allocated.map(Memory::lengths).unwrap_or_default());
        lengths.filter(|length| self.is_of_constants(length)).collect()
    }

    /// True if some accesses of the region may depend on data: conditional accesses, and accesses with subscripts
    /// that are read from arrays.
    fn has_data_dependent_accesses(&self) -> bool {
        let mut found = false;
        for stmt in &self.region.statements {
            stmt.walk(&mut |inner| {
                found |= matches!(inner.kind, StmtKind::If { .. } | StmtKind::While { .. });
            });
            stmt.walk_expressions(self.tree, &mut |expr| match &expr.kind {
                ExprKind::Conditional { .. } | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => {
                    found = true;
                }
                ExprKind::Subscript { index, .. } => {
                    index.walk(&mut |inner| found |= matches!(inner.kind, ExprKind::Subscript { .. }));
                }
                _ => {}
            });
        }
        found
    }
}
