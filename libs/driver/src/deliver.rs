//! Delivers results to where the user wants them.

mod build_commands;
mod goal;

pub use goal::deliver;
