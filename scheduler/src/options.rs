//! The command line, and the options that are made of it.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use clap::{Parser, ValueEnum};
use gpu::target::{Gpu, read_gpu};
use place::counting::Counting;
use scop::{Diagnostic, Diagnostics, Model, Wanted, Wish};
use tool::{Interval, Io, MappingWishes, OutputFormat, Sizes};

use crate::compared::Point;
use crate::cost::Pricing;

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

    /// Print the orders that were considered and what they cost instead of the document.
    #[arg(long, group = "instead", conflicts_with_all = ["only", "openscop"])]
    explain: bool,

    /// Print what was decided instead of the document, as a list of wishes with which the same is decided again.
    #[arg(long, group = "instead", conflicts_with_all = ["only", "openscop"])]
    plan: bool,

    /// Print the search space instead of the document: the orders that each algorithm finds, their kernels with prices,
    /// and what may be asked for.
    #[arg(long, value_enum, value_name = "FORMAT", group = "instead", conflicts_with_all = ["only", "openscop"])]
    space: Option<SpaceFormat>,

    /// The GPU for which orders are priced, as in the folder `targets` [default: an H100].
    #[arg(long, value_name = "FILE")]
    target: Option<PathBuf>,

    #[command(flatten)]
    sizes: Sizes,

    #[command(flatten)]
    wishes: MappingWishes,
}

/// The GPU for which orders are priced unless the user names one.
const DEFAULT_GPU: &str = include_str!("../../targets/h100.json");

/// One of the two passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Find the order of the statement instances (`schedule`).
    Order,
    /// Map the order in the document to blocks and threads (`mapping`).
    Map,
}

/// What is printed instead of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instead {
    /// The orders that were considered.
    Explanation,
    /// What was decided.
    Plan,
    /// The search space.
    Space,
}

/// The form in which the search space is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SpaceFormat {
    /// JSON.
    Json,
}

/// The checked options.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    /// The wishes of the command line, which add to those of the document.
    pub wishes: Vec<Wish>,
    /// Whether each region is translated separately. A wish may then be for a region that is not in the document.
    pub apart: bool,
    /// The GPU for which orders are priced, if the user names one.
    pub gpu: Option<Gpu>,
    /// The sizes for which orders are priced: values or ranges of parameters by name.
    pub sizes: BTreeMap<String, Interval>,
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

    /// Returns what is printed instead of the document, if anything is.
    pub fn instead(&self) -> Option<Instead> {
        match (self.explain, self.plan, self.space) {
            (true, ..) => Some(Instead::Explanation),
            (_, true, _) => Some(Instead::Plan),
            (.., Some(SpaceFormat::Json)) => Some(Instead::Space),
            (false, false, None) => None,
        }
    }

    /// Splits the command line into input and output on the one hand and options on the other; reads the target file.
    pub fn into_options(self) -> (Io, Result<Options, Diagnostics>) {
        let options = self.options();
        (self.io, options)
    }

    fn options(&self) -> Result<Options, Diagnostics> {
        let wishes = self.wishes.wishes()?;
        let keeps_source =
            |wish: &Wish| matches!(wish.wanted, Wanted::Algorithm(algorithm) if algorithm.keeps_source());
        if wishes.iter().any(keeps_source) {
            without_fusion(&wishes)?;
        }
        let gpu = self.target.as_ref().map(|path| tool::target(path, read_gpu)).transpose()?;
        let sizes = self.sizes.ranges()?;
        Ok(Options { wishes, apart: self.io.keep_going, gpu, sizes })
    }
}

impl Options {
    /// Returns the GPU and the sizes for which orders are priced.
    pub(crate) fn priced(&self) -> Result<Priced, Diagnostics> {
        let gpu = match &self.gpu {
            Some(gpu) => gpu.clone(),
            None => read_gpu(DEFAULT_GPU)
                .map_err(|error| Diagnostic::bug(env!("CARGO_PKG_NAME"), error.to_string()))?,
        };
        let point = Point::default();
        Ok(Priced { gpu, sizes: self.sizes.clone(), point, counter: Rc::default() })
    }
}

/// For what orders are priced.
pub(crate) struct Priced {
    /// The GPU.
    pub gpu: Gpu,
    /// Ranges of parameters by name.
    pub sizes: BTreeMap<String, Interval>,
    /// The values in these ranges.
    point: Point,
    counter: Rc<OnceCell<Counting>>,
}

impl Priced {
    /// Prices plans for a region. A parameter with a range has no known value, but one of this range is assumed.
    pub fn pricing(&self, model: &Model) -> polyhedra::Result<Pricing> {
        let counter = Rc::clone(&self.counter);
        let values = self.sizes.iter().map(|(name, range)| (name.clone(), self.point.of(*range))).collect();
        let known = self.sizes.iter().filter(|(_, range)| range.is_one()).map(|(name, _)| name.clone());
        let known = known.collect();
        let mut pricing = Pricing::new(model, &values, self.gpu.clone())?;
        (pricing.known, pricing.counter) = (known, counter);
        Ok(pricing)
    }

    /// Prices for other values in the ranges.
    pub fn at(&self, point: Point) -> Self {
        let (gpu, sizes) = (self.gpu.clone(), self.sizes.clone());
        Self { gpu, sizes, point, counter: Rc::clone(&self.counter) }
    }
}

/// Refuses a wish for fusion (`E0305`), because the order of the source determines which statements share loops.
fn without_fusion(wishes: &[Wish]) -> Result<(), Diagnostics> {
    match wishes.iter().find(|wish| matches!(wish.wanted, Wanted::Fusion(_))) {
        Some(wish) => {
            let message =
                format!("`{}` is for isl, but `--algorithm` asks for an order of the source", wish.origin);
            let error = Diagnostic::error("E0305", message).with_help("leave one of the two options out");
            Err(Diagnostics(vec![error]))
        }
        None => Ok(()),
    }
}
