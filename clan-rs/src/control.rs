//! Loops and conditions.
//!
//! *before → after*: the statements of a region become a list of straight-line pieces ([`Run`]), each with the exact set of
//! iterator values for which it is executed, and the order of the pieces as a tree:
//!
//! ```text
//! for (i …) { A; for (j …) B; if (c) C; }   →   Loop i ─ Sequence ─┬─ A
//!                                                                  ├─ Loop j ─ B
//!                                                                  └─ C
//! ```
//!
//! An `if` leaves no trace but in the domains: of its two branches, no iteration executes both. What depends on data cannot be in the
//! domains, and is steps of a statement ([`crate::opaque`]). An `if` on data around loops keeps its condition in a variable of
//! its own, which every statement inside tests:
//!
//! ```text
//! if (a[i] > 0) for (j …) B;   →   holds = a[i] > 0; for (j …) if (holds) B;
//! ```

use polyhedra::{DimType, Map, Set, Simplify, Space};
use scop::{CType, Diagnostic, StatementId};

use crate::affine::Affine;
use crate::constant::range_of;
use crate::ctree::{Callee, Expr, ExprKind, Stmt, StmtKind, Unsupported};
use crate::errors::{
    CALL, DECLARATION, ENDLESS, EXPRESSION, Fault, Faults, ITERATOR_CHANGED, LOOP, Result, SEQUENTIAL,
    SIDE_EFFECT, STATEMENT,
};
use crate::facts::Facts;
use crate::header::Header;
use crate::opaque::{Opaque, is_about_data};
use crate::point::Point;
use crate::runs::{self, FlagId, Guard, Run};
use crate::unequal;

