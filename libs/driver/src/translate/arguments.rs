//! The arguments of each tool.

use std::ffi::OsString;

use crate::command_line::{Language, Machine};
use crate::job::{Job, Translated};
use crate::part::BUILD_FLAGS;
use crate::plan::{Goal, Plan, Source, Target};
use crate::stages::Stage;
use crate::talk::MessageFormat;
use crate::words::{self, joined};

/// The variable of the environment that says for all regions whether they run on the device.
const OFFLOAD: &str = "C2CUDA_OFFLOAD";

/// Libraries which show that a program may have threads.
const OF_THREADS: [&str; 2] = ["-lpthread", "-lgomp"];

/// Returns the wish for all regions that is in the environment, if there is one. A simulation is to show what the
/// device does, so small sizes do not run on the host there.
fn offload(goal: &Goal) -> Option<OsString> {
    let value = std::env::var_os(OFFLOAD).filter(|value| !value.is_empty());
    let is_simulated = match goal {
        Goal::Run(run) => {
            matches!(run.machine, Some(Target::Profile | Target::On(Machine::Cpu | Machine::Check)))
        }
        _ => false,
    };
    let value = value.or_else(|| is_simulated.then(|| "always".into()));
    value.filter(|value| value != "auto").map(|value| joined("--offload=", &value))
}

/// Returns the option for the form of a tool's messages, if it is not the default.
pub fn talking(plan: &Plan) -> Option<OsString> {
    let format = plan.talk.format;
    (format != MessageFormat::Human).then(|| format!("--message-format={}", format.name()).into())
}

/// Returns the arguments of a tool, or of the command that replaces it, apart from its input and output.
pub fn arguments(job: Job<'_>, translated: &Translated<'_>, stage: Stage) -> Vec<OsString> {
    let (chain, source) = (&job.plan.chain, translated.source);
    let mut arguments = Vec::new();
    if stage == Stage::Clan {
        arguments.extend(compiler(source, matches!(job.plan.goal, Goal::Run(_))));
    }
    if stage == Stage::Scheduler && !chain.swapped.contains_key(&stage) {
        arguments.extend(offload(&job.plan.goal));
    }
    arguments.extend(chain.more.get(&stage).into_iter().flatten().cloned());
    if !chain.proving {
        arguments.push("--no-verify".into());
    }
    // What was said about a file would be wrong if cudagen left one of its regions, which no document shows.
    let shares = translated.others.as_ref().is_some_and(|others| others.share);
    if chain.keep_going && !(stage == Stage::Cudagen && shares) {
        arguments.push("--keep-going".into());
    }
    match stage {
        Stage::Clan => {
            arguments.extend(chain.extraction.iter().cloned());
            arguments.extend(language(source));
            arguments.extend(rule(translated));
            arguments.extend(effects(translated));
        }
        Stage::Gpulocalizer => {
            arguments.extend(shares.then(|| "--residency=together".into()));
        }
        Stage::Cudagen => {
            match chain.language {
                Language::Cuda => {}
                Language::Hip => arguments.push("--target=hip".into()),
            }
            let moved = source.moved.as_ref();
            arguments.extend(moved.into_iter().flat_map(|file| ["--source".into(), file.into()]));
        }
        _ => {}
    }
    arguments
}

/// Returns the arguments for the folder that cudagen writes to.
pub fn program_folder(translated: &Translated<'_>) -> [OsString; 2] {
    ["-o".into(), translated.program().into()]
}

/// Returns the option that names the compiler to clan-rs, which asks it for its predefined macros. The flags of the
/// build are included only with `--run`: otherwise only the user knows how the host part will be optimised.
fn compiler(source: &Source, runs: bool) -> Option<OsString> {
    let compiler = source.compiler.as_ref()?;
    let build = BUILD_FLAGS.iter().filter(|_| runs).map(OsString::from);
    let words = compiler.words.iter().cloned().chain(build).chain(source.flags.others.iter().cloned());
    Some(words::joined("--compiler=", words::shown(words)))
}

/// Returns the flags for clan-rs, including those in `CC` or `CXX`.
fn language(source: &Source) -> Vec<OsString> {
    let compiler = source.compiler.clone().unwrap_or_default();
    let mut flags = [compiler.language, source.flags.language.clone()].concat();
    let said: Vec<&OsString> = compiler.words.iter().skip(1).chain(&source.flags.others).collect();
    let says = |flag: &str| said.iter().any(|word| *word == flag);
    if says("-fopenmp") {
        flags.push("-fopenmp".into());
    }
    let libraries = &source.flags.libraries;
    if says("-pthread") || libraries.iter().any(|library| OF_THREADS.iter().any(|name| library == name)) {
        flags.push("-pthread".into());
    }
    flags
}

/// Returns the options for the effects of functions, of other files and of this one.
fn effects(translated: &Translated<'_>) -> Vec<OsString> {
    let Some(others) = &translated.others else { return Vec::new() };
    let of_others = others.effects.iter().map(|file| joined("--effects=", file));
    of_others.chain([joined("--effects-to=", translated.effects())]).collect()
}

/// Returns the flags for the rule for make, which goes to a temporary file. `-MF` comes after the flags and before
/// the targets.
fn rule(translated: &Translated<'_>) -> Vec<OsString> {
    let Some(rule) = &translated.source.rule else { return Vec::new() };
    let targets =
        rule.flags.iter().position(|word| word == "-MT" || word == "-MQ").unwrap_or(rule.flags.len());
    let (flags, targets) = rule.flags.split_at(targets);
    [flags, &["-MF".into(), translated.rule().into()], targets].concat()
}
