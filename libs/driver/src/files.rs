//! Moves files to their destinations: all of them or none.

mod earlier;
mod file;
mod install;
mod staging;
mod whereabouts;

pub use file::File;
pub use install::{install, place};
pub use staging::new_folder;
pub use whereabouts::{is_same_file, is_same_place};
