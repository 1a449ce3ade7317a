//! Rules for make: clan-rs finds the headers, the driver names the files that depend on them.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::Rule;
use crate::command_line::CommandLine;
use crate::stages::Stage;
use crate::words::joined;

/// Returns the rule for a source, if one is to be written.
pub fn rule(line: &CommandLine, input: &Path, last: Stage) -> Option<Rule> {
    let asked = &line.flags.rule;
    if !asked.is_wanted() {
        return None;
    }
    let output = line.options.output.as_deref().unwrap_or(Path::new("."));
    let name = input.file_name().unwrap_or(input.as_os_str());
    let (stem, extension) = (input.file_stem().unwrap_or(name), input.extension().unwrap_or(name));
    let (file, made): (PathBuf, Vec<OsString>) = if last == Stage::LAST {
        let target = |end: &OsStr| in_folder(output, &joined(stem, end));
        let host = joined("_host.", extension);
        let kernels = line.options.target.unwrap_or_default().ending();
        let made = [host.as_os_str(), OsStr::new(kernels), OsStr::new("_gpu.h")].map(target);
        (target(OsStr::new(".d")).into(), made.to_vec())
    } else {
        let document = document(line, output, stem);
        (document.with_extension("d"), vec![document.into()])
    };
    let targets = if asked.targets.is_empty() {
        made.into_iter().flat_map(|target| ["-MQ".into(), target]).collect()
    } else {
        asked.targets.clone()
    };
    let flags = [asked.flags.clone(), targets].concat();
    Some(Rule { flags, file: asked.file.as_ref().map_or(file, PathBuf::from) })
}

fn document(line: &CommandLine, output: &Path, stem: &OsStr) -> PathBuf {
    if line.inputs.len() > 1 { in_folder(output, &joined(stem, ".json")).into() } else { output.to_owned() }
}

/// Returns a path in the output folder; for the current folder, only the name.
pub fn in_folder(folder: &Path, name: &OsStr) -> OsString {
    use std::os::unix::ffi::OsStrExt;
    match folder.as_os_str().as_bytes() {
        b"." => name.to_owned(),
        bytes => {
            let folder = OsStr::from_bytes(bytes.strip_suffix(b"/").unwrap_or(bytes));
            joined(joined(folder, "/"), name)
        }
    }
}
