//! What the host does: it checks, allocates, copies, launches, frees.

pub mod boxes;
pub mod checks;
pub mod constant;
pub mod function;
pub mod grids;
pub mod launch;
pub mod packing;
pub mod residency;
pub mod slices;
pub mod verification;
