//! Launches of more blocks than CUDA starts at once.
//!
//! *Before → after:* `kernel<<<dim3(bx, by), t>>>(…)` →
//! `for (first = 0; first < by; first += 65535) kernel<<<dim3(bx, part), t>>>(…, first)`.
//!
//! Blocks of one launch do not depend on each other (the proof's E0202), so some of them may as well start in a later
//! launch. A block is told where its launch begins in the way of grids that do not begin at zero, and knows nothing
//! of it otherwise: shared memory, barriers and what is proved of the kernel stay as they are.

use std::collections::BTreeSet;

use scop::ast::expression::binary;
use scop::ast::{AstExpr, AstOp};
use scop::{Axis, CType, Kernel};

use crate::model::facts::Facts;
use crate::model::view::View;
use crate::print::layout::Stmt;

/// The largest number of blocks along each axis.
const LARGEST_GRID: [i64; 3] = [2_147_483_647, 65_535, 65_535];

/// The axes along which a launch may have more blocks than CUDA starts at once.
pub fn in_parts(view: &View<'_>, facts: &Facts, kernel: &Kernel, extent: &[AstExpr]) -> BTreeSet<Axis> {
    let too_large = |axis: Axis, extent: &AstExpr| {
        let limit = LARGEST_GRID[axis as usize];
        let always = view.integers.index == CType::Int && i128::from(limit) >= CType::Int.range().1;
        !always && !facts.imply(&binary(AstOp::Le, extent.clone(), AstExpr::Int(limit)))
    };
    let axes = kernel.grid.iter().zip(extent);
    axes.filter(|(grid, extent)| too_large(grid.axis, extent)).map(|(grid, _)| grid.axis).collect()
}

/// The coordinate of a part's first block, counted from that of the whole.
pub fn first(axis: Axis) -> String {
    format!("cuda_first_{axis}")
}

/// The number of blocks in a part.
pub fn size(axis: Axis) -> String {
    let (first, blocks, limit) = (first(axis), blocks(axis), LARGEST_GRID[axis as usize]);
    format!("min({blocks} - {first}, {limit}L)")
}

/// The loop over the parts along one axis, of which `extent` is the number of all blocks.
pub fn over_parts(axis: Axis, extent: &str, body: Vec<Stmt>) -> Stmt {
    let (first, blocks, limit) = (first(axis), blocks(axis), LARGEST_GRID[axis as usize]);
    let head = format!("for (long {first} = 0, {blocks} = {extent}; {first} < {blocks}; {first} += {limit})");
    Stmt::Loop { head, body }
}

fn blocks(axis: Axis) -> String {
    format!("cuda_blocks_{axis}")
}
