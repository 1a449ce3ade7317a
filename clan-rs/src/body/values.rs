//! Values: C expressions as typed trees.

use scop::{AccessKind, BinaryOp, CType, Expr, ExprKind, UnaryOp, names};

use crate::body::refusals::{not_a_number, refuse};
use crate::body::site::Site;
use crate::body::translator::Body;
use crate::c::conversions::{arithmetic_operands, cast};
use crate::c::ctree::{self, Callee, VariableId};
use crate::c::library;
use crate::errors::{CALL, Fault, Result};

impl<'t> Body<'_, '_, 't> {
    /// Returns the value of an expression; nothing if it was refused.
    pub fn value(&mut self, expr: &'t ctree::Expr, site: &Site) -> Result<Option<Expr>> {
        use ctree::ExprKind as C;
        let Some(ctype) = expr.ctype.arithmetic() else {
            self.region.faults.push(not_a_number(expr));
            return Ok(None);
        };
        let kind = match &expr.kind {
            C::Integer(value) => Some(ExprKind::Integer { value: value.to_string() }),
            C::Floating(Some(value)) => Some(ExprKind::Floating { value: value.clone() }),
            C::Imaginary(Some(value)) => Some(ExprKind::Imaginary { value: value.clone() }),
            C::Variable(id) | C::Member { variable: Some(id), .. } => self.variable(*id, expr, site)?,
            C::Subscript { .. } => self.read(expr, site)?,
            C::Unary(operator, operand) => {
                let operand = if *operator == UnaryOp::Not {
                    self.truth(operand, site)
                } else {
                    self.value(operand, site)
                };
                operand?.map(|operand| unary(*operator, operand))
            }
            C::Binary(operator @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                self.logical(*operator, left, right, site)?
            }
            C::Binary(operator, left, right) => {
                let is_equality = matches!(operator, BinaryOp::Eq | BinaryOp::Ne);
                let is_zero = |expr: &ctree::Expr| matches!(expr.without_casts().kind, C::Integer(0));
                let mut beside = |expr: &'t ctree::Expr, other| {
                    if is_equality && is_zero(other) {
                        self.truth(expr, site)
                    } else {
                        self.value(expr, site)
                    }
                };
                let (left, right) = (beside(left, right)?, beside(right, left)?);
                left.zip(right).map(|(left, right)| {
                    let complex = left.ctype.is_complex() || right.ctype.is_complex();
                    let (left, right) =
                        if complex { arithmetic_operands(left, right) } else { (left, right) };
                    binary(*operator, left, right)
                })
            }
            C::Cast { implicit, operand } => {
                let operand =
                    if ctype == CType::Bool { self.truth(operand, site) } else { self.value(operand, site) };
                operand?.map(|operand| converted(operand, ctype, *implicit))
            }
            C::Conditional { condition, then, otherwise } => {
                self.conditional(condition, then, otherwise, ctype, site)?
            }
            C::Call { callee, arguments } => self.call(callee.as_ref(), arguments, expr, site)?,
            C::Assign { .. } | C::Increment { .. } | C::Comma(..) => self.effect(expr, site)?,
            C::Floating(None)
            | C::Imaginary(None)
            | C::AddressOf(_)
            | C::Member { variable: None, .. }
            | C::Other { .. } => {
                self.region.faults.push(refuse(expr));
                None
            }
        };
        Ok(kind.map(|kind| Expr { ctype, kind }))
    }

    /// Returns the value of an expression of which it only matters whether it is zero.
    pub fn truth(&mut self, expr: &'t ctree::Expr, site: &Site) -> Result<Option<Expr>> {
        self.compared_with_zero = Some(expr.without_casts());
        self.value(expr, site)
    }

    fn read(&mut self, expr: &'t ctree::Expr, site: &Site) -> Result<Option<ExprKind>> {
        if let Some((array, subscripts)) = self.own_reference(expr) {
            let subscripts = self.subscript_values(&subscripts, site)?;
            return Ok(subscripts.map(|subscripts| ExprKind::Element { local: array.local, subscripts }));
        }
        let element = self.access(expr, AccessKind::Read, site)?;
        Ok(element.map(|(access, subscripts)| ExprKind::Read { access, subscripts }))
    }

    fn variable(&mut self, id: VariableId, expr: &'t ctree::Expr, site: &Site) -> Result<Option<ExprKind>> {
        let environment = self.region.affine.environment;
        if let Some(&local) = self.locals.get(&id) {
            return Ok(Some(ExprKind::Local { local }));
        }
        if self.is_of_function() {
            return self.constant_variable(id, expr, site);
        }
        if let Some(position) = site.point.loops.iter().position(|&iterator| iterator == id) {
            return Ok(Some(ExprKind::Iterator { dimension: position as u32 }));
        }
        if environment.iterators.contains(&id) {
            return self.value_after_loop(expr, site);
        }
        if let Some(value) = environment.tree.variable(id).constant {
            return Ok(Some(ExprKind::Integer { value: value.to_string() }));
        }
        if let Some(name) = environment.parameters.get(&id) {
            return Ok(Some(ExprKind::Parameter { name: name.clone() }));
        }
        if let (true, Some(initial)) =
            (environment.aliases.contains(&id), &environment.tree.variable(id).initial)
        {
            return Ok(self.value(initial, site)?.map(|value| value.kind));
        }
        self.read(expr, site)
    }

    /// Returns the value of an iterator outside its loops.
    fn value_after_loop(&mut self, expr: &'t ctree::Expr, site: &Site) -> Result<Option<ExprKind>> {
        let value = self.region.affine.value(expr, &site.point, "expression");
        let Some(value) = self.region.faults.accept(value) else { return Ok(None) };
        let ctype = expr.ctype.arithmetic().unwrap_or(CType::Int);
        Ok(Some(self.region.affine.final_value(value, ctype, &site.point)?.kind))
    }

    /// Translates `&&` and `||`; the right operand is evaluated only if the left operand does not decide.
    fn logical(
        &mut self,
        operator: BinaryOp,
        left: &'t ctree::Expr,
        right: &'t ctree::Expr,
        outside: &Site,
    ) -> Result<Option<ExprKind>> {
        let (when_true, when_false) = self.branches(left, outside)?;
        let site = if operator == BinaryOp::And { &when_true } else { &when_false };
        if site.point.is_nowhere()? {
            let decided = u8::from(operator == BinaryOp::Or);
            return Ok(Some(ExprKind::Integer { value: decided.to_string() }));
        }
        let left = self.truth(left, outside)?;
        let right = self.pure_truth(right, site)?;
        Ok(left.zip(right).map(|(left, right)| binary(operator, left, right)))
    }

    fn conditional(
        &mut self,
        condition: &'t ctree::Expr,
        then: &'t ctree::Expr,
        otherwise: &'t ctree::Expr,
        ctype: CType,
        site: &Site,
    ) -> Result<Option<ExprKind>> {
        let (when_true, when_false) = self.branches(condition, site)?;
        if when_true.point.is_nowhere()? {
            return self.chosen(otherwise, &when_false);
        }
        if when_false.point.is_nowhere()? {
            return self.chosen(then, &when_true);
        }
        let condition = self.truth(condition, site)?;
        let (then, otherwise) =
            (self.pure_value(then, &when_true)?, self.pure_value(otherwise, &when_false)?);
        let (Some(condition), Some(then), Some(otherwise)) = (condition, then, otherwise) else {
            return Ok(None);
        };
        Ok(Some(ExprKind::Conditional {
            condition: condition.into(),
            then: cast(then, ctype).into(),
            otherwise: cast(otherwise, ctype).into(),
        }))
    }

    /// Returns the branch of a conditional expression that is always taken, in the common type of both branches. The
    /// accesses of the other branch do not count.
    fn chosen(&mut self, branch: &'t ctree::Expr, site: &Site) -> Result<Option<ExprKind>> {
        let value = self.pure_value(branch, site)?;
        Ok(value.map(|value| ExprKind::Cast { implicit: true, operand: value.into() }))
    }

    /// Returns the sites where a condition holds and where it does not. If it is not affine, these sites are not
    /// known.
    pub fn branches(&mut self, condition: &'t ctree::Expr, site: &Site) -> Result<(Site, Site)> {
        match self.region.affine.attempt(|affine| affine.condition(condition, &site.point, "condition")) {
            Ok(holds) => Ok((site.at(site.point.when(&holds)?), site.at(site.point.unless(&holds)?))),
            Err(_) => {
                let unknown = Site::uncertain(site.point.copy()?);
                Ok((unknown.copy()?, unknown))
            }
        }
    }

    fn call(
        &mut self,
        callee: Option<&Callee>,
        arguments: &'t [ctree::Expr],
        expr: &'t ctree::Expr,
        site: &Site,
    ) -> Result<Option<ExprKind>> {
        if let Some(callee) = callee.filter(|callee| callee.of_user) {
            return self.call_of_user(callee, arguments, expr, site);
        }
        if let Some((known, argument)) =
            callee.and_then(|callee| library::called(callee, arguments)).zip(arguments.first())
        {
            return self.call_of_known(known, argument, expr, site);
        }
        let known = callee.filter(|callee| is_library_call(callee, arguments, expr));
        let Some(callee) = known else {
            self.region.faults.push(unknown_call(callee, expr));
            return Ok(None);
        };
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.value(argument, site)?);
        }
        let arguments: Option<Vec<Expr>> = values.into_iter().collect();
        Ok(arguments.and_then(|mut arguments| match part_operator(&callee.name) {
            Some(operator) => arguments.pop().map(|operand| unary(operator, operand)),
            None => Some(ExprKind::Call { function: callee.name.clone(), arguments }),
        }))
    }
}

