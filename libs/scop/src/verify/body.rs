//! V6: the bodies of statements and functions use only what exists.

use std::collections::BTreeMap;

use super::{complex, report::Report};
use crate::{
    Access, AccessId, AccessKind, BinaryOp, CType, Certainty, Expr, ExprKind, Function,
    FunctionParameter as Parameter, LocalId, Model, Statement, Step, names::math_function,
};

/// The greatest number of elements that an array of a body may have. It is in registers or in a thread's local
/// memory.
const MOST_ELEMENTS: u64 = 1 << 16;

/// Checks that every body reads through read accesses, assigns through write accesses, and uses only iterators,
/// parameters, temporaries and functions that are defined, with their types.
pub fn check_bodies(model: &Model, functions: &[Function], report: &mut Report) {
    for statement in &model.statements {
        let owner = Owner::Statement(statement, model);
        Body::new(owner, functions, report).steps(&statement.body, true);
    }
}

/// Checks that a function uses only its parameters, its temporaries and the functions before it, and ends with
/// a value.
pub fn check_functions(functions: &[Function], report: &mut Report) {
    for (position, function) in functions.iter().enumerate() {
        let mut body = Body::new(Owner::Function(function), &functions[..position], report);
        for parameter in &function.parameters {
            let kind = if parameter.extents.is_empty() { Kind::Number } else { Kind::OfCaller };
            let Parameter { ctype, extents, .. } = parameter;
            body.check_extents(&parameter.name, extents);
            body.declare(Temporary { ctype: *ctype, extents, kind });
        }
        body.steps(&function.body, true);
        if !returns(&function.body) {
            body.fault("may end without a value".to_owned());
        }
    }
}

/// True if some steps certainly end with a `return`.
fn returns(steps: &[Step]) -> bool {
    steps.last().is_some_and(|step| match step {
        Step::Return { .. } => true,
        Step::If { then, otherwise, .. } => returns(then) && returns(otherwise),
        _ => false,
    })
}

#[derive(Clone, Copy)]
enum Owner<'a> {
    Statement(&'a Statement, &'a Model),
    Function(&'a Function),
}

/// A temporary or a parameter.
#[derive(Clone, Copy)]
struct Temporary<'a> {
    /// The type of the temporary, or that of its elements.
    ctype: CType,
    /// The lengths of an array's dimensions; empty for a number.
    extents: &'a [u64],
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    OwnArray,
    /// An array of the caller, which must not be changed.
    OfCaller,
}

struct Body<'a> {
    owner: Owner<'a>,
    functions: &'a [Function],
    /// The temporaries that are visible.
    locals: BTreeMap<LocalId, Temporary<'a>>,
    /// The number of temporaries defined so far.
    defined: usize,
    report: &'a mut Report,
}

impl<'a> Body<'a> {
    fn new(owner: Owner<'a>, functions: &'a [Function], report: &'a mut Report) -> Self {
        Self { owner, functions, locals: BTreeMap::new(), defined: 0, report }
    }

    fn declare(&mut self, temporary: Temporary<'a>) {
        self.locals.insert(LocalId(self.defined as u32), temporary);
        self.defined += 1;
    }

    /// Checks steps that are executed one after the other; `certain` if they are executed in every instance.
    fn steps(&mut self, steps: &'a [Step], certain: bool) {
        let visible = self.locals.clone();
        for step in steps {
            self.step(step, certain);
        }
        self.locals = visible;
    }

