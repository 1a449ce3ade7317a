//! `#pragma c2cuda …`: what the user claims about loops.

use scop::{Diagnostic, SourceRange};

use crate::directives::data;
use crate::directives::directive::{Directive, text_after};
use crate::errors::{DIRECTIVE, Fault, IGNORED_DIRECTIVE};

/// The directive that claims that the iterations of the next loop are independent of each other.
pub const INDEPENDENT: &[&str] = &["pragma", "c2cuda", "independent"];

/// The beginning of the directive that says what a function does with memory.
pub const EFFECTS: &[&str] = &["pragma", "c2cuda", "effects"];

/// A `#pragma c2cuda independent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopClaim {
    /// The directive.
    pub range: SourceRange,
    /// The offset at which the text after it begins, past any further directives.
    pub next: u32,
}

/// True for `#pragma c2cuda …`.
pub fn is_ours(directive: &Directive) -> bool {
    directive.starts_with(&["pragma", "c2cuda"])
}

/// Returns the claims about the loops of a region.
pub fn claims(region: SourceRange, directives: &[Directive]) -> Vec<LoopClaim> {
    let inside = |d: &&Directive| d.range.start >= region.start && d.range.start < region.end;
    let claims = directives.iter().filter(inside).filter(|directive| directive.is(INDEPENDENT));
    claims.map(|claim| LoopClaim { range: claim.range, next: text_after(claim, directives) }).collect()
}

/// Returns the fault of a `#pragma c2cuda` that is not a known claim.
pub fn unknown_claim(directive: &Directive) -> Option<Fault> {
    if directive.is(INDEPENDENT) {
        return None;
    }
    if data::is_data(directive) {
        return Some(data::in_region(directive));
    }
    if directive.starts_with(EFFECTS) {
        let message = "`#pragma c2cuda effects` stands before declarations of functions, not in regions";
        return Some(Fault::new(DIRECTIVE, message, directive.range, "remove this"));
    }
    let message = format!("`#{}` is not a directive of c2cuda", directive.words.join(" "));
    Some(Fault::new(DIRECTIVE, message, directive.range, "c2cuda does not know it").with_help(
        "`#pragma c2cuda independent` before a loop states that no iteration needs another one; \
         `#pragma c2cuda data` and `#pragma c2cuda effects` stand outside of regions",
    ))
}

/// Returns the warning about a claim outside all regions.
pub fn without_region(claim: &Directive) -> Diagnostic {
    let message = format!("`#{}` has no effect outside of regions", claim.words.join(" "));
    let warning = Diagnostic::warning(IGNORED_DIRECTIVE, message).at("", claim.range, "this is ignored");
    warning.with_help("write it before a loop of a region, or before `#pragma scop` for the first loop")
}
