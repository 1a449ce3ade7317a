//! The command line, and the options that are made of it.

use clap::{Parser, ValueEnum};
use scop::{Diagnostic, Diagnostics, Wanted, Wish};
use tool::{Io, MappingWishes, OutputFormat};

/// Finds a schedule for each region, tiles it, and maps it to kernels, blocks and threads.
#[derive(Debug, Parser)]
#[command(version, after_help = tool::EXPLAIN_HELP)]
pub struct CommandLine {
    #[command(flatten)]
    io: Io,

    #[command(flatten)]
    format: OutputFormat,

    /// Run only one of the two passes.
    #[arg(long, value_enum, value_name = "PASS")]
    only: Option<Part>,

    /// How the order of the statement instances is found.
    #[arg(long, value_enum, default_value_t = Algorithm::Isl)]
    algorithm: Algorithm,

    #[command(flatten)]
    wishes: MappingWishes,
}

/// One of the two passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Find the order of the statement instances (`schedule`).
    Order,
    /// Map the order in the document to blocks and threads (`mapping`).
    Map,
}

/// Where the order of the statement instances comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Algorithm {
    /// isl's scheduler, with parallel loops outermost.
    Isl,
    /// The source order, tiled and parallelised where the dependences allow it.
    Source,
}

/// The checked options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Where the order comes from.
    pub algorithm: Algorithm,
    /// The wishes of the command line, which add to those of the document.
    pub wishes: Vec<Wish>,
    /// Whether each region is translated separately. A wish may then be for a region that is not in the document.
    pub apart: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { algorithm: Algorithm::Isl, wishes: Vec::new(), apart: false }
    }
}

impl CommandLine {
    /// Returns the form in which the result is written.
    pub fn format(&self) -> OutputFormat {
        self.format
    }

    /// Returns the pass to run, if the user asks for only one.
    pub fn only(&self) -> Option<Part> {
        self.only
    }

    /// Splits the command line into input and output on the one hand and options on the other.
    pub fn into_options(self) -> (Io, Result<Options, Diagnostics>) {
        let Self { io, algorithm, wishes, .. } = self;
        let apart = io.keep_going;
        let options = wishes.wishes().and_then(|wishes| match algorithm {
            Algorithm::Isl => Ok(Options { algorithm, wishes, apart }),
            Algorithm::Source => without_fusion(&wishes).map(|()| Options { algorithm, wishes, apart }),
        });
        (io, options)
    }
}

/// Refuses a wish for fusion (`E0305`), because the order of the source determines which statements share loops.
fn without_fusion(wishes: &[Wish]) -> Result<(), Diagnostics> {
    match wishes.iter().find(|wish| matches!(wish.wanted, Wanted::Fusion(_))) {
        Some(wish) => {
            let message =
                format!("`{}` is for isl, but `--algorithm source` keeps loops as they are", wish.origin);
            let error = Diagnostic::error("E0305", message).with_help("leave one of the two options out");
            Err(Diagnostics(vec![error]))
        }
        None => Ok(()),
    }
}
