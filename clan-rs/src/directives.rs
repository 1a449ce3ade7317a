//! Directives of the source, one file for each dialect.

pub mod leading;
