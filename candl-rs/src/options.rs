//! The command line.

use std::path::{Path, PathBuf};

use scop::{Diagnostics, Wish};
use tool::{Io, OutputFormat, Permissions};

/// Finds the dependences of a document, explains them, or checks that an order or a schedule respects them.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "candl-rs", version, about, after_help = tool::EXPLAIN_HELP)]
pub struct Options {
    #[command(flatten)]
    io: Io,
    #[command(flatten)]
    format: OutputFormat,
    /// Check the document's schedule, and its loop program if there is one; print two instances for each broken
    /// dependence, and nothing if there is none. Exit status 1: something is wrong; 4: the proof was given up. With
    /// --keep-going, write the document without the regions whose proof was given up
    #[arg(long, conflicts_with_all = ["dot", "report"])]
    check: bool,
    /// With --check: also write the verdict to a file, as JSON
    #[arg(long, value_name = "FILE", requires = "check")]
    verdict: Option<PathBuf>,
    /// Print for each loop of an analysed document whether it is parallel or a reduction, or why it must run in order
    #[arg(long, conflicts_with = "dot")]
    report: bool,
    /// Print for each loop that the program declares independent what that declaration requires. Exit status 1: a
    /// declaration is provably wrong; two instances are shown
    #[arg(long, conflicts_with_all = ["check", "dot", "report", "order"])]
    check_parallel: bool,
    /// Print the dependence graph of an analysed document for Graphviz
    #[arg(long)]
    dot: bool,
    /// Replace the order of an analysed document by the scatterings of an OpenScop text, if these respect all
    /// dependences
    #[arg(long, value_name = "FILE.scop", conflicts_with_all = ["check", "dot", "report"])]
    order: Option<PathBuf>,
    /// The order of exactly associative updates of one element, such as sums of integers
    #[arg(long, value_name = "ORDER", default_value = "any", conflicts_with_all = ["check", "report", "dot", "order"])]
    reductions: Reductions,
    #[command(flatten)]
    permissions: Permissions,
}

/// The order of updates that give the same bits in any order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Reductions {
    /// Any order, if this allows the updates to run in parallel
    #[default]
    Any,
    /// The source order
    Source,
}

/// What to do with the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mode {
    /// Add the dependences.
    Analyse(Reductions),
    /// Check the schedule or the loop program against the dependences.
    Check,
    /// Explain what keeps each loop in order.
    Report,
    /// Describe what the program's claims require.
    CheckParallel,
    /// Print the dependence graph.
    Dot,
    /// Replace the order by that of an OpenScop text.
    Order(PathBuf),
}

impl Options {
    /// Returns where the document is read from and where the result is written.
    pub fn io(&self) -> &Io {
        &self.io
    }

    /// Returns the file for the verdict of a check.
    pub fn verdict(&self) -> Option<&Path> {
        self.verdict.as_deref()
    }

    /// Returns the format of the result.
    pub fn format(&self) -> OutputFormat {
        self.format
    }

    /// Returns the permissions for another order of sums.
    ///
    /// # Errors
    /// `E0305` if one of them makes no sense.
    pub fn permissions(&self) -> Result<Vec<Wish>, Diagnostics> {
        self.permissions.wishes()
    }

    /// Returns what to do.
    pub fn mode(&self) -> Mode {
        match (&self.order, self.check, self.report, self.dot) {
            (Some(order), ..) => Mode::Order(order.clone()),
            (_, true, _, _) => Mode::Check,
            (_, _, true, _) => Mode::Report,
            (_, _, _, true) => Mode::Dot,
            _ if self.check_parallel => Mode::CheckParallel,
            _ => Mode::Analyse(self.reductions),
        }
    }
}
