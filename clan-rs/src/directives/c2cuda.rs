//! `#pragma c2cuda …`: what the user claims about loops, and which directives of c2cuda there are.

use scop::{Diagnostic, Severity, SourceRange};

use crate::c::clang::Token;
use crate::directives::data;
use crate::directives::directive::{Directive, Operator, operators, text_after};
use crate::errors::{DIRECTIVE, Fault, IGNORED_DIRECTIVE};

/// The directive that claims that the iterations of the next loop are independent of each other.
pub const INDEPENDENT: &[&str] = &["pragma", "c2cuda", "independent"];

/// The beginning of the directive that says what a function does with memory.
pub const EFFECTS: &[&str] = &["pragma", "c2cuda", "effects"];

/// The word after `#pragma`.
const OURS: &str = "c2cuda";

/// The words after it, with what each is for.
const KNOWN: [(&str, &str); 3] = [
    ("independent", "before a loop of a region states that no iteration needs another one"),
    ("data", "before a statement outside of regions holds memory on the device"),
    ("effects", "before the declaration of a function says what it does with memory"),
];

/// The words of marks of regions, which have no `c2cuda` before them.
const MARKS: [&str; 2] = ["scop", "endscop"];

/// A `#pragma c2cuda independent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopClaim {
    /// The directive.
    pub range: SourceRange,
    /// The offset at which the text after it begins, past any further directives.
    pub next: u32,
}

/// True for `#pragma c2cuda …`, and for one that is probably meant by what stands there.
pub fn is_ours(directive: &Directive) -> bool {
    directive.starts_with(&["pragma", OURS]) || meant(directive).is_some()
}

/// True for `c2cuda`, and for a word that may be a misspelt one.
pub fn is_like_ours(word: &str) -> bool {
    is_like(word, OURS)
}

/// Returns the claims about the loops of a region.
pub fn claims(region: SourceRange, directives: &[Directive]) -> Vec<LoopClaim> {
    let inside = |d: &&Directive| d.range.start >= region.start && d.range.start < region.end;
    let claims = directives.iter().filter(inside).filter(|directive| directive.is(INDEPENDENT));
    claims.map(|claim| LoopClaim { range: claim.range, next: text_after(claim, directives) }).collect()
}

/// Returns the fault of a directive of c2cuda in a region that is not a claim about a loop.
pub fn in_region(directive: &Directive) -> Option<Fault> {
    if data::is_data(directive) {
        return Some(data::in_region(directive));
    }
    if directive.starts_with(EFFECTS) {
        let message = "`#pragma c2cuda effects` stands before declarations of functions, not in regions";
        return Some(Fault::new(DIRECTIVE, message, directive.range, "remove this"));
    }
    misspelt(directive)
}

/// Returns the fault of a directive of c2cuda that is misspelt, wherever it stands.
pub fn misspelt(directive: &Directive) -> Option<Fault> {
    if let Some(word) = meant(directive) {
        let message = format!("`#{}` is not a directive of c2cuda", first_words(directive, 3));
        let fault = Fault::new(DIRECTIVE, message, place(directive, 1), "compilers ignore this line");
        return Some(fault.with_help(format!("write `#pragma c2cuda {word}`")));
    }
    if directive.starts_with(INDEPENDENT) {
        let message = "`#pragma c2cuda independent` takes no arguments";
        let fault = Fault::new(DIRECTIVE, message, place(directive, 3), "there is more on this line");
        return (!directive.is(INDEPENDENT)).then(|| fault.with_help("remove the rest of the line"));
    }
    let is_known = KNOWN.iter().any(|(known, _)| directive.starts_with(&["pragma", OURS, known]));
    (directive.starts_with(&["pragma", OURS]) && !is_known).then(|| unknown(directive))
}

/// Returns the faults of directives that are written as `_Pragma("c2cuda …")`.
pub fn written_as_operators(tokens: &[Token], skipped: &[(u32, u32)]) -> Vec<Fault> {
    let ours = |operator: &Operator<'_>| operator.quoted().is_some_and(|words| words.starts_with(&[OURS]));
    let fault = |operator: Operator<'_>| {
        let message = "directives of c2cuda cannot be written with `_Pragma`";
        Fault::new(DIRECTIVE, message, operator.range, "only lines that begin with `#pragma` are read")
            .with_help("write `#pragma c2cuda`, on a line of its own")
    };
    operators(tokens, skipped).into_iter().filter(ours).map(fault).collect()
}

/// Returns the faults of claims that are in none of these regions.
pub fn without_region(directives: &[Directive], regions: &[SourceRange]) -> Vec<Fault> {
    let in_region = |claim: &Directive| regions.iter().any(|region| claim.range.is_within(*region));
    let claims = directives.iter().filter(|directive| directive.is(INDEPENDENT));
    let fault = |claim: &Directive| {
        let message = "`#pragma c2cuda independent` has no effect outside of regions";
        Fault::new(DIRECTIVE, message, claim.range, "this belongs to no region")
            .with_help("write it before a loop of a region, or before `#pragma scop` for the first loop")
    };
    claims.filter(|claim| !in_region(claim)).map(fault).collect()
}

/// Returns the warning in the place of a fault of [`without_region`], for files in which regions are found or left.
pub fn is_ignored(Fault(fault): Fault) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, code: IGNORED_DIRECTIVE.to_owned(), ..*fault }
}

fn unknown(directive: &Directive) -> Fault {
    let message = format!("`#{}` is not a directive of c2cuda", first_words(directive, 3));
    let fault = Fault::new(DIRECTIVE, message, place(directive, 2), "c2cuda does not know it");
    let word = directive.words.get(2).map_or("", String::as_str);
    if let Some(mark) = MARKS.into_iter().find(|mark| is_like(word, mark)) {
        return fault.with_help(format!("write `#pragma {mark}`"));
    }
    match KNOWN.iter().find(|(known, _)| is_like(word, known)) {
        Some((known, _)) => fault.with_help(format!("write `#pragma c2cuda {known}`")),
        None => {
            let known = KNOWN.map(|(known, purpose)| format!("`#pragma c2cuda {known}` {purpose}"));
            fault.with_help(known.join("; "))
        }
    }
}

/// Returns the word that follows `c2cuda` in a directive in which `c2cuda` is misspelt: `data` for `#pragma c2cude data`.
fn meant(directive: &Directive) -> Option<&'static str> {
    let [pragma, ours, word, ..] = &directive.words[..] else { return None };
    if pragma != "pragma" || ours == OURS || !is_like_ours(ours) {
        return None;
    }
    KNOWN.iter().map(|(known, _)| *known).find(|known| is_like(word, known))
}

/// True for a word that may be a misspelt other one.
fn is_like(word: &str, known: &str) -> bool {
    strsim::osa_distance(&word.to_lowercase(), known) <= 2
}

fn first_words(directive: &Directive, count: usize) -> String {
    directive.words.iter().take(count).map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// Returns the place of a word, or that of the whole directive if it has no such word.
fn place(directive: &Directive, word: usize) -> SourceRange {
    directive.places.get(word).copied().unwrap_or(directive.range)
}
