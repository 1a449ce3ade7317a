//! The results of the tool for small C files: golden summaries of what it accepts, and the codes of what it refuses.

// A test that cannot continue has failed.
#![allow(clippy::unwrap_used)]

mod accepted;
mod aliases;
mod attributes;
mod autoscop;
mod between;
mod constants;
mod constants_cxx;
mod deleted;
mod directives;
mod effects;
mod host;
mod last_values;
mod leading;
mod memory;
mod objects;
mod refused;
mod refused_cxx;
mod summary;
mod threads;

use clan_rs::Options;
use scop::{Diagnostics, Extracted, Outcome, Program};

fn extract(name: &str, text: &str) -> Result<Outcome<Program<Extracted>>, Diagnostics> {
    clan_rs::run_on(&Options::for_file(name), text.as_bytes().to_vec())
}
