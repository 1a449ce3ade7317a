//! `#pragma c2cuda …`: what the user says of loops.

use scop::{Diagnostic, SourceRange};

use crate::directives::directive::Directive;
use crate::errors::{DIRECTIVE, Fault, IGNORED_DIRECTIVE};

/// What says of the loop after it that its iterations are independent of each other.
pub const INDEPENDENT: &[&str] = &["pragma", "c2cuda", "independent"];

/// `#pragma c2cuda independent`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopClaim {
    /// The directive.
    pub range: SourceRange,
    /// Where the text after it begins, further directives left out.
    pub next: u32,
}

/// True for `#pragma c2cuda …`.
pub fn is_ours(directive: &Directive) -> bool {
    directive.starts_with(&["pragma", "c2cuda"])
}

/// What a region says of its loops: the directives in it, each with the place of the text after it.
pub fn claims(region: SourceRange, directives: &[Directive]) -> Vec<LoopClaim> {
    let inside = |d: &&Directive| d.range.start >= region.start && d.range.start < region.end;
    let claims = directives.iter().filter(inside).filter(|directive| directive.is(INDEPENDENT));
    claims.map(|claim| LoopClaim { range: claim.range, next: text_after(claim, directives) }).collect()
}

/// The start of the first token after a directive that is in none.
fn text_after(directive: &Directive, directives: &[Directive]) -> u32 {
    let mut next = directive.next;
    while let Some(other) = directives.iter().find(|other| Some(other.range.start) == next) {
        next = other.next;
    }
    next.unwrap_or(u32::MAX)
}

/// What is wrong with a directive of ours that says nothing.
pub fn unknown_claim(directive: &Directive) -> Option<Fault> {
    if directive.is(INDEPENDENT) {
        return None;
    }
    let message = format!("`#{}` is no directive of c2cuda", directive.words.join(" "));
    Some(Fault::new(DIRECTIVE, message, directive.range, "nothing is known of it").with_help(
        "`#pragma c2cuda independent` before a loop says that no iteration needs another one; there is no other",
    ))
}

/// What is said of a claim outside of regions.
pub fn without_region(claim: &Directive) -> Diagnostic {
    let message = format!("`#{}` has no effect outside of regions", claim.words.join(" "));
    let warning = Diagnostic::warning(IGNORED_DIRECTIVE, message).at("", claim.range, "this is ignored");
    warning.with_help("it stands before a loop of a region, or before `#pragma scop` for the first one")
}