/// Returns the operator that a function of `<complex.h>` corresponds to.
fn part_operator(name: &str) -> Option<UnaryOp> {
    match name {
        "creal" | "crealf" => Some(UnaryOp::Real),
        "cimag" | "cimagf" => Some(UnaryOp::Imaginary),
        _ => None,
    }
}

/// True for a function of C's library with the types that C gives it.
fn is_library_call(callee: &Callee, arguments: &[ctree::Expr], expr: &ctree::Expr) -> bool {
    let are = |ctype: CType| arguments.iter().all(|part| part.ctype.arithmetic() == Some(ctype));
    if part_operator(&callee.name).is_some() {
        let part = if callee.name.ends_with('f') { CType::Float } else { CType::Double };
        return arguments.len() == 1 && part.complex().is_some_and(are);
    }
    if let Some(function) = names::complex_function(&callee.name) {
        return arguments.len() == 1 && are(function.argument);
    }
    if let Some(ctype) = names::scaled_by_exponent(&callee.name) {
        let [argument, exponent] = arguments else { return false };
        let are = [(expr, ctype), (argument, ctype), (exponent, CType::Int)];
        return are.into_iter().all(|(part, ctype)| part.ctype.arithmetic() == Some(ctype));
    }
    let expected = match callee.name.as_str() {
        "abs" => CType::Int,
        "labs" => CType::Long,
        "llabs" => CType::LongLong,
        name if name.ends_with('f') && name != "erf" => CType::Float,
        _ => CType::Double,
    };
    names::math_function(&callee.name) == Some(arguments.len())
        && std::iter::once(expr).chain(arguments).all(|part| part.ctype.arithmetic() == Some(expected))
}

