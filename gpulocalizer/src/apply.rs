//! Applies what was decided: copies, barriers and transfers in the schedule tree.

pub mod copies;
pub mod transfers;
