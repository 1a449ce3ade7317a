//! C and C++ themselves: libclang, our syntax tree, and facts about C that do not depend on a region.

pub mod assignments;
pub mod bits;
pub mod clang;
pub mod constant;
pub mod conversions;
pub mod ctree;
pub mod facts;
pub mod language;
pub mod library;
pub mod real_path;
pub mod source;
pub mod strict_aliasing;
