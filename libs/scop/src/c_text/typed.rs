//! C text of the typed tree of a statement's body.

use super::dialect::Dialect;
use super::fragment::{Fragment, precedence};
use super::locals::Locals;
use super::spelling::{Spelling, Undefined};
use super::{complex, literal};
use crate::{AccessId, BinaryOp, CType, Expr, ExprKind, LocalId, UnaryOp};

/// Returns the expression without the casts around it.
pub fn without_cast(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast { operand, .. } => without_cast(operand),
        _ => expr,
    }
}

/// The two texts of a value.
struct Texts {
    /// The text without an outermost implicit conversion; it has the type that the compiler gives it.
    bare: Fragment,
    /// The text with exactly the type in the tree.
    full: Fragment,
}

/// A printer of expressions.
pub struct Printer<'a, S> {
    /// The temporaries.
    pub locals: &'a Locals<'a>,
    /// The spelling of the leaves.
    pub spelling: &'a S,
}

impl<S: Spelling> Printer<'_, S> {
    /// Returns the text of a value in a place where C converts it to `target` anyway.
    pub fn converted(&self, expr: &Expr, target: CType) -> Result<Fragment, S::Error> {
        if expr.ctype == target { self.bare(expr) } else { self.full(expr) }
    }

    /// Returns the right-hand side of `element operator= …`, if this statement means the same as assigning
    /// `value`.
    pub fn compound_operand(
        &self,
        element: &Fragment,
        operator: BinaryOp,
        value: &Expr,
    ) -> Result<Option<Fragment>, S::Error> {
        let ExprKind::Binary { operator: found, left, right } = &without_cast(value).kind else {
            return Ok(None);
        };
        if [element.ctype, left.ctype, right.ctype].into_iter().any(|ctype| self.is_structure(ctype)) {
            return Ok(None);
        }
        if *found != operator || self.bare(without_cast(left))? != *element {
            return Ok(None);
        }
        let Texts { bare, full } = self.texts(right)?;
        for operand in [bare, full] {
            if operands_fit(operator, (element.ctype, left.ctype), (operand.ctype, right.ctype)) {
                return Ok(Some(operand));
            }
        }
        Ok(None)
    }

    /// Returns the element that an access touches.
    pub fn element(&self, access: AccessId, subscripts: &[Expr]) -> Result<Fragment, S::Error> {
        let subscripts =
            subscripts.iter().map(|subscript| self.full(subscript)).collect::<Result<Vec<_>, _>>()?;
        self.spelling.element(access, &subscripts)
    }

    /// Returns an element of an array of the body, or a part of the array.
    pub fn local_element(&self, local: LocalId, subscripts: &[Expr]) -> Result<Fragment, S::Error> {
        let (name, ctype) = self.locals.get(local)?;
        let subscripts = subscripts.iter().map(|subscript| Ok(format!("[{}]", self.full(subscript)?)));
        Ok(Fragment::atom(name.to_owned() + &subscripts.collect::<Result<String, S::Error>>()?, ctype))
    }

    /// True for a conversion from or to a structure type, which is never omitted.
    fn converts_structures(&self, to: CType, operand: &Expr) -> bool {
        self.is_structure(to) || self.is_structure(operand.ctype)
    }

    /// True for a type that C++ does not convert implicitly.
    fn is_structure(&self, ctype: CType) -> bool {
        self.spelling.dialect() == Dialect::Cxx && ctype.is_complex()
    }

    /// Returns the text of a value with exactly the type in the tree.
    pub fn full(&self, expr: &Expr) -> Result<Fragment, S::Error> {
        match &expr.kind {
            ExprKind::Cast { operand, implicit } => self.cast(expr.ctype, operand, *implicit),
            _ => Ok(self.as_type(self.bare(expr)?, expr.ctype)),
        }
    }

    /// Returns both texts of a value. Its operands are printed only once: printing them for each of the two
    /// texts would double the work at every level of the tree.
    fn texts(&self, expr: &Expr) -> Result<Texts, S::Error> {
        match &expr.kind {
            ExprKind::Cast { operand, implicit: true } if !self.converts_structures(expr.ctype, operand) => {
                let bare = self.inner(operand)?;
                let constant = literal_as_floating(operand, expr.ctype);
                let full = constant.unwrap_or_else(|| self.as_type(bare.clone(), expr.ctype));
                Ok(Texts { bare, full })
            }
            ExprKind::Cast { .. } => {
                let full = self.full(expr)?;
                Ok(Texts { bare: full.clone(), full })
            }
            _ => {
                let bare = self.bare(expr)?;
                Ok(Texts { full: self.as_type(bare.clone(), expr.ctype), bare })
            }
        }
    }

    /// Returns the text of a value without an outermost implicit conversion; it has the type that the compiler
    /// gives it.
    fn bare(&self, expr: &Expr) -> Result<Fragment, S::Error> {
        match &expr.kind {
            ExprKind::Integer { value } => Ok(literal::integer(value, expr.ctype, self.spelling.dialect())),
            ExprKind::Floating { value } => Ok(literal::floating(value, expr.ctype, self.spelling.dialect())),
            ExprKind::Imaginary { value } => {
                Ok(complex::imaginary(value, expr.ctype, self.spelling.dialect()))
            }
            ExprKind::Read { access, subscripts } => self.element(*access, subscripts),
            ExprKind::Iterator { dimension } => {
                let iterator = self.spelling.iterator(*dimension);
                iterator.ok_or_else(|| Undefined(format!("iterator {dimension}")).into())
            }
            ExprKind::Parameter { name } => {
                self.spelling.parameter(name).ok_or_else(|| Undefined(name.clone()).into())
            }
            ExprKind::Local { local: id } => {
                let (name, ctype) = self.locals.get(*id)?;
                Ok(Fragment::atom(name, ctype))
            }
            ExprKind::Element { local, subscripts } | ExprKind::Array { local, subscripts } => {
                self.local_element(*local, subscripts)
            }
            ExprKind::Unary { operator, operand } => self.unary(*operator, operand, expr.ctype),
            ExprKind::Binary { operator, left, right } => self.binary(*operator, left, right, expr.ctype),
            ExprKind::Cast { implicit: true, operand } if self.converts_structures(expr.ctype, operand) => {
                self.cast(expr.ctype, operand, true)
            }
            ExprKind::Cast { implicit: true, operand } => self.inner(operand),
            ExprKind::Cast { implicit: false, operand } => self.cast(expr.ctype, operand, false),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(condition, then, otherwise)
            }
            ExprKind::Call { function, arguments } => self.call(function, arguments, expr.ctype),
        }
    }

    /// Returns the operand of a conversion. A leaf that is printed with another type than in the tree has the
    /// same value, so it needs no conversion of its own.
    fn inner(&self, operand: &Expr) -> Result<Fragment, S::Error> {
        match operand.kind {
            ExprKind::Iterator { .. } | ExprKind::Parameter { .. } => self.bare(operand),
            _ => self.full(operand),
        }
    }

    fn cast(&self, ctype: CType, operand: &Expr, implicit: bool) -> Result<Fragment, S::Error> {
        if implicit && let Some(constant) = literal_as_floating(operand, ctype) {
            return Ok(constant);
        }
        if ctype == CType::DoubleComplex
            && self.is_structure(ctype)
            && let ExprKind::Imaginary { value } = &operand.kind
        {
            return Ok(complex::widened_imaginary(value, operand.ctype));
        }
        if self.is_structure(ctype) && !operand.ctype.is_complex() {
            return Ok(complex::from_real(&self.cast(ctype.part(), operand, implicit)?, ctype));
        }
        Ok(self.as_type(self.inner(operand)?, ctype))
    }

    fn as_type(&self, value: Fragment, ctype: CType) -> Fragment {
        if value.ctype == ctype {
            return value;
        }
        match (self.is_structure(value.ctype), self.is_structure(ctype)) {
            (true, true) => return complex::from_other(&value, ctype),
            (true, false) if ctype != CType::Bool => {
                return self.as_type(complex::member(&value, "re"), ctype);
            }
            (false, true) => return complex::from_real(&self.as_type(value, ctype.part()), ctype),
            _ => {}
        }
        Fragment::prefix(&format!("({})", self.spelling.dialect().type_name(ctype)), &value, ctype)
    }

    fn unary(&self, operator: UnaryOp, operand: &Expr, ctype: CType) -> Result<Fragment, S::Error> {
        if operator == UnaryOp::Not {
            return Ok(Fragment::prefix("!", &self.condition(operand)?, ctype));
        }
        if matches!(operator, UnaryOp::Real | UnaryOp::Imaginary) {
            return self.part(operator, operand, ctype);
        }
        let operand = self.promoted(operand)?;
        if operator == UnaryOp::Plus && self.is_structure(ctype) {
            return Ok(operand);
        }
        Ok(Fragment::prefix(operator.c_name(), &operand, ctype))
    }

    fn part(&self, operator: UnaryOp, operand: &Expr, ctype: CType) -> Result<Fragment, S::Error> {
        let operand = self.full(operand)?;
        if self.spelling.dialect() == Dialect::C {
            return Ok(Fragment::prefix(&format!("{} ", operator.c_name()), &operand, ctype));
        }
        Ok(complex::member(&operand, if operator == UnaryOp::Real { "re" } else { "im" }))
    }

    fn binary(
        &self,
        operator: BinaryOp,
        left: &Expr,
        right: &Expr,
        ctype: CType,
    ) -> Result<Fragment, S::Error> {
        let (left, right) = match operator {
            BinaryOp::And | BinaryOp::Or => (self.condition(left)?, self.condition(right)?),
            _ => self.operands(operator, left, right)?,
        };
        Ok(Fragment::infix(operator, &left, &right, ctype))
    }

    /// Returns the operands with as few casts as possible for C to reach the types in the tree.
    fn operands(
        &self,
        operator: BinaryOp,
        left: &Expr,
        right: &Expr,
    ) -> Result<(Fragment, Fragment), S::Error> {
        let (lefts, rights) = (self.texts(left)?, self.texts(right)?);
        let fit = |l: &Fragment, r: &Fragment| {
            operands_fit(operator, (l.ctype, left.ctype), (r.ctype, right.ctype))
        };
        Ok(if fit(&lefts.bare, &rights.bare) {
            (lefts.bare, rights.bare)
        } else if fit(&lefts.full, &rights.bare) {
            (lefts.full, rights.bare)
        } else if fit(&lefts.bare, &rights.full) {
            (lefts.bare, rights.full)
        } else {
            (lefts.full, rights.full)
        })
    }

    fn promoted(&self, operand: &Expr) -> Result<Fragment, S::Error> {
        let Texts { bare, full } = self.texts(operand)?;
        Ok(if bare.ctype.promoted() == operand.ctype { bare } else { full })
    }

    /// Returns the text of a value that is only compared with zero.
    pub fn condition(&self, expr: &Expr) -> Result<Fragment, S::Error> {
        match &expr.kind {
            ExprKind::Cast { implicit: true, operand } if keeps_zero(operand.ctype, expr.ctype) => {
                self.condition(operand)
            }
            ExprKind::Iterator { .. } | ExprKind::Parameter { .. } => self.bare(expr),
            _ => self.full(expr),
        }
    }

    fn conditional(&self, condition: &Expr, then: &Expr, otherwise: &Expr) -> Result<Fragment, S::Error> {
        let condition = self.condition(condition)?;
        let ctype = then.ctype;
        let (then, otherwise) = self.operands(BinaryOp::Add, then, otherwise)?;
        let ctype = if then.ctype == otherwise.ctype { then.ctype } else { ctype };
        Ok(Fragment::conditional(&condition, &then, &otherwise, ctype))
    }

    fn call(&self, function: &str, arguments: &[Expr], ctype: CType) -> Result<Fragment, S::Error> {
        let arguments = arguments.iter().map(|argument| self.full(argument).map(|text| text.text));
        let arguments = arguments.collect::<Result<Vec<_>, _>>()?.join(", ");
        let function = self.spelling.function(function);
        Ok(Fragment { text: format!("{function}({arguments})"), precedence: precedence::POSTFIX, ctype })
    }
}

