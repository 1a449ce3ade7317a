//! The results that wishes ask for.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Axis;

/// The result that a wish asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// Tile sizes along the tiled loops, outermost parallel loop first; the last size is repeated. For one loop
    /// of the source, a single size.
    TileSizes(Vec<u32>),
    /// Numbers of threads of a block along the parallel loops; the last number is repeated.
    BlockSizes(Vec<u32>),
    /// The number of iterations of a thread's innermost loops, or of one loop of the source, that become one; 1
    /// forbids unrolling.
    Unroll(u32),
    /// The axis of each parallel loop; warps run along x.
    Axes(Vec<Axis>),
    /// The number of threads that share a sum: 1 or those of a warp.
    SumThreads(u32),
    /// The number of threads for each one that computes: the others only copy what it reads into shared memory.
    LoadThreads(u32),
    /// Whether threads that only copy do so while the others compute with the tile before.
    LoadAhead(Demand),
    /// The algorithm that orders the statement instances.
    Algorithm(AlgorithmKind),
    /// Which statements share loops.
    Fusion(FusionKind),
    /// Permission to do the updates of sums in another order, although it may round differently.
    Reassociate,
    /// Whether old values of an array are read from a copy.
    OldValues(Demand),
    /// Whether arrays take turns instead of being copied.
    Turns(Demand),
    /// Whether values of a temporary go to the element of an array that they become.
    InPlace(Demand),
    /// Whether the updates of a sum go to partial sums.
    PartialSums(Demand),
    /// Which blocks a launch starts, and how they find their tiles.
    Grid(GridKind),
    /// Where a region runs.
    Offload(Offload),
    /// The layout of buffers in shared memory.
    Layout(LayoutKind),
    /// The memory from which kernels use an array.
    Memory(MemoryKind),
    /// A memory from which kernels must not use the array.
    Avoid(MemoryKind),
    /// The largest amount of shared memory that a block may have, in bytes.
    SharedMemory(u64),
    /// The way in which arrays are transferred to the device and back.
    Transfer(TransferKind),
    /// Whether arrays stay on the device between regions.
    Resident(Demand),
    /// Whether each run of a region copies arrays to the device.
    CopyIn(Demand),
    /// Whether each run of a region copies arrays back.
    CopyOut(Demand),
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TileSizes(sizes) => write!(f, "tiles of {}", listed(sizes)),
            Self::BlockSizes(sizes) => write!(f, "blocks of {}", listed(sizes)),
            Self::Unroll(factor) => write!(f, "unrolling by {factor}"),
            Self::Axes(axes) => write!(f, "the axes {}", listed(axes)),
            Self::SumThreads(1) => f.write_str("sums of one thread each"),
            Self::SumThreads(threads) => write!(f, "sums shared by {threads} threads"),
            Self::LoadThreads(1) => f.write_str("no threads that only load"),
            Self::LoadThreads(threads) => write!(f, "{threads} threads to load for each one that computes"),
            Self::LoadAhead(demand) => write!(f, "{}loads one tile ahead", demand.article("")),
            Self::Algorithm(algorithm) => write!(f, "the algorithm {algorithm}"),
            Self::Fusion(fusion) => write!(f, "fusion of {fusion}"),
            Self::Reassociate => f.write_str("permission for another order of sums"),
            Self::OldValues(demand) => write!(f, "{}copy of old values", demand.article("a ")),
            Self::Turns(demand) => write!(f, "{}turns", demand.article("")),
            Self::InPlace(demand) => write!(f, "{}temporary in place", demand.article("a ")),
            Self::PartialSums(demand) => write!(f, "{}partial sums", demand.article("")),
            Self::Grid(grid) => write!(f, "a grid that is {grid}"),
            Self::Offload(offload) => offload.fmt(f),
            Self::Layout(layout) => write!(f, "the layout {}", spelled(layout)),
            Self::Memory(memory) => write!(f, "{memory} memory"),
            Self::Avoid(memory) => write!(f, "no {memory} memory"),
            Self::SharedMemory(bytes) => write!(f, "{bytes} bytes of shared memory at most"),
            Self::Transfer(transfer) => write!(f, "the transfer {}", spelled(transfer)),
            Self::Resident(demand) => write!(f, "{}residency", demand.article("")),
            Self::CopyIn(demand) => write!(f, "{}copy to the device", demand.article("a ")),
            Self::CopyOut(demand) => write!(f, "{}copy back", demand.article("a ")),
        }
    }
}

