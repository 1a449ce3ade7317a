//! The printer for languages that extend C++: the parts that they share.

pub mod complex;
pub mod host;
pub mod kernel;
pub mod language;
pub mod prelude;
pub mod runtime;
pub mod source;
