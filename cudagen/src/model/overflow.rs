//! Checks that index arithmetic in generated code does not overflow.
//!
//! C's loops count in `int` or `long`, and the C source does not overflow. The generated loops compute other
//! expressions (`32 * bx + tx`, `n + 31`, `c0 + c1`), which might. Interval arithmetic over the whole loop program
//! finds the largest bound such that no expression leaves the type as long as every parameter lies between minus and
//! plus that bound. The generated program checks this before it starts (`host/checks.rs`). `int` is chosen if the
//! source's integers fit in it, because 64-bit subscripts cost a GPU registers and instructions.

use std::collections::BTreeMap;

use scop::ast::tree::expressions;
use scop::ast::{ArraySlice, AstExpr, AstOp, Node, Packing, Ranked};
use scop::{Axis, CType, Kernel};

use crate::model::data::Datum;
use crate::program::loops::mentions;

/// All values between two bounds, inclusive.
type Interval = (i128, i128);

/// The input of the analysis.
pub struct Analysis<'a> {
    /// The parameters that index expressions use, with the ranges of their C types.
    pub parameters: BTreeMap<&'a str, Interval>,
    /// The kernels of the mapping.
    pub kernels: &'a [Kernel],
    /// The loop program.
    pub body: &'a Node,
    /// Index expressions outside of the loop program.
    pub bounds: Vec<&'a AstExpr>,
    /// The positions of numbered elements, which are computed in `long`.
    pub positions: Vec<Position<'a>>,
}

/// The number of an element of a packed array as a function of its subscripts, and the number of all its elements.
pub struct Position<'a> {
    packing: &'a Packing,
    slice: &'a ArraySlice,
}

impl<'a> Position<'a> {
    /// Returns the positions of an array's elements, if they are numbered.
    pub fn of(datum: &'a Datum<'_>) -> Option<Self> {
        Some(Self { packing: datum.packing()?, slice: datum.slice.as_ref()? })
    }

    /// `Some` if every value in the computation of the positions and of their count fits in `long`.
    fn fits(&self, scope: &Scope) -> Option<()> {
        let mut scope = Scope { limit: CType::Long.range(), names: scope.names.clone() };
        scope.interval(&self.packing.count)?;
        let (lower, extent) = (scope.interval(&self.slice.lower)?, scope.interval(&self.slice.extent)?);
        if let Some(outermost) = self.packing.subscripts.first() {
            scope = scope.with(outermost, (lower.0, lower.1 + extent.1.max(1) - 1));
        }
        for (name, extent) in self.inner() {
            let last = scope.interval(extent)?.1.max(1) - 1;
            scope = scope.with(name, (0, last));
        }
        scope.interval(&self.packing.position).map(drop)
    }

    /// Returns the inner subscripts that the position depends on, with the extents of their dimensions.
    pub fn inner(&self) -> impl Iterator<Item = (&'a str, &'a AstExpr)> {
        let position = &self.packing.position;
        let inner = self.packing.subscripts.iter().skip(1).zip(&self.slice.inner_extents);
        inner
            .map(|(name, extent)| (name.as_str(), extent))
            .filter(|(name, _)| mentions(position, |other| other == *name))
    }
}

