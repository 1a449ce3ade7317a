//! The functions of the user's that generated code calls.
//!
//! They stand before the kernels, and run where they are called: `__device__`, on the host, or both.

use std::collections::BTreeSet;

use scop::ast::Node;
use scop::c_text::{Dialect, Spelling, calls, function_body};
use scop::{CType, Diagnostic, Diagnostics, Function, Model, walk_expressions};

use crate::code::body::stmt;
use crate::files::tokens::tokens;
use crate::model::view::View;
use crate::print::layout::{self, Stmt};
use crate::program::names::FunctionNames;

/// The functions that are called on one side.
type Called<'a> = BTreeSet<&'a str>;

/// The definitions of all functions that some scops call, directly or through others.
///
/// # Errors
///
/// A function that computes with a type that the device lacks, or a document that uses what it does not define.
pub fn definitions(
    functions: &[Function],
    names: &FunctionNames,
    views: &[View<'_>],
) -> Result<String, Diagnostics> {
    let on_device = closed(functions, called(functions, views, true));
    let on_host = closed(functions, called(functions, views, false));
    let mut text = String::new();
    for function in functions {
        let name = function.name.as_str();
        let qualifiers = match (on_host.contains(name), on_device.contains(name)) {
            (true, true) => "static __host__ __device__",
            (false, true) => "static __device__",
            (true, false) => "static",
            (false, false) => continue,
        };
        if on_device.contains(name) {
            check_types(function)?;
        }
        text.push('\n');
        let inlined =
            if on_device.contains(name) && passes_structures(function) { " __forceinline__" } else { "" };
        text.push_str(&definition(function, names, &format!("{qualifiers}{inlined}"))?);
    }
    Ok(text)
}

/// True if one of the functions calls a function of the C library.
pub fn call_library(functions: &[Function]) -> bool {
    let own = |name: &str| functions.iter().any(|function| function.name == name);
    functions.iter().any(|function| calls(&function.body, |name| !own(name)))
}

/// The functions that statements in kernels call, or those that statements outside of kernels call.
fn called<'a>(functions: &'a [Function], views: &[View<'_>], in_kernels: bool) -> Called<'a> {
    let mut called = Called::new();
    for view in views {
        let mut nodes = Vec::new();
        parts(&view.body, in_kernels, &mut nodes);
        for statement in nodes.into_iter().flat_map(|node| view.statements(node)) {
            called.extend(calls_of(functions, &statement.body));
        }
    }
    called
}

/// The launches of a loop program, or the instances outside of them.
fn parts<'a>(node: &'a Node, in_kernels: bool, found: &mut Vec<&'a Node>) {
    match node {
        Node::Kernel { .. } if in_kernels => found.push(node),
        Node::Instance { .. } if !in_kernels => found.push(node),
        Node::Kernel { .. } => {}
        other => other.children().into_iter().for_each(|child| parts(child, in_kernels, found)),
    }
}

/// The functions of a C source that statements call, by their names there.
pub fn called_in_source<'a>(functions: &'a [Function], model: &Model, source: &[u8]) -> Vec<&'a str> {
    let is_called = |function: &&Function| {
        let called = |name: &str| name == function.name;
        model.statements.iter().any(|statement| calls(&statement.body, called))
    };
    let is_named_so = |function: &&Function| {
        let text = source.get(function.range.start as usize..function.range.end as usize);
        let tokens = text.and_then(tokens).unwrap_or_default();
        function.library.is_none() && tokens.contains(&function.name.as_bytes())
    };
    let found = functions.iter().filter(is_called).filter(is_named_so);
    found.map(|function| function.name.as_str()).collect()
}

fn calls_of<'a>(functions: &'a [Function], steps: &[scop::Step]) -> Vec<&'a str> {
    let is_called = |function: &&Function| calls(steps, |name| name == function.name);
    functions.iter().filter(is_called).map(|function| function.name.as_str()).collect()
}

/// With the functions that they call.
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

/// True for a function of complex numbers. Those are structures, which a call may keep out of registers.
fn passes_structures(function: &Function) -> bool {
    function.ctype.is_complex() || function.parameters.iter().any(|parameter| parameter.ctype.is_complex())
}

fn check_types(function: &Function) -> Result<(), Diagnostics> {
    let mut foreign = !function.ctype.exists_on_device();
    walk_expressions(&function.body, &mut |expr| foreign |= !expr.ctype.exists_on_device());
    if !foreign {
        return Ok(());
    }
    let message = format!("`{}` computes in `long double`, which GPUs lack", function.name);
    let help = "use `double`, or leave the call out of the region";
    Err(Diagnostic::error("E0602", message).with_help(help).into())
}

fn definition(function: &Function, names: &FunctionNames, qualifiers: &str) -> Result<String, Diagnostics> {
    let type_name = |ctype: CType| Dialect::Cxx.type_name(ctype);
    let parameters: Vec<String> = function
        .parameters
        .iter()
        .map(|parameter| format!("{} {}", type_name(parameter.ctype), parameter.name))
        .collect();
    let name = names.function(&function.name);
    let head = format!("{qualifiers} {} {name}({})", type_name(function.ctype), parameters.join(", "));
    let texts = function_body(function, names)
        .map_err(|error| Diagnostic::bug("cudagen", format!("in `{}`: {error}", function.name)))?;
    let block: Vec<Stmt> = texts.into_iter().map(|text| stmt(text, &mut None)).collect();
    let mut text = format!("// line {}\n", function.range.line);
    layout::wrap(&head, 0, &mut text);
    Ok(format!("{text}{{\n{}}}\n", layout::render(&block, 1)))
}
