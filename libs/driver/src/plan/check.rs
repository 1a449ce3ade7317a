//! Turns the command line into a plan.

use std::path::{Path, PathBuf};

use super::extraction::extraction;
use super::{Chain, Goal, Plan, Run, Target, conflicts, sources};
use crate::command_line::{CommandLine, Options};
use crate::files::is_same_file;
use crate::stages::Stage;
use crate::stop::{Or, Stop};
use crate::talk::Talk;

/// Makes the plan for a command line.
///
/// # Errors
/// Fails if the command line contradicts itself or asks for something impossible.
pub fn plan(line: CommandLine) -> Or<Plan> {
    let options = &line.options;
    let (first, last) = (options.from.unwrap_or(Stage::Clan), last_stage(options));
    conflicts::check(&line, first, last)?;
    let talk = Talk {
        format: options.message_format.unwrap_or_default(),
        quiet: options.quiet,
        verbose: options.verbose,
    };
    let sources = sources::sources(&line, first, last)?;
    let goal = goal(&line, last, &sources)?;
    let CommandLine { options, more, compilers, .. } = line;
    let extraction = extraction(&options);
    let chain = Chain {
        first,
        last: if options.report { last.min(Stage::Scheduler) } else { last },
        swapped: options.stage.into_iter().map(|swap| (swap.stage, swap.command)).collect(),
        trusting: options.trust_stage,
        more,
        language: options.target.unwrap_or_default(),
        extraction,
        proving: !options.no_proof,
        allowing_unproved: options.allow_unproved,
        keep_going: options.keep_going || options.autoscop,
    };
    Ok(Plan { sources, chain, goal, keep: options.keep, compilers, talk })
}

fn last_stage(options: &Options) -> Stage {
    let asked = if options.report || options.wishes_answered { Stage::Gpulocalizer } else { Stage::LAST };
    options.to.unwrap_or(asked)
}

fn goal(line: &CommandLine, last: Stage, sources: &[super::Source]) -> Or<Goal> {
    let options = &line.options;
    let several = sources.len() > 1;
    let output = options.output.clone();
    let file = output.clone().filter(|output| output != Path::new("-"));
    if last == Stage::LAST {
        return program_goal(line, output);
    }
    if several && options.to.is_some() && !options.report && !options.wishes_answered {
        return match file {
            Some(folder) if !folder.exists() || folder.is_dir() => Ok(Goal::Documents(folder)),
            Some(file) => Err(Stop::failed(format!("'{}' is not a folder", file.display()))),
            None => Err(Stop::misused("several documents need a folder: -o DIR")),
        };
    }
    if let Some(file) = &file {
        check_file(file, line, several)?;
    }
    Ok(if options.report {
        Goal::Report(file)
    } else if options.wishes_answered {
        Goal::Answers(file)
    } else {
        Goal::Document(file)
    })
}

fn check_file(file: &Path, line: &CommandLine, several: bool) -> Or<()> {
    let shown = file.display();
    if several {
        return Err(Stop::misused(format!(
            "-o '{shown}' is one file: leave it out, or name one source file"
        )));
    }
    if file.is_dir() {
        return Err(Stop::misused(format!("-o takes a file here, and '{shown}' is a folder")));
    }
    let source = line
        .inputs
        .first()
        .map(Path::new)
        .filter(|_| line.options.from.is_none_or(|from| from == Stage::Clan));
    if source.is_some_and(|source| is_same_file(file, source)) {
        return Err(Stop::misused(format!("-o '{shown}' would overwrite the source: name another file")));
    }
    Ok(())
}

fn program_goal(line: &CommandLine, output: Option<PathBuf>) -> Or<Goal> {
    let options = &line.options;
    let runs = options.run || options.verify;
    if output.as_deref() == Some(Path::new("-")) {
        return if runs {
            Err(Stop::misused(
                "-o - prints the translated program, and --run prints its output: ask for one of them",
            ))
        } else {
            Ok(Goal::Print)
        };
    }
    if let Some(folder) = &output {
        check_folder(folder)?;
    }
    if !runs {
        return Ok(Goal::Program(output.unwrap_or_else(|| ".".into())));
    }
    Ok(Goal::Run(Box::new(Run {
        folder: output,
        machine: if options.profile { Some(Target::Profile) } else { options.on.map(Target::On) },
        tolerance: options.tolerance.clone(),
        others: options.with.iter().map(PathBuf::from).collect(),
        flags: line.flags.clone(),
        arguments: line.program_arguments.clone(),
    })))
}

fn check_folder(folder: &Path) -> Or<()> {
    use std::os::unix::ffi::OsStrExt;
    let shown = folder.display();
    let name = folder.as_os_str().as_bytes();
    let ending = name.iter().rposition(|&byte| byte == b'.').map(|dot| &name[dot + 1..]);
    let like_a_file = matches!(
        ending,
        Some(b"c" | b"cc" | b"cpp" | b"cxx" | b"C" | b"cu" | b"hip" | b"h" | b"o" | b"json")
    );
    if like_a_file && !folder.is_dir() {
        return Err(Stop::misused(format!(
            "-o takes a folder: the names of the files in it are fixed ('-o {shown}/' creates a folder of this name)"
        )));
    }
    if folder.exists() && !folder.is_dir() {
        return Err(Stop::failed(format!("'{shown}' is not a folder")));
    }
    Ok(())
}
