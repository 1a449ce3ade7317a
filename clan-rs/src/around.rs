//! What the code around a region does.

pub mod aliases;
pub mod allocation;
pub mod freed;
pub mod liveness;
pub mod outside;
pub mod residency;
pub mod touches;
