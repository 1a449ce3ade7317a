//! The profile of a program, as cudasim writes it (`cudasim/README.md`, section JSON).

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::figures::Transfers;

/// The version of the format that this reader knows.
const VERSION: u64 = 2;

/// What is wrong with a profile.
#[derive(Debug, Error)]
pub enum ProfileError {
    /// The text is not JSON, or lacks a field.
    #[error("{0}")]
    Format(#[from] serde_path_to_error::Error<serde_json::Error>),
    /// The text is something else.
    #[error("this is no profile of cudasim: `format` is not `cudasim-profile`")]
    Other,
    /// The profile was written by another version of cudasim.
    #[error("the profile has version {0}, not {VERSION}; write it again with the cudasim of this c2cuda")]
    Version(u64),
}

/// A profile.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Profile {
    /// The GPU whose caches were simulated.
    pub device: Device,
    /// The kernels, each with all its launches.
    pub kernels: Vec<Kernel>,
    /// Copies.
    pub copies: Copies,
}

/// The GPU whose caches were simulated.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Device {
    /// Its name in the target file.
    #[serde(default)]
    pub name: Option<String>,
    /// Its multiprocessors.
    pub multiprocessors: u64,
}

/// What a kernel did in all its launches.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Kernel {
    /// Its name in the source.
    pub name: String,
    /// The file of its first launch.
    pub file: String,
    /// The line of its first launch.
    pub line: u64,
    /// Its launches.
    pub launches: u64,
    /// The blocks of all launches.
    pub blocks: u64,
    /// Those of them that access memory.
    pub blocks_with_work: u64,
    /// The warps of all launches.
    pub warps: u64,
    /// The size of its blocks, in threads.
    pub block: [u64; 3],
    /// Dynamic shared memory of a block, in bytes.
    #[serde(default)]
    pub dynamic_shared_bytes: u64,
    /// Static shared memory of a block, in bytes, if cudasim knows it.
    #[serde(default)]
    pub static_shared_bytes: u64,
    /// The counts of all its lines together.
    #[serde(flatten)]
    pub counts: Counts,
    /// The counts of its lines.
    pub lines: Vec<Line>,
    /// Its loops.
    #[serde(default)]
    pub loops: Vec<Loop>,
    /// Whether some of its warps copy to shared memory while others compute. The order of lines shows this, but
    /// predicted lines have no order.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub copies_ahead: bool,
}

/// The loops of a kernel whose condition is on the same line.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
pub struct Loop {
    /// The file.
    pub file: String,
    /// The line of the condition.
    pub line: u64,
    /// How often warps came to the loops.
    pub entries: u64,
    /// The iterations that they made.
    pub iterations: u64,
    /// The factor by which the program asks to unroll them, if it does and that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unrolled: Option<u64>,
}

/// What the lanes of warps did at one source line.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Line {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u64,
    /// How often warps executed the line.
    pub executions: u64,
    /// All that warps did, as one number, and the part of it that the busiest warps did: those that do most between two
    /// barriers of their block. 0 if the profile does not say it.
    #[serde(default)]
    pub work: u64,
    /// See above.
    #[serde(default)]
    pub busiest_work: u64,
    /// The line of the condition of the loop around it, if no other loop is in that one; else 0.
    #[serde(default)]
    pub innermost_loop: u64,
    /// Those of its operations that wait, in that loop, for the iteration before; nothing if the profile does not say
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried: Option<Operations>,
    /// What warps computed.
    pub operations: Operations,
    /// What they did.
    #[serde(flatten)]
    pub counts: Counts,
}

/// Arithmetic of warps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub struct Operations {
    /// Sums and differences of single precision.
    pub fp32_sums: u64,
    /// Products of single precision.
    pub fp32_products: u64,
    /// Sums and differences of double precision.
    pub fp64_sums: u64,
    /// Products of double precision.
    pub fp64_products: u64,
    /// Divisions, square roots, and calls of library functions.
    pub library: u64,
    /// Operations on integers, as far as they are known beside those of each access and branch.
    #[serde(default)]
    pub integer: u64,
}

/// Counts of a kernel or a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub struct Counts {
    /// Global memory.
    pub global: ByKind<Traffic>,
    /// Asynchronous copies from global to shared memory.
    #[serde(default)]
    pub async_copies: AsyncCopies,
    /// Shared memory.
    pub shared: ByKind<BankUse>,
    /// Constant memory.
    pub constant: BankUse,
    /// Barriers of blocks.
    pub barriers: u64,
    /// Barriers of warps.
    pub warp_barriers: u64,
    /// Shuffles, votes and reductions of warps.
    pub exchanges: u64,
    /// Conditional jumps of warps.
    pub branches: u64,
    /// Those of them whose lanes parted; 0 in predictions.
    pub divergent_branches: u64,
    /// Bytes that were read from device memory.
    pub dram_read_bytes: u64,
    /// Bytes that were written to device memory.
    pub dram_written_bytes: u64,
}

