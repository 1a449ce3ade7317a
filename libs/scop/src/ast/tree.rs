//! Traversal and rewriting of the loop program and of the expressions in it.

use crate::ElementBox;
use crate::ast::{AccessPlace, AstExpr, Node};

/// Calls `visit` on this node and all nodes below it, kernels included, in the order of the text.
pub fn walk<'a>(node: &'a Node, visit: &mut impl FnMut(&'a Node)) {
    visit(node);
    for child in node.children() {
        walk(child, visit);
    }
}

/// Returns the expressions of a node itself. A loop that runs once has neither a condition nor an increment.
pub fn expressions(node: &Node) -> Vec<&AstExpr> {
    match node {
        Node::For { init, degenerate: true, .. } => vec![init],
        Node::For { init, condition, increment, .. } => vec![init, condition, increment],
        Node::If { condition, .. } => vec![condition],
        Node::Specialised { guard, .. } => vec![guard],
        Node::Instance { iterators, accesses, .. } => {
            iterators.iter().chain(accesses.iter().flat_map(|access| &access.index)).collect()
        }
        Node::Kernel { lower, extent, ranked, .. } => {
            let numbered = ranked.iter().flat_map(|ranked| ranked.expressions());
            lower.iter().chain(extent).chain(numbered).collect()
        }
        Node::Copy { element, place, .. } => element.iter().chain(place).collect(),
        Node::Element { index } => index.iter().collect(),
        Node::Transfer { part: Some(part), .. } => part.lower.iter().chain(&part.extent).collect(),
        Node::Block { .. } | Node::Barrier | Node::Transfer { part: None, .. } => Vec::new(),
    }
}

/// Returns the expressions of a node and of all nodes below it.
pub fn all_expressions(node: &Node) -> Vec<&AstExpr> {
    let mut found = Vec::new();
    walk(node, &mut |inner| found.extend(expressions(inner)));
    found
}

/// Returns the node with `change` applied to its own expressions and to those of all nodes below it.
pub fn map_expressions(node: Node, change: &impl Fn(&AstExpr) -> AstExpr) -> Node {
    let all = |list: Vec<AstExpr>| list.iter().map(change).collect();
    match node {
        Node::Block { children } => Node::Block {
            children: children.into_iter().map(|child| map_expressions(child, change)).collect(),
        },
        Node::For { iterator, init, condition, increment, degenerate, unroll, body } => Node::For {
            iterator,
            init: change(&init),
            condition: change(&condition),
            increment: change(&increment),
            degenerate,
            unroll,
            body: Box::new(map_expressions(*body, change)),
        },
        Node::If { condition, then, otherwise } => Node::If {
            condition: change(&condition),
            then: Box::new(map_expressions(*then, change)),
            otherwise: otherwise.map(|node| Box::new(map_expressions(*node, change))),
        },
        Node::Specialised { guard, specialised, general } => Node::Specialised {
            guard: change(&guard),
            specialised: Box::new(map_expressions(*specialised, change)),
            general: Box::new(map_expressions(*general, change)),
        },
        Node::Instance { statement, iterators, accesses } => {
            let accesses = accesses.into_iter();
            let accesses =
                accesses.map(|access| AccessPlace { index: all(access.index), ..access }).collect();
            Node::Instance { statement, iterators: all(iterators), accesses }
        }
        Node::Kernel { kernel, lower, extent, ranked, body } => Node::Kernel {
            kernel,
            lower: all(lower),
            extent: all(extent),
            ranked: ranked.map(|ranked| Box::new(ranked.map(change))),
            body: Box::new(map_expressions(*body, change)),
        },
        Node::Copy { buffer, into_buffer, element, place } => {
            Node::Copy { buffer, into_buffer, element: all(element), place: all(place) }
        }
        Node::Element { index } => Node::Element { index: all(index) },
        Node::Transfer { array, to_device, part: Some(part) } => {
            let part = ElementBox { lower: all(part.lower), extent: all(part.extent) };
            Node::Transfer { array, to_device, part: Some(part) }
        }
        leaf @ (Node::Barrier | Node::Transfer { part: None, .. }) => leaf,
    }
}

/// True if some part of the loop program runs on the GPU.
pub fn has_kernels(node: &Node) -> bool {
    let mut found = false;
    walk(node, &mut |inner| found |= matches!(inner, Node::Kernel { .. }));
    found
}
