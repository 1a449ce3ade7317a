//! Loops and conditions.
//!
//! *before → after*: the statements of a region become a list of straight-line pieces ([`Run`]), each with the exact
//! set of iterator values for which it is executed, and the order of the pieces as a tree:
//!
//! ```text
//! for (i …) { A; for (j …) B; if (c) C; }   →   Loop i ─ Sequence ─┬─ A
//!                                                                  ├─ Loop j ─ B
//!                                                                  └─ C
//! ```
//!
//! An `if` is visible only in the domains, because no iteration executes both of its branches. Control that depends
//! on data cannot be expressed in domains and becomes steps of a statement ([`crate::regions::opaque`]). If an `if`
//! on data contains loops, its condition is stored in a variable, which every statement inside tests:
//!
//! ```text
//! if (a[i] > 0) for (j …) B;   →   holds = a[i] > 0; for (j …) if (holds) B;
//! ```

use polyhedra::{PwAff, Set};
use scop::{Diagnostic, SourceRange, StatementId};

use crate::affine::iterator_values::Values;
use crate::affine::point::Point;
use crate::affine::translator::Affine;
use crate::around::outside;
use crate::c::ctree::{Expr, Stmt, StmtKind, VariableId};
use crate::c::facts::Facts;
use crate::control::after_loop::{Iterations, values_at_entry};
use crate::control::iterations::{bound_changed, changed_bound, iterations, iterator_changed};
use crate::control::pieces::{Order, sequence};
use crate::control::refusals::refuse;
use crate::control::runs::{self, FlagId, Guard, Run};
use crate::errors::{Fault, Faults, ITERATOR_AFTER_LOOP, Result, SEQUENTIAL};
use crate::regions::header::Header;
use crate::regions::opaque::{Opaque, steps_avoid};

/// The traversal of a region.
pub struct Control<'a, 'e, 't> {
    /// The translator of bounds and conditions.
    pub affine: &'a mut Affine<'e, 't>,
    /// The faults that were found.
    pub faults: &'a mut Faults,
    /// The pieces, in source order: number k becomes statement k.
    pub runs: Vec<(Run<'t>, Point)>,
    /// True if some statement of the region never runs, for any parameter values.
    pub has_idle_code: bool,
    /// Control that must become steps of statements, found in this attempt.
    pub found: Opaque,
    /// The conditions on data at the current place.
    pub guards: Vec<Guard>,
    /// The number of conditions that are stored in variables.
    pub flags: u32,
}

impl<'t> Control<'_, '_, 't> {
    /// Returns the order of the pieces of the region; `None` if it does nothing.
    pub fn region(&mut self) -> Result<Option<Order>> {
        let environment = self.affine.environment;
        let mut point = Point::outside()?;
        point.values = values_at_entry(environment, &point)?;
        let mut parts: Vec<Order> =
            self.statements(&environment.region.statements, &mut point)?.into_iter().collect();
        for &id in environment.tracked.iter().filter(|&&id| outside::outlives_region(environment, id)) {
            parts.extend(self.final_value(id, &point)?);
        }
        Ok(sequence(parts))
    }

    /// Returns the statement that stores the final value of an iterator, where a loop has set it.
    fn final_value(&mut self, id: VariableId, point: &Point) -> Result<Option<Order>> {
        let Some(value) = point.values.get(id) else { return Ok(None) };
        let place = point.when(&value.set)?;
        if place.domain.is_empty()? {
            return Ok(None);
        }
        let environment = self.affine.environment;
        let writes = environment.in_region.writes.get(&id).into_iter().flatten();
        let first = writes.min_by_key(|range| range.start).copied();
        let range = first.unwrap_or(environment.region.opening);
        if !self.affine.instances(&place)?.is_subset(&value.value.copy()?.domain()?)? {
            if self.faults.is_empty() {
                self.faults.push(unknown_after_region(environment.name(id), range));
            }
            return Ok(None);
        }
        self.run(Run::of_final_value(id, range), &place)
    }

