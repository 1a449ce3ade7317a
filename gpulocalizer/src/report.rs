//! What came of it: the report for people and scripts, and the wishes that were not met.

pub mod amounts;
pub mod answers;
pub mod occupancy;
pub mod placement;
pub mod text;
pub mod unmet;
