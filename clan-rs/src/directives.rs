//! Directives of the source: region marks, c2cuda's own claims, and other compilers' pragmas before loops.
//! `regions/marked.rs` decides where each of them is allowed.

pub mod c2cuda;
pub mod clauses;
pub mod data;
pub mod directive;
pub mod effects;
pub mod leading;
pub mod marks;
