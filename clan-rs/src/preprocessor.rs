//! The results of the preprocessor and of the user's compiler, where clang's would differ.

pub mod compiler;
pub mod conditionals;
pub mod gcc;
pub mod listed;
pub mod macros;
pub mod marker;
pub mod optimised;
pub mod predefined;
pub mod reached;
pub mod reserved;
