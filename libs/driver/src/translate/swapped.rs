//! Stages that commands of the user's do.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::Path;

use super::arguments::talking;
use super::{Translation, failure, no_room};
use crate::process::{GAVE_UP, Kind, Whose};
use crate::stages::Stage;
use crate::stop::{Or, Stop};
use crate::tools::SCOP_CHECK;

impl Translation<'_> {
    /// Runs a command of the user's, and checks what it wrote.
    pub fn run_swapped(&self, stage: Stage, command: &OsStr, document: &Path, result: &Path) -> Or<()> {
        let shown = command.display();
        let status = self.run_command(stage, command, document, result)?;
        if !status.is_success() {
            return Err(Stop::failed(format!("the command for stage {stage} ended with {status}: {shown}")));
        }
        if stage != Stage::Cudagen && is_empty(result) {
            return Err(Stop::failed(format!("the command for stage {stage} wrote nothing: {shown}")));
        }
        if self.job.plan.chain.compares(stage) {
            self.compare(stage, command, document, result)?;
        }
        match stage {
            Stage::Scheduler => {
                self.check_schedule(stage, command, result)?;
                if has_mapping(&fs::read(result).map_err(no_room)?) { Ok(()) } else { self.map_order(result) }
            }
            Stage::Gpulocalizer => self.check_schedule(stage, command, result),
            _ => Ok(()),
        }
    }

    fn run_command(
        &self,
        stage: Stage,
        command: &OsStr,
        document: &Path,
        result: &Path,
    ) -> Or<crate::process::Status> {
        let mut words = vec!["sh".into(), "-c".into(), command.to_owned(), stage.name().into()];
        words.extend(self.arguments(stage));
        match stage {
            Stage::Clan => words.push(self.result.source.input.clone().into()),
            Stage::Cudagen => words.extend(self.program_folder()),
            _ => {}
        }
        let mut command = self.job.processes.command(words);
        let input = File::open(document)
            .map_err(|error| Stop::failed(format!("'{}' cannot be read: {error}", document.display())))?;
        command.stdin(input);
        if stage != Stage::Cudagen {
            command.stdout(File::create(result).map_err(no_room)?);
        }
        self.job.processes.run(command, Kind { whose: Whose::TheUsers, what: Some(stage.name()) })
    }

    /// A stage adds its own sections and changes nothing else.
    fn compare(&self, stage: Stage, command: &OsStr, before: &Path, after: &Path) -> Or<()> {
        let mut words =
            vec![self.job.tools.path(SCOP_CHECK).into_os_string(), "--stage".into(), stage.name().into()];
        words.extend(talking(self.job.plan));
        words.extend([before.into(), after.into()]);
        let status = self.status_of(words, SCOP_CHECK)?;
        let why = || {
            let command = command.display();
            format!(
                "what the command for stage {stage} wrote was refused (--trust-stage takes it): {command}"
            )
        };
        match status.0 {
            0 => Ok(()),
            1 => Err(Stop::failed(why())),
            2 => Err(Stop { status: 2, words: vec![why()] }),
            _ => Err(failure::of_tool("the comparison of documents (scop-check)", status)),
        }
    }

    /// No later tool asks again whether the order is right.
    fn check_schedule(&self, stage: Stage, command: &OsStr, document: &Path) -> Or<()> {
        let chain = &self.job.plan.chain;
        let mut words = vec![self.job.tools.path(Stage::Candl.name()).into_os_string(), "--check".into()];
        words.extend(talking(self.job.plan));
        words.push(document.into());
        let status = self.status_of(words, "the check of the schedule")?;
        let wrote = |what: &str| {
            format!("what the command for stage {stage} wrote was {what}: {}", command.display())
        };
        match status.0 {
            0 => Ok(()),
            GAVE_UP if chain.allowing_unproved => {
                let words =
                    format!("the schedule of stage {stage} was not proved to be right (--allow-unproved)");
                self.job.processes.talk.say(words);
                Ok(())
            }
            GAVE_UP => Err(Stop::failed(wrote("not proved to be right"))),
            1 => Err(Stop::failed(wrote("refused"))),
            2 => Err(Stop { status: 2, words: vec![wrote("refused")] }),
            _ => Err(failure::of_tool("the check (candl-rs --check)", status)),
        }
    }

    /// The command for scheduler may leave it to scheduler to tie its order to blocks and threads.
    fn map_order(&self, document: &Path) -> Or<()> {
        let mapped = self.folder.join("mapped.json");
        let tool = self.job.tools.path(Stage::Scheduler.name()).into_os_string();
        let mut words = vec![tool, "--only".into(), "map".into()];
        words.extend(self.arguments(Stage::Scheduler));
        words.extend(talking(self.job.plan));
        words.extend([document.into(), "-o".into(), mapped.clone().into()]);
        let status = self.status_of(words, "scheduler --only map")?;
        if !status.is_success() {
            return Err(failure::of_tool("the mapping (scheduler --only map)", status));
        }
        fs::rename(&mapped, document).map_err(no_room)
    }
}

fn is_empty(file: &Path) -> bool {
    file.metadata().map_or(true, |metadata| metadata.len() == 0)
}

/// Quotes inside of strings have a backslash before them: this is a key.
fn has_mapping(document: &[u8]) -> bool {
    const KEY: &[u8] = b"\"mapping\"";
    let is_space = |byte: &u8| byte.is_ascii_whitespace();
    document.windows(KEY.len()).enumerate().filter(|(_, window)| *window == KEY).any(|(start, _)| {
        let before = document[..start].last();
        let after = document[start + KEY.len()..].iter().find(|byte| !is_space(byte));
        before.is_none_or(|byte| is_space(byte) || b"{,".contains(byte)) && after == Some(&b':')
    })
}

#[cfg(test)]
mod tests {
    use super::has_mapping;

    #[test]
    fn a_mapping_is_a_key() {
        for (text, has) in [
            (r#"{"mapping": {}}"#, true),
            ("{\n  \"schedule\": 1,\n  \"mapping\" : {}\n}", true),
            (r#"{"a":1,"mapping":{}}"#, true),
            (r#"{"a": "\"mapping\": {}"}"#, false),
            (r#"{"a": ["mapping"]}"#, false),
        ] {
            assert_eq!(has_mapping(text.as_bytes()), has, "{text}");
        }
    }
}
