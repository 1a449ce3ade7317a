//! The C source that calls the generated functions, and their prototypes.

pub mod functions;
pub mod header;
pub mod line_directives;
pub mod rewrite;
pub mod tokens;
