//! Spells index expressions inside one function: a kernel or the host function.
//!
//! A frame also records what it has spelled, so that the function gets exactly the arguments and declarations that it
//! uses.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use scop::ast::expression::{binary, folded};
use scop::ast::{AstExpr, AstOp};
use scop::c_text::{self, Fragment, Helper};
use scop::{ArrayId, BinaryOp, BufferId, CType, ReductionOp};

use crate::model::data::Datum;
use crate::model::view::View;

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
    /// The parameters, iterators, and block and thread coordinates.
    pub integers: BTreeSet<String>,
    /// The arrays and scalars outside of buffers, and whether they are written.
    pub data: BTreeMap<ArrayId, bool>,
    /// The buffers.
    pub buffers: BTreeSet<BufferId>,
    /// The buffers whose position function is called.
    pub positions: BTreeSet<BufferId>,
    /// The helpers that index expressions call.
    pub helpers: BTreeSet<Helper>,
    /// True if the threads of a warp add to one element.
    pub warp_sums: bool,
    /// The operators of the sums that the threads of a warp share, and whether they are done in order.
    pub shared_sums: BTreeSet<(ReductionOp, bool)>,
    /// True if it uses a name of the C library's mathematics beside those of statements.
    pub calls_library: bool,
}

/// A function that is being written.
pub struct Frame<'a> {
    /// The scop.
    pub view: &'a View<'a>,
    /// Where the function runs.
    pub side: Side,
    uses: RefCell<Uses>,
}

impl<'a> Frame<'a> {
    /// Creates the frame of a function that uses nothing yet.
    pub fn new(view: &'a View<'a>, side: Side) -> Self {
        Self { view, side, uses: RefCell::default() }
    }

    /// Returns what was used so far.
    pub fn uses(&self) -> Uses {
        self.uses.borrow().clone()
    }

    /// Spells an index expression.
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

    /// Notes that an array is used.
    pub fn note(&self, array: ArrayId, written: bool) {
        *self.uses.borrow_mut().data.entry(array).or_default() |= written;
    }

    /// Notes another use.
    pub fn note_use(&self, note: impl FnOnce(&mut Uses)) {
        note(&mut self.uses.borrow_mut());
    }

    /// Spells the position of an element in row-major order, computed in 64 bits unless 32 bits certainly suffice.
    pub fn offset(&self, datum: &Datum<'_>, index: &[AstExpr]) -> Fragment {
        let from_origin = |(position, expr): (usize, &AstExpr)| match datum.origin.get(position) {
            Some(origin) if !datum.counted_from_origin => {
                folded(&binary(AstOp::Sub, expr.clone(), origin.clone()))
            }
            _ => expr.clone(),
        };
        let index: Vec<AstExpr> = index.iter().enumerate().map(from_origin).collect();
        self.row_major(&index, datum.inner_extents(), datum.small)
    }

    /// Spells the position of an element of an array with these inner extents; zero for a scalar.
    pub fn row_major(&self, index: &[AstExpr], extents: &[AstExpr], small: bool) -> Fragment {
        let Some((first, rest)) = index.split_first() else { return Fragment::atom("0", CType::Int) };
        let mut offset = self.index(first);
        for (extent, next) in extents.iter().zip(rest) {
            offset = self.row(offset, extent, small);
            offset = self.plus(offset, next);
        }
        offset
    }

    /// Spells `offset * extent`.
    pub fn row(&self, offset: Fragment, extent: &AstExpr, small: bool) -> Fragment {
        if offset.text == "0" {
            return offset;
        }
        let extent = self.index(extent);
        if offset.text == "1" {
            return extent;
        }
        let needs_no_cast = small || [offset.ctype, extent.ctype].contains(&CType::Long);
        let offset =
            if needs_no_cast { offset } else { Fragment::prefix("(ptrdiff_t)", &offset, CType::Long) };
        let ctype = offset.ctype.common_with(extent.ctype);
        Fragment::infix(BinaryOp::Mul, &offset, &extent, ctype)
    }

    /// Spells `offset + next`. A sum in `next` needs no parentheses, because nothing overflows.
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
