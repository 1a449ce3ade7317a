//! What the code around a region does.

pub mod aliases;
pub mod allocation;
pub mod escape;
pub mod freed;
pub mod outside;
pub mod residency;
pub mod touches;
