//! Straight-line code as a statement: its accesses and its steps.
//!
//! *before → after*: `a[i] += 2 * t;` becomes the accesses `a0` (read a[i]), `a1` (read t), `a2` (write a[i]) and the step
//! `a2 = a0 + 2 * a1`, with every conversion that C performs spelled out.

use std::collections::BTreeMap;

use polyhedra::{DimType, Map, PwAff, Set, Text};
use scop::{
    Access, AccessId, AccessKind, ArrayId, BinaryOp, CType, Certainty, Expr, ExprKind, IslMap, LocalId,
    SourceRange, StatementId, Step, UnaryOp, names,
};

use crate::affine::{Affine, Point};
use crate::arrays::Arrays;
use crate::ctree::{self, Callee, VariableId};
use crate::environment::Names;
use crate::errors::{
    ARRAY, CALL, EXPRESSION, Fault, Faults, ITERATOR_CHANGED, OUT_OF_BOUNDS, Result, SIDE_EFFECT, TYPE,
};
use crate::runs::{Item, Run};

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
    /// The temporaries defined so far.
    pub locals: BTreeMap<VariableId, LocalId>,
}

/// Where an expression is evaluated.
struct Site {
    point: Point,
    /// False where only some of the instances evaluate it, and it is not known which.
    certain: bool,
}

impl Site {
    fn copy(&self) -> Result<Self> {
        Ok(Self { point: self.point.copy()?, certain: self.certain })
    }
}

