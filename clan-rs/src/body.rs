//! Straight-line code as statements: steps, accesses, and the functions that they call.
//!
//! `translator` is shared by the files here; each adds the translation of one kind of code to it.

pub mod accesses;
pub mod effects;
pub mod flags;
pub mod function_table;
pub mod functions;
pub mod indirect;
pub mod nested;
pub mod own_arrays;
pub mod refusals;
pub mod site;
pub mod steps;
pub mod translator;
pub mod values;
