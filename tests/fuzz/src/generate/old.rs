//! Nests that overwrite old values of an array: updates in place that read what later iterations overwrite, and loops
//! over time that compute an array from another one and copy it back.

use super::Generator;
use super::loops::Bounds;
use crate::affine::{Affine, Symbol};
use crate::options::{Choice, choice};
use crate::program::{
    Access, Array, Assignment, Bound, Expression, Node, Operator, Role, Storage, Subscript, Type, Update,
};

impl Generator {
    /// One of these nests, in a loop over time or not.
    pub(super) fn old_values(&mut self) -> Vec<Node> {
        let rank = self.random.weighted(&[(50, 1), (50, 2)]);
        let element = self.random.weighted(&[(60, Type::Double), (25, Type::Float), (15, Type::Int)]);
        let array = self.stepped("old", element, rank);
        if self.random.percent(50) {
            let steps = (Bound::Affine(Affine::constant(0)), Bound::Affine(Affine::of(Symbol::M)));
            let other = self.stepped("next", element, rank);
            return vec![self.in_loop(steps, |own| own.turns(array, other, rank))];
        }
        if self.random.percent(30) {
            let steps = (Bound::Affine(Affine::constant(0)), Bound::Affine(Affine::of(Symbol::M)));
            return vec![self.in_loop(steps, |own| own.in_place(array, rank))];
        }
        self.in_place(array, rank)
    }

    /// Whether the tools are asked for what such nests are about.
    pub(super) fn asked_for_copies(&mut self) -> Vec<Choice> {
        let mut choices = Vec::new();
        for option in ["--old-values", "--turns"] {
            if self.random.percent(60) {
                choices.push(choice("scheduler", option, "always"));
            }
        }
        choices
    }

    fn stepped(&mut self, stem: &str, element: Type, rank: usize) -> usize {
        let storage = self.random.weighted(&[(75, Storage::Parameter), (25, Storage::Global)]);
        let name = self.fresh_name(stem);
        let name = if storage == Storage::Global { format!("{name}_{}", self.program.number) } else { name };
        self.program.arrays.push(Array { name, element, rank, storage, role: Role::Values });
        self.program.arrays.len() - 1
    }

    /// `for (i …) a[i] = f(a[i + 1], a[i])`
    fn in_place(&mut self, array: usize, rank: usize) -> Vec<Node> {
        let outer = self.iterators.len();
        let bounds = (0..rank).map(|_| self.bounds_of_any()).collect();
        self.loops(bounds, &mut |own| {
            let later =
                own.neighbour(array, outer, rank, |random| random.weighted(&[(60, 1), (25, 2), (15, 0)]));
            let other = own.neighbour(array, outer, rank, |random| random.weighted(&[(60, 0), (40, 1)]));
            own.mean(array, outer, rank, later, other)
        })
    }

    /// `for (i …) b[i] = f(a[i - 1], a[i + 1]); for (i …) a[i] = b[i];`
    fn turns(&mut self, array: usize, other: usize, rank: usize) -> Vec<Node> {
        let outer = self.iterators.len();
        let bounds: Vec<Bounds> = (0..rank).map(|_| self.bounds_of_any()).collect();
        let mut nodes = self.loops(bounds.clone(), &mut |own| {
            let around = |random: &mut crate::random::Random| random.weighted(&[(40, 1), (40, -1), (20, 0)]);
            let one = own.neighbour(array, outer, rank, around);
            let another = own.neighbour(array, outer, rank, around);
            own.mean(other, outer, rank, one, another)
        });
        nodes.extend(self.loops(bounds, &mut |own| {
            let source = Expression::Read(own.neighbour(other, outer, rank, |_| 0));
            let target = own.neighbour(array, outer, rank, |_| 0);
            vec![Node::Assign(Assignment { target, operator: Update::Set, value: source })]
        }));
        nodes
    }

    fn loops(&mut self, bounds: Vec<Bounds>, body: &mut dyn FnMut(&mut Self) -> Vec<Node>) -> Vec<Node> {
        let mut bounds = bounds.into_iter();
        match bounds.next() {
            Some(first) => vec![self.in_loop(first, |own| own.loops(bounds.collect(), body))],
            None => body(self),
        }
    }

    /// `target = one * factor + another`, with what its type allows.
    fn mean(&mut self, array: usize, outer: usize, rank: usize, one: Access, another: Access) -> Vec<Node> {
        let element = self.program.arrays[array].element;
        let factor = Expression::Real(self.random.between(1, 150));
        let (one, another) = (Box::new(Expression::Read(one)), Box::new(Expression::Read(another)));
        let scaled = Expression::Binary(Operator::Multiply, one.clone(), Box::new(factor));
        let sum = Expression::Binary(Operator::Add, Box::new(scaled), another.clone());
        let plain = Expression::Binary(Operator::Add, one, another);
        let value = if element.is_floating() && self.is_known(&sum) { sum } else { plain };
        let value = self.fitted(value, element);
        let target = self.neighbour(array, outer, rank, |_| 0);
        vec![Node::Assign(Assignment { target, operator: Update::Set, value })]
    }

    /// The element at the iterators inside of `outer` loops, each moved by an offset.
    fn neighbour(
        &mut self,
        array: usize,
        outer: usize,
        rank: usize,
        mut offset: impl FnMut(&mut crate::random::Random) -> i64,
    ) -> Access {
        let iterators: Vec<usize> =
            self.iterators[outer..outer + rank].iter().map(|around| around.iterator).collect();
        let subscripts = iterators.into_iter().map(|iterator| {
            let form = Affine::of(Symbol::Iterator(iterator)).shifted(offset(&mut self.random));
            Subscript::Affine(self.lifted(form))
        });
        Access { array, subscripts: subscripts.collect() }
    }
}
