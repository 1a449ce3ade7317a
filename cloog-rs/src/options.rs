//! The command line.

use clap::{Parser, ValueEnum};
use tool::Io;

/// Turns the schedule tree of a placed scop into a loop program.
#[derive(Debug, Parser)]
#[command(version, after_help = tool::EXPLAIN_HELP)]
pub struct CommandLine {
    /// Where to read and write.
    #[command(flatten)]
    pub io: Io,

    /// What to write: the document, or the loops as C. C can be generated from any document, also from one without
    /// kernels; it is sequential, without blocks, threads and copies.
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
