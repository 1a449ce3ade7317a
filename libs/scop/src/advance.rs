//! From one stage to the next, with an end.

use polyhedra::{Limit, limit_work};

use crate::{Diagnostic, Diagnostics, Program, Region, Scop, Source};

/// What a tool may do for one scop; the largest kernel of PolyBench takes less than a tenth of it. A user who waits longer would rather know.
const LIMIT: Limit = Limit { operations: 200_000_000, seconds: 25 };

/// Runs what a tool does for one scop. Beyond a bounded time isl fails.
pub fn bounded<T>(work: impl FnOnce() -> T) -> T {
    limit_work(LIMIT, work)
}

impl<S> Program<S> {
    /// The same program with every scop taken to another stage by a pass of a tool.
    ///
    /// # Errors
    /// As [`Source::failure`] says.
    pub fn advance<T>(
        self,
        tool: &str,
        mut step: impl FnMut(Scop<S>) -> polyhedra::Result<Scop<T>>,
    ) -> Result<Program<T>, Diagnostics> {
        let source = self.source.clone();
        let mut regions = source.regions.iter();
        self.try_map(|scop| {
            let (name, region) = (scop.model.name.clone(), regions.next());
            bounded(|| step(scop)).map_err(|error| source.failure(tool, &name, region, &error).into())
        })
    }
}

impl Source {
    /// What a tool says if isl failed on a scop of this name: `E0016` if it would work for minutes, `E0017` for constants beyond 64
    /// bits; anything else is a bug of the tool.
    pub fn failure(
        &self,
        tool: &str,
        scop: &str,
        region: Option<&Region>,
        error: &polyhedra::Error,
    ) -> Diagnostic {
        let (diagnostic, label) = if error.is_limit() {
            let message = format!("this region is too complicated for {tool}");
            let help = "split the region into smaller ones, or simplify conditions: those with `%` cost most";
            let label = "given up after a bounded number of steps".to_owned();
            (Diagnostic::error("E0016", message).with_help(help), label)
        } else if error.is_too_large() {
            let message = "the numbers of this region are too large to compute with";
            (Diagnostic::error("E0017", message).with_help("use smaller constants"), error.to_string())
        } else {
            return Diagnostic::bug(tool, format!("in {scop}: {error}"));
        };
        match region {
            Some(region) => diagnostic.at(&self.path, region.range, label),
            None => diagnostic,
        }
    }
}
