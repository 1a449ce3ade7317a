//! Gives loops and values of the generated code the names of the C source.
//!
//! *before → after*
//!
//! ```text
//! if (16 * by + ty < n)                              const int i = 16 * by + ty;
//!     for (int c3 = 0; c3 < n; c3++)            →    if (i < n)
//!         A[16 * by + ty] += B[c3];                      for (int j = 0; j < n; j++)
//!                                                            A[i] += B[j];
//! ```
//!
//! A loop is named after the iterator of the C source whose values it counts. Inside kernels, a value gets a named
//! constant if it is computed more than once and is the value of an iterator or the sum of a block's and a thread's
//! coordinate. The constant is declared as far out as its operands are known.

use std::collections::{BTreeMap, BTreeSet};

use scop::ast::expression::{count, replace, visit};
use scop::ast::tree::{all_expressions, map_expressions, walk};
use scop::ast::{AstExpr, AstOp, Node, Unroll};
use scop::{Axis, ExprKind, Loop, Model, Statement, StatementId, walk_expressions};

use crate::program::loops::{iterators, mentions};
use crate::program::names::Names;

/// Returns the loop program with the names of the C source.
///
/// # Errors
/// Returns an error if the loop program has an instance of a statement that the model does not contain.
pub fn name_values(node: Node, model: &Model, names: &Names) -> polyhedra::Result<Node> {
    let statements = executed(&node, model)?;
    Ok(Namer { statements: &statements, in_kernel: false }.name(node, names))
}

/// A statement and the loops around it.
type Nested<'a> = (&'a Statement, Vec<&'a Loop>);

/// Returns the statements of which a loop program has instances.
fn executed<'a>(node: &Node, model: &'a Model) -> polyhedra::Result<BTreeMap<StatementId, Nested<'a>>> {
    let mut ids = BTreeSet::new();
    walk(node, &mut |inner| {
        if let Node::Instance { statement, .. } = inner {
            ids.insert(*statement);
        }
    });
    let nested = |id| {
        let statement = model.statement(id)?;
        Ok((id, (statement, model.loops_around(statement)?)))
    };
    ids.into_iter().map(nested).collect()
}

#[derive(Clone, Copy)]
struct Namer<'a> {
    /// The statements of which there are instances.
    statements: &'a BTreeMap<StatementId, Nested<'a>>,
    in_kernel: bool,
}

