//! Work arrays: each iteration of the loops around fills an array, in whole or in part, and then reads it. It is a
//! parameter or global like the others, so what the last iterations leave in it is compared as well.

use super::Generator;
use super::loops::Bounds;
use crate::affine::{Affine, Symbol};
use crate::program::{Access, Array, Assignment, Expression, Node, Operator, Storage, Subscript, Update};

impl Generator {
    /// Loops that fill a work array and read it, and the number of their statements.
    pub(super) fn work(&mut self) -> (Vec<Node>, i64) {
        let array = self.work_array();
        let filled = self.bounds_of_work();
        let mut nodes = vec![self.in_loop(filled.clone(), |own| {
            let value = own.value_for_work(array);
            vec![own.work_assignment(array, Update::Set, value)]
        })];
        if self.random.percent(30) {
            nodes.push(self.second_pass(array, &filled));
        }
        let read = if self.random.percent(80) { filled } else { self.bounds_of_work() };
        nodes.push(self.in_loop(read, |own| {
            let mut assignment = own.assignment();
            if own.random.percent(80) {
                (assignment.target, assignment.operator) = (own.result(), Update::Set);
            }
            let element = own.program.arrays[assignment.target.array].element;
            let offset = own.random.weighted(&[(80, 0), (10, 1), (10, -1)]);
            let work = Box::new(Expression::Read(own.at_iterator(array, offset)));
            let sum = Expression::Binary(Operator::Add, Box::new(assignment.value.clone()), work.clone());
            let value = if own.is_known(&sum) && own.random.percent(35) { sum } else { *work };
            assignment.value = own.fitted(value, element);
            vec![Node::Assign(assignment)]
        }));
        let statements = nodes.len() as i64;
        (nodes, statements)
    }

    /// An element for each iteration of the loops around, so that only the work array keeps them in order.
    pub(super) fn result(&mut self) -> Access {
        let rank = self.iterators.len().min(3);
        let arrays = self.program.arrays.iter().enumerate();
        let fitting: Vec<usize> = arrays
            .filter(|(place, array)| {
                array.rank == rank && array.storage != Storage::Temporary && !self.work_arrays.contains(place)
            })
            .map(|(place, _)| place)
            .collect();
        let array = if fitting.is_empty() || self.random.percent(50) {
            let (element, role) = self.draw_content();
            let name = self.fresh_name("result");
            self.program.arrays.push(Array { name, element, rank, storage: Storage::Parameter, role });
            self.program.arrays.len() - 1
        } else {
            self.random.one_of(&fitting)
        };
        let around = &self.iterators[self.iterators.len() - rank..];
        let forms = around.iter().map(|around| Affine::of(Symbol::Iterator(around.iterator)));
        Access { array, subscripts: forms.map(|form| Subscript::Affine(self.lifted(form))).collect() }
    }

    /// A loop that changes some elements again, perhaps only under a condition.
    fn second_pass(&mut self, array: usize, filled: &Bounds) -> Node {
        let bounds = if self.random.percent(50) { filled.clone() } else { self.bounds_of_work() };
        self.in_loop(bounds, |own| {
            let operator = own.update(array);
            let value = own.value_for_work(array);
            let statement = own.work_assignment(array, operator, value);
            if own.random.percent(50) {
                let condition = own.condition(1);
                return vec![Node::If(condition, vec![statement], Vec::new())];
            }
            vec![statement]
        })
    }

    /// A value for a work array. Most do not depend on what other iterations computed.
    fn value_for_work(&mut self, array: usize) -> Expression {
        let element = self.program.arrays[array].element;
        if self.random.percent(30) {
            return self.value_for(element);
        }
        let (form, factor) = (Expression::Affine(self.form()), Expression::Real(self.random.between(1, 150)));
        let value = Expression::Binary(Operator::Multiply, Box::new(form.clone()), Box::new(factor));
        self.fitted(if self.is_known(&value) { value } else { form }, element)
    }

    fn work_assignment(&mut self, array: usize, operator: Update, value: Expression) -> Node {
        Node::Assign(Assignment { target: self.at_iterator(array, 0), operator, value })
    }

    /// The element of a work array at the innermost iterator, and at an earlier one for each further dimension.
    fn at_iterator(&mut self, array: usize, offset: i64) -> Access {
        let rank = self.program.arrays[array].rank;
        let innermost = self.iterators.len() - 1;
        let form = |place: usize| Affine::of(Symbol::Iterator(self.iterators[place].iterator));
        let subscripts = (0..rank)
            .map(|dimension| match rank - 1 - dimension {
                0 => form(innermost).shifted(offset),
                before => form(innermost.saturating_sub(before)),
            })
            .map(|form| Subscript::Affine(self.lifted(form)));
        Access { array, subscripts: subscripts.collect() }
    }

    /// A work array: one that was used before, or a new one.
    fn work_array(&mut self) -> usize {
        if !self.work_arrays.is_empty() && self.random.percent(40) {
            let known = self.work_arrays.clone();
            return self.random.one_of(&known);
        }
        let (element, role) = self.draw_content();
        let storage = self.random.weighted(&[(75, Storage::Parameter), (25, Storage::Global)]);
        let rank = self.random.weighted(&[(85, 1), (15, 2)]);
        let name = self.fresh_name("work");
        let name = if storage == Storage::Global { format!("{name}_{}", self.program.number) } else { name };
        self.program.arrays.push(Array { name, element, rank, storage, role });
        self.work_arrays.push(self.program.arrays.len() - 1);
        self.program.arrays.len() - 1
    }
}
