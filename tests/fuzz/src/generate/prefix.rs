//! Prefix sums: loops that update a variable and read its intermediate values.

use super::Generator;
use crate::affine::{Affine, Symbol};
use crate::options::{Choice, choice};
use crate::program::{
    Access, Array, Assignment, Bound, Expression, Node, Role, Storage, Subscript, Type, Update,
};

impl Generator {
    /// Such a loop, in a loop over time or not.
    pub(super) fn prefix_sum(&mut self) -> Vec<Node> {
        let element = self.random.weighted(&[
            (35, Type::Int),
            (20, Type::Unsigned),
            (15, Type::Long),
            (15, Type::UnsignedLong),
            (15, Type::Double),
        ]);
        let rank = self.random.weighted(&[(85, 0), (15, 1)]);
        let sum = self.accumulator("sum", element, rank);
        if self.random.percent(20) {
            let steps = (Bound::Affine(Affine::constant(0)), Bound::Affine(Affine::of(Symbol::M)));
            return vec![self.in_loop(steps, |own| {
                let mut nodes = vec![own.scan(sum)];
                if own.random.percent(50) {
                    nodes.push(Node::Assign(own.assignment()));
                }
                nodes
            })];
        }
        let mut nodes = vec![self.scan(sum)];
        if self.random.percent(25) {
            let other = self.accumulator("next", element, 0);
            let variable = if self.random.percent(50) { sum } else { other };
            nodes.push(self.scan(variable));
        }
        nodes
    }

    /// Whether the tools are asked for chunks.
    pub(super) fn asked_for_chunks(&mut self) -> Option<Choice> {
        self.random.percent(70).then(|| choice("scheduler", "--partial-sums", "always"))
    }

    fn accumulator(&mut self, stem: &str, element: Type, rank: usize) -> usize {
        let name = self.fresh_name(stem);
        let role = Role::Accumulator;
        self.program.arrays.push(Array { name, element, rank, storage: Storage::Parameter, role });
        self.program.arrays.len() - 1
    }

    /// `for (i …) { sum += value; result[i] = sum; }`, with the statements in either order, or both before and after,
    /// or the update under a condition or in a loop of its own.
    fn scan(&mut self, sum: usize) -> Node {
        let bounds = self.bounds_of_any();
        self.in_loop(bounds, |own| {
            let update = own.contribution(sum);
            let mut nodes = Vec::new();
            let where_read =
                own.random.weighted(&[(55, [false, true]), (30, [true, false]), (15, [true; 2])]);
            if where_read[0] {
                nodes.push(own.reading(sum));
            }
            nodes.push(update);
            if where_read[1] {
                nodes.push(own.reading(sum));
            }
            nodes
        })
    }

    fn contribution(&mut self, sum: usize) -> Node {
        if self.random.percent(20) {
            let bounds = self.bounds_of_work();
            return self.in_loop(bounds, |own| vec![own.contribution_here(sum)]);
        }
        let update = self.contribution_here(sum);
        if self.random.percent(25) {
            let condition = self.condition(1);
            return Node::If(condition, vec![update], Vec::new());
        }
        update
    }

    fn contribution_here(&mut self, sum: usize) -> Node {
        let element = self.program.arrays[sum].element;
        let operator = match element.is_unsigned() {
            true => self.random.weighted(&[(60, Update::Add), (20, Update::Xor), (20, Update::Maximum)]),
            false => self.random.weighted(&[(80, Update::Add), (20, Update::Subtract)]),
        };
        let value = self.value_for(element);
        Node::Assign(Assignment { target: self.single(sum), operator, value })
    }

    fn reading(&mut self, sum: usize) -> Node {
        let target = self.result();
        let element = self.program.arrays[target.array].element;
        let value = self.fitted(Expression::Read(self.single(sum)), element);
        Node::Assign(Assignment { target, operator: Update::Set, value })
    }

    /// A variable, or an element that is the same in all iterations.
    fn single(&self, array: usize) -> Access {
        let rank = self.program.arrays[array].rank;
        Access { array, subscripts: vec![Subscript::Affine(Affine::constant(1)); rank] }
    }
}
