//! The proof that a loop program is right, which runs beside cudagen.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use super::arguments::talking;
use super::failure;
use crate::job::{Job, no_room};
use crate::process::{GAVE_UP, Group, Kind, Status, Whose};
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

/// What came of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Judgement {
    /// All loops are right.
    Proved,
    /// Those are that are left in another document.
    PartlyProved,
    /// It is not known whether they are right.
    GivenUp,
    /// They are wrong.
    Refuted,
    /// The tool broke down.
    Broken,
    /// The status says that all is well, and the verdict does not.
    Contradictory,
}

/// Judges a proof by its status and by the verdict that it wrote. That loops are right both have to say: nothing else
/// that may have gone wrong in the tool, or around it, looks like a proof.
fn judge(status: Status, verdict: Option<&Value>, leaves_unproved: bool) -> Judgement {
    match (status.0, verdict.and_then(|verdict| verdict["verdict"].as_str())) {
        (0, Some("proved")) => Judgement::Proved,
        (0, Some("undecided")) if leaves_unproved => Judgement::PartlyProved,
        (0, _) => Judgement::Contradictory,
        (GAVE_UP, _) => Judgement::GivenUp,
        (1, _) => Judgement::Refuted,
        _ => Judgement::Broken,
    }
}

impl Proof {
    /// Starts it for a document, if there is to be one.
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
        let group = job.processes.start(command, Whose::Ours)?;
        Ok(Some(Self { group, said, proved, verdict }))
    }
}

impl Proof {
    /// Waits for its end. A proof that did not come to its end, for whatever reason, is none. The result is the
    /// document of what was proved, if it is not all.
    ///
    /// # Errors
    /// If the loops are not proved to be right; `document` is what the user gave, if that was no C file.
    pub fn judged(self, job: Job<'_>, document: Option<&Path>) -> Or<Option<PathBuf>> {
        let status = match self.group {
            Ok(group) => job.processes.wait(group, Kind { whose: Whose::Ours, what: Some("proof") })?,
            Err(status) => status,
        };
        job.processes.talk.hand_on(&fs::read(&self.said).map_err(no_room)?);
        let verdict = fs::read(&self.verdict).ok().and_then(|text| serde_json::from_slice(&text).ok());
        match judge(status, verdict.as_ref(), job.plan.chain.leaves_unproved() && self.proved.exists()) {
            Judgement::Proved => Ok(None),
            Judgement::PartlyProved => Ok(Some(self.proved)),
            Judgement::GivenUp => tolerated(job).map(|()| None),
            Judgement::Refuted => Err(wrong_loops(job, document)),
            Judgement::Broken => Err(failure::of_tool(NAME, status)),
            Judgement::Contradictory => {
                Err(Stop::bug(format!("{NAME} ended well and did not say so: this is a bug in candl-rs")))
            }
        }
    }
}

fn tolerated(job: Job<'_>) -> Or<()> {
    if job.plan.chain.allowing_unproved {
        job.processes.talk.say("the generated loops were not proved to be right (--allow-unproved)");
        return Ok(());
    }
    Err(Stop::failed(
        "the generated loops were not proved to be right, and nothing was written. \
         With --keep-going such regions stay C; --allow-unproved takes the loops as they are",
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
            "{} was refused: what is generated from it would be wrong. \
             If none but c2cuda's tools wrote it, this is a bug in c2cuda",
            document.display()
        )),
        None => Stop::bug(
            "the generated loops are wrong: this is a bug in c2cuda; --keep DIR keeps the documents for a report",
        ),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_proof_is_one_if_status_and_verdict_say_so() {
        for (status, verdict, leaves, judgement) in [
            (0, "proved", false, Judgement::Proved),
            (0, "proved", true, Judgement::Proved),
            (0, "undecided", true, Judgement::PartlyProved),
            (0, "undecided", false, Judgement::Contradictory),
            (0, "refuted", true, Judgement::Contradictory),
            (4, "undecided", false, Judgement::GivenUp),
            (1, "refuted", true, Judgement::Refuted),
            (1, "proved", true, Judgement::Refuted),
            (137, "proved", false, Judgement::Broken),
        ] {
            let found = judge(Status(status), Some(&json!({ "verdict": verdict })), leaves);
            assert_eq!(found, judgement, "{status}, {verdict}");
        }
        assert_eq!(judge(Status(0), None, false), Judgement::Contradictory);
        assert_eq!(judge(Status(1), None, false), Judgement::Refuted);
    }
}
