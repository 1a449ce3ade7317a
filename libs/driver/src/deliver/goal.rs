//! Delivers translations, as the goal of the plan says.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use super::{build_commands, report};
use crate::files::{File, install, place};
use crate::job::{Job, Translated};
use crate::plan::Goal;
use crate::process::{Kind, UNWRITABLE, Whose, print, print_or};
use crate::stop::{Or, Stop};
use crate::tools::SCOP_ANSWERS;
use crate::translate::keep;
use crate::words::joined;

/// Writes or prints all results.
pub fn deliver(job: Job<'_>, all: &[Translated<'_>]) -> Or<()> {
    let programs = match job.plan.chain.ends_with_program() {
        true => all.iter().map(Translated::generated).collect::<Or<Vec<_>>>()?,
        false => all.iter().map(|_| Vec::new()).collect(),
    };
    for (translated, files) in all.iter().zip(&programs) {
        keep(job, translated, files)?;
    }
    match &job.plan.goal {
        Goal::Report(file) => report::report(job, all, file.as_deref()),
        Goal::Answers(file) => print_answers(job, all, file.as_deref()),
        Goal::Document(file) => write_document(job, all, file.as_deref()),
        Goal::Documents(folder) => write_documents(job, all, folder),
        Goal::Print => print_programs(job, &programs),
        Goal::Program(folder) => {
            install_programs(job, all, &programs, folder)?;
            if job.plan.talk.quiet { Ok(()) } else { build_commands::report(job, all, &programs, folder) }
        }
        Goal::Run(run) => match &run.folder {
            Some(folder) => install_programs(job, all, &programs, folder),
            None => Ok(()),
        },
    }
}

fn install_programs(job: Job<'_>, all: &[Translated<'_>], programs: &[Vec<File>], folder: &Path) -> Or<()> {
    let mut seen: BTreeMap<&OsStr, &Path> = BTreeMap::new();
    for (translated, files) in all.iter().zip(programs) {
        for file in files {
            if let Some(other) = seen.insert(&file.name, &translated.source.input) {
                let (name, other, input) =
                    (file.name.display(), other.display(), translated.source.input.display());
                return Err(Stop::failed(format!(
                    "'{name}' would be generated from '{other}' and from '{input}'"
                )));
            }
        }
    }
    install(&job.processes.signals, folder, &programs.concat())?;
    all.iter().try_for_each(|translated| write_rule(job, translated))
}

fn write_rule(job: Job<'_>, translated: &Translated<'_>) -> Or<()> {
    let Some(rule) = &translated.source.rule else { return Ok(()) };
    if !translated.rule().exists() {
        return Err(Stop::failed("the command for stage clan-rs wrote no dependencies"));
    }
    let failure = format!("the dependencies could not be written to '{}'", rule.file.display());
    place(&job.processes.signals, &translated.rule(), &rule.file, &failure)
}

/// Writes the document of the last stage.
fn write_document(job: Job<'_>, all: &[Translated<'_>], file: Option<&Path>) -> Or<()> {
    for translated in all {
        let document = translated.last_document()?;
        match file {
            Some(file) => {
                place(
                    &job.processes.signals,
                    document,
                    file,
                    &format!("the document could not be written to '{}'", file.display()),
                )?;
                write_rule(job, translated)?;
            }
            None => {
                let failure = "the document could not be written";
                let text = fs::read(document).map_err(|_| Stop::failed(failure))?;
                print_or(&job.processes.signals, &text, failure)?;
            }
        }
    }
    Ok(())
}

fn write_documents(job: Job<'_>, all: &[Translated<'_>], folder: &Path) -> Or<()> {
    let file = |translated: &Translated<'_>| {
        let stem = translated.source.input.file_stem().unwrap_or(translated.source.input.as_os_str());
        Ok(File::new(translated.last_document()?.to_owned(), joined(stem, ".json")))
    };
    let files = all.iter().map(file).collect::<Or<Vec<_>>>()?;
    install(&job.processes.signals, folder, &files)?;
    all.iter().try_for_each(|translated| write_rule(job, translated))
}

/// Prints the files of all programs, each after a line with its name.
fn print_programs(job: Job<'_>, programs: &[Vec<File>]) -> Or<()> {
    for file in programs.iter().flatten() {
        let text = fs::read(&file.path).map_err(|_| Stop::failed(UNWRITABLE))?;
        let line = joined(joined("/* ==> ", &file.name), " */\n");
        print(&job.processes.signals, line.as_encoded_bytes())?;
        print(&job.processes.signals, &text)?;
    }
    Ok(())
}

/// Prints the answers to the wishes in each document.
fn print_answers(job: Job<'_>, all: &[Translated<'_>], file: Option<&Path>) -> Or<()> {
    for translated in all {
        if all.len() > 1 {
            let line = joined(&translated.source.input, ":\n");
            print(&job.processes.signals, line.as_encoded_bytes())?;
        }
        let mut words = vec![job.tools.path(SCOP_ANSWERS).into_os_string()];
        words.push(translated.last_document()?.into());
        words.extend(file.into_iter().flat_map(|file| ["-o".into(), file.into()]));
        let command = job.processes.command(words);
        if !job.processes.run(command, Kind { whose: Whose::Tool, what: None })?.is_success() {
            return Err(Stop::failed("scop-answers could not print the answers to the wishes"));
        }
    }
    Ok(())
}
