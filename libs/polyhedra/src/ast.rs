//! AST generation.
