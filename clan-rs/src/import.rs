//! From a C or C++ file to our syntax tree, by means of clang's syntax tree.
//!
//! `parse` reads the file and `importer` builds the tree; each other file determines one property that the tree
//! records.

pub mod attributes;
pub mod by_value;
pub mod claims;
pub mod constructors;
pub mod cxx;
pub mod endings;
pub mod evaluation;
pub mod harmless;
pub mod hidden;
pub mod importer;
pub mod in_headers;
pub mod literal;
pub mod members;
pub mod own_functions;
pub mod parse;
pub mod runtime_names;
pub mod simple;
pub mod streams;
pub mod threads;
pub mod types;
pub mod understood;
