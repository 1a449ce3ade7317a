//! The translation of source files: for each file, the stages run one after the other, each in its own process.

mod arguments;
mod failure;
mod kept;
mod proof;
mod swapped;
mod together;
mod tool;
mod verdict;

use std::fs;
use std::path::Path;

use crate::job::{Job, Others, Translated, no_room};
use crate::plan::{Goal, Source};
use crate::process::copy_stdin;
use crate::stages::Stage;
use crate::stop::Or;

pub use arguments::arguments;
pub use kept::keep;

use proof::Proof;
use together::Way;

/// Translates all files: together, if there are several. If a region is left then that clan-rs had translated, what was
/// said about its file is wrong, and each file is translated by itself.
pub fn translate(job: Job<'_>) -> Or<Vec<Translated<'_>>> {
    let others = match together::way(job)? {
        Way::Together(others) => others,
        Way::Apart => return translate_apart(job),
        Way::Refused(number) => {
            // Its message comes first: others may only be wrong because of it.
            job.plan
                .sources
                .get(number)
                .into_iter()
                .try_for_each(|source| translate_one(job, number, source, None).map(drop))?;
            return translate_apart(job);
        }
    };
    let numbered = job.plan.sources.iter().zip(others).enumerate();
    let mut translated =
        numbered.map(|(number, (source, others))| translate_one(job, number, source, Some(others)));
    match translated.by_ref().collect::<Or<Vec<_>>>() {
        Ok(all) if !all.iter().any(together::left_a_region) => return Ok(all),
        Err(stop) if stop.is_signal() || !job.plan.chain.keep_going => return Err(stop),
        _ => {}
    }
    job.processes.talk.say("a region stays C, so each file is translated by itself");
    translate_apart(job)
}

fn translate_apart(job: Job<'_>) -> Or<Vec<Translated<'_>>> {
    let numbered = job.plan.sources.iter().enumerate();
    let first = job.plan.sources.len();
    numbered.map(|(number, source)| translate_one(job, first + number, source, None)).collect()
}

/// Translates one file. If a stage fails, the documents of the stages before it are still kept (`--keep`).
fn translate_one<'a>(
    job: Job<'a>,
    number: usize,
    source: &'a Source,
    others: Option<Others>,
) -> Or<Translated<'a>> {
    let mut translated = Translated { others, ..Translated::new(job, number, source)? };
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
        if stage == Stage::Gpulocalizer && translated.others.is_some() && together::is_idle(&document) {
            translated.is_plain = true;
            return Ok(());
        }
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
