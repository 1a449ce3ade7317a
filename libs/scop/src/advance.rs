//! From one stage to the next, with an end.

use crate::{Diagnostic, Diagnostics, GIVEN_UP, Program, Region, Scop, Source, allowance};

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
            source
                .within_limits(tool, region, || step(scop))
                .map_err(|error| source.failure(tool, &name, region, &error).into())
        })
    }
}

impl Source {
    /// What a tool says if isl failed on a scop of this name: `E0016` if it would work for minutes, `E0017` for
    /// constants beyond 64 bits; anything else is a bug of the tool.
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

    /// Runs what a tool does for one scop. Beyond a bounded number of steps and a bounded time isl fails; what goes
    /// on even so ends with the process.
    pub fn within_limits<T>(&self, tool: &str, region: Option<&Region>, work: impl FnOnce() -> T) -> T {
        allowance::spend(allowance::OPERATIONS, self.too_complicated(tool, region), work)
    }

    /// `E0016` of a tool.
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

    /// What the machine was too slow for is refused at the region, with the reason.
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