impl Body<'_, '_, '_> {
    /// The steps of a run. What cannot be translated is reported, and left out.
    pub fn steps(&mut self, run: &Run, point: &Point) -> Result<Vec<Step>> {
        let site = Site { point: point.copy()?, certain: true };
        let mut steps = Vec::new();
        for item in &run.items {
            steps.extend(match item {
                Item::Assignment(expr) => self.assignment(expr, &site)?,
                Item::Declaration(id, _) if run.registers.contains(id) => self.definition(*id, &site)?,
                Item::Declaration(id, range) => self.initialisation(*id, *range, &site)?,
            });
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
        let local = LocalId(self.locals.len() as u32);
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
        Ok(access.map(|access| Step::Assign { access, value: cast(value, ctype), compound: None }))
    }

    fn assignment(&mut self, expr: &ctree::Expr, site: &Site) -> Result<Option<Step>> {
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
        Ok(Some(Step::Assign { access, value: cast(value, ctype), compound }))
    }

    /// The value of an expression; nothing if it was refused.
    fn value(&mut self, expr: &ctree::Expr, site: &Site) -> Result<Option<Expr>> {
        use ctree::ExprKind as C;
        let Some(ctype) = expr.ctype.arithmetic() else {
            self.faults.push(not_a_number(expr));
            return Ok(None);
        };
        let kind = match &expr.kind {
            C::Integer(value) => Some(ExprKind::Integer { value: value.to_string() }),
            C::Floating(Some(value)) => Some(ExprKind::Floating { value: value.clone() }),
            C::Variable(id) => self.variable(*id, expr, site)?,
            C::Subscript { .. } => {
                self.access(expr, AccessKind::Read, site)?.map(|access| ExprKind::Read { access })
            }
            C::Unary(operator, operand) => {
                self.value(operand, site)?.map(|operand| unary(*operator, operand))
            }
            C::Binary(operator @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                self.logical(*operator, left, right, site)?
            }
            C::Binary(operator, left, right) => {
                let (left, right) = (self.value(left, site)?, self.value(right, site)?);
                left.zip(right).map(|(left, right)| binary(*operator, left, right))
            }
            C::Cast { implicit, operand } => self
                .value(operand, site)?
                .map(|operand| ExprKind::Cast { implicit: *implicit, operand: operand.into() }),
            C::Conditional { condition, then, otherwise } => {
                self.conditional(condition, then, otherwise, site)?
            }
            C::Call { callee, arguments } => self.call(callee.as_ref(), arguments, expr, site)?,
            C::Floating(None)
            | C::Assign { .. }
            | C::Increment { .. }
            | C::AddressOf(_)
            | C::Other { .. } => {
                self.faults.push(refuse(expr));
                None
            }
        };
        Ok(kind.map(|kind| Expr { ctype, kind }))
    }

    fn variable(&mut self, id: VariableId, expr: &ctree::Expr, site: &Site) -> Result<Option<ExprKind>> {
        let environment = self.affine.environment;
        if let Some(position) = site.point.loops.iter().position(|&iterator| iterator == id) {
            return Ok(Some(ExprKind::Iterator { dimension: position as u32 }));
        }
        if environment.iterators.contains(&id) {
            let fault = self.affine.value(expr, &site.point, "expression");
            self.faults.accept(fault);
            return Ok(None);
        }
        if let Some(value) = environment.tree.variable(id).constant {
            return Ok(Some(ExprKind::Integer { value: value.to_string() }));
        }
        if let Some(name) = environment.parameters.get(&id) {
            return Ok(Some(ExprKind::Parameter { name: name.clone() }));
        }
        if let Some(&local) = self.locals.get(&id) {
            return Ok(Some(ExprKind::Local { local }));
        }
        if let (true, Some(initial)) =
            (environment.aliases.contains(&id), &environment.tree.variable(id).initial)
        {
            return Ok(self.value(initial, site)?.map(|value| value.kind));
        }
        let access = self.access(expr, AccessKind::Read, site)?;
        Ok(access.map(|access| ExprKind::Read { access }))
    }

    /// The right operand is evaluated only if the left does not decide.
    fn logical(
        &mut self,
        operator: BinaryOp,
        left: &ctree::Expr,
        right: &ctree::Expr,
        site: &Site,
    ) -> Result<Option<ExprKind>> {
        let (when_true, when_false) = self.branches(left, site)?;
        let left = self.value(left, site)?;
        let right = self.value(right, if operator == BinaryOp::And { &when_true } else { &when_false })?;
        Ok(left.zip(right).map(|(left, right)| binary(operator, left, right)))
    }

    fn conditional(
        &mut self,
        condition: &ctree::Expr,
        then: &ctree::Expr,
        otherwise: &ctree::Expr,
        site: &Site,
    ) -> Result<Option<ExprKind>> {
        let (when_true, when_false) = self.branches(condition, site)?;
        let condition = self.value(condition, site)?;
        let (then, otherwise) = (self.value(then, &when_true)?, self.value(otherwise, &when_false)?);
        let (Some(condition), Some(then), Some(otherwise)) = (condition, then, otherwise) else {
            return Ok(None);
        };
        Ok(Some(ExprKind::Conditional {
            condition: condition.into(),
            then: then.into(),
            otherwise: otherwise.into(),
        }))
    }

    /// The sites where a condition holds and where it does not. One that is not affine holds nobody knows where.
    fn branches(&mut self, condition: &ctree::Expr, site: &Site) -> Result<(Site, Site)> {
        match self.affine.condition(condition, &site.point, "condition") {
            Ok(holds) => Ok((
                Site { point: site.point.when(&holds)?, certain: site.certain },
                Site { point: site.point.unless(&holds)?, certain: site.certain },
            )),
            Err(_) => {
                let unknown = Site { certain: false, ..site.copy()? };
                Ok((unknown.copy()?, unknown))
            }
        }
    }

    fn call(
        &mut self,
        callee: Option<&Callee>,
        arguments: &[ctree::Expr],
        expr: &ctree::Expr,
        site: &Site,
    ) -> Result<Option<ExprKind>> {
        let known = callee.filter(|callee| is_library_call(callee, arguments, expr));
        let Some(callee) = known else {
            self.faults.push(unknown_call(callee, expr));
            return Ok(None);
        };
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.value(argument, site)?);
        }
        let arguments: Option<Vec<Expr>> = values.into_iter().collect();
        Ok(arguments.map(|arguments| ExprKind::Call { function: callee.name.clone(), arguments }))
    }

    /// The access of an element or a scalar; nothing if it was refused.
    fn access(&mut self, expr: &ctree::Expr, kind: AccessKind, site: &Site) -> Result<Option<AccessId>> {
        let reference = reference(expr);
        let Some((id, subscripts)) = self.faults.accept(reference) else { return Ok(None) };
        self.element(id, &subscripts, kind, expr.range, site)
    }

    fn element(
        &mut self,
        id: VariableId,
        subscripts: &[Subscript],
        kind: AccessKind,
        range: SourceRange,
        site: &Site,
    ) -> Result<Option<AccessId>> {
        let array = self.arrays.of(self.affine, self.names, id);
        let Some(array) = self.faults.accept(array) else { return Ok(None) };
        let wanted = self.arrays.subscripts(array);
        if wanted != subscripts.len() {
            self.faults.push(wrong_depth(self.affine.environment.name(id), wanted, subscripts.len(), range));
            return Ok(None);
        }
        let mut indices = Vec::new();
        for loop_ in 0..self.arrays.scope_depth(array) {
            indices.push(Some(site.point.iterator(loop_)?));
        }
        for subscript in subscripts {
            let index = self.index(subscript, &site.point);
            indices.push(self.faults.accept(index));
        }
        let Some(indices) = indices.into_iter().collect::<Option<Vec<PwAff>>>() else { return Ok(None) };
        let relation = self.relation(array, indices, site)?;
        if site.certain && !self.may_be_within(array, &relation, site)? {
            self.faults.push(out_of_bounds(self.affine.environment.name(id), range));
        }
        Ok(Some(self.push_access(array, kind, &relation, site)?))
    }

    fn index(&mut self, subscript: &Subscript, point: &Point) -> Result<PwAff> {
        let mut sum = point.constant(0)?;
        for (negative, part) in &subscript.parts {
            let value = self.affine.value(part, point, "subscript")?;
            sum = if *negative { sum.sub(value)? } else { sum.add(value)? };
        }
        Ok(sum)
    }

    /// From the instances at a site to elements, in anonymous spaces.
    fn relation(&self, array: ArrayId, indices: Vec<PwAff>, site: &Site) -> Result<Map> {
        let mut relation = Map::from_domain(site.point.universe()?)?;
        for index in indices {
            relation = relation.flat_range_product(index.as_map()?)?;
        }
        if !site.certain {
            relation = relation.intersect_range(self.arrays.within(array)?)?;
        }
        Ok(relation)
    }

    /// True unless every instance is out of bounds for all values of the parameters.
    fn may_be_within(&self, array: ArrayId, relation: &Map, site: &Site) -> Result<bool> {
        let known = self.affine.known(&site.point)?;
        let touched = relation.copy()?.intersect_domain(known)?.range()?;
        if touched.is_empty()? {
            return Ok(true);
        }
        let outside = touched.copy()?.subtract(self.arrays.within(array)?)?;
        let always = touched.params()?.subtract(outside.params()?)?;
        Ok(!always.is_empty()?)
    }

    fn push_access(
        &mut self,
        array: ArrayId,
        kind: AccessKind,
        relation: &Map,
        site: &Site,
    ) -> Result<AccessId> {
        let id = AccessId(self.next_access);
        self.next_access += 1;
        let relation = self.restricted(relation.copy()?, site)?;
        let mut relation = relation
            .set_tuple_name(DimType::In, &self.statement.to_string())?
            .set_tuple_name(DimType::Out, &array.to_string())?;
        for (position, name) in self.dimensions.iter().enumerate() {
            relation = relation.set_dim_name(DimType::In, position as u32, name)?;
        }
        let certainty = if site.certain { Certainty::Must } else { Certainty::May };
        self.accesses.push(Access { id, array, kind, certainty, relation: IslMap(relation.text()?) });
        Ok(id)
    }

    /// The relation on the instances of the site alone, where these are not all of the statement.
    fn restricted(&self, relation: Map, site: &Site) -> Result<Map> {
        let guard = site.point.domain.copy()?.gist(self.domain.copy()?)?;
        let relation = relation.gist_domain(self.domain.copy()?)?;
        Ok(relation.intersect_domain(guard)?.coalesce()?)
    }
}

