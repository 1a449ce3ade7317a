//! The header and the C source that calls the generated functions.

pub mod additions;
pub mod called;
pub mod edits;
pub mod header;
pub mod line_directives;
pub mod poison;
pub mod rewrite;
pub mod text;
pub mod tokens;
