//! Straight-line code as a statement: its steps.
//!
//! *before → after*: `a[i] += 2 * t;` becomes the accesses `a0` (read `a[i]`), `a1` (read t), `a2` (write `a[i]`) and
//! the step `a2 = a0 + 2 * a1`, with every conversion that C performs spelled out.

use scop::{AccessKind, BinaryOp, CType, Expr, ExprKind, SourceRange, Step};

use crate::affine::point::Point;
use crate::body::refusals::not_a_number;
use crate::body::site::Site;
use crate::body::translator::Body;
use crate::c::constant::is_literal;
use crate::c::conversions::{arithmetic_operands, cast, number, promoted};
use crate::c::ctree::{self, TypeKind, Variable, VariableId};
use crate::control::refusals::refuse_expression;
use crate::control::runs::{Guard, Item, Run};
use crate::errors::{ARRAY, CALL, Fault, ITERATOR_CHANGED, Result};

impl<'t> Body<'_, '_, 't> {
    /// Returns the steps of a run. What cannot be translated is reported and left out.
    pub fn steps(&mut self, run: &Run<'t>, point: &Point) -> Result<Vec<Step>> {
        if let [Item::Flag(flag, condition)] = run.items[..] {
            return self.keep(flag, condition, &run.guards, point);
        }
        if let ([Item::Declaration(id, range)], [_, ..]) = (&run.items[..], &run.guards[..])
            && !run.registers.contains(id)
        {
            return self.first_value(*id, *range, &run.guards, point);
        }
        let guard = self.guard(&run.guards, &Site::certain(point.copy()?))?;
        let site = match guard {
            None => Site::certain(point.copy()?),
            Some(_) => Site::uncertain(point.copy()?),
        };
        let mut steps = Vec::new();
        for item in &run.items {
            steps.extend(self.item(item, |id| run.registers.contains(&id), &site)?);
        }
        Ok(match guard {
            Some(condition) => vec![Step::If { condition, then: steps, otherwise: Vec::new() }],
            None => steps,
        })
    }

    /// Returns the steps of an item. `is_register` checks whether a variable becomes a temporary where it is
    /// declared.
    pub fn item(
        &mut self,
        item: &Item<'t>,
        is_register: impl Fn(VariableId) -> bool,
        site: &Site,
    ) -> Result<Vec<Step>> {
        let own: Vec<Step> = match item {
            Item::Assignment(expr) => self.assignment(expr, site)?.into_iter().collect(),
            Item::Declaration(id, _) if is_register(*id) => self.definition(*id, site)?.into_iter().collect(),
            Item::Declaration(id, range) => self.initialisation(*id, *range, site)?,
            Item::Nested(stmt) => self.nested(stmt, site)?.into_iter().collect(),
            Item::FinalValue(id, range) => self.leave(*id, *range, site)?.into_iter().collect(),
            Item::Flag(..) => return Err(Fault::bug("a condition is kept inside a statement")),
        };
        let mut steps = std::mem::take(&mut self.pending);
        steps.extend(own);
        Ok(steps)
    }

    fn definition(&mut self, id: VariableId, site: &Site) -> Result<Option<Step>> {
        let variable = self.region.affine.environment.tree.variable(id);
        let Some(ctype) = variable.arithmetic() else { return Ok(None) };
        let value = match &variable.initial {
            Some(initial) => match self.value(initial, site)? {
                Some(value) => Some(cast(value, ctype)),
                None => return Ok(None),
            },
            None => None,
        };
        let (local, name) = self.new_local(&variable.name);
        self.locals.insert(id, local);
        Ok(Some(Step::Define { local, name, ctype, value }))
    }

    /// Returns the step that gives an iterator the value that its loops leave in it.
    fn leave(&mut self, id: VariableId, range: SourceRange, site: &Site) -> Result<Option<Step>> {
        let Some(known) = site.point.values.get(id) else { return Ok(None) };
        let ctype = self.region.affine.environment.tree.variable(id).arithmetic().unwrap_or(CType::Int);
        let value = self.region.affine.final_value(known.value.copy()?, ctype, &site.point)?;
        let element = self.element(id, &[], AccessKind::Write, range, site)?;
        Ok(element.map(|(access, subscripts)| Step::Assign { access, subscripts, value, compound: None }))
    }

