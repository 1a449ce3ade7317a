//! What is known of a region: its data, its integers, what holds of its parameters, the words for it.

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
