//! How much a program does at given parameters.

use std::collections::BTreeMap;

use crate::program::{Bound, Loop, Node, Program};

/// An upper bound of the number of statement instances; it stops counting above `most`.
pub fn count(program: &Program, n: i64, m: i64, most: i64) -> i64 {
    let mut counter = Counter { n, m, most, count: 0, iterators: BTreeMap::new() };
    counter.block(&program.body);
    counter.count
}

struct Counter {
    n: i64,
    m: i64,
    most: i64,
    count: i64,
    iterators: BTreeMap<usize, i64>,
}

impl Counter {
    fn block(&mut self, nodes: &[Node]) {
        for node in nodes {
            if self.count > self.most {
                return;
            }
            self.node(node);
        }
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::For(nest) => self.nest(nest),
            Node::If(_, then, otherwise) => {
                self.block(then);
                self.block(otherwise);
            }
            Node::Assign(_) | Node::Declare(..) => self.count += 1,
            Node::While(_, body) => self.count += 1 + 3 * body.len() as i64,
        }
    }

    fn nest(&mut self, nest: &Loop) {
        let (first, end) = (self.bound(&nest.first, 0), self.bound(&nest.end, self.n + 2));
        let mut value = first;
        while value < end && self.count <= self.most {
            self.iterators.insert(nest.iterator, value);
            self.count += 1;
            self.block(&nest.body);
            value += nest.step;
        }
        self.iterators.remove(&nest.iterator);
    }

    fn bound(&self, bound: &Bound, unknown: i64) -> i64 {
        let value = |form: &crate::affine::Affine| form.value(self.n, self.m, &self.iterators);
        match bound {
            Bound::Affine(form) => value(form),
            Bound::Quotient(form, by) => value(form) / by,
            Bound::Minimum(a, b) => value(a).min(value(b)),
            Bound::Maximum(a, b) => value(a).max(value(b)),
            Bound::Load(_) => unknown,
        }
    }
}