    fn step(&mut self, step: &'a Step, certain: bool) {
        if let Step::For { local, ctype, first, .. } = step {
            self.expression(first, certain);
            self.define(*local, *ctype, Some(first));
        }
        self.own_expressions(step, certain);
        match step {
            Step::Define { local, ctype, value, .. } => self.define(*local, *ctype, value.as_ref()),
            Step::Set { local, value } => match self.locals.get(local).copied() {
                Some(Temporary { ctype, kind: Kind::Number, .. }) => {
                    self.same_type(&local.to_string(), value, ctype);
                }
                Some(_) => self.fault(format!("sets {local}, which is an array, as a whole")),
                None => self.fault(format!("sets {local} before it is defined")),
            },
            Step::DefineArray { local, name, ctype, extents, values } => {
                self.define_array(
                    *local,
                    name,
                    Temporary { ctype: *ctype, extents, kind: Kind::OwnArray },
                    values,
                );
            }
            Step::SetElement { local, subscripts, value } => {
                if let Some(array) = self.array(*local, subscripts) {
                    self.same_type(&format!("an element of {local}"), value, array.ctype);
                    self.has_all_subscripts(*local, subscripts, array);
                    if array.kind == Kind::OfCaller {
                        self.fault(format!("changes {local}, an array of its caller"));
                    }
                }
            }
            Step::Assign { access, subscripts, value, compound } => {
                self.assign(*access, subscripts, value, certain);
                if let Some(operator) = compound {
                    self.compound(*access, value, *operator);
                }
            }
            Step::If { then, otherwise, .. } => {
                self.steps(then, false);
                self.steps(otherwise, false);
            }
            Step::For { local, ctype, next, body, .. } => {
                self.same_type(&local.to_string(), next, *ctype);
                self.steps(body, false);
                self.locals.remove(local);
            }
            Step::While { body, .. } => self.steps(body, false),
            Step::Return { value } => self.returned(value),
        }
    }

    /// Checks the expressions of a step itself, except for the first value of a loop.
    fn own_expressions(&mut self, step: &Step, certain: bool) {
        match step {
            Step::For { condition, next, .. } => {
                self.expression(condition, false);
                self.expression(next, false);
            }
            _ => step.expressions().into_iter().for_each(|expr| self.expression(expr, certain)),
        }
    }

    fn returned(&mut self, value: &Expr) {
        match self.owner {
            Owner::Function(function) => self.same_type("its value", value, function.ctype),
            Owner::Statement(..) => self.fault("returns a value".to_owned()),
        }
    }

    fn define(&mut self, local: LocalId, ctype: CType, value: Option<&Expr>) {
        if local.index() != self.defined {
            self.fault(format!("defines {local} out of order"));
        }
        if let Some(value) = value {
            self.same_type(&local.to_string(), value, ctype);
        }
        self.defined = local.index();
        self.declare(Temporary { ctype, extents: &[], kind: Kind::Number });
    }

    fn define_array(&mut self, local: LocalId, name: &str, array: Temporary<'a>, values: &[Expr]) {
        self.define(local, array.ctype, None);
        self.locals.insert(local, array);
        if array.extents.is_empty() {
            self.fault(format!("defines {local} as an array without dimensions"));
        }
        let size = self.check_extents(name, array.extents);
        if values.len() as u64 > size {
            self.fault(format!("gives {local} {} values, but it holds {size}", values.len()));
        }
        values.iter().for_each(|value| self.same_type(&format!("an element of {local}"), value, array.ctype));
    }

    /// Checks the lengths of an array and returns the number of its elements.
    fn check_extents(&mut self, name: &str, extents: &[u64]) -> u64 {
        let size = extents.iter().try_fold(1, |size: u64, &extent| size.checked_mul(extent));
        let size = size.filter(|size| (1..=MOST_ELEMENTS).contains(size));
        if size.is_none() {
            self.fault(format!("has the array `{name}` without elements, or with more than {MOST_ELEMENTS}"));
        }
        size.unwrap_or(MOST_ELEMENTS)
    }

