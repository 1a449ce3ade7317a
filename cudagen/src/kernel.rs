//! Kernels: what each thread executes.

pub mod outline;
pub mod program;
pub mod ranks;
pub mod shared;
