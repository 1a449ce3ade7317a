//! Tools that check a document: it is right, wrong, or undecided.

use std::path::Path;
use std::process::ExitCode;

use scop::{Diagnostics, Findings, Outcome, Program, Stage};
use serde_json::json;

use crate::apart::stays_c;
use crate::guard::guarded;
use crate::{Io, OutputFormat, Tool, output};

/// Runs a tool that checks a document and changes nothing. If the check does not decide, the exit code is 4; with
/// `--keep-going`, if some scops are decided, the document is written without the undecided ones.
///
/// The result of the check is also written to the file `verdict`, as JSON, so that callers need not rely on the exit
/// code alone. Nothing is written there if the document cannot be read or is not sound.
pub fn check<'a, A: Stage>(
    tool: impl Into<Tool<'a>>,
    io: &Io,
    verdict: Option<&Path>,
    run: impl FnOnce(&Program<A>) -> Findings + Send,
) -> ExitCode {
    guarded(tool.into().by(io).that_checks(), |session| {
        let program = session.read::<A>(io.input.as_deref())?;
        let findings = run(&program);
        if let Some(file) = verdict {
            output::write(Some(file), &verdict_of(&program, &findings))?;
        }
        let Findings { refuted, undecided } = findings;
        if !refuted.is_empty() {
            return Err(Diagnostics(refuted.into_iter().chain(undecided.into_values()).collect()));
        }
        if undecided.is_empty() {
            return Ok(());
        }
        if !io.keep_going || undecided.len() == program.scops.len() {
            return Err(session.give_up(Diagnostics(undecided.into_values().collect())));
        }
        let left = undecided.keys().copied().collect();
        let line = |number: usize| program.source.regions.get(number).map_or(0, |region| region.range.line);
        let diagnostics = undecided.into_iter().map(|(number, why)| stays_c(why, line(number))).collect();
        let rest = session.accept(Ok(Outcome { value: program.without(&left), diagnostics }))?;
        session.write_program(io.output.as_deref(), OutputFormat::default(), &rest)
    })
}

/// `{"verdict": "undecided", "regions": 2, "refuted": [], "undecided": [{"region": "f_scop0", "code": "E0206"}]}`
fn verdict_of<A: Stage>(program: &Program<A>, findings: &Findings) -> String {
    let Findings { refuted, undecided } = findings;
    let verdict = match (refuted.is_empty(), undecided.is_empty()) {
        (true, true) => "proved",
        (true, false) => "undecided",
        (false, _) => "refuted",
    };
    let region = |number: &usize| program.scops.get(*number).map(|scop| &scop.model.name);
    let undecided: Vec<_> =
        undecided.iter().map(|(number, why)| json!({ "region": region(number), "code": why.code })).collect();
    let refuted: Vec<_> = refuted.iter().map(|why| &why.code).collect();
    let regions = program.scops.len();
    let verdict =
        json!({ "verdict": verdict, "regions": regions, "refuted": refuted, "undecided": undecided });
    format!("{verdict}\n")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use scop::{Diagnostic, Extracted};

    use super::*;

    /// Returns the exit code for a document of two scops, and what is written.
    fn checked(name: &str, keep_going: bool, findings: fn() -> Findings) -> (String, Option<String>) {
        let folder = std::env::temp_dir().join(format!("c2cuda-check-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let text = include_str!("../../../tests/golden/stencil/1-clan-rs.json");
        let mut program: Program<Extracted> = scop::from_json(text).unwrap();
        let (mut scop, mut region) = (program.scops[0].clone(), program.source.regions[0].clone());
        scop.model.name = "second".to_owned();
        (region.range.start, region.range.end) = (region.range.end, region.range.end + 1);
        program.scops.push(scop);
        program.source.regions.push(region);
        let (input, output) = (folder.join("in.json"), folder.join("out.json"));
        fs::write(&input, scop::to_json(&program).unwrap()).unwrap();
        let io = Io { input: Some(input), output: Some(output.clone()), keep_going, ..Io::default() };
        let verdict = folder.join("verdict.json");
        let code = check("test", &io, Some(&verdict), |_: &Program<Extracted>| findings());
        let verdict: serde_json::Value = serde_json::from_str(&fs::read_to_string(verdict).unwrap()).unwrap();
        let expected = match findings() {
            Findings { refuted, .. } if !refuted.is_empty() => "refuted",
            Findings { undecided, .. } if !undecided.is_empty() => "undecided",
            _ => "proved",
        };
        assert_eq!((&verdict["verdict"], &verdict["regions"]), (&json!(expected), &json!(2)));
        assert_eq!(verdict["undecided"].as_array().unwrap().len(), findings().undecided.len());
        let written = fs::read_to_string(output).ok();
        fs::remove_dir_all(folder).unwrap();
        (format!("{code:?}"), written)
    }

    fn code(code: u8) -> String {
        format!("{:?}", ExitCode::from(code))
    }

    fn unknown(numbers: &[usize]) -> Findings {
        let why = || Diagnostic::error("E0206", "too complicated");
        Findings { undecided: numbers.iter().map(|&number| (number, why())).collect(), ..Findings::default() }
    }

    #[test]
    fn the_exit_code_tells_what_is_known() {
        let wrong = || Findings { refuted: vec![Diagnostic::error("E0201", "wrong")], ..unknown(&[0]) };
        for keep_going in [false, true] {
            let name = format!("known-{keep_going}");
            assert_eq!(checked(&name, keep_going, Findings::default), (code(0), None));
            assert_eq!(checked(&name, keep_going, || unknown(&[0, 1])), (code(4), None));
            assert_eq!(checked(&name, keep_going, wrong), (code(1), None));
        }
        assert_eq!(checked("some", false, || unknown(&[1])), (code(4), None));
    }

    #[test]
    fn what_is_known_to_be_right_is_written() {
        let (status, written) = checked("rest", true, || unknown(&[0]));
        assert_eq!(status, code(0));
        let rest: Program<Extracted> = scop::from_json(&written.unwrap()).unwrap();
        assert_eq!(rest.scops.len(), 1);
        assert_eq!(rest.scops[0].model.name, "second");
    }
}
