//! Delivers results to where the user wants them.

mod build_commands;
mod goal;
mod report;

pub use goal::deliver;
