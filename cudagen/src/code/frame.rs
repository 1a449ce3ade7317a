//! How the loop program's parts are spelled inside one function: a kernel or the host function.
//!
//! A frame also takes note of what it spelled, so that the function's arguments and declarations can be those that it
//! uses.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use scop::ast::expression::{binary, folded};
use scop::ast::{AccessPlace, AstExpr, AstOp};
use scop::c_text::{self, Dialect, Fragment, Helper, Spelling};
use scop::{
    Access, AccessId, AccessKind, ArrayId, BinaryOp, BufferId, CType, Reduction, ReductionOp, Statement,
};

use crate::host::constant;
use crate::host::packing;
use crate::model::data::{Datum, HostForm};
use crate::model::members;
use crate::model::positions::Positions;
use crate::model::view::{NamedBuffer, View};

/// Where a function runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// On the CPU.
    Host,
    /// On the GPU.
    Device,
}

/// What a function uses.
#[derive(Debug, Clone, Default)]
pub struct Uses {
    /// Parameters, iterators, block and thread coordinates.
    pub integers: BTreeSet<String>,
    /// Arrays and scalars in their own place, and whether they are written.
    pub data: BTreeMap<ArrayId, bool>,
    /// Buffers.
    pub buffers: BTreeSet<BufferId>,
    /// Buffers whose positions a function gives.
    pub positions: BTreeSet<BufferId>,
    /// Functions that index expressions call.
    pub helpers: BTreeSet<Helper>,
    /// Whether bounds of loops are kept from the compiler ([`Frame::hidden_bound`]).
    pub hidden_bounds: bool,
    /// Whether the threads of a warp add to one element ([`Frame::warp_sum`]).
    pub warp_sums: bool,
}

/// One function that is being written.
pub struct Frame<'a> {
    /// The scop.
    pub view: &'a View<'a>,
    side: Side,
    uses: RefCell<Uses>,
}

impl<'a> Frame<'a> {
    /// A function that uses nothing yet.
    pub fn new(view: &'a View<'a>, side: Side) -> Self {
        Self { view, side, uses: RefCell::default() }
    }

    /// What was spelled so far.
    pub fn uses(&self) -> Uses {
        self.uses.borrow().clone()
    }

    /// The upper bound of a loop as a value that the compiler does not look into; nothing if it may.
    ///
    /// From the smallest of several bounds nvcc computes the number of iterations as the largest of their complements,
    /// among them `-n` for `n - 1`. For GPUs of compute capability 9.0 and 10.x ptxas of CUDA 12.5 to 13.3 makes one
    /// instruction of `max(max(a, -n), b)` and drops the sign: on an H200 the loop over `i <= min(min(n - 1, x), 31)`
    /// ended early.
    pub fn hidden_bound(&self, bound: &AstExpr) -> Option<String> {
        let is_visible = self.side == Side::Host || self.view.integers.index != CType::Int;
        if is_visible || smallest_of(bound) < 3 {
            return None;
        }
        self.uses.borrow_mut().hidden_bounds = true;
        Some(format!("cuda_bound({})", self.index(bound)))
    }

