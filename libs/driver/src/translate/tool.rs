//! Stages that our tools run.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use super::arguments::{arguments, program_folder, talking};
use super::failure;
use crate::job::{Job, Translated};
use crate::process::{Kind, Whose};
use crate::stages::Stage;
use crate::stop::Or;

/// Runs the tool of a stage.
pub fn run_tool(
    job: Job<'_>,
    translated: &Translated<'_>,
    stage: Stage,
    document: &Path,
    result: &Path,
) -> Or<()> {
    let mut words = vec![job.tools.path(stage.name()).into_os_string()];
    words.extend(arguments(job, translated, stage));
    words.extend(talking(job.plan));
    let output: [OsString; 2] = ["-o".into(), result.into()];
    match stage {
        Stage::Clan => {
            words.push(translated.source.input.clone().into());
            words.extend(output);
        }
        Stage::Cudagen => {
            words.extend(program_folder(translated));
            words.push(document.into());
        }
        _ => {
            words.push(document.into());
            words.extend(output);
        }
    }
    let kind = Kind { whose: Whose::Tool, what: Some(stage.name()) };
    let status = job.processes.run(job.processes.command(words), kind)?;
    if status.is_success() {
        return Ok(());
    }
    let stop = failure::of_tool(&format!("stage {stage}"), status);
    Err(match swapped_before(job, stage) {
        Some((before, command)) => {
            let command = command.display();
            stop.after(format!("its input was written by the command for {before}: {command}"))
        }
        None => stop,
    })
}

/// Returns the user's command that wrote the input of a stage, if one did: a tool that refuses its input may be
/// refusing the output of this command.
fn swapped_before(job: Job<'_>, stage: Stage) -> Option<(Stage, &OsStr)> {
    let before = stage.before().filter(|_| stage > job.plan.chain.first)?;
    Some((before, job.plan.chain.swapped.get(&before)?))
}
