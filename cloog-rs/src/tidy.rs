//! Removes from the loop program what a person would not write.
//!
//! *before → after*
//!
//! ```text
//! block { block { a; b }; c }                    →  block { a; b; c }
//! for (c1 = 0; …; …) once { A[c0][c1] = …; }     →  A[c0][0] = …;
//! if (c) { } else { a }                          →  if (!c) { a }
//! if (1) { a }                                   →  a
//! if (0) { a }                                   →
//! if (c) { if (d) { a } }                        →  if (c && d) { a }
//! if (c && d) { if (c && e) { a } else { b } }   →  if (c && d) { if (e) { a } else { b } }
//! c0 + 0, 1 * c0, 2 * 3                          →  c0, c0, 6
//! ```
//!
//! A loop that runs once is kept as a name for its value if the value is an operation and is used more than once.

use scop::Parameter;
use scop::ast::expression::{count, folded, negated, replace};
use scop::ast::tree::{all_expressions, map_expressions};
use scop::ast::{AstExpr, AstOp, Node, Unroll};

use crate::canonical::canonical;

/// Returns the tidy form of a loop program with these parameters.
pub fn tidy(node: Node, parameters: &[Parameter]) -> Node {
    let is_parameter = |name: &str| parameters.iter().any(|parameter| parameter.name == name);
    let node = simplify(map_expressions(node, &folded));
    let node = map_expressions(node, &|expr| canonical(&folded(expr), &is_parameter));
    simplify(within(node, &mut Vec::new()))
}

/// Omits the parts of conditions that conditions around them have already, and repeated ones. Names have one value each
/// on the way from the root, so what held outside holds inside.
fn within(node: Node, known: &mut Vec<AstExpr>) -> Node {
    let before = known.len();
    let node = match node {
        Node::If { condition, then, otherwise } => {
            let otherwise = otherwise.map(|node| Box::new(within(*node, known)));
            let mut left: Option<AstExpr> = None;
            for part in parts(condition) {
                if known.contains(&part) {
                    continue;
                }
                known.push(part.clone());
                left = Some(match left {
                    Some(left) => AstExpr::Op(AstOp::And, vec![left, part]),
                    None => part,
                });
            }
            let then = Box::new(within(*then, known));
            Node::If { condition: left.unwrap_or(AstExpr::Int(1)), then, otherwise }
        }
        Node::Block { children } => {
            Node::Block { children: children.into_iter().map(|child| within(child, known)).collect() }
        }
        Node::For { iterator, init, condition, increment, degenerate, unroll, body } => {
            let body = Box::new(within(*body, known));
            Node::For { iterator, init, condition, increment, degenerate, unroll, body }
        }
        Node::Specialised { guard, specialised, general } => {
            let general = Box::new(within(*general, known));
            known.extend(parts(guard.clone()));
            let specialised = Box::new(within(*specialised, known));
            Node::Specialised { guard, specialised, general }
        }
        Node::Kernel { kernel, lower, extent, ranked, body } => {
            Node::Kernel { kernel, lower, extent, ranked, body: Box::new(within(*body, known)) }
        }
        leaf => leaf,
    };
    known.truncate(before);
    node
}

/// Returns the conditions of which a condition is the conjunction.
fn parts(condition: AstExpr) -> Vec<AstExpr> {
    match condition {
        AstExpr::Op(AstOp::And, operands) => operands.into_iter().flat_map(parts).collect(),
        other => vec![other],
    }
}

fn simplify(node: Node) -> Node {
    match node {
        Node::Block { children } => block(children),
        Node::For { iterator, init, degenerate: true, body, .. } => named(iterator, init, simplify(*body)),
        Node::For { iterator, init, condition, increment, degenerate, unroll, body } => {
            let body = simplify(*body);
            if is_empty(&body) {
                return body;
            }
            Node::For { iterator, init, condition, increment, degenerate, unroll, body: Box::new(body) }
        }
        Node::If { condition, then, otherwise } => {
            branch(condition, simplify(*then), otherwise.map(|node| simplify(*node)))
        }
        Node::Specialised { guard, specialised, general } => {
            apart(guard, simplify(*specialised), simplify(*general))
        }
        Node::Kernel { kernel, lower, extent, ranked, body } => {
            Node::Kernel { kernel, lower, extent, ranked, body: Box::new(simplify(*body)) }
        }
        leaf => leaf,
    }
}

