//! What each thread executes.

pub mod outline;
pub mod shared;
