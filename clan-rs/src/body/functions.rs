//! Functions of the user that regions call.
//!
//! A function may be called if it computes a number from numbers and does nothing else: its body uses its parameters,
//! its own variables and constants, and calls only functions of this kind and those of the mathematical library. It
//! is translated like steps under a condition on data, without memory.

use scop::{CType, Expr, ExprKind, FunctionParameter, SourceRange, Step};

use crate::affine::point::Point;
use crate::body::own_arrays::{array_type, is_literal_constant};
use crate::body::site::Site;
use crate::body::translator::{Body, Flags, Shared};
use crate::c::conversions::cast;
use crate::c::ctree::{self, Callee, Function, Tree, Variable, VariableId};
use crate::c::library;
use crate::errors::{CALL, Fault, Faults, Result};
use crate::variables::cxx_regions;
use crate::variables::names::Names;

/// Returns the type of a parameter that is a number, not a reference, or that is an array, with the lengths of its
/// dimensions.
fn type_of_parameter(parameter: &Variable) -> Option<(CType, Vec<u64>)> {
    let number = parameter.arithmetic().filter(|_| !parameter.reference);
    number.map(|ctype| (ctype, Vec::new())).or_else(|| array_type(parameter))
}

/// True for a function that reads the arguments of its `...`.
fn takes_any_number(tree: &Tree, function: &Function) -> bool {
    let mut found = false;
    function.body.walk_expressions(tree, &mut |expr| {
        if let ctree::ExprKind::Call { callee: Some(callee), .. } = &expr.kind {
            found |= callee.name.ends_with("va_start");
        }
    });
    found
}

impl<'t> Body<'_, '_, 't> {
    /// Returns a call of a function of the user; nothing if it was refused.
    pub fn call_of_user(
        &mut self,
        callee: &Callee,
        arguments: &'t [ctree::Expr],
        expr: &'t ctree::Expr,
        site: &Site,
    ) -> Result<Option<ExprKind>> {
        let tree = self.region.functions.tree;
        let Some(function) = tree.function(&callee.name) else {
            let why = format!("`{}` is a function whose body is not known here", callee.shown);
            self.region.faults.push(not_callable(why, expr.range));
            return Ok(None);
        };
        if !self.translate(function, expr.range)? {
            return Ok(None);
        }
        let mut values = Vec::new();
        for (position, argument) in arguments.iter().enumerate() {
            let parameter = function.parameters.get(position).map(|&id| tree.variable(id));
            let value = match parameter.and_then(array_type) {
                Some(wanted) => {
                    let value = self.array_argument(argument, &wanted, site)?;
                    if value.is_none() {
                        self.region.faults.push(no_array_of_its_own(callee, argument));
                    }
                    value
                }
                None => self.value(argument, site)?,
            };
            values.push(value);
        }
        let Some(arguments) = values.into_iter().collect::<Option<Vec<Expr>>>() else { return Ok(None) };
        let wanted = function
            .parameters
            .iter()
            .map(|&id| type_of_parameter(tree.variable(id)).map(|(ctype, _)| ctype));
        if !wanted.eq(arguments.iter().map(|argument| Some(argument.ctype))) {
            let why = format!("`{}` is called with arguments that do not match its parameters", callee.shown);
            self.region.faults.push(not_callable(why, expr.range));
            return Ok(None);
        }
        let name = self.region.functions.names.get(function.name.as_str()).cloned().unwrap_or_default();
        Ok(Some(ExprKind::Call { function: name, arguments }))
    }

    /// Returns a call of a library function that the translation defines itself; nothing if it was refused.
    pub fn call_of_known(
        &mut self,
        known: &'static library::Known,
        argument: &'t ctree::Expr,
        expr: &'t ctree::Expr,
        site: &Site,
    ) -> Result<Option<ExprKind>> {
        let is_truth = self.compared_with_zero.is_some_and(|one| std::ptr::eq(one, expr));
        if known.is_only_zero_or_not() && !is_truth && expr.ctype.arithmetic() != Some(CType::Bool) {
            self.region.faults.push(only_zero_or_not(known, expr.range));
        }
        let Some(argument) = self.value(argument, site)? else { return Ok(None) };
        let function = self.region.functions.names.get(known.key).cloned().unwrap_or_default();
        if !self.region.functions.known.contains_key(known.key) {
            self.region.functions.order.push(known.key);
            let definition = known.definition(function.clone(), expr.range);
            self.region.functions.known.insert(known.key, Ok(definition));
        }
        let arguments = vec![known.argument(argument)];
        let value = Expr { ctype: known.value(), kind: ExprKind::Call { function, arguments } };
        Ok(expr.ctype.arithmetic().map(|ctype| cast(value, ctype).kind))
    }

    /// Translates a function, unless that has been done. Returns false if it was refused.
    fn translate(&mut self, function: &'t Function, place: SourceRange) -> Result<bool> {
        let name = function.name.as_str();
        if self.region.functions.open.contains(&name) {
            let why = format!("`{}` is recursive", function.shown);
            self.region.faults.push(not_callable(why, place));
            return Ok(false);
        }
        if !self.region.functions.known.contains_key(name) {
            self.region.functions.open.push(name);
            let translated = self.function(function, place)?;
            self.region.functions.open.pop();
            self.region.functions.order.push(name);
            self.region.functions.known.insert(name, translated);
        }
        match self.region.functions.known.get(name) {
            Some(Err(faults)) => {
                let faults = faults.iter().map(|fault| seen_from(place, function, fault));
                let faults: Vec<Fault> = faults.collect();
                faults.into_iter().for_each(|fault| self.region.faults.push(fault));
                Ok(false)
            }
            _ => Ok(true),
        }
    }

