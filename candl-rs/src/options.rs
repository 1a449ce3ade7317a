//! What the command line may say.

use std::path::{Path, PathBuf};

use tool::{Io, OutputFormat};

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
}

/// The order of updates that give the same bits in any.
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
    /// Compare the schedule with the dependences.
    Check,
    /// Say what keeps each loop in order.
    Report,
    /// Say what the claims of the program take.
    CheckParallel,
    /// Print the dependence graph.
    Dot,
    /// Take the order of a text in OpenScop.
    Order(PathBuf),
}

impl Options {
    /// Where the document comes from and where the result goes.
    pub fn io(&self) -> &Io {
        &self.io
    }

    /// Where what came of a check goes.
    pub fn verdict(&self) -> Option<&Path> {
        self.verdict.as_deref()
    }

    /// How the result is written.
    pub fn format(&self) -> OutputFormat {
        self.format
    }

    /// What to do.
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
