//! Files that are translated together: what the functions of each do, for the translation of the others.
//!
//! clan-rs says what the functions of a file do with memory of their callers, as far as it is known what the functions
//! do that they call. So it is asked again, with what it has said of the other files, until it says nothing new.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::arguments::arguments;
use crate::job::{Job, Others, Translated, no_room};
use crate::process::{Kind, Whose};
use crate::stages::Stage;
use crate::stop::Or;

/// What is said after so many rounds holds, but more might be said.
const MOST_ROUNDS: usize = 4;

/// How the files are translated.
pub enum Way {
    /// Together, each with what is known of the others.
    Together(Vec<Others>),
    /// Each by itself: there is only one, none has a region, or the user decides what stays on the device.
    Apart,
    /// Each by itself, because clan-rs refuses the one of this number.
    Refused(usize),
}

/// Finds out what is known of the files.
pub fn way(job: Job<'_>) -> Or<Way> {
    let (sources, chain) = (&job.plan.sources, &job.plan.chain);
    let rely_on = [Stage::Clan, Stage::Gpulocalizer, Stage::Cudagen];
    let are_ours = !rely_on.iter().any(|stage| chain.swapped.contains_key(stage));
    let more = chain.more.get(&Stage::Gpulocalizer).into_iter().flatten();
    let is_told = more.into_iter().any(|word| word.as_bytes().starts_with(b"--residency"));
    if sources.len() < 2 || !chain.begins_with_c() || !are_ours || is_told {
        return Ok(Way::Apart);
    }
    let mut known: Vec<String> = vec![String::new(); sources.len()];
    let mut has_regions = false;
    for round in 0..MOST_ROUNDS {
        let mut said = Vec::new();
        for (number, source) in sources.iter().enumerate() {
            let effects = if round == 0 { Vec::new() } else { files_of_others(job, number) };
            let others = Some(Others { effects, share: false });
            let translated = Translated { others, ..Translated::new(job, number, source)? };
            let Some(document) = ask(job, &translated)? else { return Ok(Way::Refused(number)) };
            has_regions |= !of_document(&document).scops.is_empty();
            let Ok(text) = fs::read_to_string(translated.effects()) else { return Ok(Way::Apart) };
            said.push(text);
        }
        for (number, text) in said.iter().enumerate() {
            fs::write(file_of(job, number), text).map_err(no_room)?;
        }
        let is_known = said == known;
        known = said;
        if is_known {
            break;
        }
    }
    let share = known.iter().any(|text| text.contains(" device(") || text.contains(" announces("));
    let others = |number| Others { effects: files_of_others(job, number), share };
    Ok(match has_regions {
        true => Way::Together((0..sources.len()).map(others).collect()),
        false => Way::Apart,
    })
}

/// Returns the path of the effects of a source.
fn file_of(job: Job<'_>, number: usize) -> PathBuf {
    job.work.join(format!("effects-{}.txt", number + 1))
}

fn files_of_others(job: Job<'_>, number: usize) -> Vec<PathBuf> {
    let others = (0..job.plan.sources.len()).filter(|other| *other != number);
    others.map(|other| file_of(job, other)).collect()
}

/// Runs clan-rs without its messages, and returns its document, if it writes one.
fn ask(job: Job<'_>, translated: &Translated<'_>) -> Or<Option<PathBuf>> {
    let document = translated.folder.join("asked.json");
    let mut words = vec![job.tools.path(Stage::Clan.name()).into_os_string()];
    words.extend(arguments(job, translated, Stage::Clan));
    words.push(translated.source.input.clone().into());
    words.extend(["-o".into(), document.clone().into()]);
    let mut command = job.processes.command(words);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let kind = Kind { whose: Whose::Helper, what: Some(Stage::Clan.name()) };
    let status = job.processes.run(command, kind)?;
    Ok(status.is_success().then_some(document))
}

#[derive(Default, Deserialize)]
struct Document {
    scops: Vec<IgnoredAny>,
    residency: Option<IgnoredAny>,
}

fn of_document(document: &Path) -> Document {
    fs::read(document).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
}

/// True if a document asks for no change of its file.
pub fn is_idle(document: &Path) -> bool {
    let Document { scops, residency } = of_document(document);
    scops.is_empty() && residency.is_none()
}

/// True if a tool after clan-rs left a region of a file as it is.
pub fn left_a_region(translated: &Translated<'_>) -> bool {
    let proved = translated.folder.join("proved.json");
    let documents = translated.documents.iter().filter(|(stage, _)| *stage != Stage::Cudagen);
    let documents = documents.map(|(_, document)| document.as_path());
    let counts: Vec<usize> = documents
        .chain(Some(proved.as_path()).filter(|proved| proved.exists()))
        .map(|document| of_document(document).scops.len())
        .collect();
    counts.windows(2).any(|two| two[0] != two[1])
}
