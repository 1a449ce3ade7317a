//! What the whole-chain tests need: the driver and the tools as processes, folders that go away, and expected
//! outputs that one command renews.
//!
//! The tests start `scripts/c2cuda` as a user does. The tools are those of `target/release`, or of the folder that
//! `C2CUDA_BIN` names; `scripts/test` builds them first.

// A helper of tests fails as tests do.
#![allow(clippy::expect_used, clippy::panic)]

mod command;
mod golden;
mod scratch;

use std::path::PathBuf;

pub use command::{Call, Outcome, driver, find_nvcc, gcc, gxx, kill, tool, tools_folder};
pub use golden::Golden;
pub use scratch::{Scratch, names_in};

/// The checkout.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the checkout is there")
}
