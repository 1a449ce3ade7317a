//! What is known about a region: its data, its integer types, facts about its parameters, comments about it.

pub mod comments;
pub mod complex;
pub mod data;
pub mod facts;
pub mod footprint;
pub mod integers;
pub mod lacking;
pub mod members;
pub mod overflow;
pub mod positions;
pub mod residency;
pub mod view;
