//! What the schedule tree says of one kernel, as relations, and how its blocks work: which values flow in and out of
//! them, what the lanes of a warp do at the same time, and what that costs in shared memory.

pub mod banks;
pub mod elements;
pub mod outside;
pub mod shares;
pub mod view;
pub mod warps;
