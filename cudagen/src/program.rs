//! The loop program and its names, before anything is made of them.

pub mod loops;
pub mod names;
pub mod naming;
