//! Checks which options go together.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::extraction::extraction;
use crate::command_line::{CommandLine, Language};
use crate::stages::Stage;
use crate::stop::{Or, Stop};

/// A command line, and what follows from it.
struct Checked<'a> {
    line: &'a CommandLine,
    first: Stage,
    last: Stage,
    runs: bool,
}

/// Refuses options that do not go together.
pub fn check(line: &CommandLine, first: Stage, last: Stage) -> Or<()> {
    let runs = line.options.run || line.options.verify;
    let checked = Checked { line, first, last, runs };
    checked.check_stages()?;
    checked.check_questions()?;
    checked.check_running()?;
    checked.check_beginning()?;
    checked.check_several()?;
    checked.check_rules()
}

fn refuse_if(wrong: bool, why: impl FnOnce() -> String) -> Or<()> {
    if wrong { Err(Stop::misused(why())) } else { Ok(()) }
}

impl Checked<'_> {
    fn check_stages(&self) -> Or<()> {
        let (first, last) = (self.first, self.last);
        refuse_if(self.line.inputs.is_empty(), || "which file?".to_owned())?;
        refuse_if(first > last, || format!("--from {first} comes after --to {last}"))?;
        let told =
            self.line.options.stage.iter().map(|swap| swap.stage).chain(self.line.more.keys().copied());
        let printer = self.line.options.target.map(|_| Stage::Cudagen);
        for stage in told.chain(printer) {
            let runs = (first..=last).contains(&stage);
            refuse_if(!runs, || format!("stage {stage} does not run with this --from and --to"))?;
        }
        Ok(())
    }

    /// `--report` and `--wishes-answered`
    fn check_questions(&self) -> Or<()> {
        let (options, last) = (&self.line.options, self.last);
        let rule = self.line.flags.rule.flags.first().map(|flag| flag.display().to_string());
        let rule = rule.filter(|_| self.line.flags.rule.is_wanted());
        let makes_none = |option: &str| {
            let flag = rule.clone().unwrap_or_default();
            format!("{flag} writes a rule for the generated files, but {option} generates none")
        };
        if options.report {
            let why = || {
                "--report only says what could run in parallel and what is copied, but --run needs the whole chain"
                    .to_owned()
            };
            refuse_if(self.runs, why)?;
            refuse_if(rule.is_some(), || makes_none("--report"))?;
            refuse_if(![Stage::Candl, Stage::Gpulocalizer].contains(&last), || {
                format!("--report ends with gpulocalizer or candl-rs, not with {last}")
            })?;
            refuse_if(self.first > Stage::Scheduler, || {
                format!("--report needs what scheduler reads, not what {} reads", self.first)
            })?;
            let is_swapped = options.stage.iter().any(|swap| swap.stage == Stage::Gpulocalizer);
            refuse_if(is_swapped, || {
                "--report asks gpulocalizer: with a command instead of it, end the report with --to candl-rs"
                    .to_owned()
            })?;
        }
        if options.wishes_answered {
            let why = || {
                "--wishes-answered only prints the answers to wishes, but --run needs the whole chain"
                    .to_owned()
            };
            refuse_if(self.runs, why)?;
            refuse_if(options.report, || {
                "--wishes-answered and --report cannot be combined: use one at a time".to_owned()
            })?;
            refuse_if(rule.is_some(), || makes_none("--wishes-answered"))?;
            refuse_if(last != Stage::Gpulocalizer, || {
                format!("--wishes-answered ends with gpulocalizer, not with {last}")
            })?;
        }
        Ok(())
    }

    fn check_running(&self) -> Or<()> {
        let (options, last) = (&self.line.options, self.last);
        if let (true, Some(machine)) = (options.profile, options.on) {
            let machine = machine.name();
            let why =
                format!("--profile uses a machine of its own: it cannot be combined with --on {machine}");
            return Err(Stop::misused(why));
        }
        if self.runs {
            refuse_if(last != Stage::LAST, || {
                format!("--run needs the whole chain, but --to ends it with {last}")
            })?;
            match options.target.unwrap_or_default() {
                Language::Cuda => {}
                Language::Hip => {
                    return Err(Stop::misused("--run builds CUDA: it cannot be combined with --target hip"));
                }
            }
        } else {
            refuse_if(options.profile, || {
                "--profile counts while the program runs: it needs --run".to_owned()
            })?;
            refuse_if(options.on.is_some(), || "--on says where to run: it needs --run".to_owned())?;
            refuse_if(!options.with.is_empty(), || {
                "--with names more parts of a program to run: it needs --run".to_owned()
            })?;
        }
        refuse_if(options.tolerance.is_some() && !options.verify, || {
            "--tolerance says how far numbers may differ: it needs --verify".to_owned()
        })
    }

    fn check_beginning(&self) -> Or<()> {
        let (options, first) = (&self.line.options, self.first);
        if first == Stage::Clan {
            for input in &self.line.inputs {
                check_c_file(Path::new(input))?;
            }
            return refuse_if(options.source.is_some(), || "--source needs --from".to_owned());
        }
        let for_clan =
            |word: String| format!("{word} is for clan-rs, which does not run with --from {first}");
        let extraction = extraction(options);
        let language = &self.line.flags.language;
        if let Some(word) = extraction.first().or(language.first().filter(|_| !self.runs)) {
            return Err(Stop::misused(for_clan(word.display().to_string())));
        }
        refuse_if(options.compile_commands.is_some(), || for_clan("-p".to_owned()))?;
        let rule = &self.line.flags.rule;
        refuse_if(rule.is_wanted(), || {
            for_clan(rule.flags.first().map(|f| f.display().to_string()).unwrap_or_default())
        })
    }

    fn check_several(&self) -> Or<()> {
        let (inputs, options, rule) = (&self.line.inputs, &self.line.options, &self.line.flags.rule);
        if inputs.len() < 2 {
            return Ok(());
        }
        refuse_if(inputs.iter().any(|input| input == "-"), || {
            "the standard input is one document: it cannot be combined with other files".to_owned()
        })?;
        refuse_if(options.source.is_some(), || {
            "--source says where one C file is: name one document".to_owned()
        })?;
        refuse_if(rule.file.is_some() || !rule.targets.is_empty(), || {
            "-MF, -MT and -MQ say how one rule is written: name one source file".to_owned()
        })
    }

    fn check_rules(&self) -> Or<()> {
        let rule = &self.line.flags.rule;
        if !rule.is_wanted() {
            let alone = rule.file.is_some() || !rule.targets.is_empty();
            return refuse_if(alone, || "-MF, -MT and -MQ need -MD or -MMD".to_owned());
        }
        let output = self.line.options.output.as_deref();
        let named = output.is_some_and(|output| output != Path::new("-"));
        let whole = self.last == Stage::LAST && !self.runs && output.is_none();
        refuse_if(!named && !whole, || {
            let flag = rule.flags.first().map(|flag| flag.display().to_string()).unwrap_or_default();
            format!("{flag} writes a rule for the generated files: it needs -o here")
        })
    }
}

fn check_c_file(input: &Path) -> Or<()> {
    use std::os::unix::fs::FileTypeExt;
    let shown = input.display();
    refuse_if(input == Path::new("-"), || {
        "the C file cannot come from the standard input: its host part has to be named after it".to_owned()
    })?;
    let kind = input.metadata().map(|metadata| metadata.file_type());
    refuse_if(kind.is_ok_and(|kind| kind.is_fifo() || kind.is_char_device()), || {
        format!("'{shown}' is not a regular file: the C file is read more than once")
    })?;
    refuse_if(input.as_os_str().as_bytes().ends_with(b".json"), || {
        format!("'{shown}' looks like a document: --from STAGE says which stage reads it")
    })
}
