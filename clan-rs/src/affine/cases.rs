//! How many cases conditions may distinguish.

use polyhedra::{Set, divisions};

use crate::c::ctree::Expr;
use crate::errors::{Fault, NOT_AFFINE, Result};

/// More than this takes isl seconds where less takes milliseconds; `(i - j) % 3 != i % 5 || i % 7 > j % 2` is more.
const CASES: usize = 8;

/// Sets of more pieces than this, as those of `i != 3 && i != 6 && …`, take every tool ever more time.
const PIECES: i32 = 32;

/// Where the conditions of a region divide by more different numbers than this, what they choose falls into as many
/// cases as the product of the divisors; then none of these conditions is analysed.
pub const DIVISORS: usize = 7;

/// True if a set distinguishes more cases than are analysed: its pieces, times the remainders and quotients in them.
pub fn has_too_many_cases(set: &Set) -> Result<bool> {
    let pieces = set.n_basic_set()?;
    Ok(pieces > PIECES || divisions(set)? * pieces.unsigned_abs() as usize > CASES)
}

/// Such a condition is computed when the program runs, where that is possible.
pub fn too_many_cases(condition: &Expr) -> Fault {
    let message = "the conditions distinguish too many cases";
    Fault::new(NOT_AFFINE, message, condition.range, "with this condition they are too many")
        .with_help("split the region, or the condition into simpler ones")
}
