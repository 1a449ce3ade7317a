//! The proof that a loop program is correct, which runs in parallel with cudagen.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::arguments::talking;
use super::failure;
use super::verdict::{Judgement, contradiction, judged};
use crate::job::{Job, no_room};
use crate::process::{Group, Kind, Status, Whose};
use crate::stages::Stage;
use crate::stop::{Or, Stop};

const NAME: &str = "the proof (candl-rs --check)";

/// A proof that is running.
pub struct Proof {
    group: Result<Group, Status>,
    said: PathBuf,
    proved: PathBuf,
    verdict: PathBuf,
}

impl Proof {
    /// Starts the proof for a document, if there is to be one.
    pub fn start(job: Job<'_>, document: &Path, folder: &Path) -> Or<Option<Self>> {
        if !job.plan.chain.proves() {
            return Ok(None);
        }
        let (said, proved) = (folder.join("proof.txt"), folder.join("proved.json"));
        let verdict = folder.join("verdict.json");
        let tool = job.tools.path(Stage::Candl.name()).into_os_string();
        let mut words =
            vec![tool, "--check".into(), document.into(), "--verdict".into(), verdict.clone().into()];
        words.extend(talking(job.plan));
        if job.plan.chain.leaves_unproved() {
            words.extend(["--keep-going".into(), "-o".into(), proved.clone().into()]);
        }
        let mut command = job.processes.command(words);
        command.stdout(Stdio::null()).stderr(File::create(&said).map_err(no_room)?);
        let group = job.processes.start(command, Whose::Tool)?;
        Ok(Some(Self { group, said, proved, verdict }))
    }
}

impl Proof {
    /// Waits for the proof to end. A proof that did not finish, for whatever reason, does not count. Returns the
    /// document with the proved regions if not all of them were proved.
    ///
    /// # Errors
    /// Fails if the loops are not proved correct. `document` is the user's input if it is not a C file.
    pub fn judged(self, job: Job<'_>, document: Option<&Path>) -> Or<Option<PathBuf>> {
        let status = match self.group {
            Ok(group) => job.processes.wait(group, Kind { whose: Whose::Tool, what: Some("proof") })?,
            Err(status) => status,
        };
        job.processes.talk.hand_on(&fs::read(&self.said).map_err(no_room)?);
        let leaves_unproved = job.plan.chain.leaves_unproved() && self.proved.exists();
        match judged(status, &self.verdict, leaves_unproved) {
            Judgement::Proved => Ok(None),
            Judgement::PartlyProved => Ok(Some(self.proved)),
            Judgement::GivenUp => tolerated(job).map(|()| None),
            Judgement::Refuted => Err(wrong_loops(job, document)),
            Judgement::Broken => Err(failure::of_tool(NAME, status)),
            Judgement::Contradictory => Err(contradiction(NAME)),
        }
    }
}

fn tolerated(job: Job<'_>) -> Or<()> {
    if job.plan.chain.allowing_unproved {
        job.processes.talk.say("the generated loops were not proved to be right (--allow-unproved)");
        return Ok(());
    }
    Err(Stop::failed(
        "the generated loops were not proved to be right, and nothing was written. With --keep-going such regions stay \
         C; --allow-unproved accepts the loops as they are",
    ))
}

fn wrong_loops(job: Job<'_>, document: Option<&Path>) -> Stop {
    let chain = &job.plan.chain;
    let swapped = chain.swapped.iter().rev().find(|(stage, _)| stage.changes_a_document());
    if let Some((stage, command)) = swapped {
        return Stop::failed(format!(
            "what the command for stage {stage} wrote was refused: {}",
            command.display()
        ));
    }
    match document {
        Some(document) => Stop::failed(format!(
            "{} was refused: code generated from it would be wrong. If only c2cuda's tools wrote it, this is a bug in \
             c2cuda",
            document.display()
        )),
        None => Stop::bug(
            "the generated loops are wrong: this is a bug in c2cuda; --keep DIR keeps the documents for a report",
        ),
    }
}