/// The algorithm that orders the statement instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AlgorithmKind {
    /// isl's scheduler, or another algorithm whose order costs less.
    Isl,
    /// isl's scheduler, with parallel loops outermost.
    #[serde(alias = "isl-outer")]
    IslOuter,
    /// isl's scheduler, with only those statements in common loops that depend on each other in a cycle.
    #[serde(alias = "isl-apart")]
    IslApart,
    /// isl's scheduler, with the deepest permutable bands.
    #[serde(alias = "isl-deep")]
    IslDeep,
    /// The order of the source, with nests made perfect.
    Perfect,
    /// The order of the source, with nests split into levels of independent iterations.
    Levels,
    /// isl's order or that of the source, with sequential loops blocked: the iterations of a block are divided among
    /// the tiles that they write.
    Blocked,
    /// The order of the source, tiled and parallelised where the dependences allow it.
    Source,
}

impl AlgorithmKind {
    /// The algorithms that do not choose among others.
    pub const DEFINITE: [Self; 7] = [
        Self::IslOuter,
        Self::IslApart,
        Self::IslDeep,
        Self::Perfect,
        Self::Levels,
        Self::Blocked,
        Self::Source,
    ];

    /// True if the algorithm starts from the order of the source.
    pub fn keeps_source(self) -> bool {
        matches!(self, Self::Perfect | Self::Levels | Self::Source)
    }
}

impl fmt::Display for AlgorithmKind {
    /// As on the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&spelled(self).replace('_', "-"))
    }
}

/// Which statements share loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FusionKind {
    /// All statements that may share loops without loss of parallelism.
    Most,
    /// Only statements that depend on each other in a cycle.
    Cycles,
}

impl fmt::Display for FusionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&spelled(self))
    }
}

/// Which blocks a launch starts, and how they find their tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GridKind {
    /// A box in the coordinates of the tiles.
    Box,
    /// A box in other coordinates: a sum or difference of two in the place of one.
    Sheared,
    /// The blocks that have work, numbered from zero.
    Ranked,
}

impl fmt::Display for GridKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Box => "a box",
            Self::Sheared => "sheared",
            Self::Ranked => "ranked",
        })
    }
}

/// Where a region runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Offload {
    /// On the device, whatever its sizes are.
    Always,
    /// On the host.
    Never,
    /// On the device, unless each of these parameters has at most its value.
    Above(BTreeMap<String, i64>),
}

impl fmt::Display for Offload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Always => f.write_str("a run on the device for all sizes"),
            Self::Never => f.write_str("a run on the host"),
            Self::Above(sizes) => {
                let sizes: Vec<String> =
                    sizes.iter().map(|(name, size)| format!("{name} = {size}")).collect();
                write!(f, "a run on the device above {}", sizes.join(", "))
            }
        }
    }
}

/// The layout of a buffer in shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LayoutKind {
    /// The bounding box of what a tile uses.
    Box,
    /// Without gaps.
    Dense,
    /// A box whose indices wrap around, so that elements reused in the next step of a tile loop keep their
    /// place.
    Ring,
}

/// A memory of the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    /// Registers, or local memory of a thread.
    Private,
    /// Shared memory of a block.
    Shared,
    /// Constant memory, including kernel arguments.
    Constant,
    /// Global memory, without a buffer.
    Global,
}

impl fmt::Display for MemoryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&spelled(self))
    }
}

/// The way in which an array is transferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TransferKind {
    /// The elements that kernels use, one after the other.
    Linearized,
    /// Slices or boxes, as they are in memory.
    PerArray,
}

/// Whether something is to happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Demand {
    /// It must happen.
    Always,
    /// It must not happen.
    Never,
}

impl Demand {
    fn article(self, otherwise: &'static str) -> &'static str {
        if self == Self::Never { "no " } else { otherwise }
    }
}

/// Returns sizes or axes in the form of the command line.
pub fn listed(values: &[impl ToString]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// Returns the name of an enum case in the document.
pub fn spelled(case: &impl Serialize) -> String {
    match serde_json::to_value(case) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}
