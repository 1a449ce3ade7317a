//! From one stage to the next, with an end.

use polyhedra::{Limit, limit_work};

use crate::{Diagnostic, Diagnostics, Program, Scop};

/// What a tool may do for one scop; the largest kernel of PolyBench takes less than a hundredth of it.
const LIMIT: Limit = Limit { operations: 200_000_000, seconds: 60 };

impl<S> Program<S> {
    /// The same program with every scop taken to another stage by a pass of a tool.
    ///
    /// # Errors
    /// `E0016` names the region on which the pass would work for minutes, `E0017` one with constants beyond 64 bits. Any other failure
    /// of isl is a bug of the tool.
    pub fn advance<T>(
        self,
        tool: &str,
        mut step: impl FnMut(Scop<S>) -> polyhedra::Result<Scop<T>>,
    ) -> Result<Program<T>, Diagnostics> {
        let source = self.source.clone();
        let mut regions = source.regions.iter();
        self.try_map(|scop| {
            let (name, region) = (scop.model.name.clone(), regions.next());
            limit_work(LIMIT, || step(scop)).map_err(|error| {
                let (diagnostic, label) = if error.is_limit() {
                    let message = format!("this region is too complicated for {tool}");
                    let help = "split the region into smaller ones, or simplify conditions: those with `%` cost most";
                    let label = "given up after a bounded number of steps".to_owned();
                    (Diagnostic::error("E0016", message).with_help(help), label)
                } else if error.is_too_large() {
                    let help = "use smaller constants, or bound the parameters by conditions";
                    let message = "the numbers of this region are too large to compute with";
                    (Diagnostic::error("E0017", message).with_help(help), error.to_string())
                } else {
                    return Diagnostic::bug(tool, format!("in {name}: {error}")).into();
                };
                Diagnostics::from(match region {
                    Some(region) => diagnostic.at(&source.path, region.range, label),
                    None => diagnostic,
                })
            })
        })
    }
}
