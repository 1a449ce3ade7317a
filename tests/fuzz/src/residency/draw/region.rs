//! Regions: nests whose bounds and subscripts are affine.

use crate::program::Type;

use super::super::program::{Handle, Kind, Nest, Region, Shape, Source, Work};
use super::{Drawing, Scope};

impl Drawing {
    /// A region of one or two nests.
    pub(super) fn region(&mut self, scope: &Scope) -> Region {
        let count = self.random.weighted(&[(70, 1), (30, 2)]);
        let direct = self.random.percent(20);
        Region { nests: (0..count).map(|_| self.nest(scope)).collect(), direct }
    }

    fn nest(&mut self, scope: &Scope) -> Nest {
        if self.random.percent(15)
            && let Some(nest) = self.reduction(scope)
        {
            return nest;
        }
        let shape = self.random.weighted(&[
            (30, Shape::All),
            (30, Shape::Inner),
            (5, Shape::Repeated),
            (10, Shape::Half),
            (8, Shape::Striped),
            (6, Shape::Transposed),
            (8, Shape::FirstRow),
            (8, Shape::RightHalf),
            (6, Shape::FirstColumn),
        ]);
        let work = self.random.weighted(&[(70, Work::Set), (30, Work::Update)]);
        let target = self.array(scope, None);
        let count = self.random.weighted(&[(15, 0), (35, 1), (30, 2), (20, 3)]);
        let sources = (0..count).map(|_| self.source(scope, shape, target)).collect();
        let mut sources: Vec<Source> = sources;
        let mut work = work;
        // The lengths of other arrays are not known to be sufficient where data decides what is used.
        if self.kind_of(scope, target) == Kind::Grid && !sources.is_empty() && self.random.percent(40) {
            sources.truncate(1);
            work = Work::Conditional;
        }
        Nest { shape, work, target, sources, constant: self.random.between(-3, 3) }
    }

    /// A nest that makes one number of many elements.
    fn reduction(&mut self, scope: &Scope) -> Option<Nest> {
        let scalar = self.chosen(scope, |variable| variable.kind == Kind::Scalar)?;
        let is_int = scalar.element == Type::Int;
        let work = if is_int || self.random.percent(30) { Work::Sum } else { Work::Maximum };
        let shape = self.random.one_of(&[Shape::All, Shape::Inner, Shape::Half, Shape::FirstRow]);
        let target = Handle::of(scalar.id);
        let of = self.array(scope, Some(scalar.element));
        Some(Nest { shape, work, target, sources: vec![Source { of, rows: 0, columns: 0 }], constant: 0 })
    }

    /// An operand; the target itself mostly at the same element, which keeps the loops parallel.
    fn source(&mut self, scope: &Scope, shape: Shape, target: Handle) -> Source {
        let of = self.array(scope, None);
        let may_shift = matches!(shape, Shape::Inner | Shape::Repeated)
            && (of.variable != target.variable || self.random.percent(15));
        if may_shift {
            Source { of, rows: self.random.between(-1, 1), columns: self.random.between(-1, 1) }
        } else {
            Source { of, rows: 0, columns: 0 }
        }
    }
}