/// One subscript: a sum of C expressions, each perhaps with a minus.
struct Subscript<'t> {
    parts: Vec<(bool, &'t ctree::Expr)>,
}

/// The variable and the subscripts of `a[i][j]`, `*(p + i)`, `(*a)[i]` or `s`.
fn reference(expr: &ctree::Expr) -> Result<(VariableId, Vec<Subscript<'_>>)> {
    match &expr.kind {
        ctree::ExprKind::Variable(id) => Ok((*id, Vec::new())),
        ctree::ExprKind::Subscript { base, index } => {
            let mut last = Subscript { parts: vec![(false, index)] };
            let base = offsets(base, &mut last)?;
            let (id, mut subscripts) = reference(base)?;
            subscripts.push(last);
            Ok((id, subscripts))
        }
        _ => Err(not_a_reference(expr)),
    }
}

/// `p + i` with a subscript j is p with the subscript i + j.
fn offsets<'t>(base: &'t ctree::Expr, subscript: &mut Subscript<'t>) -> Result<&'t ctree::Expr> {
    match &base.kind {
        ctree::ExprKind::Binary(operator @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
            let (pointer, offset) = if left.ctype.is_pointer_like() { (left, right) } else { (right, left) };
            subscript.parts.push((*operator == BinaryOp::Sub, offset));
            offsets(pointer, subscript)
        }
        _ => Ok(base),
    }
}

