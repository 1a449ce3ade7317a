//! Control that depends on data, as steps of a statement.
//!
//! No access in such steps is certain to happen. A variable that is declared in them becomes a temporary, and so does
//! a variable that only counts loops; any other variable stays memory.
//!
//! ```text
//! for (k = row[i]; k < row[i + 1]; k++) …   →   for (int k = row[i]; k < row[i + 1]; k = k + 1) …
//! for (k = n, s = 0; k; k /= 2) …           →   k = n; s = 0; while (k) { …; k = k / 2; }
//! do … while (c);                           →   again = 1; while (again) { …; again = c; }
//! ```

use scop::{Access, AccessId, CType, Expr, ExprKind, LocalId, Step};

use crate::affine::point::Point;
use crate::around::outside::is_counter;
use crate::body::site::Site;
use crate::body::translator::Body;
use crate::c::assignments;
use crate::c::constant::truth;
use crate::c::conversions::{cast, number};
use crate::c::ctree::{self, Lifetime, Stmt, StmtKind, VariableId};
use crate::c::facts::Facts;
use crate::control::refusals::refuse;
use crate::control::runs::{self, Entry, Item};
use crate::errors::{Fault, Result};

/// The three parts of the head of a `for` loop.
type Head<'t> = (&'t Stmt, &'t ctree::Expr, &'t ctree::Expr);

