//! Applies the decisions: puts copies, barriers and transfers into the schedule tree.

pub mod copies;
pub mod transfers;