    /// Returns the steps of a declaration, under a condition on data, of a variable that is memory. No code can read
    /// the value that the variable had before, so it always gets one: 0 if the condition does not hold.
    fn first_value(
        &mut self,
        id: VariableId,
        range: SourceRange,
        guards: &[Guard],
        point: &Point,
    ) -> Result<Vec<Step>> {
        let site = Site::certain(point.copy()?);
        let inside = Site::uncertain(point.copy()?);
        let variable = self.region.affine.environment.tree.variable(id);
        let Some(ctype) = variable.arithmetic() else {
            return self.initialisation(id, range, &inside);
        };
        let zero = cast(number(0), ctype);
        let value = match &variable.initial {
            None => Some(zero),
            Some(initial) if is_literal(initial) => {
                self.value(initial, &inside)?.map(|value| cast(value, ctype))
            }
            Some(initial) => {
                let condition = self.guard(guards, &site)?;
                let then = self.pure_value(initial, &inside)?;
                condition.zip(then).map(|(condition, then)| {
                    let (condition, then) = (condition.into(), cast(then, ctype).into());
                    Expr { ctype, kind: ExprKind::Conditional { condition, then, otherwise: zero.into() } }
                })
            }
        };
        let element = self.element(id, &[], AccessKind::Write, range, &site)?;
        Ok(element
            .zip(value)
            .map(|((access, subscripts), value)| Step::Assign { access, subscripts, value, compound: None })
            .into_iter()
            .collect())
    }

    /// Returns the steps of a declaration with a value, of a variable that is memory.
    fn initialisation(&mut self, id: VariableId, range: SourceRange, site: &Site) -> Result<Vec<Step>> {
        let variable = self.region.affine.environment.tree.variable(id);
        let Some(initial) = &variable.initial else { return Ok(Vec::new()) };
        let Some(ctype) = variable.arithmetic() else {
            // In a function, an array is not memory; this one was refused as an array of the function's own.
            let steps = if self.is_of_function() { None } else { self.first_elements(id, site)? };
            if steps.is_none() {
                self.region.faults.push(value_of_no_number(variable, range));
            }
            return Ok(steps.unwrap_or_default());
        };
        if variable.reference {
            // This refuses the reference.
            self.element(id, &[], AccessKind::Write, range, site)?;
            return Ok(Vec::new());
        }
        let Some(value) = self.value(initial, site)? else { return Ok(Vec::new()) };
        let element = self.element(id, &[], AccessKind::Write, range, site)?;
        let assignment = element.map(|(access, subscripts)| {
            let value = cast(value, ctype);
            Step::Assign { access, subscripts, value, compound: None }
        });
        Ok(assignment.into_iter().collect())
    }

    /// Returns the step of `target = value`, `target op= value`, `++` or `--`.
    pub fn assignment(&mut self, expr: &'t ctree::Expr, site: &Site) -> Result<Option<Step>> {
        match &expr.kind {
            ctree::ExprKind::Assign { target, .. } | ctree::ExprKind::Increment { target, .. } => {
                match self.new_value(expr, site)? {
                    Some((value, compound)) => self.store(target, value, compound, site),
                    None => {
                        self.check_target(target, site)?;
                        Ok(None)
                    }
                }
            }
            _ => {
                self.region.faults.push(refuse_expression(expr));
                Ok(None)
            }
        }
    }

    /// Returns the value that an assignment gives its target, not yet converted to the target's type, and the
    /// operator of `op=`.
    pub fn new_value(
        &mut self,
        expr: &'t ctree::Expr,
        site: &Site,
    ) -> Result<Option<(Expr, Option<BinaryOp>)>> {
        if expr.ctype.arithmetic().is_none() {
            self.region.faults.push(not_a_number(expr));
            return Ok(None);
        }
        match &expr.kind {
            ctree::ExprKind::Assign { operator: None, value, .. } => {
                Ok(self.value(value, site)?.map(|value| (value, None)))
            }
            ctree::ExprKind::Assign { operator: Some(operator), target, value } => {
                let (left, right) = (self.old_value(target, site)?, self.value(value, site)?);
                let operands = left.zip(right);
                Ok(operands.map(|(left, right)| (updated(*operator, left, right), Some(*operator))))
            }
            ctree::ExprKind::Increment { down, target, .. } => {
                let operator = if *down { BinaryOp::Sub } else { BinaryOp::Add };
                let left = self.old_value(target, site)?;
                Ok(left.map(|left| (updated(operator, left, number(1)), Some(operator))))
            }
            _ => Err(Fault::bug("an expression that should be an assignment is not one")),
        }
    }

