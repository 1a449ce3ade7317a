//! Arrays: their dimensions and lengths, and which of their elements exist.

pub mod arrays;
pub mod concurrent;
pub mod dead;
pub mod known_length;
pub mod linearised;
pub mod polynomial;
pub mod possible;
pub mod reference;
