//! Index functions: where the elements of a buffer are in shared memory.
//!
//! `arrange` chooses for a group of references (`staged`) between a box (`bounding_box`), a dense numbering (`dense`)
//! and a ring (`ring`).

pub mod arrange;
pub mod bounding_box;
pub mod dense;
pub mod ring;
pub mod staged;
