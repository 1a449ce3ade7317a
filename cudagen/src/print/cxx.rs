//! What the languages have in common that are C++ with additions.

pub mod complex;
pub mod prelude;
