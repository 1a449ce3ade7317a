//! What the attribution reads of a profile of cudasim; `cudasim/README.md` describes the fields.

use serde::Deserialize;
use thiserror::Error;

/// The version of the profile that has what is needed here.
const VERSION: u64 = 2;

/// A profile: its kernels.
#[derive(Clone, Debug, Deserialize)]
pub struct Profile {
    /// The kernels that ran.
    #[serde(default)]
    pub kernels: Vec<Kernel>,
}

/// A kernel: the sums of its launches.
#[derive(Clone, Debug, Deserialize)]
pub struct Kernel {
    /// The name without namespaces and parameters, with template arguments.
    pub name: String,
    /// Blocks of all launches.
    pub blocks: u64,
    /// Warps of all launches.
    pub warps: u64,
    /// The launches.
    pub launches: u64,
    /// Divergent branches of all lines.
    pub divergent_branches: u64,
    /// The source lines that were executed.
    pub lines: Vec<Line>,
    /// The loops that were entered.
    #[serde(default)]
    pub loops: Vec<Loop>,
}

/// The loops whose condition is on the same line.
#[derive(Clone, Debug, Deserialize)]
pub struct Loop {
    /// The file, as that of a line.
    pub file: String,
    /// The line.
    pub line: u32,
    /// How often warps, or their parts, came to the loops.
    pub entries: u64,
    /// How many iterations they made.
    pub iterations: u64,
}

/// What warps did on a source line.
#[derive(Clone, Debug, Deserialize)]
pub struct Line {
    /// The file, relative to where the program ran if it lies below.
    pub file: String,
    /// The line, from 1 on; 0 if unknown.
    pub line: u32,
    /// How often warps came to the line.
    pub executions: u64,
    /// What they computed.
    pub operations: Operations,
    /// Accesses to global memory.
    pub global: Kinds,
    /// Accesses to shared memory.
    pub shared: Kinds,
    /// Asynchronous copies.
    #[serde(default)]
    pub async_copies: Requests,
    /// Barriers of blocks.
    pub barriers: u64,
    /// Shuffles, votes and reductions of warps.
    pub exchanges: u64,
    /// Branches whose lanes parted.
    pub divergent_branches: u64,
}

/// Operations of warps.
#[derive(Clone, Debug, Deserialize)]
pub struct Operations {
    /// Sums and differences of 32 bits.
    pub fp32_sums: u64,
    /// Products of 32 bits.
    pub fp32_products: u64,
    /// Sums and differences of 64 bits.
    pub fp64_sums: u64,
    /// Products of 64 bits.
    pub fp64_products: u64,
    /// What a GPU executes in several instructions.
    pub library: u64,
}

/// Accesses by their kind.
#[derive(Clone, Debug, Deserialize)]
pub struct Kinds {
    /// Reads.
    pub loads: Requests,
    /// Writes.
    pub stores: Requests,
    /// Atomic operations.
    pub atomics: Requests,
}

/// Requests of warps.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct Requests {
    /// How many.
    pub requests: u64,
    /// The bytes that one lane accesses, summed over the requests.
    #[serde(default)]
    pub width_bytes: u64,
}

/// Why a profile cannot be used.
#[derive(Debug, Error)]
pub enum ProfileError {
    /// Not the shape of a profile.
    #[error("this is no profile of cudasim: {0}")]
    Shape(#[from] serde_path_to_error::Error<serde_json::Error>),
    /// Another format.
    #[error("this is no profile of cudasim: its format is '{0}'")]
    Format(String),
    /// Another version.
    #[error("the profile has version {0}, not {VERSION}: run the program again with this version of cudasim")]
    Version(u64),
}

impl Profile {
    /// Reads a profile.
    ///
    /// # Errors
    /// If the text is no profile of this version.
    pub fn parse(text: &str) -> Result<Profile, ProfileError> {
        let head: Head = serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text))?;
        if head.format != "cudasim-profile" {
            return Err(ProfileError::Format(head.format));
        }
        if head.version != VERSION {
            return Err(ProfileError::Version(head.version));
        }
        Ok(serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text))?)
    }
}

/// What all versions have.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u64,
}
