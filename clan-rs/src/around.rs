//! What the code around a region does: whether it uses what the region leaves behind, where pointers point, what it
//! touches, and where arrays may stay on the device from one region to the next.

pub mod aliases;
pub mod allocation;
pub mod escape;
pub mod freed;
pub mod outside;
pub mod residency;
pub mod touches;
