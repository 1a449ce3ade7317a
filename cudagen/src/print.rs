//! Printers of the programs, one for each language.

pub mod cuda;
pub mod cxx;
pub mod hip;
pub mod layout;
pub mod target;
