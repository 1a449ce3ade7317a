//! What the code around a region does: whether it notices what the region leaves, where pointers lead, what it touches,
//! and where arrays may stay on the device from one region to the next.

pub mod aliases;
pub mod allocation;
pub mod escape;
pub mod freed;
pub mod outside;
pub mod residency;
pub mod touches;
