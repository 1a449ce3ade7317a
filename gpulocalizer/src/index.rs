//! Index functions: where the elements of a buffer are in shared memory.
//!
//! `arrange` chooses between a bounding box, a dense numbering and a ring.

pub mod arrange;
pub mod bounding_box;
pub mod dense;
pub mod ring;
pub mod staged;
