//! What the code around a region does: whether it uses what the region leaves behind, and where pointers point.

pub mod allocation;
pub mod escape;
pub mod freed;
pub mod outside;
