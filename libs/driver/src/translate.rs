//! The translation of source files: for each file, the stages run one after the other, each in its own process.

mod arguments;
mod failure;
mod kept;
mod proof;
mod swapped;
mod tool;
mod verdict;

use std::fs;
use std::path::Path;

use crate::job::{Job, Translated, no_room};
use crate::plan::{Goal, Source};
use crate::process::copy_stdin;
use crate::stages::Stage;
use crate::stop::Or;

pub use arguments::arguments;
pub use kept::keep;

use proof::Proof;

/// Translates all files.
pub fn translate(job: Job<'_>) -> Or<Vec<Translated<'_>>> {
    let numbered = job.plan.sources.iter().enumerate();
    numbered.map(|(number, source)| translate_one(job, number, source)).collect()
}

/// Translates one file. If a stage fails, the documents of the stages before it are still kept (`--keep`).
fn translate_one<'a>(job: Job<'a>, number: usize, source: &'a Source) -> Or<Translated<'a>> {
    let mut translated = Translated::new(job, number, source)?;
    match run_stages(job, &mut translated) {
        Ok(()) => Ok(translated),
        Err(stop) if stop.is_signal() => Err(stop),
        Err(stop) if matches!(job.plan.goal, Goal::Report(_)) && translated.is_analysed() => {
            translated.ended = Some(stop);
            Ok(translated)
        }
        Err(stop) => Err(keep(job, &translated, &[]).err().unwrap_or(stop)),
    }
}

fn run_stages(job: Job<'_>, translated: &mut Translated<'_>) -> Or<()> {
    let mut document = translated.source.input.clone();
    if document == Path::new("-") {
        document = translated.folder.join("input.json");
        copy_stdin(&job.processes.signals, &document)?;
    }
    // The proof runs in parallel with cudagen; nothing is delivered before it has ended.
    let mut proof = None;
    for stage in job.plan.chain.stages() {
        let result = translated.folder.join(stage.document());
        if stage == Stage::Cudagen {
            proof = Proof::start(job, &document, &translated.folder)?;
        }
        run_stage(job, translated, stage, &document, &result)?;
        translated.documents.push((stage, result.clone()));
        document = result;
    }
    if job.plan.chain.last == Stage::Cloog {
        proof = Proof::start(job, &document, &translated.folder)?;
    }
    let given = Some(translated.source.input.as_path()).filter(|_| !job.plan.chain.begins_with_c());
    match proof.map(|proof| proof.judged(job, given)).transpose()?.flatten() {
        Some(proved) => take_what_is_proved(job, translated, &proved),
        None => Ok(()),
    }
}

fn run_stage(
    job: Job<'_>,
    translated: &Translated<'_>,
    stage: Stage,
    document: &Path,
    result: &Path,
) -> Or<()> {
    match job.plan.chain.swapped.get(&stage) {
        Some(command) => swapped::run_swapped(job, translated, stage, command, document, result),
        None => tool::run_tool(job, translated, stage, document, result),
    }
}

fn take_what_is_proved(job: Job<'_>, translated: &Translated<'_>, proved: &Path) -> Or<()> {
    let last = translated.last_document()?;
    if !job.plan.chain.ends_with_program() {
        return fs::rename(proved, last).map_err(no_room);
    }
    fs::remove_dir_all(translated.program()).map_err(no_room)?;
    fs::create_dir(translated.program()).map_err(no_room)?;
    run_stage(job, translated, Stage::Cudagen, proved, last)
}
