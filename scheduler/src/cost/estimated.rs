//! Estimates that may fail.

use polyhedra::{Result, within};

/// The most isl operations of an estimate.
const OPERATIONS: u64 = 1_000_000;

/// Returns an estimate; nothing if it takes too many operations, or if isl or 64 bits do not suffice for its numbers. A
/// translation needs no price, so it goes on without one.
///
/// # Errors
/// Returns the end of the time of an enclosing limit.
pub fn estimated<T>(work: impl FnOnce() -> Result<T>) -> Result<Option<T>> {
    match within(OPERATIONS, work) {
        Err(error) if !error.is_limit() => Ok(None),
        result => result,
    }
}