    fn function(
        &mut self,
        function: &'t Function,
        place: SourceRange,
    ) -> Result<std::result::Result<scop::Function, Vec<Fault>>> {
        let tree = self.region.functions.tree;
        let (range, name) = (function.range.unwrap_or(place), function.shown.as_str());
        if takes_any_number(tree, function) {
            let why = format!("`{name}` takes a variable number of arguments");
            return Ok(Err(vec![not_callable(why, range)]));
        }
        let types = function.parameters.iter().map(|&id| type_of_parameter(tree.variable(id)));
        let types: Option<Vec<(CType, Vec<u64>)>> = types.collect();
        let (Some(ctype), Some(types)) = (function.result.arithmetic(), types) else {
            let why = format!("`{name}` does not take numbers and return a number");
            return Ok(Err(vec![not_callable(why, range)]));
        };
        let (mut names, mut faults) = (Names::default(), Faults::default());
        self.region.functions.reserve(&mut names);
        cxx_regions::check_order(self.region.affine.environment, &function.body, &mut faults);
        let mut flags = Flags::new();
        let own = Shared { names: &mut names, faults: &mut faults, flags: &mut flags, ..self.region.lend() };
        let mut body = Body::of_function(own);
        let mut parameters = Vec::new();
        for (&id, (ctype, extents)) in function.parameters.iter().zip(types) {
            let name = if extents.is_empty() {
                let (local, name) = body.new_local(&tree.variable(id).name);
                body.locals.insert(id, local);
                name
            } else {
                body.new_array(id, (ctype, extents.clone()), true)
            };
            parameters.push(FunctionParameter { name, ctype, extents });
        }
        let site = Site::uncertain(Point::outside()?);
        let mut steps = body.tables(function, &site)?;
        steps.extend(body.block(&[&function.body], &site)?);
        if faults.is_empty() && !returns(&steps) {
            let why = format!("`{name}` may end without a `return`");
            faults.push(not_callable(why, range).with_help("end it with a `return`"));
        }
        if !faults.is_empty() {
            return Ok(Err(faults.into_faults()));
        }
        let name = self.region.functions.names.get(function.name.as_str()).cloned().unwrap_or_default();
        Ok(Ok(scop::Function { name, ctype, parameters, body: steps, range, library: None }))
    }

    /// Returns the value of a variable in a function that is not the function's own; it must be a constant.
    pub fn constant_variable(
        &mut self,
        id: VariableId,
        expr: &'t ctree::Expr,
        site: &Site,
    ) -> Result<Option<ExprKind>> {
        let tree = self.region.functions.tree;
        let variable = tree.variable(id);
        match &variable.initial {
            Some(initial) if is_literal_constant(variable) => {
                let ctype = variable.arithmetic();
                let value = self.value(initial, site)?.zip(ctype);
                Ok(value.map(|(value, ctype)| cast(value, ctype).kind))
            }
            _ => {
                self.region.faults.push(self.not_own(&variable.name, expr.range));
                Ok(None)
            }
        }
    }

    /// Returns the fault of a function that uses a variable which is not its own.
    pub fn not_own(&self, name: &str, range: SourceRange) -> Fault {
        let message = format!("a function that a region calls uses `{name}`");
        Fault::new(CALL, message, range, "this is not a local number of the function")
            .with_help(format!("pass the value of `{name}` as an argument, or inline the call by hand"))
    }
}

/// Returns the fault of an argument that does not fit an array parameter.
fn no_array_of_its_own(callee: &Callee, argument: &ctree::Expr) -> Fault {
    let message = format!("`{}` is called with an array", callee.shown);
    Fault::new(
        CALL,
        message,
        argument.range,
        "this is not a local array of a function, or it has other lengths",
    )
    .with_help("pass the elements one by one, or inline the call by hand")
}

/// True if some steps certainly end with a `return`.
fn returns(steps: &[Step]) -> bool {
    steps.last().is_some_and(|step| match step {
        Step::Return { .. } => true,
        Step::If { then, otherwise, .. } => returns(then) && returns(otherwise),
        _ => false,
    })
}

/// Returns a fault in a function at its place in the main file, or at the call if the function is in a header.
fn seen_from(place: SourceRange, function: &Function, fault: &Fault) -> Fault {
    if function.range.is_some() {
        return fault.clone();
    }
    let message = format!("`{}` cannot be called in a region: {}", function.shown, fault.0.message);
    let seen = Fault::new(CALL, message, place, "its body is in a header");
    match &fault.0.help {
        Some(help) => seen.with_help(help.clone()),
        None => seen,
    }
}

/// Returns the fault of a value that is used as a number although C only defines whether it is zero.
fn only_zero_or_not(known: &library::Known, range: SourceRange) -> Fault {
    let name = known.name_in_c();
    let message = format!("C specifies only whether the value of `{name}` is zero");
    Fault::new(CALL, message, range, "it is used as a number, and compilers do not agree on which")
        .with_help(format!("write `!!{name}(x)`, which is 0 or 1"))
}

/// Returns the fault of a function that cannot be called.
fn not_callable(why: String, range: SourceRange) -> Fault {
    Fault::new(CALL, why, range, "a region cannot call it").with_help(
        "functions that compute a number from their arguments alone may be called, and so may the mathematical \
         functions of <math.h>; inline anything else by hand",
    )
}
