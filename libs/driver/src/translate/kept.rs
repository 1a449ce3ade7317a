//! `--keep`: writes all documents and the generated program to a folder.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

use crate::files::{File, install};
use crate::job::{Job, Translated};
use crate::stages::Stage;
use crate::stop::Or;

/// Keeps the documents of a translation and the generated files. The documents in the folder always belong to one
/// translation: those that an earlier translation left for stages which have not run this time are removed.
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

/// Returns the folder for a translation. If several files are translated, each has a subfolder.
fn folder(job: Job<'_>, translated: &Translated<'_>) -> Option<PathBuf> {
    let keep = job.plan.keep.as_ref()?;
    if job.plan.sources.len() == 1 {
        return Some(keep.clone());
    }
    Some(keep.join(translated.source.input.file_stem().unwrap_or(OsStr::new("document"))))
}
