//! What the preprocessor and the user's compiler say, where clang would say something else.

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
