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
//! An `if` leaves no trace but in the domains: of its two branches, no iteration executes both. What depends on data
//! cannot be in the domains, and is steps of a statement ([`crate::regions::opaque`]). An `if` on data around loops keeps its
//! condition in a variable of its own, which every statement inside tests:
//!
//! ```text
//! if (a[i] > 0) for (j …) B;   →   holds = a[i] > 0; for (j …) if (holds) B;
//! ```

use polyhedra::{DimType, PwAff, Set, Simplify};
use scop::{CType, Diagnostic, SourceRange, StatementId};

use crate::affine::expressions::Affine;
use crate::affine::iterator_values::Values;
use crate::affine::point::Point;
use crate::around::outside;
use crate::c::assignments;
use crate::c::ctree::{Callee, Expr, ExprKind, Stmt, StmtKind, Unsupported, VariableId};
use crate::c::facts::Facts;
use crate::control::after_loop::{Iterations, later, values_at_entry};
use crate::control::runs::{self, FlagId, Guard, Run};
use crate::control::unequal;
use crate::errors::{
    CALL, CHANGED, DECLARATION, ENDLESS, EXPRESSION, Fault, Faults, ITERATOR_AFTER_LOOP, ITERATOR_CHANGED,
    LOOP, Result, SEQUENTIAL, SIDE_EFFECT, STATEMENT,
};
use crate::import::cxx;
use crate::regions::header::Header;
use crate::regions::opaque::{Opaque, is_about_data};

/// The order of the pieces of a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// One after the other.
    Sequence(Vec<Order>),
    /// In the order of an iterator.
    Loop {
        /// How many loops are around this one.
        depth: u32,
        /// What it counts.
        iterator: VariableId,
        /// Where it stands.
        range: SourceRange,
        /// True if the iterator falls.
        descending: bool,
        /// What each iteration does.
        body: Box<Order>,
    },
    /// One piece: the statement that it becomes.
    Statement(StatementId),
}

impl Order {
    /// The statements in it, in order.
    pub fn statements(&self) -> Vec<StatementId> {
        match self {
            Self::Sequence(parts) => parts.iter().flat_map(Self::statements).collect(),
            Self::Loop { body, .. } => body.statements(),
            Self::Statement(id) => vec![*id],
        }
    }
}

/// The walk through a region.
pub struct Control<'a, 'e, 't> {
    /// The translator of bounds and conditions.
    pub affine: &'a mut Affine<'e, 't>,
    /// What was refused.
    pub faults: &'a mut Faults,
    /// The pieces, in the order of the text: number k becomes statement k.
    pub runs: Vec<(Run<'t>, Point)>,
    /// True if a statement of the region never runs, whatever the parameters are.
    pub has_idle_code: bool,
    /// What must be steps of statements, although it is not known yet.
    pub found: Opaque,
    /// The conditions on data around the place.
    pub guards: Vec<Guard>,
    /// The number of conditions that are kept in variables.
    pub flags: u32,
}

impl<'t> Control<'_, '_, 't> {
    /// The order of the pieces of the region; nothing if it does nothing.
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

    /// The statement that leaves the final value of an iterator, where a loop has set it.
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
                self.faults.push(unknown_behind_region(environment.name(id), range));
            }
            return Ok(None);
        }
        self.run(Run::of_final_value(id, range), &place)
    }

    /// The order of some statements at a point; nothing if they do nothing. Behind them, the point knows what they
    /// leave in iterators.
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

    /// Warns of loops that one thread executes, because they depend on data and no other loop is around them.
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

    /// A statement that is not straight-line.
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
                    Err(fault) if is_about_data(&fault) && self.affine.environment.opaque.has_loops(stmt) => {
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

    /// Control that domains cannot say: the next attempt takes it for steps, unless nothing can be done about the
    /// fault.
    fn steps(&mut self, stmt: &'t Stmt, fault: Fault, point: &mut Point) -> Result<Option<Order>> {
        let changed = Facts::of(self.affine.environment.tree, [stmt]).writes;
        let domain = point.domain.copy()?;
        point.values.lose(changed.keys(), &domain)?;
        if is_about_data(&fault) {
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

    /// The condition is evaluated once, before the branches, which may change what it reads.
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
        // The flag holds only where the conditions around it do.
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
            point.values = iterator.values_behind(point, &inside)?;
        }
        Ok(order.map(|body| Order::Loop {
            depth: point.depth(),
            iterator: header.iterator,
            range: stmt.range,
            descending: header.step < 0,
            body: Box::new(body),
        }))
    }

    /// What an iteration leaves in iterators, as far as that does not depend on the iterations before it.
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

    /// The first value of a loop's iterator, and the point in its body. Its domain has one dimension more: the iterator
    /// takes the values `first`, `first + step`, …, for as long as the condition has held without interruption.
    fn iterations(&mut self, header: &Header, point: &Point) -> Result<(PwAff, Point)> {
        self.affine.attempt(|affine| iterations(affine, header, point))
    }
}

