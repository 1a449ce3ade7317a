//! The role of each variable in a region.

pub mod certain;
pub mod constants;
pub mod cxx_regions;
pub mod environment;
pub mod guards;
pub mod names;
pub mod products;
pub mod tracked;
