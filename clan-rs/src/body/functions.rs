//! Functions of the user's that regions call.
//!
//! A function may be called if it computes a number from numbers and does nothing else: its body uses its parameters,
//! its own variables and constants, and calls only functions of this kind and those of the mathematical library. Its
//! translation is the same as that of steps under a condition on data, without memory.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{Set, Text};
use scop::{CType, Expr, ExprKind, FunctionParameter, SourceRange, StatementId, Step, calls, names};

use crate::affine::point::Point;
use crate::body::flags::Flags;
use crate::body::steps::{Body, Site};
use crate::c::constant::is_literal;
use crate::c::conversions::cast;
use crate::c::ctree::{self, Callee, Function, Lifetime, Stmt, Tree, Variable, VariableId};
use crate::c::library;
use crate::errors::{CALL, Fault, Faults, Result};
use crate::variables::names::Names;

/// The functions of a file.
pub struct Functions<'t> {
    tree: &'t Tree,
    /// The name in generated code of each that a region calls, directly or not.
    names: BTreeMap<&'t str, String>,
    /// What was found out about them.
    known: BTreeMap<&'t str, std::result::Result<scop::Function, Vec<Fault>>>,
    /// Those being translated.
    open: Vec<&'t str>,
    /// Those that were translated, each behind those that it calls.
    order: Vec<&'t str>,
}

impl<'t> Functions<'t> {
    /// The functions that some statements call, not yet translated.
    pub fn called_in(tree: &'t Tree, statements: impl Iterator<Item = &'t Stmt>) -> Self {
        let mut called = BTreeSet::new();
        for stmt in statements {
            note_calls(tree, stmt, &mut called);
        }
        let mut taken = BTreeSet::new();
        let wish = |key: &'t str| key.trim_start_matches("std::");
        let names = called.into_iter().map(|key| (key, names::unused(wish(key), &mut taken))).collect();
        Self { tree, names, known: BTreeMap::new(), open: Vec::new(), order: Vec::new() }
    }

    /// Keeps the names of the functions from being used for anything else.
    pub fn reserve(&self, names: &mut Names) {
        for name in self.names.values() {
            names.unused(name);
        }
    }

    /// The functions that some bodies call, directly or not; each comes behind those that it calls.
    pub fn used_in<'s>(self, bodies: impl Iterator<Item = &'s [Step]>) -> Vec<scop::Function> {
        let mut used: BTreeSet<String> = bodies.flat_map(calls).collect();
        let mut result: Vec<scop::Function> = Vec::new();
        for name in self.order.iter().rev() {
            if let Some(Ok(function)) = self.known.get(name)
                && used.contains(&function.name)
            {
                used.extend(calls(&function.body));
                result.push(function.clone());
            }
        }
        result.reverse();
        result
    }
}

/// The type of a parameter that is a number, and no reference to one.
fn by_value(parameter: &Variable) -> Option<CType> {
    parameter.arithmetic().filter(|_| !parameter.reference)
}

/// True for a function that asks for the arguments of its `...`.
fn takes_any_number(tree: &Tree, function: &Function) -> bool {
    let mut found = false;
    function.body.walk_expressions(tree, &mut |expr| {
        if let ctree::ExprKind::Call { callee: Some(callee), .. } = &expr.kind {
            found |= callee.name.ends_with("va_start");
        }
    });
    found
}

fn note_calls<'t>(tree: &'t Tree, stmt: &'t Stmt, called: &mut BTreeSet<&'t str>) {
    stmt.walk_expressions(tree, &mut |expr| {
        let ctree::ExprKind::Call { callee: Some(callee), arguments } = &expr.kind else { return };
        if let Some(known) = library::called(callee, arguments) {
            called.insert(known.key);
        } else if let Some(function) = tree.function(&callee.name)
            && called.insert(&function.name)
        {
            note_calls(tree, &function.body, called);
        }
    });
}