fn iterations(affine: &mut Affine, header: &Header, point: &Point) -> Result<(PwAff, Point)> {
    let outer_first = affine.value(header.first, point, "first value of a loop")?;
    let mut loops = point.loops.clone();
    loops.push(header.iterator);
    let lifted = point.domain.copy()?.add_dims(DimType::Set, 1)?;
    let values = point.values.entering(&lifted)?;
    let mut reached = Point { loops, domain: lifted, values };
    let first = outer_first.copy()?.add_dims(DimType::In, 1)?;
    let progression = progression(first.copy()?, header.step, &reached)?;
    reached.domain = reached.domain.intersect(progression)?;
    let holds = match unequal::meeting(affine.environment.tree, header) {
        Some(meeting) => unequal::before(affine, header, &meeting, &reached, first)?,
        None => affine.condition(header.condition, &reached, "loop condition")?,
    };
    let domain = uninterrupted(&reached, holds, header.step)?;
    let values = reached.values.within(&domain)?;
    let inside = Point { loops: reached.loops, domain, values };
    check_end(affine, header, &inside)?;
    Ok((outer_first, inside))
}

/// Every loop must end, and its iterator must not wrap around on the way.
fn check_end(affine: &mut Affine, header: &Header, inside: &Point) -> Result<()> {
    let environment = affine.environment;
    if !affine.instances(inside)?.compute_divs()?.is_bounded()? {
        return Err(endless(header, environment.name(header.iterator)));
    }
    let ctype = environment.tree.variable(header.iterator).arithmetic().unwrap_or(CType::Int);
    if !ctype.is_unsigned() && ctype.size() >= CType::Int.size() {
        return Ok(());
    }
    let next = inside.iterator(inside.depth() - 1)?.add(inside.constant(header.step)?)?;
    let (least, _) = ctype.range();
    let counts_below = header.step < 0 && least == 0;
    affine.require_range(&next, ctype, header.condition, inside).map_err(|fault| {
        if counts_below { counts_below_zero(header, environment.name(header.iterator), ctype) } else { fault }
    })
}

fn sequence(mut parts: Vec<Order>) -> Option<Order> {
    if parts.len() > 1 {
        Some(Order::Sequence(parts.into_iter().flat_map(flat).collect()))
    } else {
        parts.pop()
    }
}

fn flat(order: Order) -> Vec<Order> {
    match order {
        Order::Sequence(parts) => parts,
        other => vec![other],
    }
}

/// The values `first + k * step` of the last dimension for k ≥ 0.
fn progression(first: PwAff, step: i128, point: &Point) -> Result<Set> {
    let iterator = point.iterator(point.depth() - 1)?;
    let distance = if step > 0 { iterator.sub(first)? } else { first.sub(iterator)? };
    let ahead = distance.copy()?.nonneg_set()?;
    if step.abs() == 1 {
        return Ok(ahead);
    }
    let modulus = polyhedra::Val::read_from_str(polyhedra::context(), &step.abs().to_string())?;
    Ok(ahead.intersect(distance.mod_val(modulus)?.zero_set()?)?)
}

/// The values before the first one for which the condition fails. Nearly always the condition can only fail from some
/// value on, and the subtraction is not needed.
fn uninterrupted(reached: &Point, holds: Set, step: i128) -> Result<Set> {
    let failing = reached.domain.copy()?.subtract(holds.copy()?)?;
    let passing = reached.domain.copy()?.intersect(holds)?.simplified()?;
    let beyond = failing.apply(later(passing.get_space()?, reached.depth() - 1, step)?)?;
    if passing.is_disjoint(&beyond)? { Ok(passing) } else { Ok(passing.subtract(beyond)?.simplified()?) }
}

fn unknown_behind_region(name: &str, range: SourceRange) -> Fault {
    let message = format!("`{name}` may be read after the region, and its value there is not known");
    Fault::new(ITERATOR_AFTER_LOOP, message, range, "whether this loop runs, or how far, depends on data")
        .with_help(format!("declare the iterator in the loop, `for (int {name} = …)`, and give what is read later a variable of its own"))
}

fn endless(header: &Header, name: &str) -> Fault {
    let (direction, relation) = if header.step > 0 { ("up", "<") } else { ("down", ">") };
    let message = format!("this loop counts {direction}, and its condition does not end it");
    Fault::new(ENDLESS, message, header.condition.range, format!("this does not bound `{name}`"))
        .with_help(format!("write a condition of the form `{name} {relation} bound`, or reverse the step"))
}

fn counts_below_zero(header: &Header, name: &str, ctype: CType) -> Fault {
    let message = format!("`{name}` is of type `{ctype}` and counts down past zero");
    Fault::new(
        ENDLESS,
        message,
        header.condition.range,
        format!("`{name}` wraps around instead of ending the loop"),
    )
    .with_help(format!("give `{name}` a signed type"))
}

fn iterator_changed(header: &Header, name: &str, stmt: &Stmt, writes: &Facts) -> Fault {
    let place = writes.first_write(header.iterator).unwrap_or(stmt.range);
    let message = format!("`{name}` counts a loop and is changed inside it");
    Fault::new(
        ITERATOR_CHANGED,
        message,
        place,
        format!("the loop on line {} counts with `{name}`", stmt.range.line),
    )
    .with_help("use another variable here; `for (int i = …)` gives each loop one of its own")
}

