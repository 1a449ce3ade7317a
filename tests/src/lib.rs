//! Helpers for the whole-chain tests: the driver and the tools as processes, temporary folders, and expected outputs
//! that one command updates.
//!
//! The tests start `scripts/c2cuda` as a user does. The tools are those of `target/release`, or of the folder that
//! `C2CUDA_BIN` names; `scripts/test` builds them first.

// Test helpers fail by panicking, as tests do.
#![allow(clippy::expect_used, clippy::panic)]

mod command;
mod golden;
mod scratch;

use std::path::PathBuf;

pub use command::{Call, Outcome, driver, driver_by_price, find_nvcc, gcc, gxx, kill, tool, tools_folder};
pub use golden::Golden;
pub use scratch::{Scratch, names_in};

/// Returns the folder of the checkout.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the checkout is there")
}
