//! `--keep-going`: runs a tool on each region separately.
//!
//! *before → after*: a tool that translates a whole document or fails becomes one that leaves out the regions for
//! which it fails. These regions stay C.

use std::collections::BTreeSet;

use scop::{Diagnostic, Diagnostics, Outcome, Program, Severity, Stage, allowance};

/// The code of the warning that a region or a loop stays C.
const LEFT_ALONE: &str = "W0164";

/// The results of running a tool on each scop separately.
pub struct Apart<T> {
    /// The results, in the order of the scops; `None` for a scop that is left out.
    pub results: Vec<Option<T>>,
    /// The messages about the results, and the reasons why scops are left out.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Apart<T> {
    /// Returns the numbers of the scops that are left out.
    pub fn left(&self) -> BTreeSet<usize> {
        let numbered = self.results.iter().enumerate();
        numbered.filter(|(_, result)| result.is_none()).map(|(number, _)| number).collect()
    }
}

/// Runs a tool on each scop separately.
///
/// # Errors
/// Fails with the bug if the tool has one, or with the reasons for all scops if the tool fails for each of them.
pub fn apart<A: Stage, T>(
    program: &Program<A>,
    mut run: impl FnMut(Program<A>) -> Result<Outcome<T>, Diagnostics>,
) -> Result<Apart<T>, Diagnostics> {
    let (mut results, mut said) = (Vec::new(), Vec::new());
    // `fit` is followed by another run, of all scops that succeed together.
    allowance::expect_regions(2 * program.scops.len());
    let mut why: Vec<(u32, Diagnostic)> = Vec::new();
    for number in 0..program.scops.len() {
        match run(program.only(number)).and_then(settled) {
            Ok(outcome) => {
                extend(&mut said, outcome.diagnostics);
                results.push(Some(outcome.value));
            }
            Err(diagnostics) if has_bug(&diagnostics) => return Err(diagnostics),
            Err(Diagnostics(diagnostics)) => {
                let line = program.source.regions.get(number).map_or(0, |region| region.range.line);
                let new = diagnostics.into_iter().filter(|d| !why.iter().any(|(_, known)| known == d));
                why.extend(new.map(|diagnostic| (line, diagnostic)).collect::<Vec<_>>());
                results.push(None);
            }
        }
    }
    if results.iter().all(Option::is_none) {
        return Err(Diagnostics(why.into_iter().map(|(_, diagnostic)| diagnostic).collect()));
    }
    said.extend(why.into_iter().map(|(line, why)| stays_c(why, line)));
    Ok(Apart { results, diagnostics: said })
}

/// Takes to the next stage every scop for which the tool succeeds: all of them together if that succeeds, because a
/// tool may decide something for the whole program.
///
/// # Errors
/// Fails as [`apart`] does.
pub fn advance<A: Stage, B: Stage>(
    program: Program<A>,
    mut run: impl FnMut(Program<A>) -> Result<Outcome<Program<B>>, Diagnostics>,
) -> Result<Outcome<Program<B>>, Diagnostics> {
    if let Ok(outcome) = run(program.clone()).and_then(settled) {
        return Ok(outcome);
    }
    let parts = apart(&program, run)?;
    let left = parts.left();
    let Program { format, version, source, functions, memory, host, prevented, residency, .. } = program;
    let scops = parts.results.into_iter().flatten().flat_map(|part| part.scops).collect();
    let mut value = Program { format, version, source, functions, memory, host, prevented, residency, scops };
    value.leave(&left);
    Ok(Outcome { value, diagnostics: parts.diagnostics })
}

/// Keeps the scops for which a tool succeeds.
///
/// # Errors
/// Fails as [`apart`] does.
pub fn fit<A: Stage, T>(
    program: Program<A>,
    run: impl FnMut(Program<A>) -> Result<Outcome<T>, Diagnostics>,
) -> Result<Outcome<Program<A>>, Diagnostics> {
    let parts = apart(&program, run)?;
    let said = parts.diagnostics.iter().filter(|diagnostic| diagnostic.code == LEFT_ALONE).cloned().collect();
    Ok(Outcome { value: program.without(&parts.left()), diagnostics: said })
}

/// Turns a failure into the warning that the region on `line` stays C.
pub fn stays_c(why: Diagnostic, line: u32) -> Diagnostic {
    let message = format!("the region on line {line} stays C: {} [{}]", why.message, why.code);
    Diagnostic { severity: Severity::Warning, code: LEFT_ALONE.to_owned(), message, ..why }
}

/// Turns a result into a failure if there is an error among its messages.
pub fn settled<T>(outcome: Outcome<T>) -> Result<Outcome<T>, Diagnostics> {
    if outcome.diagnostics.iter().any(|diagnostic| diagnostic.severity >= Severity::Error) {
        return Err(Diagnostics(outcome.diagnostics));
    }
    Ok(outcome)
}