    /// Returns the array that is subscripted by these integers.
    fn array(&mut self, local: LocalId, subscripts: &[Expr]) -> Option<Temporary<'a>> {
        if !subscripts.iter().all(|subscript| subscript.ctype.is_integer()) {
            self.fault(format!("uses {local} with a subscript that is not an integer"));
        }
        let found = self.locals.get(&local).copied().filter(|array| array.kind != Kind::Number);
        if found.is_none() {
            self.fault(format!("uses {local} as an array, but it is not one there"));
        }
        found
    }

    fn has_all_subscripts(&mut self, local: LocalId, subscripts: &[Expr], array: Temporary<'a>) {
        let (found, wanted) = (subscripts.len(), array.extents.len());
        if found != wanted {
            self.fault(format!("uses {local} with {found} subscripts instead of {wanted}"));
        }
    }

    fn assign(&mut self, access: AccessId, subscripts: &[Expr], value: &Expr, certain: bool) {
        if let Some(element) = self.element(access, AccessKind::Write, subscripts, certain) {
            self.same_type(&access.to_string(), value, element);
        }
    }

    fn access(&self, id: AccessId) -> Option<(&'a Access, &'a Model)> {
        match self.owner {
            Owner::Statement(statement, model) => Some((statement.access(id)?, model)),
            Owner::Function(_) => None,
        }
    }

    /// Checks an access of this statement and returns the type of the element that it touches.
    fn element(
        &mut self,
        id: AccessId,
        kind: AccessKind,
        subscripts: &[Expr],
        certain: bool,
    ) -> Option<CType> {
        let Some((access, model)) = self.access(id) else {
            self.fault(format!("uses {id}, which is not one of its accesses"));
            return None;
        };
        if access.kind != kind {
            self.fault(format!("uses {id} in the wrong direction"));
        }
        if access.certainty == Certainty::Must && (access.indirect || !certain) {
            self.fault(format!("uses {id} under a condition, but {id} is certain"));
        }
        if access.in_both_branches && (access.certainty == Certainty::Must || access.indirect) {
            self.fault(format!(
                "uses {id}, which is certain or indirect, but is said to be in both branches of an `if`"
            ));
        }
        let array = model.arrays.get(access.array.index())?;
        let dimensions = if access.indirect { array.extents.len() } else { 0 };
        if subscripts.len() != dimensions {
            self.fault(format!("uses {id} with {} subscripts instead of {dimensions}", subscripts.len()));
        }
        if !subscripts.iter().all(|subscript| subscript.ctype.is_integer()) {
            self.fault(format!("uses {id} with a subscript that is not an integer"));
        }
        Some(array.element)
    }

    /// Checks that the value of `x op= e` is `x op …`, possibly converted.
    fn compound(&mut self, access: AccessId, value: &Expr, operator: BinaryOp) {
        let read = match &value.without_casts().kind {
            ExprKind::Binary { operator: found, left, .. } if *found == operator => left.without_casts(),
            _ => return self.fault(format!("has a compound assignment to {access} with another operator")),
        };
        let array = |id: AccessId| self.access(id).map(|(access, _)| access.array);
        let same =
            matches!(read.kind, ExprKind::Read { access: source, .. } if array(source) == array(access));
        if !same {
            self.fault(format!("has a compound assignment to {access} that does not read the same element"));
        }
    }

    fn expression(&mut self, expr: &Expr, certain: bool) {
        if matches!(expr.kind, ExprKind::Array { .. }) {
            self.fault("uses an array as a number".to_owned());
        }
        self.argument(expr, certain);
    }

    /// Checks an expression, or an array that is passed to a function.
    fn argument(&mut self, expr: &Expr, certain: bool) {
        self.leaf(expr, certain);
        let is_call = matches!(expr.kind, ExprKind::Call { .. });
        for child in expr.children() {
            if is_call { self.argument(child, certain) } else { self.expression(child, certain) }
        }
    }

    fn leaf(&mut self, expr: &Expr, certain: bool) {
        match &expr.kind {
            ExprKind::Read { access, subscripts } => {
                if let Some(ctype) = self.element(*access, AccessKind::Read, subscripts, certain) {
                    self.same_type(&access.to_string(), expr, ctype);
                }
            }
            ExprKind::Iterator { dimension } => {
                let around = match self.owner {
                    Owner::Statement(statement, model) => {
                        let id = statement.loops.get(*dimension as usize);
                        id.and_then(|id| model.loops.get(id.index()))
                    }
                    Owner::Function(_) => None,
                };
                self.defined(&format!("iterator {dimension}"), expr, around.map(|around| around.ctype));
            }
            ExprKind::Parameter { name } => {
                let parameter = match self.owner {
                    Owner::Statement(_, model) => model.parameters.iter().find(|p| p.name == *name),
                    Owner::Function(_) => None,
                };
                let ctype = parameter.map(|parameter| parameter.ctype);
                self.defined(&format!("parameter `{name}`"), expr, ctype);
            }
            ExprKind::Local { local } => {
                let number = self.locals.get(local).filter(|temporary| temporary.kind == Kind::Number);
                let ctype = number.map(|number| number.ctype);
                self.defined(&local.to_string(), expr, ctype);
            }
            ExprKind::Element { local, subscripts } => {
                if let Some(array) = self.array(*local, subscripts) {
                    self.same_type(&format!("an element of {local}"), expr, array.ctype);
                    self.has_all_subscripts(*local, subscripts, array);
                }
            }
            ExprKind::Array { local, subscripts } => {
                if let Some(array) = self.array(*local, subscripts) {
                    self.same_type(&format!("an element of {local}"), expr, array.ctype);
                }
            }
            ExprKind::Call { function, arguments } => self.call(function, arguments, expr),
            ExprKind::Imaginary { .. } | ExprKind::Unary { .. } | ExprKind::Binary { .. }
                if !complex::is_sound(expr) =>
            {
                self.fault("computes with complex numbers of types that do not go together".to_owned());
            }
            _ => {}
        }
    }

    fn call(&mut self, name: &str, arguments: &[Expr], expr: &Expr) {
        let arrays = arguments.iter().any(|argument| matches!(argument.kind, ExprKind::Array { .. }));
        let Some(function) = self.functions.iter().find(|function| function.name == name) else {
            if arrays {
                self.fault(format!("passes an array to `{name}`, which takes none"));
            }
            // V13 reports unknown functions.
            let Some(arity) = math_function(name) else { return };
            if arity != arguments.len() {
                self.fault(format!("calls `{name}` with {} arguments", arguments.len()));
            } else if !complex::is_sound_call(name, arguments, expr) {
                self.fault(format!("calls `{name}` with arguments that do not match its parameters"));
            }
            return;
        };
        self.same_type(&format!("the value of `{name}`"), expr, function.ctype);
        let fits = function.parameters.len() == arguments.len()
            && function
                .parameters
                .iter()
                .zip(arguments)
                .all(|(parameter, given)| self.is_taken(parameter, given));
        if !fits {
            self.fault(format!("calls `{name}` with arguments that do not match its parameters"));
        }
    }

    /// True if a function may be called with this argument.
    fn is_taken(&self, parameter: &Parameter, argument: &Expr) -> bool {
        let extents = match &argument.kind {
            ExprKind::Array { local, subscripts } => {
                let array = self.locals.get(local).map_or(&[][..], |array| array.extents);
                match array.get(subscripts.len()..) {
                    Some(rest) if !rest.is_empty() => rest,
                    _ => return false,
                }
            }
            _ => &[],
        };
        let has_lengths = match (extents, &parameter.extents[..]) {
            ([], []) => true,
            ([given, inner @ ..], [wanted, wanted_inner @ ..]) => given >= wanted && inner == wanted_inner,
            _ => false,
        };
        has_lengths && argument.ctype == parameter.ctype
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
        let owner = match self.owner {
            Owner::Statement(statement, _) => format!("the body of {}", statement.id),
            Owner::Function(function) => format!("the body of the function `{}`", function.name),
        };
        self.report.fault(6, format!("{owner} {message}"));
    }
}
