//! Straight-line code as a statement: its steps.
//!
//! *before → after*: `a[i] += 2 * t;` becomes the accesses `a0` (read a[i]), `a1` (read t), `a2` (write a[i]) and the step
//! `a2 = a0 + 2 * a1`, with every conversion that C performs spelled out.

use std::collections::BTreeMap;

use polyhedra::Set;
use scop::{Access, AccessKind, BinaryOp, CType, Expr, ExprKind, LocalId, SourceRange, StatementId, Step};

use crate::affine::Affine;
use crate::arrays::Arrays;
use crate::conversions::{cast, common_type, promoted};
use crate::ctree::{self, VariableId};
use crate::environment::Names;
use crate::errors::{ARRAY, Fault, Faults, ITERATOR_CHANGED, Result};
use crate::point::Point;
use crate::runs::{Item, Run, is_assignment};
use crate::values::{not_a_number, refuse};

/// The translator of straight-line code.
pub struct Body<'a, 'e, 't> {
    /// The translator of subscripts.
    pub affine: &'a mut Affine<'e, 't>,
    /// The arrays of the region.
    pub arrays: &'a mut Arrays<'t>,
    /// The names of the region.
    pub names: &'a mut Names,
    /// What was refused.
    pub faults: &'a mut Faults,
    /// The statement.
    pub statement: StatementId,
    /// Its instances, in an anonymous space.
    pub domain: &'a Set,
    /// The names of the dimensions of its domain.
    pub dimensions: &'a [String],
    /// The number of the next access of the region.
    pub next_access: u32,
    /// The accesses found so far.
    pub accesses: Vec<Access>,
    /// The variables that are temporaries.
    pub locals: BTreeMap<VariableId, LocalId>,
    /// The number of temporaries defined so far.
    pub local_count: u32,
}

/// Where an expression is evaluated.
pub struct Site {
    /// The instances that evaluate it, or some of which do.
    pub point: Point,
    /// False where only some of the instances evaluate it, and it is not known which.
    pub certain: bool,
}

impl Site {
    /// The same site.
    pub fn copy(&self) -> Result<Self> {
        Ok(Self { point: self.point.copy()?, certain: self.certain })
    }
}

