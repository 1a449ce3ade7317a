//! The type of the integers in generated code, and how large the parameters may be.
//!
//! C's loops count in `int` or `long`, and the C source overflows nowhere. The generated loops compute other
//! expressions (`32 * bx + tx`, `n + 31`, `c0 + c1`), which might. Interval arithmetic over the whole loop program
//! finds the largest bound such that no expression leaves the type while every parameter stays within plus and minus
//! that bound; the generated program checks it before it starts ([`crate::host::checks`]). `int` is taken if the source's
//! integers fit it, since 64-bit subscripts cost a GPU registers and instructions.

use std::collections::BTreeMap;

use scop::ast::tree::expressions;
use scop::ast::{ArraySlice, AstExpr, AstOp, Node, Packing};
use scop::{Axis, CType, Kernel};

use crate::host::packing;
use crate::model::data::Datum;

/// All values between two, inclusive.
type Interval = (i128, i128);

/// What the analysis looks at.
pub struct Analysis<'a> {
    /// The parameters that index expressions use, with the values that their C types hold.
    pub parameters: BTreeMap<&'a str, Interval>,
    /// The kernels of the mapping.
    pub kernels: &'a [Kernel],
    /// The loop program.
    pub body: &'a Node,
    /// Index expressions outside of it.
    pub bounds: Vec<&'a AstExpr>,
    /// The positions of numbered elements, which are computed in `long`.
    pub positions: Vec<Position<'a>>,
}

/// The number of an element of an array, as a function of its subscripts, and how many there are.
pub struct Position<'a> {
    packing: &'a Packing,
    slice: &'a ArraySlice,
}

impl<'a> Position<'a> {
    /// The positions of an array's elements, if they are numbered.
    pub fn of(datum: &'a Datum<'_>) -> Option<Self> {
        Some(Self { packing: packing::of(datum)?, slice: datum.slice.as_ref()? })
    }

    /// The values of everything that is computed, if `long` holds them.
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

    /// The inner subscripts that the position depends on, with the extents of their dimensions.
    pub fn inner(&self) -> impl Iterator<Item = (&'a str, &'a AstExpr)> {
        let position = &self.packing.position;
        let inner = self.packing.subscripts.iter().skip(1).zip(&self.slice.inner_extents);
        inner.map(|(name, extent)| (name.as_str(), extent)).filter(|(name, _)| mentions(position, name))
    }
}

fn mentions(expr: &AstExpr, name: &str) -> bool {
    let mut found = false;
    expr.visit_names(&mut |other| found |= other == name);
    found
}

