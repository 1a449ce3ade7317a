//! `scop-answers`: prints the answers to the wishes of a document.

use std::process::ExitCode;

use scop::{Answer, Outcome, Placed, Program, Scop};

use crate::{EXPLAIN_HELP, Io, command_line, print};

const NAME: &str = "scop-answers";

/// Prints the answers to the wishes of a document: tiles, blocks, memories, layouts, transfers
///
/// It reads a document that gpulocalizer or cloog-rs wrote, and prints a line for each answer.
#[derive(Debug, clap::Parser)]
#[command(name = NAME, version, after_help = EXPLAIN_HELP)]
struct Options {
    #[command(flatten)]
    io: Io,
}

/// Runs the command.
pub fn scop_answers() -> ExitCode {
    let options: Options = match command_line() {
        Ok(options) => options,
        Err(code) => return code,
    };
    print(NAME, &options.io, |program: Program<Placed>| Ok(Outcome::new(described(&program))))
}

fn described(program: &Program<Placed>) -> String {
    let mut text = String::new();
    for scop in program.scops.iter().filter(|scop| answers(scop).next().is_some()) {
        text += &format!("{}\n", scop.model.name);
        for answer in answers(scop) {
            let place = answer.kernel.map(|kernel| format!(" in {kernel}")).unwrap_or_default();
            text += &format!("  {}: {}{place}: {}\n", answer.wish.origin, answer.verdict, answer.reason);
        }
    }
    if text.is_empty() { "nothing was asked for\n".to_owned() } else { text }
}

fn answers(scop: &Scop<Placed>) -> impl Iterator<Item = &Answer> {
    scop.stage.scheduled.mapping.answers.iter().chain(&scop.stage.placement.answers)
}