fn not_a_reference(expr: &ctree::Expr) -> Fault {
    let label = match &expr.kind {
        ctree::ExprKind::Other { what, .. } => format!("this is {what}"),
        ctree::ExprKind::Cast { .. } => "this converts a pointer".to_owned(),
        ctree::ExprKind::Call { .. } => "this is the result of a call".to_owned(),
        ctree::ExprKind::Increment { .. } => "this changes a pointer".to_owned(),
        _ => "this is not the name of an array".to_owned(),
    };
    Fault::new(ARRAY, "an array is not accessed by its name", expr.range, label)
        .with_help("write `name[i][j]`, where `name` is an array or a pointer to its elements")
}

fn not_a_number(expr: &ctree::Expr) -> Fault {
    let what = match &expr.kind {
        ctree::ExprKind::Other { what, .. } => format!("{what} is not supported in a region"),
        _ if expr.ctype.is_pointer_like() => "pointers are not supported as values in a region".to_owned(),
        _ => match &expr.ctype.kind {
            ctree::TypeKind::Other(spelling) => {
                format!("values of type `{spelling}` are not supported in a region")
            }
            _ => "this value is not supported in a region".to_owned(),
        },
    };
    Fault::new(TYPE, what, expr.range, "this is not a number")
        .with_help("use elements of arrays and scalars of C's integer and floating types")
}

fn iterator_assigned(name: &str, target: &ctree::Expr) -> Fault {
    let message = format!("`{name}` counts a loop of this region and is assigned to as well");
    Fault::new(ITERATOR_CHANGED, message, target.range, "this is not the head of a loop")
        .with_help("use another variable here")
}

fn wrong_depth(name: &str, wanted: usize, given: usize, range: SourceRange) -> Fault {
    let message = format!("`{name}` has {wanted} dimensions and is used with {given} subscripts");
    Fault::new(ARRAY, message, range, "this is not one element").with_help("access single elements")
}

fn out_of_bounds(name: &str, range: SourceRange) -> Fault {
    let message = format!("a subscript of `{name}` is out of bounds");
    Fault::new(OUT_OF_BOUNDS, message, range, "there are always elements here that do not exist").with_help(
        "keep every subscript within its own dimension; memory behind the end of a row is not the next row",
    )
}

