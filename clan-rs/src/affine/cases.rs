//! How many cases conditions may distinguish.

use polyhedra::{Set, divisions};

use crate::c::ctree::Expr;
use crate::errors::{Fault, NOT_AFFINE, Result};

/// Sets with more cases than this take isl seconds instead of milliseconds; `(i - j) % 3 != i % 5 || i % 7 > j % 2`
/// has more.
const CASES: usize = 8;

/// Sets of more pieces than this, such as those of `i != 3 && i != 6 && …`, take every tool more and more time.
const PIECES: i32 = 32;

/// If the conditions of a region divide by more different numbers than this, the instances that they choose fall into
/// as many cases as the product of the divisors; then none of these conditions is analysed.
pub const DIVISORS: usize = 7;

/// True if a set distinguishes more cases than are analysed: pieces, or pieces times the remainders and quotients in
/// them.
pub fn has_too_many_cases(set: &Set) -> Result<bool> {
    let pieces = set.n_basic_set()?;
    Ok(pieces > PIECES || divisions(set)? * pieces.unsigned_abs() as usize > CASES)
}

/// Returns the fault of such a condition. The condition is then computed at run time, if possible.
pub fn too_many_cases(condition: &Expr) -> Fault {
    let message = "the conditions distinguish too many cases";
    Fault::new(NOT_AFFINE, message, condition.range, "with this condition there are too many")
        .with_help("split the region, or split the condition into simpler ones")
}
