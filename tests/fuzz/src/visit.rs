//! Walks over programs.

use crate::affine::Affine;
use crate::program::{Access, Bound, Condition, Expression, Loop, Node, Subscript};

/// The blocks inside a node.
pub fn children(node: &Node) -> Vec<&[Node]> {
    match node {
        Node::For(nest) => vec![&nest.body],
        Node::If(_, then, otherwise) => vec![then, otherwise],
        Node::While(_, body) => vec![body],
        Node::Assign(_) | Node::Declare(..) => vec![],
    }
}

/// The same to be changed.
pub fn children_mut(node: &mut Node) -> Vec<&mut Vec<Node>> {
    match node {
        Node::For(nest) => vec![&mut nest.body],
        Node::If(_, then, otherwise) => vec![then, otherwise],
        Node::While(_, body) => vec![body],
        Node::Assign(_) | Node::Declare(..) => vec![],
    }
}

/// The value that a node computes.
pub fn value(node: &Node) -> Option<&Expression> {
    match node {
        Node::Assign(assignment) => Some(&assignment.value),
        Node::Declare(_, value) | Node::While(value, _) => Some(value),
        Node::For(_) | Node::If(..) => None,
    }
}

/// The same to be changed.
pub fn value_mut(node: &mut Node) -> Option<&mut Expression> {
    match node {
        Node::Assign(assignment) => Some(&mut assignment.value),
        Node::Declare(_, value) | Node::While(value, _) => Some(value),
        Node::For(_) | Node::If(..) => None,
    }
}

/// The operands of an expression.
pub fn operands(expression: &Expression) -> Vec<&Expression> {
    match expression {
        Expression::Binary(_, a, b) | Expression::Ratio(a, b, _) | Expression::Select(_, a, b) => vec![a, b],
        Expression::Remainder(a, _)
        | Expression::Scaled(a, _)
        | Expression::Cast(_, a)
        | Expression::Call(_, a) => vec![a],
        Expression::Read(_) | Expression::Integer(_) | Expression::Real(_) | Expression::Affine(_) => vec![],
    }
}

/// Every expression of a block, from the outside in.
pub fn expressions(body: &[Node], see: &mut dyn FnMut(&Expression)) {
    for node in body {
        if let Some(value) = value(node) {
            inside(value, see);
        }
        for block in children(node) {
            expressions(block, see);
        }
    }
}

fn inside(expression: &Expression, see: &mut dyn FnMut(&Expression)) {
    see(expression);
    operands(expression).into_iter().for_each(|operand| inside(operand, see));
}

/// Every affine form of a block.
pub fn forms_mut(body: &mut [Node], see: &mut dyn FnMut(&mut Affine)) {
    subscripts_mut(body, &mut |subscript| match subscript {
        Subscript::Affine(form) | Subscript::Modulo(form, _) | Subscript::Quotient(form, _) => see(form),
        Subscript::Load(..) | Subscript::Hash(..) => {}
    });
    conditions_mut(body, &mut |condition| match condition {
        Condition::Compare(a, _, b) => {
            see(a);
            see(b);
        }
        Condition::Modulo(form, ..) => see(form),
        _ => {}
    });
    expressions_mut(body, &mut |expression| {
        if let Expression::Affine(form) = expression {
            see(form);
        }
    });
    loops_mut(body, &mut |nest| {
        for bound in [&mut nest.first, &mut nest.end] {
            match bound {
                Bound::Affine(form) | Bound::Quotient(form, _) => see(form),
                Bound::Minimum(a, b) | Bound::Maximum(a, b) => {
                    see(a);
                    see(b);
                }
                Bound::Load(_) => {}
            }
        }
    });
}

/// Every subscript of a block, from the outside in.
pub fn subscripts_mut(body: &mut [Node], see: &mut dyn FnMut(&mut Subscript)) {
    accesses_mut(body, &mut |access| {
        access.subscripts.iter_mut().for_each(|subscript| inside_subscript(subscript, see));
    });
}

fn inside_subscript(subscript: &mut Subscript, see: &mut dyn FnMut(&mut Subscript)) {
    see(subscript);
    if let Subscript::Load(access, _) | Subscript::Hash(access, _) = subscript {
        access.subscripts.iter_mut().for_each(|inner| inside_subscript(inner, see));
    }
}

/// Every access of a block that is in no subscript.
pub fn accesses_mut(body: &mut [Node], see: &mut dyn FnMut(&mut Access)) {
    each_mut(body, &mut |node| {
        if let Node::Assign(assignment) = node {
            see(&mut assignment.target);
        }
    });
    expressions_mut(body, &mut |expression| {
        if let Expression::Read(access) = expression {
            see(access);
        }
    });
    conditions_mut(body, &mut |condition| match condition {
        Condition::Data(access) => see(access),
        Condition::Beats(a, _, b) => {
            see(a);
            see(b);
        }
        _ => {}
    });
    loops_mut(body, &mut |nest| {
        for bound in [&mut nest.first, &mut nest.end] {
            if let Bound::Load(access) = bound {
                see(access);
            }
        }
    });
}

/// Every expression of a block, from the outside in.
pub fn expressions_mut(body: &mut [Node], see: &mut dyn FnMut(&mut Expression)) {
    each_mut(body, &mut |node| {
        if let Some(value) = value_mut(node) {
            inside_mut(value, see);
        }
    });
}

fn inside_mut(expression: &mut Expression, see: &mut dyn FnMut(&mut Expression)) {
    see(expression);
    match expression {
        Expression::Binary(_, a, b) | Expression::Ratio(a, b, _) | Expression::Select(_, a, b) => {
            inside_mut(a, see);
            inside_mut(b, see);
        }
        Expression::Remainder(a, _)
        | Expression::Scaled(a, _)
        | Expression::Cast(_, a)
        | Expression::Call(_, a) => inside_mut(a, see),
        Expression::Read(_) | Expression::Integer(_) | Expression::Real(_) | Expression::Affine(_) => {}
    }
}

/// Every condition of a block, from the outside in.
pub fn conditions_mut(body: &mut [Node], see: &mut dyn FnMut(&mut Condition)) {
    each_mut(body, &mut |node| {
        if let Node::If(condition, _, _) = node {
            inside_condition(condition, see);
        }
    });
    expressions_mut(body, &mut |expression| {
        if let Expression::Select(condition, _, _) = expression {
            inside_condition(condition, see);
        }
    });
}

fn inside_condition(condition: &mut Condition, see: &mut dyn FnMut(&mut Condition)) {
    see(condition);
    match condition {
        Condition::And(a, b) | Condition::Or(a, b) => {
            inside_condition(a, see);
            inside_condition(b, see);
        }
        Condition::Not(inner) => inside_condition(inner, see),
        Condition::Compare(..) | Condition::Modulo(..) | Condition::Data(_) | Condition::Beats(..) => {}
    }
}

/// Every loop of a block, from the outside in.
pub fn loops_mut(body: &mut [Node], see: &mut dyn FnMut(&mut Loop)) {
    each_mut(body, &mut |node| {
        if let Node::For(nest) = node {
            see(nest);
        }
    });
}

/// Every node of a block, from the outside in.
pub fn each_mut(body: &mut [Node], see: &mut dyn FnMut(&mut Node)) {
    for node in body {
        see(node);
        for block in children_mut(node) {
            each_mut(block, see);
        }
    }
}