    /// Returns the order of some statements at a point; `None` if they do nothing. Afterwards, `point` contains the
    /// values that they leave in iterators.
    fn statements(&mut self, statements: &[&'t Stmt], point: &mut Point) -> Result<Option<Order>> {
        let items = runs::flatten(&self.affine.environment.opaque, statements);
        let mut parts = Vec::new();
        let guarded = !self.guards.is_empty();
        for group in runs::group(self.affine.environment, &items, guarded) {
            let part = match group {
                runs::Group::Run(run) => {
                    let changed = run.changed(self.affine.environment.tree);
                    let domain = point.domain.copy()?;
                    point.values.lose(&changed, &domain)?;
                    self.run(run, point)?
                }
                runs::Group::Control(stmt) => self.control(stmt, point)?,
            };
            parts.extend(part);
        }
        Ok(sequence(parts))
    }

    fn run(&mut self, mut run: Run<'t>, point: &Point) -> Result<Option<Order>> {
        if !run.has_effect(self.affine.environment.tree) {
            return Ok(None);
        }
        if point.domain.is_empty()? {
            self.has_idle_code = true;
            return Ok(None);
        }
        if point.depth() == 0 {
            self.tell_sequential(&run);
        }
        run.guards.clone_from(&self.guards);
        let id = StatementId(self.runs.len() as u32);
        self.runs.push((run, point.copy()?));
        Ok(Some(Order::Statement(id)))
    }

    /// Warns of loops that a single thread executes, because they depend on data and are not inside other loops.
    fn tell_sequential(&mut self, run: &Run) {
        let mut found = Vec::new();
        for item in &run.items {
            let runs::Item::Nested(stmt) = item else { continue };
            stmt.walk(&mut |inner| {
                if matches!(inner.kind, StmtKind::For { .. } | StmtKind::While { .. }) && found.is_empty() {
                    found.push(sequential(inner, self.affine.environment.opaque.reason(inner)));
                }
            });
            self.affine.warnings.append(&mut found);
        }
    }

    /// Translates a statement that is not straight-line code.
    fn control(&mut self, stmt: &'t Stmt, point: &mut Point) -> Result<Option<Order>> {
        match &stmt.kind {
            StmtKind::For { init, condition, step, body } => {
                let tree = self.affine.environment.tree;
                match Header::of(tree, init, condition, step) {
                    Ok(header) => self.for_loop(header, stmt, body, point),
                    Err(fault) => self.steps(stmt, fault, point),
                }
            }
            StmtKind::If { condition, then, otherwise } => {
                let branches = (&**then, otherwise.as_deref());
                let affine = self
                    .affine
                    .attempt(|affine| affine.condition_of_branches(condition, point, branches.1.is_some()));
                match affine {
                    Ok(holds) => self.if_stmt(&holds, branches, point),
                    Err(fault) if steps_avoid(&fault) && self.affine.environment.opaque.has_loops(stmt) => {
                        self.if_on_data(condition, branches, point)
                    }
                    Err(fault) => self.steps(stmt, fault, point),
                }
            }
            _ => {
                self.faults.push(refuse(stmt));
                Ok(None)
            }
        }
    }

    /// Handles control that domains cannot express: the next attempt translates it as steps, unless steps cannot
    /// avoid the fault.
    fn steps(&mut self, stmt: &'t Stmt, fault: Fault, point: &mut Point) -> Result<Option<Order>> {
        let changed = Facts::of(self.affine.environment.tree, [stmt]).writes;
        let domain = point.domain.copy()?;
        point.values.lose(changed.keys(), &domain)?;
        if steps_avoid(&fault) {
            self.found.add(stmt, fault);
        } else {
            self.faults.push(fault);
        }
        Ok(None)
    }

    fn if_stmt(
        &mut self,
        holds: &Set,
        (then, otherwise): (&'t Stmt, Option<&'t Stmt>),
        point: &mut Point,
    ) -> Result<Option<Order>> {
        let mut parts = Vec::new();
        let (mut when_true, mut when_false) = (point.when(holds)?, point.unless(holds)?);
        parts.extend(self.statements(&[then], &mut when_true)?);
        if let Some(otherwise) = otherwise {
            parts.extend(self.statements(&[otherwise], &mut when_false)?);
        }
        point.values = when_true.values.joined(when_false.values)?;
        Ok(sequence(parts))
    }

    /// Translates an `if` on data. The condition is evaluated once, before the branches, which may change what it
    /// reads.
    fn if_on_data(
        &mut self,
        condition: &'t Expr,
        (then, otherwise): (&'t Stmt, Option<&'t Stmt>),
        point: &mut Point,
    ) -> Result<Option<Order>> {
        let flag = FlagId(self.flags);
        self.flags += 1;
        let around = self.guards.clone();
        let mut parts = Vec::new();
        parts.extend(self.run(Run::of_flag(flag, condition), point)?);
        // This flag holds only where the conditions around it hold.
        self.guards = vec![Guard { flag, holds: true }];
        let (mut when_true, mut when_false) = (point.copy()?, point.copy()?);
        when_true.values = point.values.begun()?;
        when_false.values = point.values.begun()?;
        parts.extend(self.statements(&[then], &mut when_true)?);
        if let Some(otherwise) = otherwise {
            self.guards.clone_from(&around);
            self.guards.push(Guard { flag, holds: false });
            parts.extend(self.statements(&[otherwise], &mut when_false)?);
        }
        self.guards = around;
        for branch in [when_true, when_false] {
            point.values.blur(&branch.values)?;
        }
        Ok(sequence(parts))
    }

    fn for_loop(
        &mut self,
        header: Header<'t>,
        stmt: &'t Stmt,
        body: &'t Stmt,
        point: &mut Point,
    ) -> Result<Option<Order>> {
        let environment = self.affine.environment;
        let writes = Facts::of(environment.tree, [body]);
        if writes.may_change(header.iterator) {
            let fault = iterator_changed(&header, environment.name(header.iterator), stmt, &writes);
            return self.steps(stmt, fault, point);
        }
        if let Some((id, place)) = changed_bound(&header, &writes) {
            let fault = bound_changed(environment.name(id), place, writes.first_write(id));
            return self.steps(stmt, fault, point);
        }
        let (first, mut inside) = match self.iterations(&header, point) {
            Ok(iterations) => iterations,
            Err(fault) => return self.steps(stmt, fault, point),
        };
        let carries = environment.tracked.iter().any(|id| writes.writes.contains_key(id));
        let iterator = Iterations {
            iterator: header.iterator,
            first,
            step: header.step,
            domain: &inside.domain.copy()?,
        };
        inside.values = iterator.values_before_body(&point.values)?;
        if carries {
            let left = self.survey(body, &inside)?;
            inside.values = iterator.values_inside(&point.values, &left)?;
        }
        let order = self.statements(&[body], &mut inside)?;
        if !point.values.is_empty() {
            point.values = iterator.values_after(point, &inside)?;
        }
        Ok(order.map(|body| Order::Loop {
            depth: point.depth(),
            iterator: header.iterator,
            range: stmt.range,
            descending: header.step < 0,
            body: Box::new(body),
        }))
    }

    /// Returns what an iteration leaves in iterators, as far as that does not depend on earlier iterations.
    fn survey(&mut self, body: &'t Stmt, inside: &Point) -> Result<Values> {
        let mut alone = inside.copy()?;
        alone.values = Values::unknown(&self.affine.environment.tracked, &inside.domain.get_space()?)?;
        let mut faults = Faults::default();
        let affine = &mut *self.affine;
        let (assumed, said, wanted) = (affine.assumed.copy()?, affine.warnings.len(), affine.wanted.clone());
        let mut control = Control {
            affine,
            faults: &mut faults,
            runs: Vec::new(),
            has_idle_code: false,
            found: Opaque::default(),
            guards: self.guards.clone(),
            flags: self.flags,
        };
        control.statements(&[body], &mut alone)?;
        self.affine.assumed = assumed;
        self.affine.warnings.truncate(said);
        self.affine.wanted = wanted;
        Ok(alone.values)
    }

    /// Returns the first value of a loop's iterator, and the point in its body. The domain of that point has one
    /// more dimension: the iterator takes the values `first`, `first + step`, … as long as the condition has held
    /// without interruption.
    fn iterations(&mut self, header: &Header, point: &Point) -> Result<(PwAff, Point)> {
        self.affine.attempt(|affine| iterations(affine, header, point))
    }
}

fn unknown_after_region(name: &str, range: SourceRange) -> Fault {
    let message = format!("`{name}` may be read after the region, but its value there is not known");
    Fault::new(ITERATOR_AFTER_LOOP, message, range, "whether and how far this loop runs depends on data")
        .with_help(format!(
            "declare the iterator in the loop, `for (int {name} = …)`, and store what is read later in another variable"
        ))
}

fn sequential(stmt: &Stmt, reason: Option<&Fault>) -> Diagnostic {
    let why = reason.map_or("its end depends on data", |fault| &fault.0.message);
    let message = format!("one thread executes this loop: {why}");
    Diagnostic::warning(SEQUENTIAL, message)
        .at("", stmt.range, "all of this becomes one statement of the translation")
        .with_help(
            "leave the loop out of the region, and mark the loops inside it that do not depend on data",
        )
}
