//! V13: the texts of a document that become part of generated code.
//!
//! They are all checked in every document, even if it contains digests. A digest only shows that somebody found
//! a part sound, and anybody can compute one.

use super::report::Report;
use crate::ast::{LoopProgram, Node};
use crate::names::{is_buffer, is_iterator, math_function};
use crate::{
    Array, Expr, ExprKind, Function, Loop, Model, Placement, Stage, Step, Storage, c_syntax, walk_expressions,
};

/// Checks the name of the source file, which is used in comments and between the quotes of `#include`.
pub fn check_file_name(path: &str, report: &mut Report) {
    let name = path.rsplit('/').next().unwrap_or(path);
    report.require(13, !name.contains(|c: char| c.is_control() || c == '"' || c == '\\'), || {
        format!("the source file has the name {name:?}, which C cannot include")
    });
}

/// Checks the constants and calls in the functions of the source.
pub fn check_functions(functions: &[Function], report: &mut Report) {
    for function in functions {
        let library = function.library.as_deref();
        report.require(13, library.is_none_or(c_syntax::is_name), || {
            format!("the function `{}` has an invalid name in C", function.name)
        });
        check_steps(&format!("the function `{}`", function.name), &function.body, functions, report);
    }
}

/// Checks the C expressions of a scop, its constants and calls, and the names of loops and buffers.
pub fn check_code<S: Stage>(model: &Model, stage: &S, functions: &[Function], report: &mut Report) {
    for parameter in &model.parameters {
        report.require(13, c_syntax::is_value(&parameter.expression), || {
            format!(
                "parameter `{}` has the C expression `{}`, which clan-rs does not write",
                parameter.name, parameter.expression
            )
        });
    }
    model.arrays.iter().for_each(|array| check_array(array, report));
    model.loops.iter().for_each(|around| check_loop(around, report));
    for statement in &model.statements {
        check_steps(&statement.id.to_string(), &statement.body, functions, report);
    }
    if let Some(placement) = stage.placement() {
        check_buffers(placement, report);
    }
    if let Some(program) = stage.ast() {
        check_loops(program, report);
    }
}

/// Checks the texts of an array. Only an array that the region declares may lack an expression.
fn check_array(array: &Array, report: &mut Report) {
    let Array { id, expression, .. } = array;
    if let Some(original) = &array.expansion_of {
        report.require(13, c_syntax::is_place(original), || {
            format!("{id} has copies of `{original}`, which clan-rs does not write")
        });
    }
    let inside = expression.is_empty() && !array.visible;
    report.require(13, inside || c_syntax::is_place(expression), || {
        format!("{id} has the C expression `{expression}`, which clan-rs does not write")
    });
    if let Storage::Member { base, member, .. } = &array.storage {
        let sound = c_syntax::is_place(base) && c_syntax::is_member(member);
        report.require(13, sound, || {
            format!("{id} is `{member}` of the structures `{base}`, which clan-rs does not write")
        });
    }
}

fn check_loop(around: &Loop, report: &mut Report) {
    report.require(13, c_syntax::is_place(&around.iterator), || {
        format!("{} has the iterator `{}`, which is not a variable", around.id, around.iterator)
    });
}

fn check_steps(owner: &str, steps: &[Step], functions: &[Function], report: &mut Report) {
    walk_expressions(steps, &mut |expr| {
        if let Some(what) = unknown_text(expr, functions) {
            report.fault(13, format!("{owner} has {what}"));
        }
    });
}

/// Returns a description of a leaf whose text is neither a constant nor a function of the program or the C
/// library.
fn unknown_text(expr: &Expr, functions: &[Function]) -> Option<String> {
    match &expr.kind {
        ExprKind::Integer { value } if !c_syntax::is_integer(value) => {
            Some(format!("the integer constant `{value}`"))
        }
        ExprKind::Floating { value } if !c_syntax::is_floating(value) => {
            Some(format!("the floating-point constant `{value}`"))
        }
        ExprKind::Imaginary { value } if !c_syntax::is_floating_literal(value) => {
            Some(format!("the imaginary constant `{value}`"))
        }
        ExprKind::Call { function: name, .. }
            if math_function(name).is_none() && functions.iter().all(|function| function.name != *name) =>
        {
            Some(format!("a call of `{name}`, which is neither in the program nor in the C library"))
        }
        _ => None,
    }
}

fn check_buffers(placement: &Placement, report: &mut Report) {
    for buffer in placement.kernels.iter().flat_map(|kernel| &kernel.buffers) {
        report.require(13, is_buffer(&buffer.name), || {
            format!("{} has the name `{}`, which is not a name for a buffer", buffer.id, buffer.name)
        });
    }
}

/// Checks the names of the loop program's iterators. V11 ensures that names in expressions are those of loops,
/// parameters and coordinates; the notation ensures that they are identifiers.
fn check_loops(program: &LoopProgram, report: &mut Report) {
    check_node(&program.body, report);
    for packing in program.arrays.iter().filter_map(|slice| slice.packing.as_ref()) {
        packing.subscripts.iter().for_each(|name| check_iterator(name, report));
        check_node(&packing.to_device, report);
        check_node(&packing.from_device, report);
    }
}

fn check_node(node: &Node, report: &mut Report) {
    if let Node::For { iterator, .. } = node {
        check_iterator(iterator, report);
    }
    node.children().into_iter().for_each(|child| check_node(child, report));
}

fn check_iterator(name: &str, report: &mut Report) {
    report.require(13, is_iterator(name), || {
        format!("the loop program counts with `{name}`, which is not a name for an iterator")
    });
}
