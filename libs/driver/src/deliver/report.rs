//! The report on loops and transfers.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use crate::files::place;
use crate::job::{Job, Translated, no_room};
use crate::process::{Kind, Whose, print};
use crate::stages::Stage;
use crate::stop::{Or, Stop};
use crate::translate::arguments;
use crate::words::joined;

/// Writes the reports on all files to a file, or prints them.
///
/// # Errors
/// Fails if a report fails. If a stage refused a file whose loops have been analysed, the report on the loops is written
/// all the same.
pub fn report(job: Job<'_>, all: &[Translated<'_>], file: Option<&Path>) -> Or<()> {
    let mut text = Vec::new();
    for (number, translated) in all.iter().enumerate() {
        if all.len() > 1 {
            let before = if number > 0 { "\n" } else { "" };
            let line = joined(joined(before, &translated.source.input), ":\n");
            text.extend(line.as_encoded_bytes());
        }
        let loops = of_tool(job, translated, Stage::Candl, vec!["--report".into()])?;
        let has_loops = loops.iter().any(|byte| *byte != b'\n');
        if has_loops {
            text.extend(&loops);
        }
        let is_complete = translated.documents.last().is_some_and(|(stage, _)| *stage == Stage::Scheduler);
        if is_complete {
            let mut words = arguments(job, translated, Stage::Gpulocalizer);
            words.push("--report=transfers".into());
            // A file without regions has nothing before its host code.
            let said = of_tool(job, translated, Stage::Gpulocalizer, words)?;
            let start = said.iter().position(|byte| *byte != b'\n').unwrap_or(said.len());
            if has_loops {
                text.push(b'\n');
            }
            text.extend(&said[start..]);
        }
    }
    match file {
        None => print(&job.processes.signals, &text)?,
        Some(file) => {
            let whole = job.work.join("report.txt");
            fs::write(&whole, &text).map_err(no_room)?;
            let failure = format!("the report could not be written to '{}'", file.display());
            place(&job.processes.signals, &whole, file, &failure)?;
        }
    }
    all.iter().find_map(|translated| translated.ended.clone()).map_or(Ok(()), Err)
}

/// Returns what a tool says about the last document.
fn of_tool(job: Job<'_>, translated: &Translated<'_>, stage: Stage, options: Vec<OsString>) -> Or<Vec<u8>> {
    let said = translated.folder.join("said.txt");
    let mut words = vec![job.tools.path(stage.name()).into_os_string()];
    words.extend(options);
    words.extend([translated.last_document()?.into(), "-o".into(), said.clone().into()]);
    let command = job.processes.command(words);
    if !job.processes.run(command, Kind { whose: Whose::Tool, what: None })?.is_success() {
        return Err(Stop::failed(format!("{stage} could not report")));
    }
    fs::read(&said).map_err(no_room)
}
