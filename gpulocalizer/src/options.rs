//! The command line, and the options that are made of it.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use gpu::target::{COMMON_SHARED_MEMORY, Multiprocessor, Target, common_argument_bytes, read_target};
use scop::wish::{MemoryKind, Target as For};
use scop::{Diagnostics, Wanted, Wish};
use tool::{Io, PlacementWishes};

/// The name of the tool.
pub const NAME: &str = "gpulocalizer";

/// Decides which data is on the device and in which memory kernels access it; adds copies, transfers and barriers.
#[derive(Debug, Parser)]
#[command(version, after_help = tool::EXPLAIN_HELP)]
pub struct CommandLine {
    #[command(flatten)]
    io: Io,

    /// A description of the GPU, as in the folder `targets` [default: limits that every CUDA GPU meets].
    #[arg(long, value_name = "FILE")]
    target: Option<PathBuf>,

    /// The wishes for the placement.
    #[command(flatten)]
    wishes: PlacementWishes,

    /// Which fast memories to use
    #[arg(long, value_enum, default_value_t = Memories::All)]
    memories: Memories,

    /// Print what is placed where, and why, instead of the document.
    #[arg(long, value_enum, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    report: Option<ReportFormat>,

    /// Whether arrays may be resident on the device from one region to the next.
    #[arg(long, value_enum, default_value_t = ResidencyOption::Auto)]
    residency: ResidencyOption,
}

/// The form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people.
    Text,
    /// For people, only what is copied where, and for which accesses.
    Transfers,
    /// For scripts.
    Json,
}

/// Whether arrays may be resident on the device between regions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ResidencyOption {
    /// Yes, as far as the analysis of the code between the regions allows it.
    Auto,
    /// As `auto`, and callers in other files may have put on the device what they pass to functions of this file.
    Callers,
    /// As `callers`, for files that are translated together: what callers must not do is known to them.
    Together,
    /// No: each region has its own transfers.
    Never,
}

impl ResidencyOption {
    /// True if callers in other files may have put memory on the device.
    pub fn has_callers(self) -> bool {
        matches!(self, Self::Callers | Self::Together)
    }
}

/// The memories to use besides global memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Memories {
    /// Shared memory, and registers where an element belongs to one thread.
    All,
    /// Registers only, as with `--avoid shared`.
    Private,
}

/// The checked options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The shared memory that a block may use, in bytes.
    pub shared_memory: u64,
    /// The largest size of a kernel's arguments, in bytes.
    pub argument_bytes: u64,
    /// The limits of a multiprocessor.
    pub multiprocessor: Multiprocessor,
    /// The wishes of the command line, which add to those of the document.
    pub wishes: Vec<Wish>,
    /// Whether each region is translated separately. A wish may then be for a region that is not in the document.
    pub apart: bool,
    /// Whether arrays may be resident on the device between regions.
    pub residency: ResidencyOption,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            shared_memory: COMMON_SHARED_MEMORY,
            argument_bytes: common_argument_bytes(),
            multiprocessor: Multiprocessor::default(),
            wishes: Vec::new(),
            apart: false,
            residency: ResidencyOption::Auto,
        }
    }
}

impl CommandLine {
    /// Returns the form of the report, if one is printed instead of the document.
    pub fn report(&self) -> Option<ReportFormat> {
        self.report
    }

    /// Splits the command line into input and output on the one hand and options on the other; reads the target file.
    pub fn into_options(self) -> (Io, Result<Options, Diagnostics>) {
        let options = self.options();
        (self.io, options)
    }

    fn options(&self) -> Result<Options, Diagnostics> {
        let target = self.target.as_ref().map(|path| tool::target(path, read_target)).transpose()?;
        let shared_memory = target.as_ref().map_or(COMMON_SHARED_MEMORY, Target::shared_memory);
        let argument_bytes = target.as_ref().map_or_else(common_argument_bytes, |t| t.kernel_argument_bytes);
        let mut wishes = self.wishes.wishes()?;
        if self.memories == Memories::Private {
            let wanted = Wanted::Avoid(MemoryKind::Shared);
            let origin = "--memories private".to_owned();
            wishes.push(Wish { target: For::default(), wanted, origin });
        }
        Ok(Options {
            shared_memory,
            argument_bytes,
            multiprocessor: target.map(|target| target.multiprocessor).unwrap_or_default(),
            wishes,
            apart: self.io.keep_going,
            residency: self.residency,
        })
    }
}
