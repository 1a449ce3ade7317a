//! The runtime functions that are part of generated files.

pub mod comparison;
pub mod helpers;
pub mod residency;
