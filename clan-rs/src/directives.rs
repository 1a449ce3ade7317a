//! Directives of the source: marks of regions, claims of c2cuda's own, and pragmas of others before loops. Which may
//! stand where is decided in `regions/marked.rs`.

pub mod c2cuda;
pub mod directive;
pub mod leading;
pub mod marks;
