//! The user's functions that generated code calls.
//!
//! They are defined before the kernels and run where they are called: on the device, on the host, or on both.

use std::collections::BTreeSet;

use scop::ast::Node;
use scop::c_text::{Spelling, calls, function_body};
use scop::{CType, Diagnostic, Diagnostics, Function, FunctionParameter, Step};

use crate::code::body::stmt;
use crate::code::stmt::Plain;
use crate::model::lacking;
use crate::model::view::View;
use crate::program::names::FunctionNames;

/// A user's function.
#[derive(Debug, Clone)]
pub struct UserFunction {
    /// The line of the source where it begins.
    pub line: u32,
    /// True if code on the host calls it.
    pub on_host: bool,
    /// True if kernels call it.
    pub on_device: bool,
    /// True if it should always be inlined: it passes structures, which a call might keep out of registers.
    pub is_inlined: bool,
    /// What it returns.
    pub ctype: CType,
    /// Its name in the generated file.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<FunctionParameter>,
    /// Its body.
    pub body: Vec<Plain>,
}

/// The names of the functions that are called on one side.
type Called<'a> = BTreeSet<&'a str>;

/// Returns all functions that some scops call, directly or through other functions.
///
/// # Errors
///
/// Returns `E0602` if a function that runs on the device computes with a type that the device lacks; reports a bug if
/// the document uses something that it does not define.
pub fn called_by(
    functions: &[Function],
    names: &FunctionNames,
    views: &[View<'_>],
) -> Result<Vec<UserFunction>, Diagnostics> {
    let on_device = closed(functions, called(functions, views, true)?);
    let on_host = closed(functions, called(functions, views, false)?);
    let mut found = Vec::new();
    for function in functions {
        let name = function.name.as_str();
        let (on_host, on_device) = (on_host.contains(name), on_device.contains(name));
        if on_device {
            check_types(function)?;
        }
        if on_device || on_host {
            found.push(user_function(function, names, on_host, on_device)?);
        }
    }
    Ok(found)
}

fn user_function(
    function: &Function,
    names: &FunctionNames,
    on_host: bool,
    on_device: bool,
) -> Result<UserFunction, Diagnostics> {
    let texts = function_body(function, names)
        .map_err(|error| Diagnostic::bug("cudagen", format!("in `{}`: {error}", function.name)))?;
    Ok(UserFunction {
        line: function.range.line,
        on_host,
        on_device,
        is_inlined: on_device && passes_structures(function),
        ctype: function.ctype,
        name: names.function(&function.name).to_owned(),
        parameters: function.parameters.clone(),
        body: texts.into_iter().map(|text| stmt(text, &mut None)).collect(),
    })
}

/// True if one of the functions calls a function of the C library.
pub fn call_library(functions: &[Function]) -> bool {
    let own = |name: &str| functions.iter().any(|function| function.name == name);
    functions.iter().any(|function| calls(&function.body, |name| !own(name)))
}

/// Returns the functions that statements in kernels call, or those that statements outside of kernels call.
fn called<'a>(
    functions: &'a [Function],
    views: &[View<'_>],
    in_kernels: bool,
) -> Result<Called<'a>, Diagnostics> {
    let mut called = Called::new();
    for view in views {
        let mut nodes = Vec::new();
        parts(&view.body, in_kernels, &mut nodes);
        for node in nodes {
            for statement in view.statements(node)? {
                called.extend(calls_of(functions, &statement.body));
            }
        }
    }
    Ok(called)
}

/// Collects the launches of a loop program, or the instances outside of launches.
fn parts<'a>(node: &'a Node, in_kernels: bool, found: &mut Vec<&'a Node>) {
    match node {
        Node::Kernel { .. } if in_kernels => found.push(node),
        Node::Instance { .. } if !in_kernels => found.push(node),
        Node::Kernel { .. } => {}
        other => other.children().into_iter().for_each(|child| parts(child, in_kernels, found)),
    }
}

fn calls_of<'a>(functions: &'a [Function], steps: &[Step]) -> Vec<&'a str> {
    let is_called = |function: &&Function| calls(steps, |name| name == function.name);
    functions.iter().filter(is_called).map(|function| function.name.as_str()).collect()
}

/// Returns these functions and all that they call, directly or through other functions.
fn closed<'a>(functions: &'a [Function], mut called: Called<'a>) -> Called<'a> {
    loop {
        let bodies = functions.iter().filter(|function| called.contains(function.name.as_str()));
        let more: Called<'a> = bodies.flat_map(|function| calls_of(functions, &function.body)).collect();
        if more.is_subset(&called) {
            return called;
        }
        called.extend(more);
    }
}

/// True if a function passes or returns complex numbers.
fn passes_structures(function: &Function) -> bool {
    function.ctype.is_complex() || function.parameters.iter().any(|parameter| parameter.ctype.is_complex())
}

fn check_types(function: &Function) -> Result<(), Diagnostics> {
    if function.ctype.exists_on_device() && !lacking::is_computed_with(&function.body) {
        return Ok(());
    }
    let message = format!("`{}` computes in `long double`, which GPUs lack", function.name);
    Err(lacking::refused(message, "call"))
}