/// Counts by kind of access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub struct ByKind<T> {
    /// Loads.
    pub loads: T,
    /// Stores.
    pub stores: T,
    /// Atomic operations.
    pub atomics: T,
}

/// Requests to global memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub struct Traffic {
    /// Accesses of warps.
    pub requests: u64,
    /// Sectors that went to the L2 cache.
    pub sectors: u64,
    /// Sectors that the accesses touch.
    pub touched_sectors: u64,
    /// Lines that the accesses touch.
    pub l1_wavefronts: u64,
    /// Distinct bytes of each request.
    pub bytes: u64,
    /// The bytes that one lane accesses, summed over the requests; 0 in predictions.
    #[serde(default)]
    pub width_bytes: u64,
}

/// Asynchronous copies: their loads from global memory and their stores to shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub struct AsyncCopies {
    /// The loads.
    #[serde(flatten)]
    pub traffic: Traffic,
    /// The wavefronts of the stores.
    pub shared_wavefronts: u64,
}

/// Requests to shared or constant memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub struct BankUse {
    /// Accesses of warps.
    pub requests: u64,
    /// Times that the banks were used one after the other.
    pub wavefronts: u64,
    /// The bytes that one lane accesses, summed over the requests; 0 in predictions.
    #[serde(default)]
    pub width_bytes: u64,
}

macro_rules! counted {
    ($name:ident: $($field:ident),+) => {
        impl std::ops::AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                $(self.$field += other.$field;)+
            }
        }
    };
}

counted!(Operations: fp32_sums, fp32_products, fp64_sums, fp64_products, library);
counted!(Traffic: requests, sectors, touched_sectors, l1_wavefronts, bytes, width_bytes);
counted!(AsyncCopies: traffic, shared_wavefronts);
counted!(BankUse: requests, wavefronts, width_bytes);
counted!(Counts: global, async_copies, shared, constant, barriers, warp_barriers, exchanges, branches,
    divergent_branches, dram_read_bytes, dram_written_bytes);

impl<T: std::ops::AddAssign> std::ops::AddAssign for ByKind<T> {
    fn add_assign(&mut self, other: Self) {
        self.loads += other.loads;
        self.stores += other.stores;
        self.atomics += other.atomics;
    }
}

impl std::iter::Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |mut sum, part| {
            sum += part;
            sum
        })
    }
}

impl Line {
    /// Adds what was done at the same line elsewhere.
    pub fn add(&mut self, other: &Self) {
        self.executions += other.executions;
        self.work += other.work;
        self.busiest_work += other.busiest_work;
        self.operations += other.operations;
        match (&mut self.carried, other.carried) {
            (Some(own), Some(others)) => *own += others,
            (own, others) => *own = own.or(others),
        }
        self.counts += other.counts;
    }
}

/// Copies by direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub struct Copies {
    /// From the host to the device.
    pub host_to_device: Transfers,
    /// From the device to the host.
    pub device_to_host: Transfers,
    /// Within device memory.
    pub device_to_device: Transfers,
    /// Fills of device memory.
    pub fill: Transfers,
}

/// What every version has.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    format: String,
    #[serde(default)]
    version: u64,
}

/// A profile as it is written.
#[derive(Serialize)]
struct Written<'a> {
    format: &'static str,
    version: u64,
    #[serde(flatten)]
    profile: &'a Profile,
}

/// Writes a profile, with the fields that [`read`] reads.
///
/// # Errors
/// Fails if a number is not finite, which none is.
pub fn write(profile: &Profile) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&Written { format: "cudasim-profile", version: VERSION, profile })
}

/// Reads a profile.
///
/// # Errors
/// Fails if the text is no profile of the version that cudasim writes today.
pub fn read(text: &str) -> Result<Profile, ProfileError> {
    let head: Head = parse(text)?;
    match (head.format.as_str(), head.version) {
        ("cudasim-profile", VERSION) => Ok(parse(text)?),
        ("cudasim-profile", version) => Err(ProfileError::Version(version)),
        _ => Err(ProfileError::Other),
    }
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, ProfileError> {
    Ok(serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_texts_are_refused_with_their_reason() {
        let cases = [
            (r#"{ "format": "cudasim-profile", "version": 1 }"#, "the profile has version 1, not 2"),
            (r#"{ "format": "scop" }"#, "this is no profile"),
            (r#"{ "format": "cudasim-profile", "version": 2 }"#, "missing field `device`"),
            ("{", "EOF"),
        ];
        for (text, expected) in cases {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
