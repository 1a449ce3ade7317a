//! The files to be translated, each with its flags.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{Source, rules};
use crate::command_line::{CommandLine, Compiler, CompilerFlags, Database};
use crate::stages::Stage;
use crate::stop::{Or, Stop};

/// Returns the files of a command line.
pub fn sources(line: &CommandLine, first: Stage, last: Stage) -> Or<Vec<Source>> {
    let begins_with_c = first == Stage::Clan;
    if begins_with_c {
        tell_apart(&line.inputs)?;
    }
    let database = line.options.compile_commands.as_deref().map(Database::read).transpose()?;
    let source = |input: &OsString| {
        let input = PathBuf::from(input);
        let (compiler, flags) = compiled(line, database.as_ref(), &input)?;
        let moved = line.options.source.clone();
        let c_file = if begins_with_c { Some(input.clone()) } else { moved.clone() };
        let rule = rules::rule(line, &input, last);
        Ok(Source { input, c_file, moved, compiler, flags, rule })
    };
    line.inputs.iter().map(source).collect()
}

/// Returns the compiler and the flags for a file. The flags of the command line come after those of the database, and
/// so override them.
fn compiled(
    line: &CommandLine,
    database: Option<&Database>,
    input: &Path,
) -> Or<(Option<Compiler>, CompilerFlags)> {
    let named = line.compilers.of_file(input).cloned();
    let Some(database) = database else { return Ok((named, line.flags.clone())) };
    let entry = database.entry(input)?;
    let CompilerFlags { language, others, libraries, rule } = line.flags.clone();
    let flags = CompilerFlags {
        language: [entry.flags.language, language].concat(),
        others: [entry.flags.others, others].concat(),
        libraries: [entry.flags.libraries, libraries].concat(),
        rule,
    };
    let of_the_user =
        ["CC", "CXX"].iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    let compiler = Some(entry.compiler).filter(|compiler| !of_the_user && !compiler.words.is_empty());
    Ok((compiler.or(named), flags))
}

/// Refuses two sources with the same stem: generated files are named after it, without the folder.
fn tell_apart(inputs: &[OsString]) -> Or<()> {
    let mut seen = BTreeMap::new();
    for input in inputs.iter().map(Path::new) {
        if let Some(earlier) = seen.insert(input.file_stem(), input) {
            let (earlier, input) = (earlier.display(), input.display());
            return Err(Stop::misused(format!(
                "what is generated from '{earlier}' and from '{input}' would have the same names: \
                 translate one of them by itself, into another folder"
            )));
        }
    }
    Ok(())
}
