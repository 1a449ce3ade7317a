//! How results come to where the user wants them.

mod goal;
mod report;

pub use goal::deliver;