impl Namer<'_> {
    /// Names the values in a node; `names` are those in use around it.
    fn name(self, node: Node, names: &Names) -> Node {
        match node {
            Node::For { .. } => self.name_loop(node, names),
            Node::Kernel { kernel, lower, extent, ranked, body } => {
                let inside = Namer { in_kernel: true, ..self };
                Node::Kernel {
                    kernel,
                    lower,
                    extent,
                    ranked,
                    body: Box::new(inside.name_scope(*body, names)),
                }
            }
            Node::Block { children } => {
                Node::Block { children: children.into_iter().map(|child| self.name(child, names)).collect() }
            }
            Node::If { condition, then, otherwise } => Node::If {
                condition,
                then: Box::new(self.name(*then, names)),
                otherwise: otherwise.map(|node| Box::new(self.name(*node, names))),
            },
            Node::Specialised { guard, specialised, general } => Node::Specialised {
                guard,
                specialised: Box::new(self.name(*specialised, names)),
                general: Box::new(self.name(*general, names)),
            },
            leaf => leaf,
        }
    }

    fn name_loop(self, node: Node, names: &Names) -> Node {
        let wish = self.source_iterator(&node);
        let Node::For { iterator, init, condition, increment, degenerate, unroll, body } = node else {
            return node;
        };
        let mut names = names.clone();
        let (mut iterator, mut condition, mut body) = (iterator, condition, *body);
        if let Some(wish) = wish {
            let name = names.fresh_user_name(wish);
            let (old, new) = (AstExpr::Name(iterator), AstExpr::Name(name.clone()));
            condition = replace(&condition, &old, &new);
            body = map_expressions(body, &|expr| replace(expr, &old, &new));
            iterator = name;
        }
        let body =
            Box::new(if self.in_kernel { self.name_scope(body, &names) } else { self.name(body, &names) });
        Node::For { iterator, init, condition, increment, degenerate, unroll, body }
    }

    /// Returns the iterator of the source whose values a loop counts, if all statements in the loop agree on it.
    fn source_iterator(&self, node: &Node) -> Option<&str> {
        let Node::For { iterator, body, .. } = node else { return None };
        let mut found = BTreeSet::new();
        self.visit_iterators(body, &mut |name, value| {
            if matches!(value, AstExpr::Name(value) if value == iterator) {
                found.insert(name);
            }
        });
        if found.len() == 1 { found.pop_first() } else { None }
    }

    fn visit_iterators<'b>(&'b self, node: &Node, visit_one: &mut impl FnMut(&'b str, &AstExpr)) {
        walk(node, &mut |inner| {
            let Node::Instance { statement, iterators, .. } = inner else { return };
            let (_, loops) = &self.statements[statement];
            loops.iter().zip(iterators).for_each(|(around, value)| visit_one(&around.iterator, value));
        });
    }

    /// Names the values whose operands are known at the start of a loop's or kernel's body.
    fn name_scope(self, mut body: Node, names: &Names) -> Node {
        let mut names = names.clone();
        let mut named = Vec::new();
        for (value, wish) in self.candidates(&body) {
            if self.uses(&body, &value) > 1 {
                let name = names.fresh_user_name(&wish);
                let leaf = AstExpr::Name(name.clone());
                body = map_expressions(body, &|expr| replace(expr, &value, &leaf));
                named.push((name, value));
            }
        }
        named.into_iter().rev().fold(self.name(body, &names), |body, (iterator, init)| Node::For {
            iterator,
            init,
            condition: AstExpr::Int(1),
            increment: AstExpr::Int(1),
            degenerate: true,
            unroll: Unroll::Compiler,
            body: Box::new(body),
        })
    }

    /// Returns how often a value will be printed. An instance's iterator is printed only if its statement uses it.
    fn uses(self, body: &Node, value: &AstExpr) -> usize {
        let all: usize = all_expressions(body).into_iter().map(|expr| count(expr, value)).sum();
        let mut silent = 0;
        walk(body, &mut |inner| {
            let Node::Instance { statement, iterators, .. } = inner else { return };
            let (statement, _) = self.statements[statement];
            for (position, expr) in iterators.iter().enumerate() {
                if !speaks_of(statement, position) {
                    silent += count(expr, value);
                }
            }
        });
        all - silent
    }

    /// Returns the values that may get a name, each with that name; values of the source's iterators come first.
    fn candidates(&self, body: &Node) -> Vec<(AstExpr, String)> {
        let inner = iterators(body);
        let mut found: Vec<(AstExpr, String)> = Vec::new();
        let mut add = |value: &AstExpr, wish: &str| {
            let new = found.iter().all(|(other, _)| other != value);
            if new && operands(value) > 1 && !mentions(value, |name| inner.contains(name)) {
                found.push((value.clone(), wish.to_owned()));
            }
        };
        self.visit_iterators(body, &mut |name, value| add(value, name));
        for expr in all_expressions(body) {
            visit(expr, &mut |inner| {
                if is_coordinate_sum(inner) {
                    add(inner, axis_of(inner));
                }
            });
        }
        found
    }
}

/// True if the body of a statement uses the iterator at a position.
fn speaks_of(statement: &Statement, position: usize) -> bool {
    let mut found = false;
    walk_expressions(&statement.body, &mut |node| {
        found |= matches!(&node.kind, ExprKind::Iterator { dimension } if *dimension as usize == position);
    });
    found
}

/// Returns the number of names in an expression.
fn operands(expr: &AstExpr) -> usize {
    let mut names = 0;
    expr.visit_names(&mut |_| names += 1);
    names
}

/// True if an expression is the sum of multiples of a block's and a thread's coordinate, such as `16 * by + ty`.
fn is_coordinate_sum(expr: &AstExpr) -> bool {
    let AstExpr::Op(AstOp::Add, operands) = expr else { return false };
    matches!(operands.as_slice(), [block, thread]
        if is_multiple(block, Axis::block_parameter) && is_multiple(thread, Axis::thread_parameter))
}

fn is_multiple(expr: &AstExpr, coordinate: fn(Axis) -> &'static str) -> bool {
    match expr {
        AstExpr::Name(name) => Axis::ALL.into_iter().any(|axis| coordinate(axis) == name),
        AstExpr::Op(AstOp::Mul, operands) => {
            matches!(operands.as_slice(), [AstExpr::Int(_), factor] if is_multiple(factor, coordinate))
        }
        _ => false,
    }
}

/// Returns the letter of the thread's axis in such a sum.
fn axis_of(expr: &AstExpr) -> &'static str {
    let mut letter = "x";
    expr.visit_names(&mut |name| {
        for axis in Axis::ALL {
            if axis.thread_parameter() == name {
                letter = ["x", "y", "z"][axis as usize];
            }
        }
    });
    letter
}
