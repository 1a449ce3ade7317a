//! The header and the C source that calls the generated functions.

pub mod called;
pub mod header;
pub mod line_directives;
pub mod poison;
pub mod rewrite;
pub mod tokens;
