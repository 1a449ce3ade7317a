//! Accesses and their subscripts.

use super::Generator;
use crate::affine::{Affine, Limit, Range, Symbol};
use crate::program::{Access, Role, Storage, Subscript};

#[derive(Clone, Copy)]
enum Shape {
    Iterator,
    Constant,
    Twice,
    Sum,
    Difference,
    Reverse,
    Modulo,
    Quotient,
    Load,
    Hash,
}

impl Generator {
    /// An element of an array.
    pub(super) fn access(&mut self, array: usize) -> Access {
        let rank = self.program.arrays[array].rank;
        if self.program.arrays[array].storage == Storage::Temporary {
            let subscripts = (0..rank).map(|_| self.small_subscript()).collect();
            return Access { array, subscripts };
        }
        let is_index = self.program.arrays[array].role == Role::Index;
        let subscripts = (0..rank).map(|dimension| self.subscript(dimension, rank, !is_index)).collect();
        Access { array, subscripts }
    }

    fn subscript(&mut self, dimension: usize, rank: usize, with_data: bool) -> Subscript {
        let several = if self.iterators.len() > 1 { 1 } else { 0 };
        let any = if self.iterators.is_empty() { 0 } else { 1 };
        let data = if with_data && self.with_data { 3 } else { 0 };
        let shape = self.random.weighted(&[
            (75 * any, Shape::Iterator),
            (6, Shape::Constant),
            (4 * any, Shape::Twice),
            (5 * several, Shape::Sum),
            (4 * several, Shape::Difference),
            (4 * any, Shape::Reverse),
            (3 * any, Shape::Modulo),
            (3 * any, Shape::Quotient),
            (data, Shape::Load),
            (data, Shape::Hash),
        ]);
        match shape {
            Shape::Modulo => Subscript::Modulo(self.natural_form(dimension, rank), self.random.between(2, 5)),
            Shape::Quotient => {
                Subscript::Quotient(self.natural_form(dimension, rank), self.random.between(2, 3))
            }
            Shape::Load => self.load(),
            Shape::Hash => self.hash().unwrap_or_else(|| self.load()),
            _ => Subscript::Affine(self.shaped_form(shape, dimension, rank)),
        }
    }

    /// A subscript of an array that has some elements whatever the parameters are.
    fn small_subscript(&mut self) -> Subscript {
        let around = if self.iterators.is_empty() { 0 } else { 1 };
        let short: Vec<usize> = self
            .iterators
            .iter()
            .filter(|around| {
                around.range.is_natural() && around.range.high == Limit::constant(around.range.high.constant)
            })
            .map(|around| around.iterator)
            .collect();
        let walking = if short.is_empty() { 0 } else { 60 };
        let data = if self.with_data { 40 } else { 0 };
        match self.random.weighted(&[(15, 0), (40 * around, 1), (walking, 2), (data, 3)]) {
            0 => Subscript::Affine(Affine::constant(self.random.between(0, 3))),
            1 => Subscript::Modulo(self.natural_form(0, 1), self.random.between(2, 5)),
            2 => Subscript::Affine(Affine::of(Symbol::Iterator(self.random.one_of(&short)))),
            _ => self.hash().unwrap_or_else(|| Subscript::Affine(Affine::constant(1))),
        }
    }

    fn shaped_form(&mut self, shape: Shape, dimension: usize, rank: usize) -> Affine {
        let offset = self.random.weighted(&[(55, 0), (15, 1), (15, -1), (8, 2), (7, -2)]);
        let form = match shape {
            Shape::Constant => {
                let symbol = self.random.one_of(&[None, None, Some(Symbol::N), Some(Symbol::M)]);
                symbol.map_or_else(|| Affine::constant(0), Affine::of).shifted(self.random.between(0, 2))
            }
            Shape::Twice => self.own(dimension, rank).0.plus(self.any(), 1),
            Shape::Sum => self.own(dimension, rank).0.plus(self.any(), 1).shifted(offset),
            Shape::Difference => self.own(dimension, rank).0.plus(self.any(), -1).shifted(offset),
            Shape::Reverse => Affine::of(Symbol::N).plus(self.own(dimension, rank).1, -1).shifted(-1),
            _ => self.own(dimension, rank).0.shifted(offset),
        };
        self.lifted(form)
    }

    pub(super) fn natural_form(&mut self, dimension: usize, rank: usize) -> Affine {
        let shape = self.random.one_of(&[Shape::Iterator, Shape::Sum, Shape::Twice, Shape::Iterator]);
        self.shaped_form(shape, dimension, rank)
    }

    /// The iterator that walks a dimension in most programs: the innermost one the last dimension.
    fn own(&mut self, dimension: usize, rank: usize) -> (Affine, Symbol) {
        let natural = (self.iterators.len() + dimension).checked_sub(rank);
        let symbol = match natural {
            Some(place) if self.random.percent(65) => Symbol::Iterator(self.iterators[place].iterator),
            _ => self.any(),
        };
        (Affine::of(symbol), symbol)
    }

    fn any(&mut self) -> Symbol {
        let place = self.random.index(self.iterators.len());
        Symbol::Iterator(self.iterators[place].iterator)
    }

    /// The form, moved so that it is never negative.
    pub(super) fn lifted(&self, form: Affine) -> Affine {
        let ranges = self.iterators.iter().map(|around| (around.iterator, around.range)).collect();
        let Some(Range { low, .. }) = Range::of(&form, &ranges) else { return Affine::constant(0) };
        form.shifted(-low.constant.min(0)).plus(Symbol::N, -low.by_n.min(0)).plus(Symbol::M, -low.by_m.min(0))
    }

    fn load(&mut self) -> Subscript {
        let index = self.program.arrays.iter().position(|array| array.role == Role::Index).unwrap_or(0);
        Subscript::Load(self.access(index), self.random.between(0, 1))
    }

    /// `None` if there is nothing to hash.
    fn hash(&mut self) -> Option<Subscript> {
        let arrays = self.program.arrays.iter().enumerate();
        let unsigned: Vec<usize> = arrays
            .filter(|(_, array)| {
                array.element.is_unsigned() && array.rank == 1 && array.storage != Storage::Temporary
            })
            .map(|(place, _)| place)
            .collect();
        if unsigned.is_empty() {
            return None;
        }
        let array = self.random.one_of(&unsigned);
        let subscripts = vec![self.subscript(0, 1, false)];
        Some(Subscript::Hash(Access { array, subscripts }, self.random.one_of(&[4, 8, 16])))
    }

    /// An iterator or two, or a parameter.
    pub(super) fn form(&mut self) -> Affine {
        if self.iterators.is_empty() {
            let symbol = self.random.one_of(&[Symbol::N, Symbol::M]);
            return Affine::of(symbol).shifted(self.random.between(-3, 1));
        }
        let form = Affine::of(self.any()).shifted(self.random.between(-1, 3));
        match self.random.weighted(&[(60, 0), (20, 1), (20, 2)]) {
            0 => form,
            1 => form.plus(self.any(), self.random.one_of(&[1, -1, 2])),
            _ => form.plus(Symbol::N, self.random.one_of(&[1, -1])),
        }
    }

    /// An iterator, or a constant.
    pub(super) fn small_form(&mut self) -> Affine {
        if self.iterators.is_empty() || self.random.percent(20) {
            return Affine::constant(self.random.between(0, 4));
        }
        Affine::of(self.any())
    }
}
