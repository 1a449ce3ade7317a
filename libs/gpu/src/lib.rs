//! What a GPU is, and how long it takes.
//!
//! - [`target`]: the limits of a GPU, and its rates, latencies and costs, as the files in `targets` contain them.
//! - [`occupancy`]: how many blocks a multiprocessor runs at the same time, and what limits them.
//! - [`counts`]: what a program did: a profile of cudasim, and the instructions of its kernels.
//! - [`sass`]: the instructions that warps execute, from a listing of the code and a profile.
//! - [`mod@place`]: whether elements belong in shared memory.
//! - [`time`]: the time model, from counts and a target to microseconds and what dominates them.
//! - [`command`]: the command line of `gpu-time`, which prices a profile.

pub mod command;
pub mod counts;
pub mod occupancy;
pub mod place;
pub mod sass;
pub mod target;
pub mod time;
