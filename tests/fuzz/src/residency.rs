//! Programs of the second kind: whole programs, whose arrays may stay on the device from one region to the next,
//! whatever function the regions are in. `residency/program.rs` says what such a program is.

mod draw;
mod print;
mod program;
mod shrink;
mod valid;
mod visit;

pub use draw::draw;
pub use print::text;
pub use program::Program;
pub use shrink::shrink;
