//! `scop-check`: finds what a stage changed in a document outside its own sections.

use std::path::PathBuf;
use std::process::ExitCode;

use scop::ownership::{Change, ChangeKind, changes};
use scop::{Diagnostic, Diagnostics};
use serde_json::Value;

use crate::guard::guarded;
use crate::input::{self, Input};
use crate::{EXPLAIN_HELP, Messages, Tool, command_line, document};

const NAME: &str = "scop-check";

/// The number of changes that are shown; further ones are only counted.
const SHOWN: usize = 10;

/// Prints what a stage changed in a document outside its own sections
///
/// The stages, in order: clan-rs, candl-rs, scheduler, gpulocalizer, cloog-rs. docs/format.md lists what each writes.
/// The exit status is 0 if nothing else was changed, and 1 otherwise.
#[derive(Debug, clap::Parser)]
#[command(name = NAME, version, after_help = EXPLAIN_HELP)]
struct Options {
    /// The document that the stage read; `-` means the standard input
    before: PathBuf,
    /// The document that it wrote
    after: PathBuf,
    /// The stage; by default the last one with a section in AFTER
    #[arg(long, value_name = "STAGE", value_parser = STAGES)]
    stage: Option<String>,
    #[command(flatten)]
    messages: Messages,
}

const STAGES: [&str; 4] = ["candl-rs", "scheduler", "gpulocalizer", "cloog-rs"];

/// Runs the command.
pub fn scop_check() -> ExitCode {
    let options: Options = match command_line() {
        Ok(options) => options,
        Err(code) => return code,
    };
    guarded(Tool::from(NAME).talking(options.messages), |_| {
        let (before, after) = (input::read(Some(&options.before))?, input::read(Some(&options.after))?);
        let (old, new) = (document::text(&before)?, document::text(&after)?);
        let found = changes(&read(&before, old)?, &read(&after, new)?, options.stage.as_deref());
        if found.is_empty() { Ok(()) } else { Err(Diagnostics(messages(&found, options.stage.as_deref()))) }
    })
}

fn read(input: &Input, text: &str) -> Result<Value, Diagnostics> {
    openscop::document(text).map_err(|error| document::explain(NAME, input, text, &error).into())
}

fn messages(found: &[Change], stage: Option<&str>) -> Vec<Diagnostic> {
    let by = stage.map_or_else(|| "the stage".to_owned(), |stage| format!("the command for {stage}"));
    let message = |change: &Change| {
        let Change { path, writer, kind } = change;
        let what = match kind {
            ChangeKind::Added => format!("`{path}`, which {writer} writes, was added by {by}"),
            ChangeKind::Changed => format!("`{path}`, which {writer} wrote, was changed by {by}"),
            ChangeKind::Removed => format!("`{path}`, which {writer} wrote, was removed by {by}"),
        };
        Diagnostic::error("E0020", what)
    };
    let mut all: Vec<Diagnostic> = found.iter().take(SHOWN).map(message).collect();
    if let Some(more) = found.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        all.push(Diagnostic::error("E0020", format!("and {more} more")));
    }
    if let Some(last) = all.pop() {
        all.push(last.with_help("a stage adds its own sections and hands on all others as they were"));
    }
    all
}