impl<'t> Body<'_, '_, 't> {
    /// Returns the step for a loop or condition on data; nothing if it was refused or does nothing.
    pub fn nested(&mut self, stmt: &'t Stmt, site: &Site) -> Result<Option<Step>> {
        let inside = Site::uncertain(site.point.copy()?);
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                self.if_step(condition, (then, otherwise.as_deref()), site)
            }
            StmtKind::For { init, condition, step, body } => {
                self.loops_on_data.push(stmt);
                let result = match self.counter_of(init, step, body) {
                    Some(id) => self.for_step(id, (init, condition, step), body, site),
                    None => self.while_of_for((init, condition, step), body, site),
                };
                self.loops_on_data.pop();
                result
            }
            StmtKind::While { condition, body, after } => {
                self.loops_on_data.push(stmt);
                let result = if *after {
                    self.do_steps(condition, body, &inside)
                } else {
                    self.while_step(condition, body, &inside)
                };
                self.loops_on_data.pop();
                result
            }
            StmtKind::Return(Some(value)) if self.is_of_function() => {
                Ok(self.value(value, site)?.map(|value| Step::Return { value }))
            }
            _ => {
                self.region.faults.push(refuse(stmt));
                Ok(None)
            }
        }
    }

    /// Returns the steps of some statements that are executed under a condition on data.
    pub fn block(&mut self, statements: &[&'t Stmt], site: &Site) -> Result<Vec<Step>> {
        let environment = self.region.affine.environment;
        let mut steps = Vec::new();
        for entry in runs::flatten(&environment.opaque, statements) {
            if runs::is_silent(environment, &entry) {
                continue;
            }
            if let Entry::Control(stmt) = &entry
                && let Some(branch) = self.decided(stmt)
            {
                steps.extend(self.block(branch.as_slice(), site)?);
                continue;
            }
            let item = match entry {
                Entry::Control(stmt) => Item::Nested(stmt),
                Entry::Simple(item) => item,
            };
            if let Item::Declaration(id, _) = item
                && let Some(own) = self.own_declaration(id, site)?
            {
                steps.extend(own);
                continue;
            }
            steps.extend(self.item(&item, |id| runs::may_be_register(environment, id), site)?);
        }
        Ok(steps)
    }

    /// Returns the branch, perhaps none, of an `if` in a function that is always taken; often that of an `if
    /// constexpr`.
    fn decided(&self, stmt: &'t Stmt) -> Option<Option<&'t Stmt>> {
        let StmtKind::If { condition, then, otherwise } = &stmt.kind else { return None };
        let value =
            truth(self.region.affine.environment.tree, condition).filter(|_| self.is_of_function())?;
        Some(if value { Some(then) } else { otherwise.as_deref() })
    }

    fn if_step(
        &mut self,
        condition: &'t ctree::Expr,
        (then, otherwise): (&'t Stmt, Option<&'t Stmt>),
        site: &Site,
    ) -> Result<Option<Step>> {
        let (when_true, when_false) = self.branches(condition, site)?;
        let condition = self.truth(condition, site)?;
        let before = std::mem::take(&mut self.pending);
        let around = std::mem::take(&mut self.in_branch);
        let then = self.branch(Some(then), when_true.point)?;
        let when_true = std::mem::take(&mut self.in_branch);
        let otherwise = self.branch(otherwise, when_false.point)?;
        let when_false = std::mem::replace(&mut self.in_branch, around);
        self.pending = before;
        self.share(&when_true, &when_false, site)?;
        Ok(condition.map(|condition| Step::If { condition, then, otherwise }))
    }

    /// Returns the steps of a branch of an `if`, if some instance may take it.
    fn branch(&mut self, branch: Option<&'t Stmt>, point: Point) -> Result<Vec<Step>> {
        match branch {
            Some(branch) if !point.is_nowhere()? => self.block(&[branch], &Site::branch(point)),
            _ => Ok(Vec::new()),
        }
    }

    /// Records the accesses that certainly happen in both branches of an `if` at a site: all instances that reach the
    /// `if` make them.
    fn share(&mut self, when_true: &[AccessId], when_false: &[AccessId], site: &Site) -> Result<()> {
        if !site.certain && !site.in_branch {
            return Ok(());
        }
        for (mine, others) in [(when_true, when_false), (when_false, when_true)] {
            for &id in mine {
                let access = self.own_access(id)?;
                let same = |other: &Access| other.array == access.array && other.relation == access.relation;
                let in_both = others.iter().map(|&other| self.own_access(other));
                let in_both = in_both.collect::<Result<Vec<_>>>()?.into_iter().any(same);
                if in_both && site.certain {
                    let shared = self.accesses.iter_mut().filter(|access| access.id == id);
                    shared.for_each(|access| access.in_both_branches = true);
                } else if in_both {
                    self.in_branch.push(id);
                }
            }
        }
        Ok(())
    }

    fn own_access(&self, id: AccessId) -> Result<&Access> {
        let missing = || Fault::bug(format!("{id} is not an access of its statement"));
        self.accesses.iter().find(|access| access.id == id).ok_or_else(missing)
    }

    /// Returns the variable that a loop counts with, if nothing else uses it: the loop begins by setting it, and only
    /// the head of the loop changes it.
    fn counter_of(&self, init: &'t Stmt, step: &ctree::Expr, body: &'t Stmt) -> Option<VariableId> {
        let tree = self.region.affine.environment.tree;
        let id = match (&init.kind, assigned(init)) {
            (StmtKind::Declaration(ids), _) if ids.len() == 1 => {
                tree.variable(ids[0]).initial.as_ref().map(|_| ids[0])
            }
            (_, Some((id, _))) if is_counter(self.region.affine.environment, id) => Some(id),
            _ => None,
        }?;
        let changes = Facts::of(tree, [body]).may_change(id);
        let counts = assignments::is_assignment(step) && target_of(step) == Some(id) && effects_in(step) == 1;
        let fits = runs::may_be_register(self.region.affine.environment, id)
            || tree.variable(id).lifetime == Lifetime::Parameter;
        (fits && counts && !changes && !self.locals.contains_key(&id)).then_some(id)
    }

    fn for_step(
        &mut self,
        id: VariableId,
        (init, condition, step): Head<'t>,
        body: &'t Stmt,
        site: &Site,
    ) -> Result<Option<Step>> {
        let tree = self.region.affine.environment.tree;
        let variable = tree.variable(id);
        let ctype = variable.arithmetic().unwrap_or(CType::Int);
        let initial = assigned(init).map(|(_, value)| value).or(variable.initial.as_ref());
        let first = match initial {
            Some(initial) => self.value(initial, site)?,
            None => None,
        };
        let before = std::mem::take(&mut self.pending);
        let inside = Site::uncertain(site.point.copy()?);
        let (local, name) = self.new_local(&variable.name);
        self.locals.insert(id, local);
        let condition = self.pure_truth(condition, &inside)?;
        self.without_effect += 1;
        let next = self.new_value(step, &inside)?;
        self.without_effect -= 1;
        let body = self.block(&[body], &inside)?;
        self.locals.remove(&id);
        self.pending = before;
        let (Some(first), Some(condition), Some((next, _))) = (first, condition, next) else {
            return Ok(None);
        };
        let (first, next) = (cast(first, ctype), cast(next, ctype));
        Ok(Some(Step::For { local, name, ctype, first, condition, next, body }))
    }

    /// Translates a `for` loop that changes several variables, or a variable that is also used elsewhere.
    fn while_of_for(
        &mut self,
        (init, condition, step): Head<'t>,
        body: &'t Stmt,
        site: &Site,
    ) -> Result<Option<Step>> {
        let fresh: Vec<VariableId> = self.fresh_counters(init);
        for &id in &fresh {
            let variable = self.region.affine.environment.tree.variable(id);
            let ctype = variable.arithmetic().unwrap_or(CType::Int);
            let (local, name) = self.new_local(&variable.name);
            self.locals.insert(id, local);
            self.pending.push(Step::Define { local, name, ctype, value: None });
        }
        let mut before = std::mem::take(&mut self.pending);
        before.extend(self.block(&[init], site)?);
        let inside = Site::uncertain(site.point.copy()?);
        let condition = self.pure_truth(condition, &inside)?;
        let mut steps = self.block(&[body], &inside)?;
        for effect in assignments::effects(step) {
            steps.extend(self.item(&Item::Assignment(effect), |_| false, &inside)?);
        }
        for id in fresh {
            self.locals.remove(&id);
        }
        self.pending = before;
        Ok(condition.map(|condition| Step::While { condition, body: steps }))
    }

    /// Returns the variables, declared outside a loop, that it sets first and that are used only in such loops.
    fn fresh_counters(&self, init: &'t Stmt) -> Vec<VariableId> {
        let StmtKind::Expression(expr) = &init.kind else { return Vec::new() };
        let targets = assignments::effects(expr).into_iter().filter_map(target_of);
        let mut fresh: Vec<VariableId> = targets
            .filter(|id| !self.locals.contains_key(id) && is_counter(self.region.affine.environment, *id))
            .collect();
        fresh.dedup();
        fresh
    }

    fn while_step(
        &mut self,
        condition: &'t ctree::Expr,
        body: &'t Stmt,
        site: &Site,
    ) -> Result<Option<Step>> {
        let before = std::mem::take(&mut self.pending);
        let condition = self.pure_truth(condition, site)?;
        let body = self.block(&[body], site)?;
        self.pending = before;
        Ok(condition.map(|condition| Step::While { condition, body }))
    }

    fn do_steps(&mut self, condition: &'t ctree::Expr, body: &'t Stmt, site: &Site) -> Result<Option<Step>> {
        let (local, name) = self.new_local("again");
        let again = Expr { ctype: CType::Bool, kind: ExprKind::Local { local } };
        self.pending.push(define(local, name, cast(number(1), CType::Bool)));
        let mut before = std::mem::take(&mut self.pending);
        let mut steps = self.block(&[body], site)?;
        let value = self.truth(condition, site)?;
        steps.append(&mut self.pending);
        std::mem::swap(&mut self.pending, &mut before);
        let Some(value) = value else { return Ok(None) };
        steps.push(Step::Set { local, value: cast(value, CType::Bool) });
        Ok(Some(Step::While { condition: again, body: steps }))
    }
}

fn define(local: LocalId, name: String, value: Expr) -> Step {
    Step::Define { local, name, ctype: value.ctype, value: Some(value) }
}

/// Returns the variable and the value of `id = value`.
fn assigned(init: &Stmt) -> Option<(VariableId, &ctree::Expr)> {
    let StmtKind::Expression(expr) = &init.kind else { return None };
    match &expr.kind {
        ctree::ExprKind::Assign { operator: None, target, value } => Some((target.as_variable()?, value)),
        _ => None,
    }
}

/// Returns the variable that an assignment changes, unless it changes an element.
fn target_of(expr: &ctree::Expr) -> Option<VariableId> {
    match &expr.kind {
        ctree::ExprKind::Assign { target, .. } | ctree::ExprKind::Increment { target, .. } => {
            target.as_variable()
        }
        _ => None,
    }
}

/// Returns the number of assignments in an expression.
fn effects_in(expr: &ctree::Expr) -> usize {
    let mut count = 0;
    expr.walk(&mut |inner| count += usize::from(assignments::is_assignment(inner)));
    count
}
