//! What is counted of elements in order to decide whether they are copied to shared memory.

use gpu::place::{Uses, copies_pay};
use scop::ArrayId;

/// Elements that several threads of a block use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// The array.
    pub array: ArrayId,
    /// What a tile does with them.
    pub uses: Uses,
}

/// Returns true if copies of elements pay, and notes what was counted.
pub fn pay(all: &mut Vec<Counted>, counted: Counted) -> bool {
    all.push(counted);
    copies_pay(&counted.uses)
}
