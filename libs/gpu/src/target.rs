//! The description of a GPU. `targets/README.md` says what each field means, and where the numbers come from.
//!
//! [`Target`] has what decides how a program is translated; a file needs little for that. The time model also needs
//! [`Rates`], all of them: a missing rate has no sensible default.

mod caches;
mod error;
mod rates;

use serde::Deserialize;

pub use caches::Caches;
pub use error::TargetError;
pub use rates::{Executes, Rates};

/// The threads of a warp.
pub const WARP: u64 = 32;

/// The bytes of a sector, the smallest piece of memory that caches move.
pub const SECTOR_BYTES: u64 = 32;

/// Shared memory that a block may use on every CUDA GPU since compute capability 2.0, in bytes.
pub const COMMON_SHARED_MEMORY: u64 = 48 * 1024;

/// What a program must keep to on a GPU.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Target {
    /// The GPU's name.
    pub name: String,
    /// The largest static shared memory of a block, in bytes.
    pub shared_memory_per_block: u64,
    /// The limits of a multiprocessor.
    #[serde(flatten)]
    pub multiprocessor: Multiprocessor,
    /// The largest shared memory of a block if its kernel asks for more, in bytes.
    #[serde(default)]
    pub shared_memory_per_block_optin: Option<u64>,
    /// The largest size of a kernel's arguments, in bytes.
    #[serde(default = "common_argument_bytes")]
    pub kernel_argument_bytes: u64,
}

impl Target {
    /// Returns the largest shared memory of a block, in bytes.
    pub fn shared_memory(&self) -> u64 {
        self.shared_memory_per_block_optin.unwrap_or(self.shared_memory_per_block)
    }
}

/// The resources that the blocks on one multiprocessor share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Multiprocessor {
    /// The largest number of threads.
    #[serde(rename = "threads_per_multiprocessor", default = "common_threads")]
    pub threads: u64,
    /// The largest number of blocks.
    #[serde(rename = "blocks_per_multiprocessor", default = "common_blocks")]
    pub blocks: u64,
    /// Shared memory, in bytes.
    #[serde(rename = "shared_memory_per_multiprocessor", default = "common_shared_memory")]
    pub shared_memory: u64,
    /// Shared memory that the system takes for each block, in bytes.
    #[serde(rename = "reserved_shared_memory_per_block", default)]
    pub reserved_shared_memory: u64,
    /// Registers of 4 bytes.
    #[serde(rename = "registers_per_multiprocessor", default = "common_registers")]
    pub registers: u64,
    /// Registers are given to a warp in multiples of this number.
    #[serde(rename = "register_allocation_unit", default = "common_register_unit")]
    pub register_unit: u64,
}

impl Default for Multiprocessor {
    fn default() -> Self {
        Self {
            threads: common_threads(),
            blocks: common_blocks(),
            shared_memory: common_shared_memory(),
            reserved_shared_memory: 0,
            registers: common_registers(),
            register_unit: common_register_unit(),
        }
    }
}

/// Returns the threads of a multiprocessor on every CUDA GPU since compute capability 2.0.
fn common_threads() -> u64 {
    1024
}

/// Returns the blocks of a multiprocessor; see [`common_threads`].
fn common_blocks() -> u64 {
    8
}

/// Returns the shared memory of a multiprocessor; see [`common_threads`].
fn common_shared_memory() -> u64 {
    COMMON_SHARED_MEMORY
}

/// Returns the registers of a multiprocessor; see [`common_threads`].
fn common_registers() -> u64 {
    32768
}

/// Returns the unit in which a warp gets registers on every GPU since compute capability 3.0.
fn common_register_unit() -> u64 {
    256
}

/// Returns the bytes of a kernel's arguments; see [`common_threads`].
pub fn common_argument_bytes() -> u64 {
    4096
}

/// A GPU that the time model can price: its limits and its rates.
#[derive(Debug, Clone, PartialEq)]
pub struct Gpu {
    /// What a program must keep to.
    pub target: Target,
    /// How fast it is.
    pub rates: Rates,
    /// Its caches.
    pub caches: Caches,
}

/// Reads what decides how a program is translated.
///
/// # Errors
/// Fails if the text is not a JSON object with the fields of a target.
pub fn read_target(text: &str) -> Result<Target, TargetError> {
    Ok(serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text))?)
}

/// Reads all that the time model needs.
///
/// # Errors
/// Fails as [`read_target`] does, and if a rate is missing or not positive.
pub fn read_gpu(text: &str) -> Result<Gpu, TargetError> {
    let target = read_target(text)?;
    let rates: Rates = serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text))?;
    rates.check()?;
    for (name, limit) in [
        ("threads_per_multiprocessor", target.multiprocessor.threads),
        ("blocks_per_multiprocessor", target.multiprocessor.blocks),
        ("register_allocation_unit", target.multiprocessor.register_unit),
    ] {
        if limit == 0 {
            return Err(TargetError::NotPositive(name));
        }
    }
    let caches = serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text))?;
    Ok(Gpu { target, rates, caches })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_needs_little() {
        let target = read_target(r#"{ "name": "small", "shared_memory_per_block": 1024 }"#).unwrap();
        assert_eq!(target.multiprocessor, Multiprocessor::default());
        assert_eq!((target.shared_memory(), target.kernel_argument_bytes), (1024, 4096));
        let message = read_target(r#"{ "name": "small" }"#).unwrap_err().to_string();
        assert!(message.contains("shared_memory_per_block"), "{message}");
    }

    #[test]
    fn every_rate_is_needed_and_positive() {
        let h100 = include_str!("../../../targets/h100.json");
        assert_eq!(read_gpu(h100).unwrap().rates.multiprocessors, 132);
        let message = read_gpu(&h100.replace("rate_fp64", "rate_fp65")).unwrap_err().to_string();
        assert!(message.contains("missing field `rate_fp64`"), "{message}");
        let message = read_gpu(&h100.replace("1980", "0")).unwrap_err().to_string();
        assert_eq!(message, "`clock_mhz` must be a positive number");
        let message = read_gpu(&h100.replace("2.5", "-2.5")).unwrap_err().to_string();
        assert_eq!(message, "`launch_microseconds` must be a number, at least 0");
    }

    #[test]
    fn the_targets_can_be_priced() {
        for text in [
            include_str!("../../../targets/t4.json"),
            include_str!("../../../targets/a100.json"),
            include_str!("../../../targets/h100.json"),
            include_str!("../../../targets/h200.json"),
            include_str!("../../../targets/volta-scaled.json"),
            include_str!("../../../targets/volta-scaled-1.json"),
            include_str!("../../../targets/volta-scaled-20.json"),
        ] {
            let gpu = read_gpu(text).unwrap();
            let rates = gpu.rates;
            // What is further away is slower and narrower.
            assert!(rates.latency_l1 < rates.latency_l2 && rates.latency_l2 < rates.latency_dram);
            assert!(rates.dram_bytes_per_clock() < rates.l2_bytes_per_clock, "{}", gpu.target.name);
        }
    }
}
