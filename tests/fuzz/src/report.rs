//! What is kept of a failure.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::options::for_driver;
use crate::program::Program;
use crate::setting::Language;
use crate::source;
use crate::verdict::Failure;

/// Writes a failing program, the smallest that fails in the same way, what was said about it, and how to see it
/// again. Returns the folder.
pub fn keep(
    folder: &Path,
    seed: u64,
    original: &Program,
    smallest: &Program,
    failure: &Failure,
) -> io::Result<PathBuf> {
    let number = original.number;
    let folder = folder.join(format!("{seed}-{number}"));
    fs::create_dir_all(&folder)?;
    let text = |program| source::alone(program).unwrap_or_default();
    fs::write(folder.join(name("original", original)), text(original))?;
    fs::write(folder.join(name("minimal", smallest)), text(smallest))?;
    fs::write(folder.join("said.txt"), &failure.detail)?;
    fs::write(folder.join("README"), readme(&folder, seed, original, smallest, failure))?;
    Ok(folder)
}

fn readme(folder: &Path, seed: u64, original: &Program, smallest: &Program, failure: &Failure) -> String {
    let run = |program: &Program, file: &str| {
        let (n, m) = program.runs.last().copied().unwrap_or_default();
        let path = folder.join(name(file, program));
        format!(
            "    scripts/c2cuda --run --on check {}{} -- {n} {m}\n",
            for_driver(&program.choices),
            path.display()
        )
    };
    format!(
        "{}\n\nAll of it again:\n\n    scripts/fuzz --seed {seed} --only {} --lang {}\n\nThe minimal program, and the original one:\n\n{}{}",
        failure.kind,
        original.number,
        match original.setting.language {
            Language::C => "c",
            Language::Cxx => "c++",
        },
        run(smallest, "minimal"),
        run(original, "original")
    )
}

/// The name of a program's file.
fn name(file: &str, program: &Program) -> String {
    format!("{file}.{}", program.setting.language.ending())
}
