//! The C source that calls the generated functions, and their prototypes.

pub mod called;
pub mod header;
pub mod line_directives;
pub mod poison;
pub mod rewrite;
pub mod tokens;
