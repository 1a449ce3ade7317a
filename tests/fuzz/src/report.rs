//! What is kept of a failure.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::options::for_driver;
use crate::sample::Sample;
use crate::setting::Language;
use crate::verdict::Failure;

/// Writes a failing program, the smallest that fails in the same way, what was said about it, and how to see it
/// again. Returns the folder.
pub fn keep<S: Sample>(
    folder: &Path,
    seed: u64,
    original: &S,
    smallest: &S,
    failure: &Failure,
) -> io::Result<PathBuf> {
    let number = original.number();
    let folder = folder.join(format!("{seed}-{number}"));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name("original", original)), original.text())?;
    fs::write(folder.join(name("minimal", smallest)), smallest.text())?;
    fs::write(folder.join("said.txt"), &failure.detail)?;
    fs::write(folder.join("README"), readme(&folder, seed, original, smallest, failure))?;
    Ok(folder)
}

fn readme<S: Sample>(folder: &Path, seed: u64, original: &S, smallest: &S, failure: &Failure) -> String {
    let run = |program: &S, file: &str| {
        let (n, m) = program.runs().last().copied().unwrap_or_default();
        let path = folder.join(name(file, program));
        format!(
            "    scripts/c2cuda --run --on check {}{} -- {n} {m}\n",
            for_driver(program.choices()),
            path.display()
        )
    };
    format!(
        "{}\n\nAll of it again:\n\n    scripts/fuzz --seed {seed} --only {} --lang {}{}\n\nThe minimal program, and the original one:\n\n{}{}",
        failure.kind,
        original.number(),
        match original.language() {
            Language::C => "c",
            Language::Cxx => "c++",
        },
        S::kind(),
        run(smallest, "minimal"),
        run(original, "original")
    )
}

/// The name of a program's file.
fn name(file: &str, program: &impl Sample) -> String {
    format!("{file}.{}", program.language().ending())
}