fn block(children: Vec<Node>) -> Node {
    let mut flat = Vec::new();
    for child in children.into_iter().map(simplify) {
        match child {
            Node::Block { children } => flat.extend(children),
            other => flat.push(other),
        }
    }
    match flat.len() {
        1 => flat.remove(0),
        _ => Node::Block { children: flat },
    }
}

fn is_empty(node: &Node) -> bool {
    matches!(node, Node::Block { children } if children.is_empty())
}

fn nothing() -> Node {
    Node::Block { children: Vec::new() }
}

fn branch(condition: AstExpr, then: Node, otherwise: Option<Node>) -> Node {
    let otherwise = otherwise.filter(|node| !is_empty(node));
    match (&condition, is_empty(&then), otherwise) {
        (AstExpr::Int(0), _, otherwise) => otherwise.unwrap_or_else(nothing),
        (AstExpr::Int(_), _, _) => then,
        (_, true, None) => then,
        (_, true, Some(otherwise)) => {
            Node::If { condition: negated(condition), then: Box::new(otherwise), otherwise: None }
        }
        (_, false, None) => nested(condition, then),
        (_, false, Some(otherwise)) => {
            Node::If { condition, then: Box::new(then), otherwise: Some(Box::new(otherwise)) }
        }
    }
}

fn apart(guard: AstExpr, specialised: Node, general: Node) -> Node {
    match guard {
        _ if is_empty(&general) => general,
        AstExpr::Int(0) => general,
        AstExpr::Int(_) => specialised,
        guard => Node::Specialised { guard, specialised: Box::new(specialised), general: Box::new(general) },
    }
}

/// Combines an `if` directly inside an `if` into one with both conditions.
fn nested(condition: AstExpr, then: Node) -> Node {
    match then {
        Node::If { condition: inner, then, otherwise: None } => {
            Node::If { condition: AstExpr::Op(AstOp::And, vec![condition, inner]), then, otherwise: None }
        }
        other => Node::If { condition, then: Box::new(other), otherwise: None },
    }
}

