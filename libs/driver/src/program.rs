//! The generated program: how it is built, where it runs, and how it takes the driver's place.

mod build;
mod machine;
mod part;
mod run;
mod wrong_code;

pub use build::{build, introduce};
pub use machine::{Place, choose};
pub use part::{Part, libraries, linker_words};
pub use run::run;

/// nvcc would fuse multiplications and additions by itself, which rounds otherwise than C.
pub const NVCC_FLAGS: [&str; 3] = ["-O2", "-arch=native", "-fmad=false"];

/// With these --run compiles the host part.
pub const BUILD_FLAGS: [&str; 2] = ["-O2", "-ffp-contract=off"];
