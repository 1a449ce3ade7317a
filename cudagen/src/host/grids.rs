//! Launches of more blocks than one launch may have.
//!
//! *Before → after:* `kernel<<<dim3(bx, by), t>>>(…)` →
//! `for (first = 0; first < by; first += 65535) kernel<<<dim3(bx, part), t>>>(…, first)`.
//!
//! Blocks of one launch do not depend on each other (the proof's E0202), so some of them may start in a later launch.
//! A kernel gets the first block of its launch as an argument, as for grids that do not begin at zero. Otherwise
//! nothing changes: shared memory, barriers and what is proved about the kernel remain the same.

use std::collections::BTreeMap;

use scop::ast::expression::{binary, value};
use scop::ast::{AstExpr, AstOp};
use scop::{Axis, CType, Kernel};

use crate::model::facts::Facts;
use crate::model::view::View;

/// The largest number of blocks of a launch along each axis.
const LARGEST_GRID: [i64; 3] = [2_147_483_647, 65_535, 65_535];

/// As [`in_parts`], for a launch of this number of numbered blocks.
pub fn in_parts_of_ranks(blocks: &AstExpr) -> BTreeMap<Axis, i64> {
    let limit = LARGEST_GRID[0];
    let fits = value(blocks).is_some_and(|blocks| blocks <= limit);
    if fits { BTreeMap::new() } else { BTreeMap::from([(Axis::X, limit)]) }
}

/// Returns the axes along which a launch may have too many blocks, each with the largest number.
pub fn in_parts(view: &View<'_>, facts: &Facts, kernel: &Kernel, extent: &[AstExpr]) -> BTreeMap<Axis, i64> {
    let too_large = |axis: Axis, extent: &AstExpr| {
        let limit = LARGEST_GRID[axis as usize];
        let always = view.integers.index == CType::Int && i128::from(limit) >= CType::Int.range().1;
        !always && !facts.imply(&binary(AstOp::Le, extent.clone(), AstExpr::Int(limit)))
    };
    let axes = kernel.grid.iter().zip(extent);
    let large = axes.filter(|(grid, extent)| too_large(grid.axis, extent));
    large.map(|(grid, _)| (grid.axis, LARGEST_GRID[grid.axis as usize])).collect()
}