/// A variable in the condition of a loop whose body changes it: the condition holds or not by what the iteration before
/// left.
fn changed_bound(header: &Header, writes: &Facts) -> Option<(VariableId, SourceRange)> {
    let mut found = None;
    header.condition.walk(&mut |inner| {
        let changed = inner.as_variable().filter(|&id| id != header.iterator && writes.may_change(id));
        found = found.or(changed.map(|id| (id, inner.range)));
    });
    found
}

fn bound_changed(name: &str, place: SourceRange, changed: Option<SourceRange>) -> Fault {
    let message = format!("this loop condition uses `{name}`, which the body of the loop changes");
    let label = match changed {
        Some(range) => format!("`{name}` is changed on line {}", range.line),
        None => format!("`{name}` may be changed through its address"),
    };
    Fault::new(CHANGED, message, place, label).with_help(format!(
        "copy `{name}` to a variable of its own before the loop, if the loop is to end where that says"
    ))
}

/// Why a statement is not supported.
pub fn refuse(stmt: &Stmt) -> Fault {
    let only = "a region consists of loops, `if` statements, assignments and declarations";
    match &stmt.kind {
        StmtKind::Other { what: Unsupported::Loop(what), .. } => Fault::new(
            LOOP,
            format!("a {what} in a region"),
            stmt.range,
            "this form of loop is not supported",
        )
        .with_help("write it as `for (i = first; i < bound; i += step)` or `while (condition)`"),
        StmtKind::Other { what, .. } => {
            let words = what.words();
            let code = if words.starts_with("a declaration") { DECLARATION } else { STATEMENT };
            Fault::new(code, format!("{words} in a region"), stmt.range, "not supported here")
                .with_help(instead_of(words).unwrap_or(only))
        }
        StmtKind::Return(_) => {
            Fault::new(STATEMENT, "`return` in a region", stmt.range, "not supported here")
                .with_help("keep what it returns in a variable, and return behind the region")
        }
        StmtKind::Expression(expr) => refuse_expression(expr),
        _ => Fault::new(STATEMENT, "this statement is not supported", stmt.range, "not supported here")
            .with_help(only),
    }
}

fn sequential(stmt: &Stmt, reason: Option<&Fault>) -> Diagnostic {
    let why = reason.map_or("its end depends on data", |fault| &fault.0.message);
    let message = format!("one thread executes this loop: {why}");
    Diagnostic::warning(SEQUENTIAL, message)
        .at("", stmt.range, "all of this is one step of the translation")
        .with_help("leave the loop out of the region, and mark those in it that do not depend on data")
}

/// What may stand in the place of a jump.
fn instead_of(words: &str) -> Option<&'static str> {
    Some(match words {
        "`break`" => {
            "make it a part of the loop's condition: `for (…; i < n && !found; …)`, and set `found` here"
        }
        "`continue`" => "put the rest of the loop's body into an `if` with the opposite condition",
        "`goto`" | "a label" => "write it as a loop or an `if`",
        "`switch`" | "`case`" | "`default`" => "write it as `if … else if … else`",
        _ => return None,
    })
}

/// Why an expression is no statement of a region.
pub fn refuse_expression(expr: &Expr) -> Fault {
    let mut assignment = None;
    expr.walk(&mut |inner| {
        if assignment.is_none() && assignments::is_assignment(inner) {
            assignment = Some(inner.range);
        }
    });
    if let Some(range) = assignment {
        let message = "an assignment inside a larger expression";
        return Fault::new(SIDE_EFFECT, message, range, "this is not a statement of its own")
            .with_help("write each assignment as a statement of its own");
    }
    if let ExprKind::Call { callee, .. } = &expr.without_casts().kind {
        return call_for_its_effect(callee.as_ref(), expr);
    }
    if let ExprKind::Other { what, .. } = &expr.without_casts().kind {
        return no_statement(what, expr);
    }
    let message = "this statement assigns nothing";
    Fault::new(EXPRESSION, message, expr.range, "its value is not used")
        .with_help("remove it, or assign its value; functions may be called for their value only")
}

/// `throw 1;`, `object = other;`
fn no_statement(what: &str, expr: &Expr) -> Fault {
    let message = format!("{what} in a region");
    Fault::new(EXPRESSION, message, expr.range, "not supported here").with_help(match what {
        cxx::ASSIGNMENT => "assign the members one by one",
        "`throw`" => "keep what is wrong in a variable, and throw after the region",
        _ => "end the region before it, or write out what it does",
    })
}

/// `printf(…);`, `swap(a, i, j);`
fn call_for_its_effect(callee: Option<&Callee>, expr: &Expr) -> Fault {
    let message = match callee {
        Some(callee) => format!("`{}` is called for what it does", callee.shown),
        None => "a function is called for what it does".to_owned(),
    };
    Fault::new(CALL, message, expr.range, "a region cannot contain that")
        .with_help("end the region before it, or write out what it does; only values of functions may be used in a region")
}