impl Analysis<'_> {
    /// True if nothing overflows `index`, whatever the values of the parameters.
    ///
    /// # Errors
    /// Returns an error if the program names a kernel that the mapping does not contain.
    pub fn always_fits(&self, index: CType) -> polyhedra::Result<bool> {
        self.fits(index.range(), i128::MAX)
    }

    /// Returns the largest `bound` such that nothing overflows `index` if all parameters are between `-bound` and
    /// `bound`; `None` if no bound is small enough.
    ///
    /// # Errors
    /// Returns an error if the program names a kernel that the mapping does not contain.
    pub fn largest_bound(&self, index: CType) -> polyhedra::Result<Option<i128>> {
        let limit = index.range();
        if !self.fits(limit, 0)? {
            return Ok(None);
        }
        let (mut good, mut bad) = (0, limit.1 + 1);
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            if self.fits(limit, middle)? { good = middle } else { bad = middle }
        }
        Ok(Some(good))
    }

    fn fits(&self, limit: Interval, bound: i128) -> polyhedra::Result<bool> {
        let clamp = |&(low, high): &Interval| (low.max(-bound).min(bound), high.min(bound).max(-bound));
        let names = self.parameters.iter().map(|(name, range)| ((*name).to_owned(), clamp(range)));
        let scope = Scope { limit, names: names.collect() };
        let around = self.bounds.iter().all(|expr| scope.interval(expr).is_some())
            && self.positions.iter().all(|position| position.fits(&scope).is_some());
        Ok(around && self.node_fits(self.body, &scope)?)
    }

    fn node_fits(&self, node: &Node, scope: &Scope) -> polyhedra::Result<bool> {
        let (body, inner) = match node {
            Node::For { body, .. } => (body, scope.inside_loop(node)),
            Node::Kernel { kernel, lower, extent, ranked, body } => {
                let kernel = scop::part(self.kernels, kernel.index(), kernel)?;
                (body, scope.inside_kernel(kernel, (lower, extent), ranked.as_deref()))
            }
            Node::Block { children } => return self.all_fit(children, scope),
            Node::If { condition, then, otherwise } => {
                let branches = std::iter::once(&**then).chain(otherwise.as_deref());
                return Ok(scope.interval(condition).is_some() && self.all_fit(branches, scope)?);
            }
            Node::Specialised { guard, specialised, general } => {
                let nests = [&**specialised, &**general];
                return Ok(scope.interval(guard).is_some() && self.all_fit(nests, scope)?);
            }
            leaf => return Ok(expressions(leaf).into_iter().all(|expr| scope.interval(expr).is_some())),
        };
        inner.map_or(Ok(false), |inner| self.node_fits(body, &inner))
    }

    fn all_fit<'n>(
        &self,
        nodes: impl IntoIterator<Item = &'n Node>,
        scope: &Scope,
    ) -> polyhedra::Result<bool> {
        for node in nodes {
            if !self.node_fits(node, scope)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The ranges of the names at one place of the loop program.
#[derive(Clone)]
struct Scope {
    limit: Interval,
    names: BTreeMap<String, Interval>,
}

impl Scope {
    fn with(&self, name: &str, values: Interval) -> Self {
        let mut inner = self.clone();
        inner.names.insert(name.to_owned(), values);
        inner
    }

    fn inside_loop(&self, node: &Node) -> Option<Self> {
        let Node::For { iterator, init, condition, increment, degenerate, .. } = node else { return None };
        let first = self.interval(init)?;
        if *degenerate {
            return Some(self.with(iterator, first));
        }
        let step = self.interval(increment)?.1;
        let last = self.last(iterator, condition)?.max(first.1);
        self.representable((first.0, last.checked_add(step)?))?;
        let inner = self.with(iterator, (first.0, last));
        inner.interval(condition)?;
        Some(inner)
    }

    /// Returns the largest value of an iterator for which the condition of its loop may hold.
    fn last(&self, iterator: &str, condition: &AstExpr) -> Option<i128> {
        let AstExpr::Op(operator, operands) = condition else { return None };
        let is_iterator = |expr: &AstExpr| matches!(expr, AstExpr::Name(name) if name == iterator);
        match (operator, operands.as_slice()) {
            (AstOp::Le, [left, bound]) if is_iterator(left) => Some(self.interval(bound)?.1),
            (AstOp::Lt, [left, bound]) if is_iterator(left) => Some(self.interval(bound)?.1 - 1),
            (AstOp::Ge, [bound, right]) if is_iterator(right) => Some(self.interval(bound)?.1),
            (AstOp::Gt, [bound, right]) if is_iterator(right) => Some(self.interval(bound)?.1 - 1),
            (AstOp::And, [left, right]) => {
                let (left, right) = (self.last(iterator, left), self.last(iterator, right));
                left.into_iter().chain(right).min()
            }
            _ => None,
        }
    }

    /// Returns the ranges in a kernel. Numbered blocks do not use the bounds of the box.
    fn inside_kernel(
        &self,
        kernel: &Kernel,
        (lower, extent): (&[AstExpr], &[AstExpr]),
        ranked: Option<&Ranked>,
    ) -> Option<Self> {
        let mut inner = match ranked {
            Some(ranked) => self.numbered(ranked)?,
            None => self.clone(),
        };
        let boxed = kernel.grid.iter().filter(|_| ranked.is_none());
        for ((grid, lower), extent) in boxed.zip(lower).zip(extent) {
            let (first, count) = (self.interval(lower)?, self.interval(extent)?);
            let last = first.1.checked_add(count.1.max(1) - 1)?;
            let blocks = self.representable((first.0, last))?;
            inner = inner.with(grid.axis.block_parameter(), blocks);
        }
        for axis in Axis::ALL {
            let size = kernel.block.iter().find(|block| block.axis == axis).map_or(1, |block| block.size);
            inner = inner.with(axis.thread_parameter(), (0, i128::from(size.max(1)) - 1));
            inner.names.entry(axis.block_parameter().to_owned()).or_insert((0, 0));
        }
        Some(inner)
    }

    /// Returns the ranges with those of the coordinates of numbered blocks. Their number is computed in `long`.
    fn numbered(&self, ranked: &Ranked) -> Option<Self> {
        let mut inner = self.clone();
        let mut wide = Scope { limit: CType::Long.range(), names: self.names.clone() };
        wide.interval(&ranked.blocks)?;
        for one in &ranked.coordinates {
            let (lower, upper) = (wide.interval(&one.lower)?, wide.interval(&one.upper)?);
            // The end of a search is one more. Where there is no value, none is used.
            let values = (lower.0, upper.1.max(lower.0));
            wide.representable((lower.0.min(lower.1), upper.1.max(lower.1) + 1))?;
            let name = one.axis.block_parameter();
            wide = wide.with(name, values);
            inner = inner.with(name, self.representable(values)?);
            if let Some(before) = &one.before {
                wide.interval(before)?;
            }
        }
        Some(inner)
    }

    fn representable(&self, values: Interval) -> Option<Interval> {
        (self.limit.0 <= values.0 && values.1 <= self.limit.1).then_some(values)
    }

    /// Returns the range of an expression, if it and the ranges of all subexpressions are representable.
    fn interval(&self, expr: &AstExpr) -> Option<Interval> {
        let values = match expr {
            AstExpr::Int(value) => (i128::from(*value), i128::from(*value)),
            AstExpr::Name(name) => *self.names.get(name)?,
            AstExpr::Op(operator, operands) => {
                let operands = operands.iter().map(|operand| self.interval(operand));
                operation(*operator, &operands.collect::<Option<Vec<_>>>()?)?
            }
        };
        self.representable(values)
    }
}

fn operation(operator: AstOp, operands: &[Interval]) -> Option<Interval> {
    match (operator, operands) {
        (AstOp::Add, [a, b]) => Some((a.0 + b.0, a.1 + b.1)),
        (AstOp::Sub, [a, b]) => Some((a.0 - b.1, a.1 - b.0)),
        (AstOp::Minus, [a]) => Some((-a.1, -a.0)),
        (AstOp::Mul, [a, b]) => Some(product(*a, *b)),
        (AstOp::Max, operands) => operands.iter().copied().reduce(|a, b| (a.0.max(b.0), a.1.max(b.1))),
        (AstOp::Min, operands) => operands.iter().copied().reduce(|a, b| (a.0.min(b.0), a.1.min(b.1))),
        (AstOp::Select, [_, a, b]) => Some((a.0.min(b.0), a.1.max(b.1))),
        (AstOp::Div | AstOp::FloorDiv | AstOp::PosDiv, [a, b]) if b.0 == b.1 && b.0 > 0 => {
            Some((a.0.div_euclid(b.0), a.1.div_euclid(b.0)))
        }
        (AstOp::PosMod, [_, b]) if b.0 > 0 => Some((0, b.1 - 1)),
        (AstOp::ZeroMod, [_, b]) if b.0 > 0 => Some((1 - b.1, b.1 - 1)),
        (AstOp::And | AstOp::Or | AstOp::Eq | AstOp::Le | AstOp::Lt | AstOp::Ge | AstOp::Gt, [_, _]) => {
            Some((0, 1))
        }
        _ => None,
    }
}

fn product(a: Interval, b: Interval) -> Interval {
    let corners = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
    corners.iter().fold((corners[0], corners[0]), |hull, &corner| (hull.0.min(corner), hull.1.max(corner)))
}

#[cfg(test)]
mod tests;
