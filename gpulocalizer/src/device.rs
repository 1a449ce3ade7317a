//! Which elements the device's memory holds, and which of them cross the bus.

pub mod arrays;
pub mod boxes;
pub mod host_races;
pub mod parts;
pub mod transfer_layout;
pub mod usage;