/// The order of the pieces of a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// One after the other.
    Sequence(Vec<Order>),
    /// In the order of an iterator.
    Loop {
        /// How many loops are around this one.
        depth: u32,
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
    /// The order of some statements at a point; nothing if they do nothing.
    pub fn statements(&mut self, statements: &[&'t Stmt], point: &Point) -> Result<Option<Order>> {
        let items = runs::flatten(&self.affine.environment.opaque, statements);
        let mut parts = Vec::new();
        let guarded = !self.guards.is_empty();
        for group in runs::group(self.affine.environment, &items, guarded) {
            let part = match group {
                runs::Group::Run(run) => self.run(run, point)?,
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
    fn control(&mut self, stmt: &'t Stmt, point: &Point) -> Result<Option<Order>> {
        match &stmt.kind {
            StmtKind::For { init, condition, step, body } => {
                let tree = self.affine.environment.tree;
                match Header::of(tree, init, condition, step) {
                    Ok(header) => self.for_loop(header, stmt, body, point),
                    Err(fault) => self.steps(stmt, fault),
                }
            }
            StmtKind::If { condition, then, otherwise } => {
                let affine = self.affine.attempt(|affine| affine.condition(condition, point, "condition"));
                let branches = (&**then, otherwise.as_deref());
                match affine {
                    Ok(holds) => self.if_stmt(&holds, branches, point),
                    Err(fault) if is_about_data(&fault) && self.affine.environment.opaque.has_loops(stmt) => {
                        self.if_on_data(condition, branches, point)
                    }
                    Err(fault) => self.steps(stmt, fault),
                }
            }
            _ => {
                self.faults.push(refuse(stmt));
                Ok(None)
            }
        }
    }

    /// Control that domains cannot say: the next attempt takes it for steps, unless nothing can be done about the fault.
    fn steps(&mut self, stmt: &'t Stmt, fault: Fault) -> Result<Option<Order>> {
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
        point: &Point,
    ) -> Result<Option<Order>> {
        let mut parts = Vec::new();
        parts.extend(self.statements(&[then], &point.when(holds)?)?);
        if let Some(otherwise) = otherwise {
            parts.extend(self.statements(&[otherwise], &point.unless(holds)?)?);
        }
        Ok(sequence(parts))
    }

    /// The condition is evaluated once, before the branches, which may change what it reads.
    fn if_on_data(
        &mut self,
        condition: &'t Expr,
        (then, otherwise): (&'t Stmt, Option<&'t Stmt>),
        point: &Point,
    ) -> Result<Option<Order>> {
        let flag = FlagId(self.flags);
        self.flags += 1;
        let around = self.guards.clone();
        let mut parts = Vec::new();
        parts.extend(self.run(Run::of_flag(flag, condition), point)?);
        // The flag holds only where the conditions around it do.
        self.guards = vec![Guard { flag, holds: true }];
        parts.extend(self.statements(&[then], point)?);
        if let Some(otherwise) = otherwise {
            self.guards.clone_from(&around);
            self.guards.push(Guard { flag, holds: false });
            parts.extend(self.statements(&[otherwise], point)?);
        }
        self.guards = around;
        Ok(sequence(parts))
    }

    fn for_loop(
        &mut self,
        header: Header<'t>,
        stmt: &'t Stmt,
        body: &'t Stmt,
        point: &Point,
    ) -> Result<Option<Order>> {
        let environment = self.affine.environment;
        let writes = Facts::of(environment.tree, [body]);
        if point.loops.contains(&header.iterator) || writes.may_change(header.iterator) {
            let fault = iterator_changed(&header, environment.name(header.iterator), stmt, &writes);
            return self.steps(stmt, fault);
        }
        let inside = match self.iterations(&header, point) {
            Ok(inside) => inside,
            Err(fault) => return self.steps(stmt, fault),
        };
        let order = self.statements(&[body], &inside)?;
        Ok(order.map(|body| Order::Loop {
            depth: point.depth(),
            descending: header.step < 0,
            body: Box::new(body),
        }))
    }

    /// The point in the body of a loop. Its domain has one dimension more: the iterator takes the values `first`, `first +
    /// step`, …, for as long as the condition has held without interruption.
    fn iterations(&mut self, header: &Header, point: &Point) -> Result<Point> {
        self.affine.attempt(|affine| iterations(affine, header, point))
    }
}

fn iterations(affine: &mut Affine, header: &Header, point: &Point) -> Result<Point> {
    let first = affine.value(header.first, point, "first value of a loop")?;
    let mut loops = point.loops.clone();
    loops.push(header.iterator);
    let lifted = point.domain.copy()?.add_dims(DimType::Set, 1)?;
    let mut reached = Point { loops, domain: lifted };
    let first = first.add_dims(DimType::In, 1)?;
    let progression = progression(first.copy()?, header.step, &reached)?;
    reached.domain = reached.domain.intersect(progression)?;
    let holds = match unequal::meeting(affine.environment.tree, header) {
        Some(meeting) => unequal::before(affine, header, &meeting, &reached, first)?,
        None => affine.condition(header.condition, &reached, "loop condition")?,
    };
    let domain = uninterrupted(&reached, holds, header.step)?;
    let inside = Point { loops: reached.loops, domain };
    check_end(affine, header, &inside)?;
    Ok(inside)
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
    let (least, _) = range_of(ctype);
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
fn progression(first: polyhedra::PwAff, step: i128, point: &Point) -> Result<Set> {
    let iterator = point.iterator(point.depth() - 1)?;
    let distance = if step > 0 { iterator.sub(first)? } else { first.sub(iterator)? };
    let ahead = distance.copy()?.nonneg_set()?;
    if step.abs() == 1 {
        return Ok(ahead);
    }
    let modulus = polyhedra::Val::read_from_str(polyhedra::context(), &step.abs().to_string())?;
    Ok(ahead.intersect(distance.mod_val(modulus)?.zero_set()?)?)
}

/// The values before the first one for which the condition fails. Nearly always the condition can only fail from some value on, and
/// the subtraction is not needed.
fn uninterrupted(reached: &Point, holds: Set, step: i128) -> Result<Set> {
    let failing = reached.domain.copy()?.subtract(holds.copy()?)?;
    let passing = reached.domain.copy()?.intersect(holds)?.simplified()?;
    let beyond = failing.apply(later(passing.get_space()?, reached.depth() - 1, step)?)?;
    if passing.is_disjoint(&beyond)? { Ok(passing) } else { Ok(passing.subtract(beyond)?.simplified()?) }
}

/// From each instance to those of the same outer iteration that come later.
fn later(space: Space, position: u32, step: i128) -> Result<Map> {
    let mut map = if step > 0 { Map::lex_lt(space)? } else { Map::lex_gt(space)? };
    for outer in 0..position as i32 {
        map = map.equate(DimType::In, outer, DimType::Out, outer)?;
    }
    Ok(map)
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
            let words = match what {
                Unsupported::Label => "a label",
                Unsupported::Assembly => "inline assembly",
                Unsupported::Loop(words) => words,
                Unsupported::Other(words) => words,
            };
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
        if assignment.is_none() && runs::is_assignment(inner) {
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
    let message = "this statement assigns nothing";
    Fault::new(EXPRESSION, message, expr.range, "its value is not used")
        .with_help("remove it, or assign its value; functions may be called for their value only")
}

/// `printf(…);`, `swap(a, i, j);`
fn call_for_its_effect(callee: Option<&Callee>, expr: &Expr) -> Fault {
    let message = match callee {
        Some(callee) => format!("`{}` is called for what it does", callee.name),
        None => "a function is called for what it does".to_owned(),
    };
    Fault::new(CALL, message, expr.range, "a region cannot contain that")
        .with_help("end the region before it, or write out what it does; only values of functions may be used in a region")
}