/// Returns an integer literal that is converted implicitly, as the floating-point literal of the same value.
fn literal_as_floating(operand: &Expr, ctype: CType) -> Option<Fragment> {
    let ExprKind::Integer { value } = &operand.kind else { return None };
    literal::integer_as_floating(value, ctype)
}

/// True if C converts the printed operands to the types in the tree. Each operand is a pair of its printed type
/// and its type in the tree.
fn operands_fit(operator: BinaryOp, left: (CType, CType), right: (CType, CType)) -> bool {
    match operator {
        BinaryOp::Shl | BinaryOp::Shr => left.0.promoted() == left.1 && right.0.promoted() == right.1,
        BinaryOp::And | BinaryOp::Or => false,
        _ if left.1.is_complex() || right.1.is_complex() => is_part_or_same(left) && is_part_or_same(right),
        _ => left.1 == right.1 && left.0.common_with(right.0) == left.1,
    }
}

/// True if an operand of an operation on complex numbers gets the type in the tree.
fn is_part_or_same((printed, demanded): (CType, CType)) -> bool {
    if printed.is_complex() || demanded.is_complex() {
        printed == demanded
    } else {
        printed.common_with(demanded) == demanded
    }
}

/// True if a conversion preserves whether a value is zero.
fn keeps_zero(from: CType, to: CType) -> bool {
    match (from.is_integer(), to.is_integer()) {
        _ if to == CType::Bool => true,
        _ if from.is_complex() != to.is_complex() => !from.is_complex(),
        (true, true) => to.size() >= from.size(),
        (true, false) => true,
        (false, true) => false,
        (false, false) => to.size() >= from.size(),
    }
}