    /// The reduction that a statement is, if threads that execute its instances do not wait for each other.
    pub fn atomic(&self, statement: &Statement) -> Option<&'a Reduction> {
        let mut relaxed = self.view.dependences.relaxed().filter(|_| self.side == Side::Device);
        relaxed.find(|reduction| reduction.statement == statement.id)
    }

    /// The function that adds to the element of an update, if the same element is meant by all threads, and nvcc
    /// would not add up by itself what the threads of a warp contribute: it does for sums of 32 bits (REDUX).
    pub fn warp_sum(&self, reduction: &Reduction, accesses: &[AccessPlace]) -> Option<&'static str> {
        let place = accesses.iter().find(|place| place.access == reduction.write)?;
        let ctype = self.view.datum(self.view.model.access(reduction.write).ok()?.array)?.array.element;
        let mut is_one = true;
        for index in &place.index {
            index.visit_names(&mut |name| is_one &= self.view.integers.parameters.contains_key(name));
        }
        if reduction.operator != ReductionOp::Sum || ctype.size() != 8 || !is_one {
            return None;
        }
        self.uses.borrow_mut().warp_sums = true;
        Some("cuda_add")
    }

    /// An index expression.
    pub fn index(&self, expr: &AstExpr) -> Fragment {
        let mut uses = self.uses.borrow_mut();
        expr.visit_names(&mut |name| {
            uses.integers.insert(name.to_owned());
        });
        uses.helpers.extend(c_text::helpers(expr));
        match expr {
            AstExpr::Name(name) => Fragment::atom(name, self.view.integers.type_of(name)),
            _ => c_text::index_text(expr, self.view.integers.index),
        }
    }

    /// An element of an array whose subscripts the program computes.
    fn indirect_element(
        &self,
        array: ArrayId,
        subscripts: &[Fragment],
        kind: AccessKind,
    ) -> Option<Fragment> {
        let datum = self.view.datum(array)?;
        self.note(array, kind == AccessKind::Write);
        let counted = subscripts.iter().enumerate().map(|(position, subscript)| {
            let origin = datum.origin.get(position).map(|origin| self.index(origin));
            origin.filter(|origin| origin.text != "0").map_or_else(
                || subscript.clone(),
                |origin| {
                    let ctype = subscript.ctype.common_with(origin.ctype);
                    Fragment::infix(BinaryOp::Sub, subscript, &origin, ctype)
                },
            )
        });
        let counted: Vec<Fragment> = counted.collect();
        let offset = |subscripts: &[Fragment], extents: &[AstExpr]| {
            let (first, rest) = subscripts.split_first()?;
            Some(extents.iter().zip(rest).fold(first.clone(), |offset, (extent, next)| {
                let offset = self.row(offset, extent, datum.small);
                Fragment::infix(BinaryOp::Add, &offset, next, offset.ctype.common_with(next.ctype))
            }))
        };
        let (name, ctype) = (&datum.array.name, datum.array.element);
        if self.side == Side::Host
            && let Some((structures, stride)) = members::of_structures(datum.array)
        {
            let (outer, inner) = counted.split_at_checked(structures)?;
            let start = members::address(datum.array, &offset(outer, datum.inner_extents())?, stride);
            let extents = datum.inner_extents().get(structures..).unwrap_or_default();
            let inner = offset(inner, extents).unwrap_or_else(|| Fragment::atom("0", CType::Int));
            return Some(Fragment::atom(format!("({start})[{inner}]"), ctype));
        }
        Some(Fragment::atom(format!("{name}[{}]", offset(&counted, datum.inner_extents())?), ctype))
    }

    /// An element of an array, or a scalar.
    pub fn element(&self, array: ArrayId, index: &[AstExpr], kind: AccessKind) -> Option<Fragment> {
        let datum = self.view.datum(array)?;
        self.note(array, kind == AccessKind::Write);
        let (name, ctype) = (&datum.array.name, datum.array.element);
        if datum.array.is_scalar() {
            let pointer = match self.side {
                Side::Device => datum.on_device,
                Side::Host => datum.host == HostForm::Pointer,
            };
            let value = Fragment::atom(name, ctype);
            return Some(if pointer { Fragment::dereferenced(name, ctype) } else { value });
        }
        if self.side == Side::Host
            && let Some((structures, stride)) = members::of_structures(datum.array)
        {
            return self.member(datum, index, structures, stride);
        }
        if self.side == Side::Device && !datum.memory.is_global() {
            return constant::element(self, datum, index);
        }
        let offset = match self.side {
            Side::Device if packing::of(datum).is_some() => packing::position(self, datum, index)?,
            _ => self.offset(datum, index)?,
        };
        Some(Fragment::atom(format!("{name}[{offset}]"), ctype))
    }

    /// An element of a member of structures on the host.
    fn member(
        &self,
        datum: &Datum<'_>,
        index: &[AstExpr],
        structures: usize,
        stride: u32,
    ) -> Option<Fragment> {
        let (outer, inner) = index.split_at_checked(structures)?;
        let start = members::address(datum.array, &self.offset(datum, outer)?, stride);
        let extents = datum.inner_extents().get(structures..).unwrap_or_default();
        let offset = self.row_major(inner, extents, datum.small)?;
        Some(Fragment::atom(format!("({start})[{offset}]"), datum.array.element))
    }

    /// Notes that an array is used.
    pub fn note(&self, array: ArrayId, written: bool) {
        *self.uses.borrow_mut().data.entry(array).or_default() |= written;
    }

    /// An element of a buffer.
    pub fn place(&self, buffer: BufferId, index: &[AstExpr]) -> Option<Fragment> {
        let named = self.view.buffer(buffer)?;
        self.uses.borrow_mut().buffers.insert(buffer);
        let ctype = self.view.datum(named.buffer.array)?.array.element;
        let subscripts = match &named.positions {
            Some(positions) => format!("[{}]", self.position(named, positions, index)),
            None => index.iter().map(|expr| format!("[{}]", self.index(expr))).collect(),
        };
        Some(Fragment::atom(format!("{}{subscripts}", named.name), ctype))
    }

    /// The position of a place in a buffer without gaps.
    fn position(&self, buffer: &NamedBuffer<'_>, positions: &Positions, place: &[AstExpr]) -> String {
        if let Some(position) = positions.inline(place) {
            return self.index(&position).text;
        }
        let coordinates: Vec<String> = place.iter().map(|expr| self.index(expr).text).collect();
        let mut uses = self.uses.borrow_mut();
        uses.helpers.extend(positions.helpers());
        uses.positions.insert(buffer.buffer.id);
        format!("{}({})", buffer.function, coordinates.join(", "))
    }

    /// The position of an element in row-major order, computed in 64 bits unless 32 are certain to do.
    pub fn offset(&self, datum: &Datum<'_>, index: &[AstExpr]) -> Option<Fragment> {
        let from_origin = |(position, expr): (usize, &AstExpr)| match datum.origin.get(position) {
            Some(origin) if !datum.counted_from_origin => {
                folded(&binary(scop::ast::AstOp::Sub, expr.clone(), origin.clone()))
            }
            _ => expr.clone(),
        };
        let index: Vec<AstExpr> = index.iter().enumerate().map(from_origin).collect();
        self.row_major(&index, datum.inner_extents(), datum.small)
    }

    /// The position of an element of an array with these inner extents; zero for a scalar.
    fn row_major(&self, index: &[AstExpr], extents: &[AstExpr], small: bool) -> Option<Fragment> {
        let Some((first, rest)) = index.split_first() else { return Some(Fragment::atom("0", CType::Int)) };
        let mut offset = self.index(first);
        for (extent, next) in extents.iter().zip(rest) {
            offset = self.row(offset, extent, small);
            offset = self.plus(offset, next);
        }
        Some(offset)
    }

    /// `offset * extent`
    fn row(&self, offset: Fragment, extent: &AstExpr, small: bool) -> Fragment {
        if offset.text == "0" {
            return offset;
        }
        let extent = self.index(extent);
        if offset.text == "1" {
            return extent;
        }
        let wide = small || [offset.ctype, extent.ctype].contains(&CType::Long);
        let offset = if wide { offset } else { Fragment::prefix("(ptrdiff_t)", &offset, CType::Long) };
        let ctype = offset.ctype.common_with(extent.ctype);
        Fragment::infix(BinaryOp::Mul, &offset, &extent, ctype)
    }

    /// `offset + next`; a sum in `next` needs no parentheses, as nothing overflows.
    fn plus(&self, offset: Fragment, next: &AstExpr) -> Fragment {
        match next {
            AstExpr::Int(0) => return offset,
            AstExpr::Int(value) if *value < 0 && *value != i64::MIN => {
                let next = self.index(&AstExpr::Int(-value));
                let ctype = offset.ctype;
                return Fragment::infix(BinaryOp::Sub, &offset, &next, ctype);
            }
            _ => {}
        }
        let mut next = self.index(next);
        if offset.text == "0" {
            return next;
        }
        if next.precedence == BinaryOp::Add.precedence() && !next.text.starts_with('-') {
            next.precedence = BinaryOp::Mul.precedence();
        }
        let ctype = offset.ctype.common_with(next.ctype);
        Fragment::infix(BinaryOp::Add, &offset, &next, ctype)
    }
}

