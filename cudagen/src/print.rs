//! Programs as text, in each of the languages.

pub mod cuda;
pub mod cxx;
pub mod hip;
pub mod layout;
pub mod target;
