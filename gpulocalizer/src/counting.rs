//! Counting integer points with libbarvinok, and numberings of elements made of such counts.

pub mod library;
pub mod numbering;
pub mod numbering_proof;
