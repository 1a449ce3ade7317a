//! One run of one tool: the document that was read, the messages, and the exit code.

use std::path::Path;

use openscop::{Notice, ReadError, Reading, to_openscop, with_order};
use scop::verify::{self, Seal};
use scop::{Diagnostic, Diagnostics, Outcome, Program, Severity, Stage, allowance};

use crate::apart::settled;
use crate::document;
use crate::exit::{SUCCESS, USER_IS_WRONG, WE_ARE_WRONG};
use crate::input::{self, Input};
use crate::output;
use crate::render::Renderer;
use crate::{OutputFormat, Tool};

/// The number of faults of a document that are shown; further ones are only counted.
const FAULTS_SHOWN: usize = 20;

/// One run of one tool.
pub struct Session<'a> {
    name: &'a str,
    verifies: bool,
    /// The parts of this run's documents that are known to be sound.
    seal: Seal,
    renderer: Renderer,
    /// The exit code for input that is too complicated.
    given_up: u8,
    /// Whether a failure of this run means only that something is too complicated.
    gave_up: bool,
}

impl<'a> Session<'a> {
    /// Returns a new run of a tool.
    pub fn new(tool: Tool<'a>) -> Self {
        let given_up = tool.given_up();
        let Tool { name, verifies, messages, .. } = tool;
        let renderer = Renderer::for_stderr(name, messages.message_format);
        Self { name, verifies, seal: Seal::default(), renderer, given_up, gave_up: false }
    }

    /// Reads and verifies a document.
    pub fn read<A: Stage>(&mut self, path: Option<&Path>) -> Result<Program<A>, Diagnostics> {
        let input = input::read(path)?;
        let Reading { program, notices, seal } = self.parse::<A>(&input)?;
        self.show_notices(&input, &notices);
        self.renderer.expect_hash(&program.source.path, &program.source.hash);
        self.seal = seal;
        allowance::expect_regions(program.scops.len());
        match self.verify(&program) {
            Ok(()) => Ok(program),
            Err(faults) => Err(Diagnostics(faulty_input(&input.name, &faults))),
        }
    }

    /// Verifies the parts of a document that the seal does not cover. Without verification, the seal becomes empty.
    fn verify<S: Stage>(&mut self, program: &Program<S>) -> Result<(), Vec<verify::Fault>> {
        if !self.verifies {
            self.seal = Seal::default();
            return Ok(());
        }
        let sealed = verify::seal(program, &self.seal);
        self.note(sealed)
    }

    /// Stores the verifier's result.
    fn note(&mut self, sealed: Result<Seal, Vec<verify::Fault>>) -> Result<(), Vec<verify::Fault>> {
        self.gave_up |= sealed.as_ref().is_err_and(|faults| faults.iter().any(|fault| fault.gave_up));
        self.seal = sealed?;
        Ok(())
    }

    /// Marks a failure as one that only means that something is too complicated.
    pub fn give_up(&mut self, why: Diagnostics) -> Diagnostics {
        self.gave_up = true;
        why
    }

    /// Shows what the parser noticed in a text.
    fn show_notices(&mut self, input: &Input, notices: &[Notice]) {
        if let Ok(text) = document::text(input)
            && !notices.is_empty()
        {
            self.renderer.remember(&input.name, text);
            self.renderer.show(&document::notices(input, text, notices));
        }
    }

    fn parse<A: Stage>(&mut self, input: &Input) -> Result<Reading<A>, Diagnostics> {
        let text = document::text(input)?;
        openscop::read(text).map_err(|error| {
            self.renderer.remember(&input.name, text);
            document::explain(self.name, input, text, &error).into()
        })
    }

    /// Replaces the order of a document by that of an OpenScop text.
    pub fn reorder<S: Stage>(&mut self, program: Program<S>, path: &Path) -> Result<Program<S>, Diagnostics> {
        let input = input::read(Some(path))?;
        let text = document::text(&input)?;
        with_order(program, text).map_err(|error| {
            self.renderer.remember(&input.name, text);
            document::explain(self.name, &input, text, &ReadError::OpenScop(error)).into()
        })
    }