/// One statement instance inside a function.
pub struct Instance<'a> {
    /// The function.
    pub frame: &'a Frame<'a>,
    /// The statement.
    pub statement: &'a Statement,
    /// The values of its iterators.
    pub iterators: &'a [AstExpr],
    /// Where its accesses go.
    pub accesses: &'a [AccessPlace],
}

impl Instance<'_> {
    fn access(&self, id: AccessId) -> Option<(&Access, &AccessPlace)> {
        Some((self.statement.access(id)?, self.accesses.iter().find(|place| place.access == id)?))
    }
}

impl Spelling for Instance<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::Cxx
    }

    fn element(&self, access: AccessId, subscripts: &[Fragment]) -> Option<Fragment> {
        let (access, place) = self.access(access)?;
        match place.buffer {
            _ if access.indirect => self.frame.indirect_element(access.array, subscripts, access.kind),
            Some(buffer) => self.frame.place(buffer, &place.index),
            None => self.frame.element(access.array, &place.index, access.kind),
        }
    }

    fn iterator(&self, dimension: u32) -> Option<Fragment> {
        Some(self.frame.index(self.iterators.get(dimension as usize)?))
    }

    fn parameter(&self, name: &str) -> Option<Fragment> {
        let ctype = *self.frame.view.integers.parameters.get(name)?;
        self.frame.uses.borrow_mut().integers.insert(name.to_owned());
        Some(Fragment::atom(name, ctype))
    }

    fn function<'n>(&'n self, name: &'n str) -> &'n str {
        self.frame.view.names.function(name)
    }
}

/// How many expressions there are of which an expression is the smallest.
fn smallest_of(bound: &AstExpr) -> usize {
    match bound {
        AstExpr::Op(AstOp::Min, operands) => operands.iter().map(smallest_of).sum(),
        _ => 1,
    }
}
