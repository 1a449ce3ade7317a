//! Loops: rectangular, triangular, skewed, strided, backwards, of constant length, of a length that depends on data.

use super::{Generator, Iterating};
use crate::affine::{Affine, Range, Symbol};
use crate::program::{Bound, Counter, Loop, Node, Role};

#[derive(Clone, Copy)]
enum Shape {
    Whole,
    Inner,
    Time,
    Constant,
    Half,
    Shifted,
    UpTo,
    From,
    Skewed,
    Around,
    Clipped,
    Data,
}

/// The first value of an iterator, and the one after the last.
pub(super) type Bounds = (Bound, Bound);

impl Generator {
    /// A loop with so many statements.
    pub(super) fn nest(&mut self, statements: i64) -> Node {
        let bounds = self.bounds();
        self.in_loop(bounds, |own| own.block(statements))
    }

    /// A loop with what is drawn inside.
    pub(super) fn in_loop(
        &mut self,
        (first, end): Bounds,
        draw: impl FnOnce(&mut Self) -> Vec<Node>,
    ) -> Node {
        let range = {
            let mut checker = self.checker();
            let ends = checker.bound(&first).zip(checker.bound(&end));
            ends.map_or(Range::constant(0, 0), |(first, end)| Range {
                low: first.low,
                high: end.high.shifted(-1),
            })
        };
        let iterator = self.next_iterator;
        self.next_iterator += 1;
        let counter = if self.random.percent(8) { Counter::Long } else { Counter::Int };
        let step = self.random.weighted(&[(82, 1), (10, 2), (5, 3), (3, 4)]);
        let descending = self.random.percent(10);
        self.iterators.push(Iterating { iterator, range });
        let body = draw(self);
        self.iterators.pop();
        Node::For(Box::new(Loop { iterator, counter, first, end, step, descending, body }))
    }

    /// The bounds of a loop over a work array.
    pub(super) fn bounds_of_work(&mut self) -> Bounds {
        let shape = self.random.weighted(&[
            (45, Shape::Whole),
            (10, Shape::Inner),
            (8, Shape::Time),
            (15, Shape::UpTo),
            (15, Shape::From),
            (7, Shape::Clipped),
        ]);
        self.shaped(shape)
    }

    /// The bounds of a loop that may be the outermost one.
    pub(super) fn bounds_of_any(&mut self) -> Bounds {
        if !self.iterators.is_empty() && self.random.percent(30) {
            return self.bounds_of_work();
        }
        let shape = self.random.weighted(&[(35, Shape::Whole), (65, Shape::Inner)]);
        self.shaped(shape)
    }

    fn bounds(&mut self) -> Bounds {
        let depth = self.iterators.len();
        let nested = |weight| if depth > 0 { weight } else { 0 };
        let data = if self.with_data { nested(8) } else { 0 };
        let shape = self.random.weighted(&[
            (30, Shape::Whole),
            (20, Shape::Inner),
            (if depth == 0 && self.deepest > 1 { 18 } else { 5 }, Shape::Time),
            (7, Shape::Constant),
            (4, Shape::Half),
            (4, Shape::Shifted),
            (nested(12), Shape::UpTo),
            (nested(10), Shape::From),
            (nested(4), Shape::Skewed),
            (nested(3), Shape::Around),
            (nested(4), Shape::Clipped),
            (data, Shape::Data),
        ]);
        self.shaped(shape)
    }

    fn shaped(&mut self, shape: Shape) -> Bounds {
        let affine = Bound::Affine;
        let constant = |value| Affine::constant(value);
        let n = || Affine::of(Symbol::N);
        match shape {
            Shape::Whole => (affine(constant(0)), affine(n())),
            Shape::Inner => {
                (affine(constant(self.random.between(0, 3))), affine(n().shifted(self.random.between(-3, 2))))
            }
            Shape::Time => (affine(constant(0)), affine(Affine::of(Symbol::M))),
            Shape::Constant => {
                let first = self.random.between(0, 2);
                (affine(constant(first)), affine(constant(first + self.random.between(1, 5))))
            }
            Shape::Half => {
                let by = self.random.between(2, 3);
                (affine(constant(0)), Bound::Quotient(n().shifted(self.random.between(0, 2)), by))
            }
            Shape::Shifted => (affine(n()), affine(Affine::of(Symbol::N).plus(Symbol::N, 1))),
            Shape::UpTo => (
                affine(constant(self.random.between(0, 1))),
                affine(self.outer().shifted(self.random.between(0, 2))),
            ),
            Shape::From => (affine(self.outer().shifted(self.random.between(-1, 2))), affine(n())),
            Shape::Skewed => {
                let outer = self.outer();
                (affine(outer.clone()), affine(outer.plus(Symbol::N, 1)))
            }
            Shape::Around => {
                let outer = self.outer();
                let (before, after) = (self.random.between(0, 2), self.random.between(1, 3));
                (affine(outer.clone().shifted(-before)), affine(outer.shifted(after)))
            }
            Shape::Clipped => {
                let outer = self.outer();
                let (before, after) = (self.random.between(0, 3), self.random.between(1, 4));
                (
                    Bound::Maximum(constant(0), outer.clone().shifted(-before)),
                    Bound::Minimum(n(), outer.shifted(after)),
                )
            }
            Shape::Data => self.loaded_bounds(),
        }
    }

    /// The iterator of a loop around.
    fn outer(&mut self) -> Affine {
        let place = self.random.index(self.iterators.len());
        Affine::of(Symbol::Iterator(self.iterators[place].iterator))
    }

    fn loaded_bounds(&mut self) -> Bounds {
        let index = self.program.arrays.iter().position(|array| array.role == Role::Index).unwrap_or(0);
        let first = self.access(index);
        if self.random.percent(50) {
            (Bound::Affine(Affine::constant(0)), Bound::Load(first))
        } else {
            (Bound::Load(first), Bound::Load(self.access(index)))
        }
    }
}
