//! The options that all tools have.

use std::path::PathBuf;

use crate::messages::Messages;

/// The document that a tool reads and the one that it writes.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub struct Io {
    /// The document to read; by default, or with `-`, standard input
    pub input: Option<PathBuf>,
    /// The file to write; by default, or with `-`, standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Leave out regions that cannot be translated, with a warning; they stay C
    #[arg(long)]
    pub keep_going: bool,
    /// Whether documents are verified.
    #[command(flatten)]
    pub verification: Verification,
    /// The form of messages.
    #[command(flatten)]
    pub messages: Messages,
}

/// Whether documents are verified.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::Args)]
pub struct Verification {
    /// Trust documents: verify neither the one that is read nor the one that is written
    #[arg(long)]
    pub no_verify: bool,
}

/// How a document is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::Args)]
pub struct OutputFormat {
    /// Write OpenScop instead of JSON; every tool reads both
    #[arg(long)]
    pub openscop: bool,
}
