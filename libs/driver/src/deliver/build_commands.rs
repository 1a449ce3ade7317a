//! The commands that build the files that were written.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::command_line::Language;
use crate::files::File;
use crate::job::{Job, Translated};
use crate::part::{HIPCC_FLAGS, NVCC_FLAGS, Part, libraries, linker_words};
use crate::plan::rules::in_folder;
use crate::process::print;
use crate::stop::Or;
use crate::words::{joined, shown};

/// Prints which files were written, and the commands that build them.
pub fn report(job: Job<'_>, all: &[Translated<'_>], programs: &[Vec<File>], folder: &Path) -> Or<()> {
    let mut text = b"wrote:\n".to_vec();
    for file in programs.iter().flatten() {
        line(&mut text, &[in_folder(folder, &file.name)]);
    }
    let parts = all.iter().zip(programs).map(|(translated, files)| Part::new(job, translated, files));
    // A command that replaces cudagen may write other files; then no commands are printed.
    if let Ok(parts) = parts.collect::<Or<Vec<_>>>() {
        text.extend(b"build:\n");
        commands(&mut text, &parts, folder);
    }
    print(&job.processes.signals, &text)
}

/// Appends the commands that build a program.
fn commands(text: &mut Vec<u8>, parts: &[Part<'_>], folder: &Path) {
    for part in parts {
        let host = match part.host_name() {
            Some(name) => in_folder(folder, name),
            None => part.host().as_os_str().to_owned(),
        };
        let mut command = part.compiler();
        command.push("-O2".into());
        command.extend(part.host_flags(Some(folder)));
        command.extend(["-c".into(), host, "-o".into(), object(part)]);
        line(text, &command);
    }
    line(text, &link(parts, folder));
}

fn line(text: &mut Vec<u8>, words: &[OsString]) {
    text.extend(b"  ");
    text.extend(shown(words).as_encoded_bytes());
    text.push(b'\n');
}

fn object(part: &Part<'_>) -> OsString {
    joined(part.name(), ".o")
}

fn link(parts: &[Part<'_>], folder: &Path) -> Vec<OsString> {
    let language = parts.first().map(|part| part.language).unwrap_or_default();
    let (compiler, flags, is_nvcc) = match language {
        Language::Cuda => ("nvcc", NVCC_FLAGS, true),
        Language::Hip => ("hipcc", HIPCC_FLAGS, false),
    };
    let mut command: Vec<OsString> = vec![compiler.into()];
    command.extend(flags.iter().map(OsString::from));
    command.extend(linker_words(parts, is_nvcc));
    command.extend(parts.iter().filter_map(Part::kernels_name).map(|name| in_folder(folder, name)));
    command.extend(parts.iter().map(object));
    command.extend(libraries(parts));
    command.extend(["-o".into(), parts.first().map_or(OsStr::new("a.out"), |part| part.name()).to_owned()]);
    command
}
