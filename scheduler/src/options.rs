//! What the command line may say, checked.

use clap::{Parser, ValueEnum};
use scop::{Diagnostic, Diagnostics};
use tool::{Io, OutputFormat};

/// Transforms a scop for the GPU: finds a schedule, tiles it, and maps it to kernels, blocks and threads.
#[derive(Debug, Parser)]
#[command(version, after_help = tool::EXPLAIN_HELP)]
pub struct CommandLine {
    #[command(flatten)]
    io: Io,

    #[command(flatten)]
    format: OutputFormat,

    /// Does one of the two passes alone.
    #[arg(long, value_enum, value_name = "PASS")]
    only: Option<Part>,

    /// How the order of the statement instances is found.
    #[arg(long, value_enum, default_value_t = Algorithm::Isl)]
    algorithm: Algorithm,

    /// Which statements share loops, if isl finds the order.
    #[arg(long, value_enum, default_value_t = Fusion::Most)]
    fusion: Fusion,

    /// Tile sizes of every tiled band: those of its parallel loops, outermost first, then those of its sequential loops.
    /// The last is repeated for further loops.
    #[arg(long, value_name = "N,N,...", value_delimiter = ',')]
    tile_sizes: Vec<u32>,

    /// Threads of a block along the parallel loops of a tiled band, outermost first; each must divide the tile size,
    /// which is the default. Sizes that cannot be had are refused.
    #[arg(long, value_name = "N,N,...", value_delimiter = ',')]
    block_sizes: Vec<u32>,
}

/// A pass alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Finds the order of the statement instances (`schedule`).
    Order,
    /// Ties the loops of the order that the document has to blocks and threads (`mapping`).
    Map,
}

/// Where the order of the statement instances comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Algorithm {
    /// isl's Pluto-like integer linear programming: parallel loops outermost.
    Isl,
    /// The order of the source, tiled and parallelised where that is allowed as it stands.
    Source,
}

/// Which statements share loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Fusion {
    /// Those that may without losing parallelism.
    Most,
    /// Those alone that depend on each other in a cycle.
    Cycles,
}

/// The checked options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Where the order comes from.
    pub algorithm: Algorithm,
    /// Which statements share loops.
    pub fusion: Fusion,
    /// Forced tile sizes, or none.
    pub tile_sizes: Vec<u32>,
    /// Forced block sizes, or none.
    pub block_sizes: Vec<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Isl,
            fusion: Fusion::Most,
            tile_sizes: Vec::new(),
            block_sizes: Vec::new(),
        }
    }
}

/// The number of threads that a block may have on every GPU of the last ten years.
pub const MAX_THREADS: u64 = 1024;

impl CommandLine {
    /// How the result is written.
    pub fn format(&self) -> OutputFormat {
        self.format
    }

    /// The pass that is asked for, if not both are.
    pub fn only(&self) -> Option<Part> {
        self.only
    }

    /// Splits the command line into where to read and write, and what to do.
    pub fn into_options(self) -> (Io, Result<Options, Diagnostics>) {
        let options = Options {
            algorithm: self.algorithm,
            fusion: self.fusion,
            tile_sizes: self.tile_sizes,
            block_sizes: self.block_sizes,
        };
        (self.io, check(options))
    }
}

fn check(options: Options) -> Result<Options, Diagnostics> {
    if options.tile_sizes.contains(&0) || options.block_sizes.contains(&0) {
        return Err(Diagnostic::error("E0301", "a tile or block size of 0 was asked for")
            .with_help("sizes are positive numbers, as in `--tile-sizes 32,16`")
            .into());
    }
    if options.block_sizes.iter().map(|&size| u64::from(size)).product::<u64>() > MAX_THREADS {
        return Err(Diagnostic::error("E0302", "the block sizes ask for more than 1024 threads in a block")
            .with_help("the product of the sizes after `--block-sizes` may be 1024 at most")
            .into());
    }
    Ok(options)
}