fn refuse(expr: &ctree::Expr) -> Fault {
    match &expr.kind {
        ctree::ExprKind::Assign { .. } | ctree::ExprKind::Increment { .. } => Fault::new(
            SIDE_EFFECT,
            "an assignment inside an expression",
            expr.range,
            "this changes a variable on the way",
        )
        .with_help("write the assignment as a statement of its own"),
        ctree::ExprKind::Floating(_) => {
            Fault::new(EXPRESSION, "this constant has no finite value", expr.range, "not a number")
                .with_help("compute it before the region, in a variable")
        }
        ctree::ExprKind::Other { what, .. } => {
            let message = format!("{what} is not supported in a region");
            Fault::new(EXPRESSION, message, expr.range, "not supported here")
                .with_help("compute it before the region, in a variable")
        }
        _ => Fault::new(
            EXPRESSION,
            "this expression is not supported in a region",
            expr.range,
            "not supported here",
        ),
    }
}

/// True for a function of C's library with the types that C gives it.
fn is_library_call(callee: &Callee, arguments: &[ctree::Expr], expr: &ctree::Expr) -> bool {
    let expected = match callee.name.as_str() {
        "abs" => CType::Int,
        "labs" => CType::Long,
        "llabs" => CType::LongLong,
        name if name.ends_with('f') && name != "erf" => CType::Float,
        _ => CType::Double,
    };
    !callee.of_user
        && names::math_function(&callee.name) == Some(arguments.len())
        && std::iter::once(expr).chain(arguments).all(|part| part.ctype.arithmetic() == Some(expected))
}

fn unknown_call(callee: Option<&Callee>, expr: &ctree::Expr) -> Fault {
    let message = match callee {
        Some(callee) if callee.of_user => format!("`{}` is a function of this file", callee.name),
        Some(callee) => format!("`{}` is not a function that may be called in a region", callee.name),
        None => "a call through a pointer".to_owned(),
    };
    Fault::new(CALL, message, expr.range, "what this call does is not known").with_help(
        "the mathematical functions of <math.h> may be called, such as sqrt, exp, pow, fabs, fmin, fmax, floor, and abs; write anything else out",
    )
}

fn unary(operator: UnaryOp, operand: Expr) -> ExprKind {
    ExprKind::Unary { operator, operand: operand.into() }
}

fn binary(operator: BinaryOp, left: Expr, right: Expr) -> ExprKind {
    ExprKind::Binary { operator, left: left.into(), right: right.into() }
}

/// The value converted to a type, if it is of another.
fn cast(value: Expr, ctype: CType) -> Expr {
    if value.ctype == ctype {
        return value;
    }
    Expr { ctype, kind: ExprKind::Cast { implicit: true, operand: value.into() } }
}

/// The integer promotions (C17 6.3.1.1): whatever fits into `int` becomes one.
fn promoted(ctype: CType) -> CType {
    if ctype.is_integer() && ctype.size() < CType::Int.size() { CType::Int } else { ctype }
}

/// The usual arithmetic conversions (C17 6.3.1.8).
fn common_type(left: CType, right: CType) -> CType {
    for floating in [CType::LongDouble, CType::Double, CType::Float] {
        if left == floating || right == floating {
            return floating;
        }
    }
    let (left, right) = (promoted(left), promoted(right));
    let (higher, lower) = if rank(left) >= rank(right) { (left, right) } else { (right, left) };
    let holds_both = higher.is_unsigned() || !lower.is_unsigned() || higher.size() > lower.size();
    if holds_both { higher } else { to_unsigned(higher) }
}

fn rank(ctype: CType) -> u32 {
    match ctype {
        CType::Int | CType::UInt => 1,
        CType::Long | CType::ULong => 2,
        _ => 3,
    }
}

fn to_unsigned(ctype: CType) -> CType {
    match ctype {
        CType::Int => CType::UInt,
        CType::Long => CType::ULong,
        CType::LongLong => CType::ULongLong,
        other => other,
    }
}