fn has_bug(diagnostics: &Diagnostics) -> bool {
    diagnostics.0.is_empty() || diagnostics.0.iter().any(|diagnostic| diagnostic.severity == Severity::Bug)
}

/// Adds messages, but only once those about the whole file, which the tool repeats for each scop.
fn extend(all: &mut Vec<Diagnostic>, more: Vec<Diagnostic>) {
    for diagnostic in more {
        if !all.contains(&diagnostic) {
            all.push(diagnostic);
        }
    }
}

#[cfg(test)]
mod tests {
    use scop::{Extracted, MemoryId, MemoryLifetime, MemoryObject};

    use super::*;

    /// Returns a program with three regions, named 0, 1 and 2; the memory of an array of the second is known.
    fn program() -> Program<Extracted> {
        let text = include_str!("../../../tests/golden/stencil/1-clan-rs.json");
        let mut program: Program<Extracted> = scop::from_json(text).unwrap();
        let (scop, region) = (program.scops.remove(0), program.source.regions.remove(0));
        for number in 0..3 {
            let mut scop = scop.clone();
            scop.model.name = number.to_string();
            scop.model.arrays.iter_mut().for_each(|array| array.memory.clear());
            scop.model.arrays[0].memory.extend((number == 1).then_some(MemoryId(0)));
            let mut region = region.clone();
            (region.range.start, region.range.end, region.range.line) =
                (10 * number, 10 * number + 9, number + 1);
            program.scops.push(scop);
            program.source.regions.push(region);
        }
        program.host.clear();
        program.memory.clear();
        program.memory.push(MemoryObject {
            id: MemoryId(0),
            name: "memory of other code".to_owned(),
            lifetime: MemoryLifetime::Unknown,
            exposed: true,
            external: false,
            held: false,
            made_at: None,
        });
        program
    }

    /// Returns a tool that fails for the scops with these names.
    fn failing(
        names: &'static [&'static str],
    ) -> impl FnMut(Program<Extracted>) -> Result<Outcome<Program<Extracted>>, Diagnostics> {
        |program| match program.scops.iter().find(|scop| names.contains(&scop.model.name.as_str())) {
            Some(scop) if scop.model.name == "bug" => Err(Diagnostic::bug("test", "ours").into()),
            Some(scop) => Err(Diagnostic::error("E0120", format!("no {}", scop.model.name)).into()),
            None => Ok(Outcome { value: program, diagnostics: vec![Diagnostic::warning("W0160", "all")] }),
        }
    }

    fn names(program: &Program<Extracted>) -> Vec<&str> {
        program.scops.iter().map(|scop| scop.model.name.as_str()).collect()
    }

    #[test]
    fn what_fails_is_left_out_and_told() {
        for fitted in [false, true] {
            let run = failing(&["0", "2"]);
            let outcome = if fitted { fit(program(), run) } else { advance(program(), run) }.unwrap();
            assert_eq!(names(&outcome.value), ["1"]);
            let lines: Vec<u32> =
                outcome.value.source.regions.iter().map(|region| region.range.line).collect();
            assert_eq!(lines, [2]);
            let said: Vec<_> = outcome.diagnostics.iter().filter(|d| d.code == LEFT_ALONE).collect();
            assert_eq!(said[0].message, "the region on line 1 stays C: no 0 [E0120]");
            assert!(said.iter().all(|d| d.severity == Severity::Warning) && said.len() == 2);
            let others = outcome.diagnostics.len() - said.len();
            assert_eq!(others, usize::from(!fitted), "what is said of the whole file is said once");
        }
    }

    #[test]
    fn nothing_stays_on_the_device_if_a_region_is_left() {
        for (left, known) in [(failing(&[]), 1), (failing(&["0"]), 0), (failing(&["1"]), 0)] {
            let Program { memory, scops, .. } = advance(program(), left).unwrap().value;
            assert_eq!(memory.len(), known);
            assert_eq!(scops.iter().map(|scop| scop.model.arrays[0].memory.len()).sum::<usize>(), known);
        }
    }

    #[test]
    fn bugs_and_failures_of_all_are_failures() {
        let Diagnostics(why) = advance(program(), failing(&["0", "1", "2"])).unwrap_err();
        assert!(why.len() == 3 && why.iter().all(|d| d.severity == Severity::Error), "{why:?}");
        let mut faulty = program();
        faulty.scops[1].model.name = "bug".to_owned();
        let Diagnostics(why) = advance(faulty, failing(&["bug"])).unwrap_err();
        assert_eq!(why[0].severity, Severity::Bug);
    }
}