    /// Shows the messages of a tool about its result, and returns the result.
    pub fn accept<T>(&mut self, outcome: Result<Outcome<T>, Diagnostics>) -> Result<T, Diagnostics> {
        match outcome.and_then(settled) {
            Ok(outcome) => {
                self.renderer.show(&outcome.diagnostics);
                Ok(outcome.value)
            }
            Err(Diagnostics(diagnostics)) if diagnostics.is_empty() => {
                Err(Diagnostic::bug(self.name, "it failed and did not say why").into())
            }
            Err(diagnostics) => Err(diagnostics),
        }
    }

    /// Verifies and writes a document.
    pub fn write_program<B: Stage>(
        &mut self,
        path: Option<&Path>,
        format: OutputFormat,
        program: &Program<B>,
    ) -> Result<(), Diagnostics> {
        self.verify(program).map_err(|faults| Diagnostics(faulty_output(self.name, &faults)))?;
        let text = self.text(format, program)?;
        allowance::end();
        output::write(path, &text)
    }

    fn text<B: Stage>(&self, format: OutputFormat, program: &Program<B>) -> Result<String, Diagnostics> {
        if format.openscop {
            return to_openscop(program).map_err(|error| {
                let message = format!("the result cannot be written as OpenScop: {error}");
                Diagnostic::error("E0015", message)
                    .with_help("without `--openscop` it is written as JSON")
                    .into()
            });
        }
        let text = scop::to_sealed_json(program, &self.seal)
            .map_err(|error| Diagnostic::bug(self.name, format!("its result is not JSON: {error}")))?;
        match scop::check_limits(&text) {
            Ok(()) => Ok(text),
            Err(error) => Err(document::too_large(self.name, &error).into()),
        }
    }

    /// Shows why the run failed, if it did, and returns the exit code.
    pub fn finish(&mut self, result: Result<(), Diagnostics>) -> u8 {
        let Err(Diagnostics(diagnostics)) = result else { return SUCCESS };
        self.renderer.show(&diagnostics);
        let bug = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Bug);
        match (bug, self.gave_up) {
            (true, _) => WE_ARE_WRONG,
            (false, true) => self.given_up,
            (false, false) => USER_IS_WRONG,
        }
    }
}

fn faulty_input(document: &str, faults: &[verify::Fault]) -> Vec<Diagnostic> {
    if let Some(diagnostic) = given_up(document, faults) {
        return vec![diagnostic];
    }
    limited(faults, |message| {
        Diagnostic::error("E0008", format!("{document} is not a sound document: {message}"))
            .with_help("the tool that wrote it has a bug, or a later change broke it")
    })
}

fn faulty_output(tool: &str, faults: &[verify::Fault]) -> Vec<Diagnostic> {
    if let Some(diagnostic) = given_up(&format!("the result of {tool}"), faults) {
        return vec![diagnostic];
    }
    limited(faults, |message| Diagnostic::bug(tool, format!("its result is not a sound document: {message}")))
}

/// Returns the message for a document that the verifier gave up on, if it did.
fn given_up(document: &str, faults: &[verify::Fault]) -> Option<Diagnostic> {
    let fault = faults.iter().find(|fault| fault.gave_up)?;
    let message = format!("{document} is too complicated to verify: {}", fault.message);
    Some(Diagnostic::given_up("E0016", message))
}

/// Returns one message for each fault, up to a limit, and one for the rest.
fn limited(faults: &[verify::Fault], message: impl Fn(String) -> Diagnostic) -> Vec<Diagnostic> {
    let mut shown: Vec<_> = faults
        .iter()
        .take(FAULTS_SHOWN)
        .map(|fault| message(format!("{} [V{}]", fault.message, fault.invariant)))
        .collect();
    if faults.len() > FAULTS_SHOWN {
        shown.push(message(format!("{} more faults", faults.len() - FAULTS_SHOWN)));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tool that checks and gives up while it verifies its input exits with 4, as it does later; other tools refuse
    /// the input.
    #[test]
    fn what_is_too_complicated_to_verify_is_not_known() {
        let code = |tool: Tool<'_>, gave_up: bool| {
            let fault = verify::Fault { invariant: 7, message: "the schedule".to_owned(), gave_up };
            let mut session = Session::new(tool);
            let faults = session.note(Err(vec![fault])).unwrap_err();
            session.finish(Err(Diagnostics(faulty_input("d.json", &faults))))
        };
        let tool = Tool::from("test");
        assert_eq!(code(tool, true), 1);
        assert_eq!(code(tool.that_checks(), true), 4);
        assert_eq!(code(tool.that_checks(), false), 1);
    }
}