fn named(iterator: String, value: AstExpr, body: Node) -> Node {
    let name = AstExpr::Name(iterator.clone());
    let uses: usize = all_expressions(&body).into_iter().map(|expr| count(expr, &name)).sum();
    if uses > 1 && matches!(value, AstExpr::Op(..)) {
        return Node::For {
            iterator,
            init: value,
            condition: AstExpr::Int(1),
            increment: AstExpr::Int(1),
            degenerate: true,
            unroll: Unroll::Compiler,
            body: Box::new(body),
        };
    }
    simplify(map_expressions(body, &|expr| replace(expr, &name, &value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> AstExpr {
        AstExpr::Name(name.to_owned())
    }

    fn once(iterator: &str, init: AstExpr, body: Node) -> Node {
        Node::For {
            iterator: iterator.to_owned(),
            init,
            condition: AstExpr::Int(1),
            increment: AstExpr::Int(1),
            degenerate: true,
            unroll: Unroll::Compiler,
            body: Box::new(body),
        }
    }

    fn copy(element: Vec<AstExpr>) -> Node {
        Node::Copy { buffer: scop::BufferId(0), into_buffer: true, element, place: Vec::new() }
    }

    #[test]
    fn a_loop_that_runs_once_becomes_its_value() {
        let sum = AstExpr::Op(AstOp::Add, vec![name("c1"), AstExpr::Int(1)]);
        let node = once("c1", AstExpr::Int(2), copy(vec![sum.clone()]));
        assert_eq!(tidy(node, &[]), copy(vec![AstExpr::Int(3)]));
        let node = once("c1", name("n"), copy(vec![name("c1"), name("c1")]));
        assert_eq!(tidy(node, &[]), copy(vec![name("n"), name("n")]));
        let kept = once("c2", sum, copy(vec![name("c2"), name("c2")]));
        assert_eq!(tidy(kept.clone(), &[]), kept);
    }

    #[test]
    fn nests_of_constant_guards_stand_alone() {
        let (nest, general) = (copy(vec![name("n")]), copy(vec![name("m")]));
        let with = |guard| Node::Specialised {
            guard,
            specialised: Box::new(nest.clone()),
            general: Box::new(general.clone()),
        };
        assert_eq!(tidy(with(AstExpr::Int(1)), &[]), nest);
        assert_eq!(tidy(with(AstExpr::Int(0)), &[]), general);
        assert_eq!(tidy(with(name("n")), &[]), with(name("n")));
    }

    #[test]
    fn empty_parts_vanish() {
        let empty = || Node::Block { children: Vec::new() };
        let condition = AstExpr::Op(AstOp::Le, vec![name("c0"), name("n")]);
        let node = Node::If {
            condition: condition.clone(),
            then: Box::new(empty()),
            otherwise: Some(Box::new(Node::Barrier)),
        };
        let expected = Node::If {
            condition: AstExpr::Op(AstOp::Gt, vec![name("c0"), name("n")]),
            then: Box::new(Node::Barrier),
            otherwise: None,
        };
        assert_eq!(tidy(Node::Block { children: vec![empty(), node] }, &[]), expected);
        let node = Node::If { condition, then: Box::new(empty()), otherwise: None };
        assert_eq!(tidy(node, &[]), empty());
    }

    /// An `if` directly inside an `if` becomes one with both conditions, unless one of them has an `else`.
    #[test]
    fn conditions_in_conditions_are_one() {
        let [outer, inner] = ["c0", "c1"].map(name);
        let when = |condition: &AstExpr, then: Node, otherwise: Option<Node>| Node::If {
            condition: condition.clone(),
            then: Box::new(then),
            otherwise: otherwise.map(Box::new),
        };
        let both = AstExpr::Op(AstOp::And, vec![outer.clone(), inner.clone()]);
        let node = when(&outer, when(&inner, Node::Barrier, None), None);
        assert_eq!(tidy(node, &[]), when(&both, Node::Barrier, None));
        let node = when(&outer, when(&inner, Node::Barrier, Some(copy(Vec::new()))), None);
        assert_eq!(tidy(node.clone(), &[]), node);
        let node = when(&outer, when(&inner, Node::Barrier, None), Some(copy(Vec::new())));
        assert_eq!(tidy(node.clone(), &[]), node);
    }

    #[test]
    fn conditions_are_asked_once() {
        let [one, two, three] = ["c0", "c1", "c2"].map(name);
        let and = |one: &AstExpr, two: &AstExpr| AstExpr::Op(AstOp::And, vec![one.clone(), two.clone()]);
        let when = |condition: AstExpr, then: Node, otherwise: Option<Node>| Node::If {
            condition,
            then: Box::new(then),
            otherwise: otherwise.map(Box::new),
        };
        let node = when(and(&one, &two), when(and(&two, &and(&one, &three)), Node::Barrier, None), None);
        assert_eq!(tidy(node, &[]), when(and(&and(&one, &two), &three), Node::Barrier, None));
        let inner = |condition: AstExpr| when(condition, Node::Barrier, Some(copy(Vec::new())));
        let node = when(and(&one, &two), inner(and(&two, &three)), None);
        assert_eq!(tidy(node, &[]), when(and(&one, &two), inner(three.clone()), None));
        // What holds in one branch does not hold in the other.
        let node = when(one.clone(), Node::Barrier, Some(when(one.clone(), copy(Vec::new()), None)));
        assert_eq!(tidy(node.clone(), &[]), node);
        assert_eq!(tidy(when(one.clone(), inner(one.clone()), None), &[]), when(one, Node::Barrier, None));
    }

    #[test]
    fn what_never_happens_vanishes() {
        let never = |otherwise: Option<Node>| Node::If {
            condition: AstExpr::Int(0),
            then: Box::new(Node::Barrier),
            otherwise: otherwise.map(Box::new),
        };
        assert_eq!(tidy(never(None), &[]), nothing());
        assert_eq!(tidy(never(Some(copy(Vec::new()))), &[]), copy(Vec::new()));
    }
}
