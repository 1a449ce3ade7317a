//! `--keep`: all documents, and the generated program, in a folder.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

use crate::files::{File, install};
use crate::job::{Job, Translated};
use crate::stages::Stage;
use crate::stop::Or;

/// Keeps the documents of a translation, and what was generated. The folder never mixes two translations: what an
/// earlier one left of later stages goes.
pub fn keep(job: Job<'_>, translated: &Translated<'_>, generated: &[File]) -> Or<()> {
    let Some(folder) = folder(job, translated) else { return Ok(()) };
    let ran = |stage: &Stage| translated.documents.iter().any(|(other, _)| other == stage);
    for stage in Stage::all().filter(|stage| *stage >= job.plan.chain.first && !ran(stage)) {
        let _ = fs::remove_file(folder.join(stage.document()));
    }
    let documents = translated.documents.iter().filter(|(stage, _)| *stage != Stage::Cudagen);
    let mut kept: Vec<File> =
        documents.map(|(stage, path)| File::new(path.clone(), stage.document())).collect();
    kept.extend(generated.iter().cloned());
    if kept.is_empty() { Ok(()) } else { install(&job.processes.signals, &folder, &kept) }
}

/// Where several files are translated, each has a folder in the folder.
fn folder(job: Job<'_>, translated: &Translated<'_>) -> Option<PathBuf> {
    let keep = job.plan.keep.as_ref()?;
    if job.plan.sources.len() == 1 {
        return Some(keep.clone());
    }
    Some(keep.join(translated.source.input.file_stem().unwrap_or(OsStr::new("document"))))
}
