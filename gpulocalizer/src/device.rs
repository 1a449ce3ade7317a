//! Which elements of each array are in the device's memory, and what is transferred.
//!
//! All files here use `usage`. `arrays` decides on slices. `transfer_layout` decides whether they are transferred as
//! slices, as `boxes` or as numbered elements, and `transfers` decides where, with the `parts` of arrays that host
//! code between kernels needs.

pub mod arrays;
pub mod boxes;
pub mod host_races;
pub mod parts;
pub mod transfer_layout;
pub mod transfers;
pub mod usage;
