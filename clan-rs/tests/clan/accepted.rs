//! Every `accepted/*.c` and `*.cpp` gives the summary beside it. `UPDATE_GOLDEN=1 cargo test -p clan-rs` rewrites the
//! summaries.

use std::fs;
use std::path::{Path, PathBuf};

use crate::extract;
use crate::summary::summary;

fn cases() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clan/accepted");
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "c" || e == "cpp")).collect();
    cases.sort();
    cases
}

fn check(case: &Path) -> Result<(), String> {
    let text = fs::read_to_string(case).unwrap();
    let name = case.file_name().unwrap().to_str().unwrap();
    let outcome = extract(name, &text).map_err(|refused| format!("{name} was refused: {:#?}", refused.0))?;
    let faults = scop::verify::verify(&outcome.value);
    if !faults.is_empty() {
        return Err(format!("{name} gives an unsound document: {faults:#?}"));
    }
    let actual = summary(&outcome.value, &outcome.diagnostics);
    let golden = case.with_extension("txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&golden, &actual).unwrap();
    }
    let expected = fs::read_to_string(&golden).unwrap_or_default();
    if actual == expected { Ok(()) } else { Err(format!("{name} differs from its summary:\n{actual}")) }
}

#[test]
fn accepted_files_give_their_summaries() {
    let cases = cases();
    assert!(cases.len() > 7);
    let failures: Vec<String> = cases.iter().filter_map(|case| check(case).err()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
