//! What the languages have in common that are C++ with additions.

pub mod complex;
pub mod host;
pub mod kernel;
pub mod language;
pub mod prelude;
pub mod runtime;
pub mod source;
