//! Launches of more blocks than start at once.
//!
//! *Before → after:* `kernel<<<dim3(bx, by), t>>>(…)` →
//! `for (first = 0; first < by; first += 65535) kernel<<<dim3(bx, part), t>>>(…, first)`.
//!
//! Blocks of one launch do not depend on each other (the proof's E0202), so some of them may as well start in a later
//! launch. A block is told where its launch begins in the way of grids that do not begin at zero, and knows nothing
//! of it otherwise: shared memory, barriers and what is proved of the kernel stay as they are.

use std::collections::BTreeMap;

use scop::ast::expression::binary;
use scop::ast::{AstExpr, AstOp};
use scop::{Axis, CType, Kernel};

use crate::model::facts::Facts;
use crate::model::view::View;

/// The largest number of blocks along each axis.
const LARGEST_GRID: [i64; 3] = [2_147_483_647, 65_535, 65_535];

/// The axes along which a launch may have more blocks than start at once, and how many do.
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
