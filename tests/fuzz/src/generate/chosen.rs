//! Elements that data choose: histograms, and extremes with what belongs to them.

use super::Generator;
use crate::affine::{Affine, Symbol};
use crate::options::{Choice, choice};
use crate::program::{
    Access, Array, Assignment, Bound, Condition, Expression, Node, Role, Storage, Subscript, Type, Update,
};

/// The numbers of bins.
const BINS: [i64; 5] = [1, 4, 16, 32, 128];

impl Generator {
    /// Loops that update elements which data choose, in a loop over time or not, and one that reads some of them.
    pub(super) fn histogram(&mut self) -> Vec<Node> {
        let element = self.random.weighted(&[
            (30, Type::Int),
            (25, Type::Unsigned),
            (15, Type::Long),
            (20, Type::UnsignedLong),
            (10, Type::Double),
        ]);
        let key = self.parameter("key", Type::Unsigned, 1, Role::Values);
        let bins = self.parameter("count", element, 1, Role::Accumulator);
        let number = self.random.one_of(&BINS);
        if self.random.percent(20) {
            let steps = (Bound::Affine(Affine::constant(0)), Bound::Affine(Affine::of(Symbol::M)));
            return vec![self.in_loop(steps, |own| vec![own.counting((key, bins), number)])];
        }
        let mut nodes = vec![self.counting((key, bins), number)];
        if self.random.percent(25) {
            nodes.push(self.counting((key, bins), number));
        }
        if self.random.percent(50) {
            let bounds = self.bounds_of_any();
            nodes.push(self.in_loop(bounds, |own| {
                let target = own.result();
                let element = own.program.arrays[target.array].element;
                let read = Expression::Read(own.bin(bins, number));
                let value = own.fitted(read, element);
                vec![Node::Assign(Assignment { target, operator: Update::Set, value })]
            }));
        }
        nodes
    }

    /// `for (i …) count[key[i] % number] += value;`, under a condition or not, perhaps in two loops or with two
    /// updates.
    fn counting(&mut self, arrays: (usize, usize), number: i64) -> Node {
        let bounds = self.bounds_of_any();
        self.in_loop(bounds, |own| {
            if own.random.percent(25) {
                let bounds = own.bounds_of_work();
                return vec![own.in_loop(bounds, |own| vec![own.counted(arrays, number)])];
            }
            let mut nodes = vec![own.counted(arrays, number)];
            if own.random.percent(20) {
                nodes.push(own.counted(arrays, number));
            }
            nodes
        })
    }

    fn counted(&mut self, (key, bins): (usize, usize), number: i64) -> Node {
        let element = self.program.arrays[bins].element;
        let operator = match element.is_unsigned() {
            true => self.random.weighted(&[
                (60, Update::Add),
                (15, Update::Xor),
                (15, Update::Or),
                (10, Update::Maximum),
            ]),
            false => self.random.weighted(&[(80, Update::Add), (20, Update::Subtract)]),
        };
        let chosen = Access { array: key, subscripts: vec![Subscript::Affine(self.natural_form(0, 1))] };
        let target = Access { array: bins, subscripts: vec![Subscript::Hash(chosen, number)] };
        let update = Node::Assign(Assignment { target, operator, value: self.value_for(element) });
        match self.random.percent(25) {
            true => Node::If(self.condition(1), vec![update], Vec::new()),
            false => update,
        }
    }

    fn bin(&mut self, bins: usize, number: i64) -> Access {
        let subscript = match self.random.percent(50) {
            true => Subscript::Modulo(self.natural_form(0, 1), number),
            false => Subscript::Affine(Affine::constant(0)),
        };
        Access { array: bins, subscripts: vec![subscript] }
    }

    /// A loop that keeps an extreme, and most often the iteration that it comes from.
    pub(super) fn selection(&mut self) -> Vec<Node> {
        let element = self.random.weighted(&[
            (45, Type::Double),
            (15, Type::Float),
            (20, Type::Int),
            (10, Type::UnsignedLong),
            (10, Type::Long),
        ]);
        let values = self.parameter("values", element, 1, Role::Values);
        let extreme = self.single_element("extreme", element);
        let place = self.random.percent(70).then(|| self.single_element("at", Type::Int));
        let bounds = self.bounds_of_any();
        let is_nested = self.random.percent(25);
        vec![self.in_loop(bounds, |own| {
            if is_nested {
                let bounds = own.bounds_of_work();
                return vec![own.in_loop(bounds, |own| vec![own.selecting(values, extreme, place)])];
            }
            vec![own.selecting(values, extreme, place)]
        })]
    }

    /// `if (values[i] > extreme) { extreme = values[i]; at = i; }`, or `extreme = values[i] > extreme ? … : extreme`.
    fn selecting(&mut self, values: usize, extreme: usize, place: Option<usize>) -> Node {
        let value = Access { array: values, subscripts: vec![Subscript::Affine(self.natural_form(0, 1))] };
        let own = self.first_element(extreme);
        let operator = self.random.one_of(&["<", "<=", ">", ">="]);
        let better = Condition::Beats(value.clone(), operator, own.clone());
        let set = |target: Access, value: Expression| {
            Node::Assign(Assignment { target, operator: Update::Set, value })
        };
        let (read, kept) = (Expression::Read(value), Expression::Read(own.clone()));
        let Some(place) = place else {
            if self.random.percent(60) {
                return set(own, Expression::Select(Box::new(better), Box::new(read), Box::new(kept)));
            }
            return Node::If(better, vec![set(own, read)], Vec::new());
        };
        let iterator = self
            .iterators
            .last()
            .map_or(Affine::constant(1), |around| Affine::of(Symbol::Iterator(around.iterator)));
        let at = self.fitted(Expression::Affine(iterator), Type::Int);
        let place = self.first_element(place);
        let update = Node::If(better, vec![set(own, read), set(place, at)], Vec::new());
        match self.random.percent(20) {
            true => Node::If(self.condition(1), vec![update], Vec::new()),
            false => update,
        }
    }

    /// Whether the tools are asked for sums of blocks, and for results of selections.
    pub(super) fn asked_for_choices(&mut self) -> Vec<Choice> {
        let memory = self.random.percent(60).then(|| choice("gpulocalizer", "--memory", "shared"));
        let results = self.random.percent(70).then(|| choice("scheduler", "--partial-sums", "always"));
        memory.into_iter().chain(results).collect()
    }

    /// A local variable, or an array with an element: behind a pointer, a variable may not exist.
    fn single_element(&mut self, stem: &str, element: Type) -> usize {
        let array = self.parameter(stem, element, 1, Role::Values);
        if self.random.percent(50) {
            let own = &mut self.program.arrays[array];
            (own.rank, own.storage) = (0, Storage::Local);
        }
        array
    }

    fn first_element(&self, array: usize) -> Access {
        let rank = self.program.arrays[array].rank;
        Access { array, subscripts: vec![Subscript::Affine(Affine::constant(0)); rank] }
    }

    fn parameter(&mut self, stem: &str, element: Type, rank: usize, role: Role) -> usize {
        let name = self.fresh_name(stem);
        self.program.arrays.push(Array { name, element, rank, storage: Storage::Parameter, role });
        self.program.arrays.len() - 1
    }
}
