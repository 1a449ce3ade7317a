//! What the command line may say, checked.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use scop::{Diagnostic, Diagnostics};
use serde::Deserialize;
use tool::Io;

/// Decides what is on the device and in which memory each kernel finds it; adds copies and barriers to the schedule.
#[derive(Debug, Parser)]
#[command(version, after_help = tool::EXPLAIN_HELP)]
pub struct CommandLine {
    #[command(flatten)]
    io: Io,

    /// What the GPU has, as a file of the folder `targets` describes it [default: limits that every CUDA GPU meets].
    #[arg(long, value_name = "FILE")]
    target: Option<PathBuf>,

    /// The shared memory that a block may use, in bytes [default: the target's].
    #[arg(long, value_name = "BYTES")]
    shared_memory: Option<u64>,

    /// Which fast memories to use.
    #[arg(long, value_enum, default_value_t = Memories::All)]
    memories: Memories,

    /// How arrays get to the device and back.
    #[arg(long, value_enum, default_value_t = Transfer::Auto)]
    transfer: Transfer,
}

/// How arrays are transferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Transfer {
    /// Numbered elements where that is possible: those that kernels use, one behind the other (needs libbarvinok).
    Linearized,
    /// Slices of the outermost dimension, as they are in memory.
    PerArray,
    /// Numbered elements where that moves much less and positions are easy to compute, else slices.
    Auto,
}

/// Which memories besides global memory are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Memories {
    /// Shared memory, and registers where an element belongs to one thread.
    All,
    /// Registers alone.
    Private,
}

/// What a GPU has.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// The static shared memory of a block, in bytes.
    pub shared_memory_per_block: u64,
}

/// The checked options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The shared memory that a block may use, in bytes.
    pub shared_memory: u64,
    /// Which memories are used.
    pub memories: Memories,
    /// How arrays are transferred.
    pub transfer: Transfer,
}

/// Static shared memory of a block on every CUDA GPU since 2010.
const COMMON_SHARED_MEMORY: u64 = 48 * 1024;

impl Default for Options {
    fn default() -> Self {
        Self { shared_memory: COMMON_SHARED_MEMORY, memories: Memories::All, transfer: Transfer::Auto }
    }
}

impl CommandLine {
    /// Splits the command line into where to read and write, and what to do; reads the target file.
    pub fn into_options(self) -> (Io, Result<Options, Diagnostics>) {
        let options = self.options();
        (self.io, options)
    }

    fn options(&self) -> Result<Options, Diagnostics> {
        let from_target = match &self.target {
            Some(path) => read_target(path)?.shared_memory_per_block,
            None => COMMON_SHARED_MEMORY,
        };
        let shared_memory = self.shared_memory.unwrap_or(from_target);
        Ok(Options { shared_memory, memories: self.memories, transfer: self.transfer })
    }
}

fn read_target(path: &PathBuf) -> Result<Target, Diagnostics> {
    let fail = |message: String| {
        Diagnostic::error("E0401", format!("the target file `{}` {message}", path.display()))
            .with_help("see the files in the folder `targets`")
    };
    let text = std::fs::read_to_string(path).map_err(|error| fail(format!("cannot be read: {error}")))?;
    Ok(serde_json::from_str(&text).map_err(|error| fail(format!("is wrong: {error}")))?)
}
