//! The host functions, which check, allocate, copy, launch and free.

pub mod boxes;
pub mod calls;
pub mod checks;
pub mod constant;
pub mod extents;
pub mod file;
pub mod function;
pub mod grids;
pub mod launch;
pub mod memory;
pub mod operation;
pub mod packing;
pub mod program;
pub mod residency;
pub mod transfers;
pub mod verification;