fn unknown_call(callee: Option<&Callee>, expr: &ctree::Expr) -> Fault {
    let message = match callee {
        Some(callee) => format!("`{}` is not a function that may be called in a region", callee.shown),
        None => "a call through a pointer".to_owned(),
    };
    Fault::new(CALL, message, expr.range, "what this call does is not known").with_help(
        "functions of <math.h>, such as sqrt, exp, pow, fabs, fmin, fmax, floor, lround and isnan, may be called, and \
         so may abs and, from <complex.h>, creal, cimag, conj, cproj, cabs and carg; inline anything else by hand",
    )
}

/// Returns a conversion. An infinity or NaN is converted between floating-point types here, because CUDA has other
/// NaNs.
fn converted(operand: Expr, ctype: CType, implicit: bool) -> ExprKind {
    let is_floating = !ctype.is_integer() && !ctype.is_complex();
    match (is_floating, special(&operand)) {
        (true, Some(value)) => ExprKind::Floating { value: value.to_owned() },
        _ => ExprKind::Cast { implicit, operand: operand.into() },
    }
}

/// Returns the text of an infinity or NaN.
fn special(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Floating { value } => {
            let digits = value.trim_start_matches('-');
            scop::c_syntax::is_special(digits).then_some(value)
        }
        _ => None,
    }
}

/// Returns an operator with one operand; for a minus sign before an infinity or NaN, the negated value.
fn unary(operator: UnaryOp, operand: Expr) -> ExprKind {
    if let (UnaryOp::Minus, Some(value)) = (operator, special(&operand)) {
        let value = value.strip_prefix('-').map_or_else(|| format!("-{value}"), str::to_owned);
        return ExprKind::Floating { value };
    }
    ExprKind::Unary { operator, operand: operand.into() }
}

fn binary(operator: BinaryOp, left: Expr, right: Expr) -> ExprKind {
    ExprKind::Binary { operator, left: left.into(), right: right.into() }
}