impl<'t> Body<'_, '_, 't> {
    /// A call of a function of the user's; nothing if it was refused.
    pub fn call_of_user(
        &mut self,
        callee: &Callee,
        arguments: &'t [ctree::Expr],
        expr: &'t ctree::Expr,
        site: &Site,
    ) -> Result<Option<ExprKind>> {
        let tree = self.functions.tree;
        let Some(function) = tree.function(&callee.name) else {
            let why = format!("`{}` is a function whose body is not known here", callee.shown);
            self.faults.push(not_callable(why, expr.range));
            return Ok(None);
        };
        if !self.translate(function, expr.range)? {
            return Ok(None);
        }
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.value(argument, site)?);
        }
        let Some(arguments) = values.into_iter().collect::<Option<Vec<Expr>>>() else { return Ok(None) };
        let wanted = function.parameters.iter().map(|&id| tree.variable(id).arithmetic());
        if !wanted.eq(arguments.iter().map(|argument| Some(argument.ctype))) {
            let why = format!("`{}` is called with other arguments than it takes", callee.shown);
            self.faults.push(not_callable(why, expr.range));
            return Ok(None);
        }
        let name = self.functions.names.get(function.name.as_str()).cloned().unwrap_or_default();
        Ok(Some(ExprKind::Call { function: name, arguments }))
    }

    /// A call of a function of the library that is defined by what else there is; nothing if it was refused.
    pub fn call_of_known(
        &mut self,
        known: &'static library::Known,
        argument: &'t ctree::Expr,
        expr: &'t ctree::Expr,
        site: &Site,
    ) -> Result<Option<ExprKind>> {
        let Some(argument) = self.value(argument, site)? else { return Ok(None) };
        let function = self.functions.names.get(known.key).cloned().unwrap_or_default();
        if !self.functions.known.contains_key(known.key) {
            self.functions.order.push(known.key);
            let definition = known.definition(function.clone(), expr.range);
            self.functions.known.insert(known.key, Ok(definition));
        }
        let arguments = vec![known.argument(argument)];
        let value = Expr { ctype: known.value(), kind: ExprKind::Call { function, arguments } };
        Ok(expr.ctype.arithmetic().map(|ctype| cast(value, ctype).kind))
    }

    /// Translates a function, if that was not done yet. False if it was refused.
    fn translate(&mut self, function: &'t Function, place: SourceRange) -> Result<bool> {
        let name = function.name.as_str();
        if self.functions.open.contains(&name) {
            let why = format!("`{}` is recursive", function.shown);
            self.faults.push(not_callable(why, place));
            return Ok(false);
        }
        if !self.functions.known.contains_key(name) {
            self.functions.open.push(name);
            let translated = self.function(function, place)?;
            self.functions.open.pop();
            self.functions.order.push(name);
            self.functions.known.insert(name, translated);
        }
        match self.functions.known.get(name) {
            Some(Err(faults)) => {
                let faults = faults.iter().map(|fault| seen_from(place, function, fault));
                let faults: Vec<Fault> = faults.collect();
                faults.into_iter().for_each(|fault| self.faults.push(fault));
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
        let tree = self.functions.tree;
        let (range, name) = (function.range.unwrap_or(place), function.shown.as_str());
        if takes_any_number(tree, function) {
            let why = format!("`{name}` takes a variable number of arguments");
            return Ok(Err(vec![not_callable(why, range)]));
        }
        let types = function.parameters.iter().map(|&id| by_value(tree.variable(id)));
        let types: Option<Vec<CType>> = types.collect();
        let (Some(ctype), Some(types)) = (function.result.arithmetic(), types) else {
            let why = format!("`{name}` does not compute a number from numbers");
            return Ok(Err(vec![not_callable(why, range)]));
        };
        let (mut names, mut faults) = (Names::default(), Faults::default());
        self.functions.reserve(&mut names);
        let domain = Set::parse("{ [] }")?;
        let mut body = Body {
            affine: self.affine,
            arrays: self.arrays,
            names: &mut names,
            faults: &mut faults,
            functions: self.functions,
            of_function: true,
            statement: StatementId(0),
            domain: &domain,
            dimensions: &[],
            next_access: 0,
            accesses: Vec::new(),
            locals: BTreeMap::new(),
            local_count: 0,
            flags: &mut Flags::new(),
            pending: Vec::new(),
            without_effect: 0,
            in_branch: Vec::new(),
            loops_on_data: Vec::new(),
        };
        let mut parameters = Vec::new();
        for (&id, ctype) in function.parameters.iter().zip(types) {
            let (local, name) = body.new_local(&tree.variable(id).name);
            body.locals.insert(id, local);
            parameters.push(FunctionParameter { name, ctype });
        }
        let steps = body.block(&[&function.body], &Site::uncertain(Point::outside()?))?;
        if faults.is_empty() && !returns(&steps) {
            let why = format!("`{name}` may end without a `return`");
            faults.push(not_callable(why, range).with_help("end it with a `return`"));
        }
        if !faults.is_empty() {
            return Ok(Err(faults.into_faults()));
        }
        let name = self.functions.names.get(function.name.as_str()).cloned().unwrap_or_default();
        Ok(Ok(scop::Function { name, ctype, parameters, body: steps, range, library: None }))
    }

    /// The value of a variable in a function, if it is none of its own: that of a constant.
    pub fn constant_variable(
        &mut self,
        id: VariableId,
        expr: &'t ctree::Expr,
        site: &Site,
    ) -> Result<Option<ExprKind>> {
        let tree = self.functions.tree;
        let variable = tree.variable(id);
        let is_fixed = variable.ctype.constant && !variable.ctype.volatile;
        match &variable.initial {
            Some(initial)
                if is_fixed
                    && !variable.reference
                    && variable.lifetime == Lifetime::Static
                    && is_literal(initial) =>
            {
                let ctype = variable.arithmetic();
                let value = self.value(initial, site)?.zip(ctype);
                Ok(value.map(|(value, ctype)| cast(value, ctype).kind))
            }
            _ => {
                self.faults.push(self.not_own(&variable.name, expr.range));
                Ok(None)
            }
        }
    }

    /// Why a function may not use a variable.
    pub fn not_own(&self, name: &str, range: SourceRange) -> Fault {
        let message = format!("a function that a region calls uses `{name}`");
        Fault::new(CALL, message, range, "this is no number of the function's own")
            .with_help(format!("pass the value of `{name}` as an argument, or write the call out"))
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

/// A fault in a function: at its place in the main file, or at the call if the function stands in a header.
fn seen_from(place: SourceRange, function: &Function, fault: &Fault) -> Fault {
    if function.range.is_some() {
        return fault.clone();
    }
    let message = format!("`{}` cannot be called in a region: {}", function.shown, fault.0.message);
    let seen = Fault::new(CALL, message, place, "its body stands in a header");
    match &fault.0.help {
        Some(help) => seen.with_help(help.clone()),
        None => seen,
    }
}

/// Why a function cannot be called.
fn not_callable(why: String, range: SourceRange) -> Fault {
    Fault::new(CALL, why, range, "a region cannot call it").with_help(
        "functions that compute a number from their arguments and nothing else may be called, and the mathematical functions of <math.h>; write anything else out",
    )
}
