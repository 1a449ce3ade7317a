//! Stages that commands of the user replace.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::arguments::{arguments, program_folder, talking};
use super::failure;
use super::verdict::{Judgement, contradiction, judged};
use crate::job::{Job, Translated, no_room};
use crate::process::{Kind, Status, Whose};
use crate::stages::Stage;
use crate::stop::{Or, Stop};
use crate::tools::SCOP_CHECK;

/// Runs a command of the user, and checks the document that it wrote.
pub fn run_swapped(
    job: Job<'_>,
    translated: &Translated<'_>,
    stage: Stage,
    command: &OsStr,
    document: &Path,
    result: &Path,
) -> Or<()> {
    let shown = command.display();
    let status = run_command(job, translated, stage, command, document, result)?;
    if !status.is_success() {
        return Err(Stop::failed(format!("the command for stage {stage} ended with {status}: {shown}")));
    }
    if stage != Stage::Cudagen && is_empty(result) {
        return Err(Stop::failed(format!("the command for stage {stage} wrote nothing: {shown}")));
    }
    if job.plan.chain.compares(stage) {
        compare(job, stage, command, document, result)?;
    }
    match stage {
        Stage::Scheduler => {
            check_schedule(job, translated, stage, command, result)?;
            if has_mapping(&fs::read(result).map_err(no_room)?) {
                Ok(())
            } else {
                map_order(job, translated, result)
            }
        }
        Stage::Gpulocalizer => check_schedule(job, translated, stage, command, result),
        _ => Ok(()),
    }
}

fn run_command(
    job: Job<'_>,
    translated: &Translated<'_>,
    stage: Stage,
    command: &OsStr,
    document: &Path,
    result: &Path,
) -> Or<Status> {
    let mut words = vec!["sh".into(), "-c".into(), command.to_owned(), stage.name().into()];
    words.extend(arguments(job, translated, stage));
    match stage {
        Stage::Clan => words.push(translated.source.input.clone().into()),
        Stage::Cudagen => words.extend(program_folder(translated)),
        _ => {}
    }
    let mut command = job.processes.command(words);
    let input = File::open(document)
        .map_err(|error| Stop::failed(format!("'{}' cannot be read: {error}", document.display())))?;
    command.stdin(input);
    if stage != Stage::Cudagen {
        command.stdout(File::create(result).map_err(no_room)?);
    }
    job.processes.run(command, Kind { whose: Whose::UserCommand, what: Some(stage.name()) })
}

/// Checks that a stage has added its own sections and changed nothing else.
fn compare(job: Job<'_>, stage: Stage, command: &OsStr, before: &Path, after: &Path) -> Or<()> {
    let mut words = vec![job.tools.path(SCOP_CHECK).into_os_string(), "--stage".into(), stage.name().into()];
    words.extend(talking(job.plan));
    words.extend([before.into(), after.into()]);
    let status = status_of(job, words, SCOP_CHECK)?;
    let why = || {
        let command = command.display();
        format!("what the command for stage {stage} wrote was refused (--trust-stage accepts it): {command}")
    };
    match status.0 {
        0 => Ok(()),
        1 => Err(Stop::failed(why())),
        2 => Err(Stop { status: 2, words: vec![why()] }),
        _ => Err(failure::of_tool("the comparison of documents (scop-check)", status)),
    }
}

/// Checks the schedule that a command wrote. Later stages rely on its order.
fn check_schedule(
    job: Job<'_>,
    translated: &Translated<'_>,
    stage: Stage,
    command: &OsStr,
    document: &Path,
) -> Or<()> {
    const CHECK: &str = "the check (candl-rs --check)";
    let verdict = translated.folder.join(format!("{stage}-verdict.json"));
    let mut words = vec![job.tools.path(Stage::Candl.name()).into_os_string(), "--check".into()];
    words.extend(talking(job.plan));
    words.extend([document.into(), "--verdict".into(), verdict.clone().into()]);
    let status = status_of(job, words, "the check of the schedule")?;
    let wrote =
        |what: &str| format!("what the command for stage {stage} wrote was {what}: {}", command.display());
    match judged(status, &verdict, false) {
        Judgement::Proved | Judgement::PartlyProved => Ok(()),
        Judgement::GivenUp if job.plan.chain.allowing_unproved => {
            let words =
                format!("the schedule of stage {stage} was not proved to be right (--allow-unproved)");
            job.processes.talk.say(words);
            Ok(())
        }
        Judgement::GivenUp => Err(Stop::failed(wrote("not proved to be right"))),
        Judgement::Refuted => Err(Stop::failed(wrote("refused"))),
        Judgement::Broken if status.0 == 2 => Err(Stop { status: 2, words: vec![wrote("refused")] }),
        Judgement::Broken => Err(failure::of_tool(CHECK, status)),
        Judgement::Contradictory => Err(contradiction(CHECK)),
    }
}

/// Maps the order to blocks and threads with our scheduler: a command that replaces it may write only an order.
fn map_order(job: Job<'_>, translated: &Translated<'_>, document: &Path) -> Or<()> {
    let mapped = translated.folder.join("mapped.json");
    let tool = job.tools.path(Stage::Scheduler.name()).into_os_string();
    let mut words = vec![tool, "--only".into(), "map".into()];
    words.extend(arguments(job, translated, Stage::Scheduler));
    words.extend(talking(job.plan));
    words.extend([document.into(), "-o".into(), mapped.clone().into()]);
    let status = status_of(job, words, "scheduler --only map")?;
    if !status.is_success() {
        return Err(failure::of_tool("the mapping (scheduler --only map)", status));
    }
    fs::rename(&mapped, document).map_err(no_room)
}

/// Runs a tool and returns its status.
fn status_of(job: Job<'_>, words: Vec<OsString>, what: &str) -> Or<Status> {
    job.processes.run(job.processes.command(words), Kind { whose: Whose::Tool, what: Some(what) })
}

fn is_empty(file: &Path) -> bool {
    file.metadata().map_or(true, |metadata| metadata.len() == 0)
}

/// True if a scop of a document has a mapping. A document in OpenScop, which is not JSON, has none.
fn has_mapping(document: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Document {
        scops: Vec<Scop>,
    }
    #[derive(Deserialize)]
    struct Scop {
        mapping: Option<IgnoredAny>,
    }
    let document = serde_json::from_slice::<Document>(document);
    document.is_ok_and(|document| document.scops.iter().any(|scop| scop.mapping.is_some()))
}

#[cfg(test)]
mod tests {
    use super::has_mapping;

    #[test]
    fn a_mapping_is_a_section_of_a_scop() {
        for (text, has) in [
            (r#"{"scops": [{"mapping": {}}]}"#, true),
            ("{\n  \"scops\": [{},\n  {\"schedule\": 1,\n  \"mapping\" : {}\n}]}", true),
            (r#"{"scops": [{"schedule": 1}]}"#, false),
            (r#"{"mapping": {}, "scops": []}"#, false),
            (r#"{"scops": [{"a": "\"mapping\": {}"}]}"#, false),
            (r#"{"scops": [{"a": {"mapping": {}}}]}"#, false),
            ("<OpenScop>", false),
        ] {
            assert_eq!(has_mapping(text.as_bytes()), has, "{text}");
        }
    }
}
