//! Names for what the threads of a kernel compute again and again.
//!
//! *before → after*
//!
//! ```text
//! if (16 * by + ty < n)                          const int i = 16 * by + ty;
//!     A[16 * by + ty] = B[16 * by + ty];    →    if (i < n)
//!                                                    A[i] = B[i];
//! ```
//!
//! What gets a name are sums of coordinates of the block and the thread that occur more than once in a kernel. The name is
//! that of the iterator of the C source that has this value.

use scop::ast::{AstExpr, AstOp, Node};
use scop::{Axis, Model};

use crate::expression::{count, replace, visit};
use crate::names::Names;
use crate::tree::{all_expressions, map_expressions, walk};

/// The loop program with names.
pub fn hoist(node: Node, model: &Model, names: &Names) -> Node {
    match node {
        Node::Kernel { kernel, lower, extent, body } => {
            let body = Box::new(hoist_kernel(*body, model, &mut names.clone()));
            Node::Kernel { kernel, lower, extent, body }
        }
        Node::Block { children } => {
            Node::Block { children: children.into_iter().map(|child| hoist(child, model, names)).collect() }
        }
        Node::For { iterator, init, condition, increment, degenerate, body } => {
            let body = Box::new(hoist(*body, model, names));
            Node::For { iterator, init, condition, increment, degenerate, body }
        }
        Node::If { condition, then, otherwise } => {
            let then = Box::new(hoist(*then, model, names));
            let otherwise = otherwise.map(|node| Box::new(hoist(*node, model, names)));
            Node::If { condition, then, otherwise }
        }
        leaf => leaf,
    }
}

fn hoist_kernel(mut body: Node, model: &Model, names: &mut Names) -> Node {
    let mut named = Vec::new();
    for (value, wish) in candidates(&body, model) {
        let uses: usize = all_expressions(&body).into_iter().map(|expr| count(expr, &value)).sum();
        if uses > 1 {
            let name = names.fresh_user_name(&wish);
            let leaf = AstExpr::Name(name.clone());
            body = map_expressions(body, &|expr| replace(expr, &value, &leaf));
            named.push((name, value));
        }
    }
    named.into_iter().rev().fold(body, |body, (name, value)| Node::For {
        iterator: name,
        init: value,
        condition: AstExpr::Int(1),
        increment: AstExpr::Int(1),
        degenerate: true,
        body: Box::new(body),
    })
}

/// Sums of coordinates and the names that they might get: first those that are iterators of the source.
fn candidates(body: &Node, model: &Model) -> Vec<(AstExpr, String)> {
    let mut found: Vec<(AstExpr, String)> = Vec::new();
    let mut add = |value: &AstExpr, wish: &str| {
        if is_coordinate_sum(value) && found.iter().all(|(other, _)| other != value) {
            found.push((value.clone(), wish.to_owned()));
        }
    };
    walk(body, &mut |node| {
        let Node::Instance { statement, iterators, .. } = node else { return };
        let statement = model.statements.get(statement.index());
        let names = statement.into_iter().flat_map(|statement| &statement.iterators);
        names.zip(iterators).for_each(|(iterator, value)| add(value, &iterator.name));
    });
    for expr in all_expressions(body) {
        visit(expr, &mut |inner| add(inner, axis_of(inner)));
    }
    found
}

/// `16 * by + ty`: a sum of a block's and a thread's coordinate, with factors.
fn is_coordinate_sum(expr: &AstExpr) -> bool {
    let AstExpr::Op(AstOp::Add, operands) = expr else { return false };
    matches!(operands.as_slice(), [block, thread]
        if is_multiple(block, Axis::block_parameter) && is_multiple(thread, Axis::thread_parameter))
}

fn is_multiple(expr: &AstExpr, coordinate: impl Fn(Axis) -> &'static str + Copy) -> bool {
    match expr {
        AstExpr::Name(name) => Axis::ALL.into_iter().any(|axis| coordinate(axis) == name),
        AstExpr::Op(AstOp::Mul, operands) => {
            matches!(operands.as_slice(), [AstExpr::Int(_), factor] if is_multiple(factor, coordinate))
        }
        _ => false,
    }
}

/// The letter of the thread's axis in a sum of coordinates.
fn axis_of(expr: &AstExpr) -> &'static str {
    let mut letter = "x";
    crate::expression::visit_names(expr, &mut |name| {
        for axis in Axis::ALL {
            if axis.thread_parameter() == name {
                letter = ["x", "y", "z"][axis as usize];
            }
        }
    });
    letter
}
