//! What the command line may say.

use clap::{Parser, ValueEnum};
use tool::Io;

/// Turns the schedule tree of a placed scop into a loop program.
#[derive(Debug, Parser)]
#[command(version, after_help = tool::EXPLAIN_HELP)]
pub struct CommandLine {
    /// Where to read and write.
    #[command(flatten)]
    pub io: Io,

    /// What to write: the document, or the loops as C for a person or a C compiler. C can be had of any document,
    /// also one without kernels; blocks, threads and copies are left out of it.
    #[arg(long, value_enum, default_value_t = Emit::Document)]
    pub emit: Emit,
}

/// The form of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// The document, with the loop program.
    #[value(name = "json")]
    Document,
    /// Sequential C.
    C,
}
