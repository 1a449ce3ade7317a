//! Statements and expressions inside one function, on the host or on the device.

pub mod body;
pub mod element;
pub mod frame;
pub mod functions;
pub mod instance;
pub mod number;
pub mod partial;
pub mod stmt;
pub mod undefined;
