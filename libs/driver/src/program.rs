//! The generated program: where it runs, how it is built, and how it replaces the driver's process.

mod build;
mod machine;
mod run;
mod wrong_code;

pub use build::{build, introduce};
pub use machine::{Place, choose};
pub use run::run;
