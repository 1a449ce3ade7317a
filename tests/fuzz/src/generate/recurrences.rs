//! Recurrences with a temporary: each element is computed in a scalar from other elements of its array, then stored.

use super::Generator;
use crate::affine::{Affine, Symbol};
use crate::options::{Choice, choice};
use crate::program::{
    Access, Array, Assignment, Expression, Node, Operator, Role, Storage, Subscript, Type, Update,
};

impl Generator {
    /// `for (i …) { w = a[i]; for (k …) w = f(w, a[k]); a[i] = w; }`, for an array of one or two dimensions.
    pub(super) fn recurrence(&mut self) -> Vec<Node> {
        let rank = self.random.weighted(&[(60, 1), (40, 2)]);
        let element = self.random.weighted(&[(55, Type::Double), (45, Type::Unsigned)]);
        let name = self.fresh_name("row");
        let (storage, role) = (Storage::Parameter, Role::Values);
        self.program.arrays.push(Array { name, element, rank, storage, role });
        let array = self.program.arrays.len() - 1;
        let bounds = self.bounds_of_any();
        vec![self.in_loop(bounds, |own| match rank {
            1 => own.through_temporary(array, 1),
            _ => {
                let bounds = own.bounds_of_work();
                vec![own.in_loop(bounds, |own| own.through_temporary(array, 2))]
            }
        })]
    }

    /// Whether the tools are asked for temporaries in place.
    pub(super) fn asked_for_places(&mut self) -> Option<Choice> {
        self.random.percent(60).then(|| choice("scheduler", "--in-place", "always"))
    }

    fn through_temporary(&mut self, array: usize, rank: usize) -> Vec<Node> {
        let element = self.program.arrays[array].element;
        let first = match self.random.percent(70) {
            true => {
                let offset = self.random.weighted(&[(80, 0), (20, 1)]);
                Expression::Read(self.element(array, rank, 0, offset))
            }
            false => self.value_for(element),
        };
        let name = self.fresh_name("w");
        let (storage, role) = (Storage::Temporary, Role::Values);
        self.program.arrays.push(Array { name, element, rank: 0, storage, role });
        let temporary = self.program.arrays.len() - 1;
        let first = self.fitted(first, element);
        self.temporaries.push(temporary);
        let bounds = self.bounds_of_work();
        let updates = self.in_loop(bounds, |own| {
            let skipped = own.random.weighted(&[(60, 1), (40, 0)]);
            let read = Expression::Read(own.element(array, rank, skipped, 0));
            vec![own.changed(temporary, read)]
        });
        let value = match self.random.percent(60) {
            true => Expression::Read(Access { array: temporary, subscripts: Vec::new() }),
            false => {
                let read = Expression::Read(Access { array: temporary, subscripts: Vec::new() });
                let other = Expression::Affine(Affine::of(Symbol::M));
                Expression::Binary(Operator::Add, Box::new(read), Box::new(other))
            }
        };
        let value = self.fitted(value, element);
        let offset = self.random.weighted(&[(80, 0), (20, 1)]);
        let target = self.element(array, rank, 0, offset);
        let store = Node::Assign(Assignment { target, operator: Update::Set, value });
        self.temporaries.pop();
        let store = match self.random.percent(12) {
            true => Node::If(self.condition(1), vec![store], Vec::new()),
            false => store,
        };
        vec![Node::Declare(temporary, first), updates, store]
    }

    /// `w = (w + value) / 2`, or for unsigned numbers `w -= value`.
    fn changed(&mut self, temporary: usize, value: Expression) -> Node {
        let target = Access { array: temporary, subscripts: Vec::new() };
        let element = self.program.arrays[temporary].element;
        if element.is_unsigned() {
            let operator = self.random.one_of(&[Update::Add, Update::Subtract]);
            return Node::Assign(Assignment { target, operator, value });
        }
        let own = Expression::Read(target.clone());
        let value = self.fitted(Expression::Binary(Operator::Add, Box::new(own), Box::new(value)), element);
        Node::Assign(Assignment { target, operator: Update::Set, value })
    }

    /// The element at the innermost iterators but for the last `skipped` before the innermost one. The last subscript
    /// is moved by an offset.
    fn element(&mut self, array: usize, rank: usize, skipped: usize, offset: i64) -> Access {
        let mut iterators: Vec<usize> = self.iterators.iter().map(|around| around.iterator).collect();
        if let Some(innermost) = iterators.pop() {
            iterators.truncate(iterators.len().saturating_sub(skipped));
            iterators.push(innermost);
        }
        let first = iterators.len().saturating_sub(rank);
        let mut own = iterators[first..].to_vec();
        while own.len() < rank {
            own.extend(iterators.last());
        }
        let last = own.len() - 1;
        let subscripts = own.into_iter().enumerate().map(|(position, iterator)| {
            let moved = if position == last { offset } else { 0 };
            Subscript::Affine(self.lifted(Affine::of(Symbol::Iterator(iterator)).shifted(moved)))
        });
        Access { array, subscripts: subscripts.collect() }
    }
}
