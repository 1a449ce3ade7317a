//! What the schedule tree states about one kernel, and how the kernel's blocks work.
//!
//! `view` contains the relations, `nests` says which loops statements certainly share, `outside` gives the values that
//! flow into and out of a part of a kernel, and `elements` sets of elements. `shares` decides which thread copies what,
//! `warps` what the lanes of a warp do at the same time, and `banks` what that costs in shared memory.

pub mod banks;
pub mod elements;
pub mod nests;
pub mod outside;
pub mod shares;
pub mod view;
pub mod warps;
