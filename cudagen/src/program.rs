//! The loop program and its names, the input of all later phases.

pub mod loops;
pub mod names;
pub mod naming;