    /// Returns the value of a target before it changes. The subscripts of the target are evaluated again for the
    /// assignment.
    fn old_value(&mut self, target: &'t ctree::Expr, site: &Site) -> Result<Option<Expr>> {
        self.without_effect += 1;
        let value = self.value(target, site);
        self.without_effect -= 1;
        value
    }

    /// Reports the faults of a target whose new value was refused.
    fn check_target(&mut self, target: &'t ctree::Expr, site: &Site) -> Result<()> {
        let is_number = target.as_variable().is_some_and(|id| self.locals.contains_key(&id));
        let is_local = is_number || self.own_reference(target).is_some();
        if target.ctype.arithmetic().is_some() && !is_local {
            self.access(target, AccessKind::Write, site)?;
        }
        Ok(())
    }

    /// Returns the step `target = value`.
    pub fn store(
        &mut self,
        target: &'t ctree::Expr,
        value: Expr,
        compound: Option<BinaryOp>,
        site: &Site,
    ) -> Result<Option<Step>> {
        let Some(ctype) = target.ctype.arithmetic() else {
            self.region.faults.push(not_a_number(target));
            return Ok(None);
        };
        let value = cast(value, ctype);
        if let Some(local) = target.as_variable().and_then(|id| self.locals.get(&id).copied()) {
            return Ok(Some(Step::Set { local, value }));
        }
        if let Some((array, subscripts)) = self.own_reference(target) {
            if array.of_caller {
                self.region.faults.push(changes_array_of_caller(target));
                return Ok(None);
            }
            let subscripts = self.subscript_values(&subscripts, site)?;
            return Ok(subscripts.map(|subscripts| Step::SetElement {
                local: array.local,
                subscripts,
                value,
            }));
        }
        if let Some(id) = target.as_variable()
            && self.region.affine.environment.iterators.contains(&id)
        {
            self.region.faults.push(iterator_assigned(self.region.affine.environment.name(id), target));
            return Ok(None);
        }
        let Some((access, subscripts)) = self.access(target, AccessKind::Write, site)? else {
            return Ok(None);
        };
        Ok(Some(Step::Assign { access, subscripts, value, compound }))
    }
}

/// Returns `left op right` with the conversions of `left op= right`, except the last one.
fn updated(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    let (left, right) = match operator {
        BinaryOp::Shl | BinaryOp::Shr => {
            let (to, by) = (promoted(left.ctype), promoted(right.ctype));
            (cast(left, to), cast(right, by))
        }
        _ => arithmetic_operands(left, right),
    };
    let ctype = if right.ctype.is_complex() { right.ctype } else { left.ctype };
    Expr { ctype, kind: ExprKind::Binary { operator, left: left.into(), right: right.into() } }
}

fn iterator_assigned(name: &str, target: &ctree::Expr) -> Fault {
    let message = format!("`{name}` counts a loop of this region and is assigned to as well");
    Fault::new(ITERATOR_CHANGED, message, target.range, "this is not the head of a loop")
        .with_help("use another variable here")
}

fn changes_array_of_caller(target: &ctree::Expr) -> Fault {
    Fault::new(
        CALL,
        "a function that a region calls changes an array",
        target.range,
        "the array belongs to its caller",
    )
    .with_help("return the value instead, or inline the call by hand")
}

fn value_of_no_number(variable: &Variable, range: SourceRange) -> Fault {
    let name = &variable.name;
    if matches!(variable.ctype.kind, TypeKind::Pointer { .. }) {
        let message = format!("the pointer `{name}` is set in a region");
        return Fault::new(ARRAY, message, range, "where it points depends on what runs before").with_help(
            format!(
                "write the element itself, `a[i][j]` for `{name}[j]`, or set the pointer before the region"
            ),
        );
    }
    let message = format!("`{name}` has an initialiser that is not supported here");
    let (label, help) = match variable.ctype.kind {
        TypeKind::Array { .. } => (
            "an array's initialiser is a list of numbers, without designators and side effects",
            "give it a constant length (at most 1,024 elements, or 64 in a region) and declare it without `static` and \
             `volatile`; or assign the elements one by one",
        ),
        _ => {
            ("only numbers and arrays of numbers may have initialisers here", "assign the members one by one")
        }
    };
    Fault::new(ARRAY, message, range, label).with_help(help)
}
