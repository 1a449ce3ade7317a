//! What the command line may say.

use tool::Io;

/// Finds the dependences of a document, or checks that its schedule respects them.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "candl-rs", version, about)]
pub struct Options {
    #[command(flatten)]
    io: Io,
    /// Names every dependence that the document's schedule breaks, with two instances; prints nothing if there is none
    #[arg(long, conflicts_with = "dot")]
    check: bool,
    /// Prints the dependence graph of an analysed document for Graphviz
    #[arg(long)]
    dot: bool,
}

/// What to do with the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Add the dependences.
    Analyse,
    /// Compare the schedule with the dependences.
    Check,
    /// Print the dependence graph.
    Dot,
}

impl Options {
    /// Where the document comes from and where the result goes.
    pub fn io(&self) -> &Io {
        &self.io
    }

    /// What to do.
    pub fn mode(&self) -> Mode {
        match (self.check, self.dot) {
            (true, _) => Mode::Check,
            (_, true) => Mode::Dot,
            _ => Mode::Analyse,
        }
    }
}
