//! What generated files bring with them.

pub mod comparison;
pub mod helpers;
pub mod residency;
