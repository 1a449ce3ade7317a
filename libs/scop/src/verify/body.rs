//! V6: the bodies of statements use only what exists.

use std::collections::BTreeMap;

use super::report::Report;
use crate::{
    AccessId, AccessKind, BinaryOp, CType, Expr, ExprKind, LocalId, Model, Statement, Step,
    names::math_function,
};

/// Every body reads through read accesses, assigns through write accesses, and uses only iterators, parameters
/// and temporaries that are defined, with their types.
pub fn check_bodies(model: &Model, report: &mut Report) {
    for statement in &model.statements {
        let mut body = Body { model, statement, locals: BTreeMap::new(), report };
        for step in &statement.body {
            body.step(step);
        }
    }
}

struct Body<'a> {
    model: &'a Model,
    statement: &'a Statement,
    /// The temporaries defined so far.
    locals: BTreeMap<LocalId, CType>,
    report: &'a mut Report,
}

impl Body<'_> {
    fn step(&mut self, step: &Step) {
        if let Some(value) = step.value() {
            self.expression(value);
        }
        match step {
            Step::Define { local, ctype, value, .. } => self.define(*local, *ctype, value.as_ref()),
            Step::Set { local, value } => match self.locals.get(local).copied() {
                Some(ctype) => self.same_type(&local.to_string(), value, ctype),
                None => self.fault(format!("sets {local} before it is defined")),
            },
            Step::Assign { access, value, compound } => {
                self.assign(*access, value);
                if let Some(operator) = compound {
                    self.compound(*access, value, *operator);
                }
            }
        }
    }

    fn define(&mut self, local: LocalId, ctype: CType, value: Option<&Expr>) {
        if local.index() != self.locals.len() {
            self.fault(format!("defines {local} out of turn"));
        }
        if let Some(value) = value {
            self.same_type(&local.to_string(), value, ctype);
        }
        self.locals.insert(local, ctype);
    }

    fn assign(&mut self, access: AccessId, value: &Expr) {
        if let Some(element) = self.element(access, AccessKind::Write) {
            self.same_type(&access.to_string(), value, element);
        }
    }

    /// The type of the element that an access of this statement touches.
    fn element(&mut self, id: AccessId, kind: AccessKind) -> Option<CType> {
        let Some(access) = self.statement.access(id) else {
            self.fault(format!("uses {id}, which is no access of it"));
            return None;
        };
        if access.kind != kind {
            self.fault(format!("uses {id} in the wrong direction"));
        }
        self.model.arrays.get(access.array.index()).map(|array| array.element)
    }

    /// `x op= e`: the value is `x op …`, perhaps converted.
    fn compound(&mut self, access: AccessId, value: &Expr, operator: BinaryOp) {
        let read = match &without_casts(value).kind {
            ExprKind::Binary { operator: found, left, .. } if *found == operator => without_casts(left),
            _ => return self.fault(format!("has a compound assignment to {access} with another operator")),
        };
        let array = |id: AccessId| self.statement.access(id).map(|access| access.array);
        let same = matches!(read.kind, ExprKind::Read { access: source } if array(source) == array(access));
        if !same {
            self.fault(format!("has a compound assignment to {access} that does not read the same element"));
        }
    }

    fn expression(&mut self, expr: &Expr) {
        self.leaf(expr);
        for child in expr.children() {
            self.expression(child);
        }
    }

    fn leaf(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Read { access } => {
                if let Some(ctype) = self.element(*access, AccessKind::Read) {
                    self.same_type(&access.to_string(), expr, ctype);
                }
            }
            ExprKind::Iterator { dimension } => {
                let iterator = self.statement.iterators.get(*dimension as usize);
                self.defined(&format!("iterator {dimension}"), expr, iterator.map(|iterator| iterator.ctype));
            }
            ExprKind::Parameter { name } => {
                let parameter = self.model.parameters.iter().find(|parameter| parameter.name == *name);
                self.defined(
                    &format!("parameter `{name}`"),
                    expr,
                    parameter.map(|parameter| parameter.ctype),
                );
            }
            ExprKind::Local { local } => {
                let ctype = self.locals.get(local).copied();
                self.defined(&local.to_string(), expr, ctype);
            }
            ExprKind::Call { function, arguments } if math_function(function) != Some(arguments.len()) => {
                self.fault(format!("calls `{function}` with {} arguments", arguments.len()));
            }
            _ => {}
        }
    }

    fn defined(&mut self, what: &str, expr: &Expr, ctype: Option<CType>) {
        match ctype {
            Some(ctype) => self.same_type(what, expr, ctype),
            None => self.fault(format!("uses {what}, which is not defined there")),
        }
    }

    fn same_type(&mut self, what: &str, expr: &Expr, ctype: CType) {
        if expr.ctype != ctype {
            self.fault(format!("has {what} of type {ctype} with a value of type {}", expr.ctype));
        }
    }

    fn fault(&mut self, message: String) {
        self.report.fault(6, format!("the body of {} {message}", self.statement.id));
    }
}

fn without_casts(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast { operand, .. } => without_casts(operand),
        _ => expr,
    }
}
