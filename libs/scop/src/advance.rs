//! Takes a program to the next stage, within limits.

use crate::{Diagnostic, Diagnostics, GIVEN_UP, Program, Region, Scop, Source, allowance};

impl<S> Program<S> {
    /// Takes every scop of the program to another stage, by a pass of a tool.
    ///
    /// # Errors
    /// Returns the message of [`Source::failure`] if the pass fails.
    pub fn advance<T>(
        self,
        tool: &str,
        mut step: impl FnMut(Scop<S>) -> polyhedra::Result<Scop<T>>,
    ) -> Result<Program<T>, Diagnostics> {
        let source = self.source.clone();
        let mut regions = source.regions.iter();
        self.try_map(|scop| {
            let (name, region) = (scop.model.name.clone(), regions.next());
            source
                .within_limits(tool, region, || step(scop))
                .map_err(|error| source.failure(tool, &name, region, &error).into())
        })
    }
}

impl Source {
    /// Returns the message of a tool if isl failed on the scop of this name: `E0016` if the work would take
    /// minutes, `E0017` if constants do not fit in 64 bits. Any other failure is a bug of the tool.
    pub fn failure(
        &self,
        tool: &str,
        scop: &str,
        region: Option<&Region>,
        error: &polyhedra::Error,
    ) -> Diagnostic {
        if error.is_late() {
            return too_complicated(tool).perhaps_at(
                &self.path,
                region.map(|region| region.range),
                error.to_string(),
            );
        }
        if error.is_limit() {
            return self.too_complicated(tool, region);
        }
        if !error.is_too_large() {
            return Diagnostic::bug(tool, format!("in {scop}: {error}"));
        }
        let message = "the numbers of this region are too large to compute with";
        Diagnostic::error("E0017", message).with_help("use smaller constants").perhaps_at(
            &self.path,
            region.map(|region| region.range),
            error.to_string(),
        )
    }

    /// Runs the work of a tool on one scop. isl fails after a bounded number of steps or a bounded time. Work
    /// that goes on after that is ended together with the process.
    pub fn within_limits<T>(&self, tool: &str, region: Option<&Region>, work: impl FnOnce() -> T) -> T {
        allowance::spend(allowance::OPERATIONS, self.too_complicated(tool, region), work)
    }

    /// Returns the error `E0016` for a tool.
    pub fn too_complicated(&self, tool: &str, region: Option<&Region>) -> Diagnostic {
        too_complicated(tool).perhaps_at(&self.path, region.map(|region| region.range), GIVEN_UP)
    }
}

fn too_complicated(tool: &str) -> Diagnostic {
    Diagnostic::given_up("E0016", format!("this region is too complicated for {tool}"))
}

#[cfg(test)]
mod tests {
    use polyhedra::Error;

    use crate::{Program, Scanned, Severity, from_json};

    /// A region for which the machine was too slow is refused, with the reason.
    #[test]
    fn what_is_late_is_refused() {
        let program: Program<Scanned> = from_json(include_str!("../tests/sound.json")).unwrap();
        let region = program.source.regions.first();
        let refusal = program.source.failure("test", "f", region, &Error::late("it takes long"));
        assert_eq!((refusal.code.as_str(), refusal.severity), ("E0016", Severity::Error));
        assert_eq!(refusal.label, "it takes long");
        assert!(refusal.place.is_some() && refusal.help.is_some());
    }
}
