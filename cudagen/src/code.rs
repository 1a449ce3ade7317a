//! Statements and expressions inside one function, of either side.

pub mod body;
pub mod frame;
