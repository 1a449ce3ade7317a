//! Directives of the source, one file for each dialect.

pub mod c2cuda;
pub mod directive;
pub mod leading;
pub mod marks;
