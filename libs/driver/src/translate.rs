//! The translation of a file: the stages one after the other, each a process.

mod arguments;
mod failure;
mod kept;
mod proof;
mod swapped;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::plan::{Plan, Source};
use crate::process::{Kind, Processes, Whose, copy_stdin};
use crate::stages::Stage;
use crate::stop::{Or, Stop};
use crate::tools::Tools;

pub use kept::keep;

use arguments::talking;
use proof::Proof;

/// What is done, and by what.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// What is to be done.
    pub plan: &'a Plan,
    /// By these tools.
    pub tools: &'a Tools,
    /// In these processes.
    pub processes: &'a Processes,
    /// With temporary files in this folder.
    pub work: &'a Path,
}

/// What became of a file.
#[derive(Debug)]
pub struct Translated<'a> {
    /// The file.
    pub source: &'a Source,
    /// The documents of the stages that ran.
    pub documents: Vec<(Stage, PathBuf)>,
    /// The folder of the generated program.
    pub program: PathBuf,
    /// The rule for make that clan-rs wrote.
    pub rule: PathBuf,
}

/// A translation that is running.
struct Translation<'a> {
    job: Job<'a>,
    folder: PathBuf,
    result: Translated<'a>,
    proof: Option<Proof>,
}

/// Translates all files.
pub fn translate(job: Job<'_>) -> Or<Vec<Translated<'_>>> {
    let mut all = Vec::new();
    for (number, source) in job.plan.sources.iter().enumerate() {
        let mut translation = Translation::begin(job, number, source)?;
        let outcome = translation.run();
        if let Err(stop) = outcome {
            return Err(match stop.is_signal() {
                true => stop,
                false => keep(job, &translation.result, &[]).err().unwrap_or(stop),
            });
        }
        all.push(translation.result);
    }
    Ok(all)
}

fn no_room(error: io::Error) -> Stop {
    Stop::failed(format!("temporary files cannot be written: {error}"))
}

impl<'a> Translation<'a> {
    fn begin(job: Job<'a>, number: usize, source: &'a Source) -> Or<Self> {
        let folder = job.work.join((number + 1).to_string());
        let (program, rule) = (folder.join("program"), folder.join("dependencies.d"));
        fs::create_dir_all(&program).map_err(no_room)?;
        let result = Translated { source, documents: Vec::new(), program, rule };
        Ok(Self { job, folder, result, proof: None })
    }

    fn run(&mut self) -> Or<()> {
        let mut document = self.result.source.input.clone();
        if document == Path::new("-") {
            document = self.folder.join("input.json");
            copy_stdin(&self.job.processes.signals, &document)?;
        }
        for stage in self.job.plan.chain.stages() {
            let result = self.folder.join(stage.document());
            if stage == Stage::Cudagen {
                self.start_proof(&document)?;
            }
            self.run_stage(stage, &document, &result)?;
            self.result.documents.push((stage, result.clone()));
            document = result;
        }
        if self.job.plan.chain.last == Stage::Cloog {
            self.start_proof(&document)?;
        }
        self.await_proof()
    }

    fn run_stage(&self, stage: Stage, document: &Path, result: &Path) -> Or<()> {
        match self.job.plan.chain.swapped.get(&stage) {
            Some(command) => self.run_swapped(stage, command, document, result),
            None => self.run_tool(stage, document, result),
        }
    }

    fn run_tool(&self, stage: Stage, document: &Path, result: &Path) -> Or<()> {
        let mut words = vec![self.job.tools.path(stage.name()).into_os_string()];
        words.extend(self.arguments(stage));
        words.extend(talking(self.job.plan));
        let output = ["-o".into(), result.into()];
        match stage {
            Stage::Clan => {
                words.push(self.result.source.input.clone().into());
                words.extend(output);
            }
            Stage::Cudagen => {
                words.extend(self.program_folder());
                words.push(document.into());
            }
            _ => {
                words.push(document.into());
                words.extend(output);
            }
        }
        let kind = Kind { whose: Whose::Ours, what: Some(stage.name()) };
        let status = self.job.processes.run(self.job.processes.command(words), kind)?;
        if status.is_success() {
            return Ok(());
        }
        let stop = failure::of_tool(&format!("stage {stage}"), status);
        Err(match self.swapped_before(stage) {
            Some((before, command)) => stop
                .after(format!("its input was written by the command for {before}: {}", command.display())),
            None => stop,
        })
    }

    /// A tool that refuses its input may refuse what the user's own command wrote.
    fn swapped_before(&self, stage: Stage) -> Option<(Stage, &std::ffi::OsStr)> {
        let before = stage.before().filter(|_| stage > self.job.plan.chain.first)?;
        Some((before, self.job.plan.chain.swapped.get(&before)?))
    }

    /// Runs a tool of which only the status counts.
    fn status_of(&self, words: Vec<std::ffi::OsString>, what: &str) -> Or<crate::process::Status> {
        let command = self.job.processes.command(words);
        self.job.processes.run(command, Kind { whose: Whose::Ours, what: Some(what) })
    }

    /// Starts the proof of a loop program, which runs beside what comes.
    fn start_proof(&mut self, document: &Path) -> Or<()> {
        if self.job.plan.chain.proves() {
            self.proof = Some(Proof::start(self.job, document, &self.folder)?);
        }
        Ok(())
    }

    /// Nothing is delivered before the proof has come to its end.
    fn await_proof(&mut self) -> Or<()> {
        let Some(proof) = self.proof.take() else { return Ok(()) };
        let begins_with_c = self.job.plan.chain.begins_with_c();
        let input = self.result.source.input.as_path();
        match proof.judged(self.job, (!begins_with_c).then_some(input))? {
            Some(proved) => self.take_what_is_proved(&proved),
            None => Ok(()),
        }
    }

    fn take_what_is_proved(&mut self, proved: &Path) -> Or<()> {
        let Some((_, last)) = self.result.documents.last() else { return Ok(()) };
        if !self.job.plan.chain.ends_with_program() {
            return fs::rename(proved, last).map_err(no_room);
        }
        fs::remove_dir_all(&self.result.program).map_err(no_room)?;
        fs::create_dir(&self.result.program).map_err(no_room)?;
        self.run_stage(Stage::Cudagen, proved, &last.clone())
    }
}
