//! Programs as text.

pub mod cxx;
pub mod layout;