impl Body<'_, '_, '_> {
    /// The steps of a run. What cannot be translated is reported, and left out.
    pub fn steps(&mut self, run: &Run, point: &Point) -> Result<Vec<Step>> {
        let site = Site { point: point.copy()?, certain: true };
        let mut steps = Vec::new();
        for item in &run.items {
            let new = match item {
                Item::Assignment(expr) if is_chain(expr) => self.chain(expr, &site)?.map(|(steps, _)| steps),
                Item::Assignment(expr) => self.assignment(expr, &site)?.map(|step| vec![step]),
                Item::Declaration(id, _) if run.registers.contains(id) => {
                    self.definition(*id, &site)?.map(|step| vec![step])
                }
                Item::Declaration(id, range) => {
                    self.initialisation(*id, *range, &site)?.map(|step| vec![step])
                }
            };
            steps.extend(new.unwrap_or_default());
        }
        Ok(steps)
    }

    fn definition(&mut self, id: VariableId, site: &Site) -> Result<Option<Step>> {
        let variable = self.affine.environment.tree.variable(id);
        let Some(ctype) = variable.arithmetic() else { return Ok(None) };
        let value = match &variable.initial {
            Some(initial) => match self.value(initial, site)? {
                Some(value) => Some(cast(value, ctype)),
                None => return Ok(None),
            },
            None => None,
        };
        let local = LocalId(self.local_count);
        self.local_count += 1;
        self.locals.insert(id, local);
        let name = self.names.unused(&variable.name);
        Ok(Some(Step::Define { local, name, ctype, value }))
    }

    /// A declaration with a value, of a variable that is memory.
    fn initialisation(&mut self, id: VariableId, range: SourceRange, site: &Site) -> Result<Option<Step>> {
        let variable = self.affine.environment.tree.variable(id);
        let Some(initial) = &variable.initial else { return Ok(None) };
        let Some(ctype) = variable.arithmetic() else {
            let message = format!("`{}` is declared with a value in a region", variable.name);
            let fault = Fault::new(ARRAY, message, range, "only numbers may have one here");
            self.faults.push(fault.with_help("assign the elements one by one, in a loop"));
            return Ok(None);
        };
        let Some(value) = self.value(initial, site)? else { return Ok(None) };
        let access = self.element(id, &[], AccessKind::Write, range, site)?;
        Ok(access.map(|access| Step::Assign {
            access,
            subscripts: Vec::new(),
            value: cast(value, ctype),
            compound: None,
        }))
    }

    /// `a = b = value` as `temporary = value; b = temporary; a = temporary;`, and the value of the whole.
    fn chain(&mut self, expr: &ctree::Expr, site: &Site) -> Result<Option<(Vec<Step>, Expr)>> {
        let ctree::ExprKind::Assign { operator: None, target, value } = &expr.kind else {
            self.faults.push(refuse(expr));
            return Ok(None);
        };
        let Some(ctype) = target.ctype.arithmetic() else {
            self.faults.push(not_a_number(target));
            return Ok(None);
        };
        let (mut steps, result) = if is_assignment(value.without_casts()) {
            let Some((steps, result)) = self.chain(value.without_casts(), site)? else { return Ok(None) };
            (steps, cast(converted_as(value, result), ctype))
        } else {
            let Some(result) = self.value(value, site)? else { return Ok(None) };
            let local = LocalId(self.local_count);
            self.local_count += 1;
            let name = self.names.unused("value");
            let kind = ExprKind::Local { local };
            let define = Step::Define { local, name, ctype, value: Some(cast(result, ctype)) };
            (vec![define], Expr { ctype, kind })
        };
        let step = self.store(target, Some(result.clone()), None, site)?;
        steps.extend(step);
        Ok(Some((steps, result)))
    }

    fn assignment(&mut self, expr: &ctree::Expr, site: &Site) -> Result<Option<Step>> {
        if expr.ctype.arithmetic().is_none() {
            self.faults.push(not_a_number(expr));
            return Ok(None);
        }
        match &expr.kind {
            ctree::ExprKind::Assign { operator: None, target, value } => {
                let value = self.value(value, site)?;
                self.store(target, value, None, site)
            }
            ctree::ExprKind::Assign { operator: Some(operator), target, value } => {
                let (left, right) = (self.value(target, site)?, self.value(value, site)?);
                self.compound(*operator, target, left.zip(right), site)
            }
            ctree::ExprKind::Increment { down, target } => {
                let operator = if *down { BinaryOp::Sub } else { BinaryOp::Add };
                let one = Expr { ctype: CType::Int, kind: ExprKind::Integer { value: "1".to_owned() } };
                let left = self.value(target, site)?;
                self.compound(operator, target, left.map(|left| (left, one)), site)
            }
            _ => Err(Fault::bug("an assignment is none")),
        }
    }

    /// `target op= right` is `target = (type)(target op right)`, in the common type of both.
    fn compound(
        &mut self,
        operator: BinaryOp,
        target: &ctree::Expr,
        operands: Option<(Expr, Expr)>,
        site: &Site,
    ) -> Result<Option<Step>> {
        let Some((left, right)) = operands else { return Ok(None) };
        let (left, right) = match operator {
            BinaryOp::Shl | BinaryOp::Shr => {
                let (to, by) = (promoted(left.ctype), promoted(right.ctype));
                (cast(left, to), cast(right, by))
            }
            _ => {
                let common = common_type(left.ctype, right.ctype);
                (cast(left, common), cast(right, common))
            }
        };
        let ctype = left.ctype;
        let value =
            Expr { ctype, kind: ExprKind::Binary { operator, left: left.into(), right: right.into() } };
        self.store(target, Some(value), Some(operator), site)
    }

    fn store(
        &mut self,
        target: &ctree::Expr,
        value: Option<Expr>,
        compound: Option<BinaryOp>,
        site: &Site,
    ) -> Result<Option<Step>> {
        let Some(ctype) = target.ctype.arithmetic() else {
            self.faults.push(not_a_number(target));
            return Ok(None);
        };
        if let Some(local) = target.as_variable().and_then(|id| self.locals.get(&id).copied()) {
            return Ok(value.map(|value| Step::Set { local, value: cast(value, ctype) }));
        }
        if let Some(id) = target.as_variable()
            && self.affine.environment.iterators.contains(&id)
        {
            self.faults.push(iterator_assigned(self.affine.environment.name(id), target));
            return Ok(None);
        }
        let access = self.access(target, AccessKind::Write, site)?;
        let (Some(access), Some(value)) = (access, value) else { return Ok(None) };
        Ok(Some(Step::Assign { access, subscripts: Vec::new(), value: cast(value, ctype), compound }))
    }
}

fn iterator_assigned(name: &str, target: &ctree::Expr) -> Fault {
    let message = format!("`{name}` counts a loop of this region and is assigned to as well");
    Fault::new(ITERATOR_CHANGED, message, target.range, "this is not the head of a loop")
        .with_help("use another variable here")
}

/// True for `a = b = value`.
fn is_chain(expr: &ctree::Expr) -> bool {
    match &expr.kind {
        ctree::ExprKind::Assign { operator: None, value, .. } => is_assignment(value.without_casts()),
        _ => false,
    }
}

/// A value with the conversions that stand around it in `expr`.
fn converted_as(expr: &ctree::Expr, value: Expr) -> Expr {
    match (&expr.kind, expr.ctype.arithmetic()) {
        (ctree::ExprKind::Cast { operand, .. }, Some(ctype)) => cast(converted_as(operand, value), ctype),
        _ => value,
    }
}
