//! Directives of c2cuda in headers of the user's. Only [`crate::import::claims`] reads any of them.

use std::collections::BTreeSet;

use crate::c::clang::Unit;
use crate::c::source::SourceText;
use crate::directives::c2cuda::{is_like_ours, misspelt, without_region, written_as_operators};
use crate::directives::data::{in_header, is_data};
use crate::directives::directive::directives;
use crate::errors::Fault;

/// Returns the faults of directives of c2cuda that are misspelt or have no effect in a header.
pub fn check(unit: &Unit) -> Vec<Fault> {
    let files: BTreeSet<usize> = unit.files_of_user().into_iter().collect();
    let mut faults = Vec::new();
    for file in files.into_iter().filter(|&file| !unit.is_main_file(file)) {
        let bytes = unit.contents(file).to_vec();
        if !may_have_one(&bytes) {
            continue;
        }
        let path = unit.name_of(file).to_string_lossy().into_owned();
        faults.extend(of_header(unit, file, bytes).into_iter().map(|fault| fault.in_file(&path)));
    }
    faults
}

/// False for a text in which nothing looks like a directive of c2cuda; its tokens would take long to read.
fn may_have_one(text: &[u8]) -> bool {
    let word_after = |at: usize| {
        let rest = text[at..].iter().skip_while(|byte| !byte.is_ascii_alphanumeric());
        rest.take_while(|byte| byte.is_ascii_alphanumeric()).map(|byte| char::from(*byte)).collect::<String>()
    };
    let ends = text.windows(WORD.len()).enumerate().filter(|(_, word)| *word == WORD);
    ends.map(|(at, _)| at + WORD.len()).any(|at| is_like_ours(&word_after(at)))
}

/// What `#pragma` and `_Pragma` have in common.
const WORD: &[u8] = b"ragma";

fn of_header(unit: &Unit, file: usize, bytes: Vec<u8>) -> Vec<Fault> {
    let (tokens, skipped) = (unit.tokens_of(file), unit.skipped_in(file));
    let text = SourceText { bytes, macro_uses: Vec::new() };
    let directives = directives(&tokens, &skipped, &text);
    let mut found: Vec<Fault> = directives.iter().filter_map(misspelt).collect();
    found.extend(directives.iter().filter(|directive| is_data(directive)).map(in_header));
    found.extend(written_as_operators(&tokens, &skipped));
    // That regions of headers are not translated is said elsewhere.
    if !directives.iter().any(|directive| directive.starts_with(&["pragma", "scop"])) {
        found.extend(without_region(&directives, &[]));
    }
    found
}
