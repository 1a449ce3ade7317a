//! What the device's memory holds of each array, and what is transferred.
//!
//! `usage` is what the files here have in common. `arrays` decides on slices, `transfer_layout` on whether they are
//! transferred as slices, as `boxes` or as numbered elements, and `transfers` on where that happens, with the `parts`
//! of arrays that host code between kernels needs.

pub mod arrays;
pub mod boxes;
pub mod host_races;
pub mod parts;
pub mod transfer_layout;
pub mod transfers;
pub mod usage;
