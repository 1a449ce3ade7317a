//! Statements and expressions inside one function, of either side.

pub mod body;
pub mod element;
pub mod frame;
pub mod functions;
pub mod instance;
pub mod stmt;
pub mod undefined;
