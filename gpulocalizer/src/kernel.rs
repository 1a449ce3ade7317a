//! What the schedule tree says of one kernel, and how its blocks work.
//!
//! `view` has the relations, `outside` the values that flow into a part of a kernel and out of it, and `elements` sets
//! of elements. `shares` says which thread copies what, `warps` what the lanes of a warp do at the same time, and
//! `banks` what that costs in shared memory.

pub mod banks;
pub mod elements;
pub mod outside;
pub mod shares;
pub mod view;
pub mod warps;