impl Analysis<'_> {
    /// True if nothing overflows `index` whatever the values of the parameters.
    ///
    /// # Errors
    /// The program names a kernel that the mapping lacks.
    pub fn always_fits(&self, index: CType) -> polyhedra::Result<bool> {
        self.fits(index.range(), i128::MAX)
    }

    /// The largest `bound` such that nothing overflows `index` while all parameters lie within `-bound ..= bound`;
    /// nothing if there is none.
    ///
    /// # Errors
    /// The program names a kernel that the mapping lacks.
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
            Node::Kernel { kernel, lower, extent, body } => {
                let kernel = scop::part(self.kernels, kernel.index(), kernel)?;
                (body, scope.inside_kernel(kernel, lower, extent))
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

/// The values that names may have at one place.
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

    /// The largest value of an iterator for which a loop's condition may hold.
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

    fn inside_kernel(&self, kernel: &Kernel, lower: &[AstExpr], extent: &[AstExpr]) -> Option<Self> {
        let mut inner = self.clone();
        for ((grid, lower), extent) in kernel.grid.iter().zip(lower).zip(extent) {
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

    fn representable(&self, values: Interval) -> Option<Interval> {
        (self.limit.0 <= values.0 && values.1 <= self.limit.1).then_some(values)
    }

    /// The values of an expression, if they and those of all subexpressions are representable.
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
mod tests {
    use scop::KernelId;

    use scop::ast::Unroll;

    use super::*;
    use scop::ast::expression::binary;

    fn name(name: &str) -> AstExpr {
        AstExpr::Name(name.to_owned())
    }

    fn bound(body: Node, index: CType) -> Option<i128> {
        let parameters = BTreeMap::from([("n", CType::Int.range())]);
        Analysis { parameters, kernels: &[], body: &body, bounds: Vec::new(), positions: Vec::new() }
            .largest_bound(index)
            .unwrap()
    }

    fn count_to(limit: AstExpr) -> Node {
        count(AstOp::Lt, limit, 1)
    }

    fn count(operator: AstOp, limit: AstExpr, step: i64) -> Node {
        Node::For {
            iterator: "c0".to_owned(),
            init: AstExpr::Int(0),
            condition: binary(operator, name("c0"), limit),
            increment: AstExpr::Int(step),
            degenerate: false,
            unroll: Unroll::Compiler,
            body: Box::new(Node::Barrier),
        }
    }

    #[test]
    fn the_bound_leaves_room_for_what_is_added() {
        let max = i128::from(i32::MAX);
        let plus = |k| binary(AstOp::Add, name("n"), AstExpr::Int(k));
        let twice = binary(AstOp::Mul, AstExpr::Int(2), name("n"));
        assert_eq!(bound(count_to(name("n")), CType::Int), Some(max));
        assert_eq!(bound(count_to(plus(31)), CType::Int), Some(max - 31));
        assert_eq!(bound(count_to(twice), CType::Int), Some(max / 2));
        assert_eq!(bound(count_to(AstExpr::Int(3_000_000_000)), CType::Int), None);
        assert_eq!(bound(count_to(plus(31)), CType::Long), Some(i128::from(i64::MAX)));
    }

    /// Positions are computed in `long`, whatever the type of other expressions.
    #[test]
    fn the_bound_leaves_room_for_positions() {
        let times = |left: AstExpr, right: AstExpr| binary(AstOp::Mul, left, right);
        let nothing = || Box::new(Node::Block { children: Vec::new() });
        let packing = Packing {
            subscripts: vec!["e0".to_owned()],
            position: times(name("n"), times(name("n"), name("e0"))),
            count: name("n"),
            to_device: nothing(),
            from_device: nothing(),
        };
        let slice = ArraySlice {
            array: scop::ArrayId(0),
            lower: AstExpr::Int(0),
            extent: AstExpr::Int(9),
            inner_extents: Vec::new(),
            boxes: None,
            packing: None,
        };
        let position = Position { packing: &packing, slice: &slice };
        let parameters = BTreeMap::from([("n", CType::Long.range())]);
        let (body, bounds) = (Node::Barrier, Vec::new());
        let analysis = Analysis { parameters, kernels: &[], body: &body, bounds, positions: vec![position] };
        // The ninth element is at 8 n².
        let largest = (i64::MAX / 8).isqrt();
        for index in [CType::Int, CType::Long] {
            assert_eq!(analysis.largest_bound(index).unwrap(), Some(largest.into()));
        }
    }

    /// After its last round a loop adds the step once more before its condition fails.
    #[test]
    fn the_bound_leaves_room_for_the_last_step() {
        let max = i128::from(i32::MAX);
        assert_eq!(bound(count(AstOp::Le, name("n"), 1), CType::Int), Some(max - 1));
        assert_eq!(bound(count(AstOp::Le, name("n"), 32), CType::Int), Some(max - 32));
        assert_eq!(bound(count(AstOp::Lt, name("n"), 1), CType::Int), Some(max));
        assert_eq!(bound(count(AstOp::Lt, name("n"), 32), CType::Int), Some(max - 31));
        assert_eq!(bound(count(AstOp::Le, AstExpr::Int(i64::from(i32::MAX)), 1), CType::Int), None);
    }

    #[test]
    fn a_kernel_that_is_missing_is_no_matter_of_size() {
        let body = Box::new(Node::Barrier);
        let kernel = Node::Kernel { kernel: KernelId(0), lower: Vec::new(), extent: Vec::new(), body };
        let parameters = BTreeMap::new();
        let analysis =
            Analysis { parameters, kernels: &[], body: &kernel, bounds: Vec::new(), positions: Vec::new() };
        assert!(analysis.always_fits(CType::Long).is_err());
    }

    fn axis(axis: Axis) -> scop::GridDimension {
        let zero = || scop::IslPwAff("{ [(0)] }".to_owned());
        scop::GridDimension { axis, lower: zero(), extent: zero() }
    }

    /// Whatever a kernel, a condition or a subscript computes is within the type, in all branches and for all threads.
    #[test]
    fn the_bound_leaves_room_for_everything() {
        let max = i128::from(i32::MAX);
        let plus = |left: AstExpr, k: i64| binary(AstOp::Add, left, AstExpr::Int(k));
        let element = |index: AstExpr| Node::Element { index: vec![index] };
        let when = |condition, then, otherwise: Node| Node::If {
            condition,
            then: Box::new(then),
            otherwise: Some(Box::new(otherwise)),
        };
        let kernel = |lower: AstExpr, extent: AstExpr, inner: Node| Node::Kernel {
            kernel: KernelId(0),
            lower: vec![lower],
            extent: vec![extent],
            body: Box::new(inner),
        };
        let (zero, one) = (|| AstExpr::Int(0), || AstExpr::Int(1));
        let is_positive = |expr| binary(AstOp::Gt, expr, AstExpr::Int(0));
        let minus = AstExpr::Op(AstOp::Minus, vec![name("u")]);
        let both = binary(
            AstOp::And,
            binary(AstOp::Lt, name("c0"), name("n")),
            binary(AstOp::Lt, name("c0"), AstExpr::Int(10)),
        );
        let counted = Node::For {
            iterator: "c0".to_owned(),
            init: zero(),
            condition: both,
            increment: AstExpr::Int(32),
            degenerate: false,
            unroll: Unroll::Compiler,
            body: Box::new(Node::Barrier),
        };
        let table = [
            (when(is_positive(plus(name("n"), 7)), Node::Barrier, Node::Barrier), max - 7),
            (when(one(), element(plus(name("n"), 8)), Node::Barrier), max - 8),
            (when(one(), Node::Barrier, element(plus(name("n"), 9))), max - 9),
            (element(binary(AstOp::Sub, name("n"), name("n"))), max / 2),
            (element(binary(AstOp::Mul, minus, name("u"))), 46340),
            (kernel(name("n"), name("u"), Node::Barrier), max / 2 + 1),
            (kernel(name("n"), name("u"), element(name("bx"))), max / 2 + 1),
            (kernel(zero(), one(), element(plus(name("bx"), i64::from(i32::MAX)))), max),
            (kernel(zero(), one(), element(binary(AstOp::Add, name("n"), name("tx")))), max - 31),
            (counted, max),
        ];
        let kernels = [Kernel {
            id: KernelId(0),
            statements: Vec::new(),
            host_depth: 0,
            grid: vec![axis(Axis::X)],
            block: vec![scop::BlockDimension { axis: Axis::X, size: 32 }],
            tile_sizes: Vec::new(),
            reasons: Vec::new(),
        }];
        for (body, expected) in table {
            let parameters = BTreeMap::from([("n", CType::Int.range()), ("u", CType::UInt.range())]);
            let analysis = Analysis {
                parameters,
                kernels: &kernels,
                body: &body,
                bounds: Vec::new(),
                positions: Vec::new(),
            };
            assert_eq!(analysis.largest_bound(CType::Int).unwrap(), Some(expected), "{body:?}");
        }
    }

    /// Of an array's inner subscripts as well.
    #[test]
    fn positions_grow_with_inner_subscripts() {
        let nothing = || Box::new(Node::Block { children: Vec::new() });
        let packing = Packing {
            subscripts: vec!["e0".to_owned(), "e1".to_owned()],
            position: binary(AstOp::Mul, name("e1"), name("e1")),
            count: name("n"),
            to_device: nothing(),
            from_device: nothing(),
        };
        let slice = ArraySlice {
            array: scop::ArrayId(0),
            lower: AstExpr::Int(0),
            extent: AstExpr::Int(9),
            inner_extents: vec![name("n")],
            boxes: None,
            packing: None,
        };
        let position = Position { packing: &packing, slice: &slice };
        let parameters = BTreeMap::from([("n", CType::Long.range())]);
        let (body, bounds) = (Node::Barrier, Vec::new());
        let analysis = Analysis { parameters, kernels: &[], body: &body, bounds, positions: vec![position] };
        let largest = i128::from(i64::MAX.isqrt()) + 1;
        assert_eq!(analysis.largest_bound(CType::Long).unwrap(), Some(largest));
    }

    #[test]
    fn a_loop_without_a_visible_end_is_not_bounded() {
        assert_eq!(bound(count_to(name("m")), CType::Int), None);
    }
}
