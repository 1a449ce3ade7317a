//! `#pragma scop … #pragma endscop`: region marks.

use scop::{Diagnostic, SourceRange};

use crate::c::clang::Token;
use crate::directives::directive::{Directive, Operator, operators};
use crate::errors::{Fault, Faults, IGNORED_DIRECTIVE, UNPAIRED};

/// The words that mark a region.
const OPENING: &str = "scop";
const CLOSING: &str = "endscop";

/// Pragmas of other compilers whose names look like marks.
const OF_OTHERS: [&str; 2] = ["loop", "swp"];

/// A pair of directives.
#[derive(Debug, Clone)]
pub struct Pair {
    /// `#pragma scop`.
    pub opening: Directive,
    /// `#pragma endscop`.
    pub closing: Directive,
}

/// Returns the pairs of marks in a file. Each directive that looks like a mark but is not one is a fault.
pub fn pairs(
    directives: &[Directive],
    tokens: &[Token],
    skipped: &[(u32, u32)],
    faults: &mut Faults,
) -> Vec<Pair> {
    for directive in directives {
        if let Some(meant) = meant(directive) {
            faults.push(misspelt(directive, meant));
        }
    }
    for range in marks_as_operators(tokens, skipped) {
        faults.push(written_as_operator(range));
    }
    pair(directives, faults)
}

/// Returns the mark that was probably meant by a directive such as `#pragma scopp` or `#pragma end scop`.
fn meant(directive: &Directive) -> Option<&'static str> {
    let (pragma, [first, rest @ ..]) = directive.words.split_first()? else { return None };
    if pragma != "pragma" || [OPENING, CLOSING].contains(&first.as_str()) {
        return None;
    }
    let (first, second) = (first.to_lowercase(), rest.first().map(|word| word.to_lowercase()));
    let second_is_scop = second.is_some_and(|word| strsim::osa_distance(&word, OPENING) <= 1);
    match first.as_str() {
        "end" | "stop" | "close" if second_is_scop => Some(CLOSING),
        "begin" | "start" | "open" if second_is_scop => Some(OPENING),
        first if strsim::osa_distance(first, CLOSING) <= 2 => Some(CLOSING),
        first if strsim::osa_distance(first, OPENING) <= 1 => Some(OPENING),
        _ => None,
    }
}

/// Returns warnings about directives that are less like a mark, such as `#pragma skoop`.
pub fn perhaps_meant(directives: &[Directive]) -> Vec<Diagnostic> {
    let is_like_one = |directive: &&Directive| {
        let [pragma, word] = &directive.words[..] else { return false };
        let is_known = OPENING == word || OF_OTHERS.contains(&word.as_str()) || meant(directive).is_some();
        pragma == "pragma" && !is_known && strsim::osa_distance(&word.to_lowercase(), OPENING) == 2
    };
    let warning = |directive: &Directive| {
        let message = format!("`#{}` marks no region", directive.words.join(" "));
        Diagnostic::warning(IGNORED_DIRECTIVE, message)
            .at("", directive.range, "this is ignored")
            .with_help(format!("if a region is to begin here, write `#pragma {OPENING}`"))
    };
    directives.iter().filter(is_like_one).map(warning).collect()
}

fn pair(directives: &[Directive], faults: &mut Faults) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut open: Option<&Directive> = None;
    for directive in directives {
        let is_opening = directive.starts_with(&["pragma", OPENING]);
        if !is_opening && !directive.starts_with(&["pragma", CLOSING]) {
            continue;
        }
        if directive.words.len() > 2 {
            faults.push(extra_words(directive));
        }
        match (open, is_opening) {
            (None, true) => open = Some(directive),
            (Some(outer), true) => faults.push(nested(directive, outer)),
            (Some(opening), false) => {
                pairs.push(Pair { opening: opening.clone(), closing: directive.clone() });
                open = None;
            }
            (None, false) => faults.push(not_opened(directive)),
        }
    }
    if let Some(opening) = open {
        faults.push(not_closed(opening));
    }
    pairs
}

/// Returns the places of `_Pragma("scop")`, including those in macro definitions, and of macro uses such as
/// `PRAGMA(scop)`, which probably expand to it.
fn marks_as_operators(tokens: &[Token], skipped: &[(u32, u32)]) -> Vec<SourceRange> {
    let is_mark = |word: &str| [OPENING, CLOSING].contains(&word);
    let makes_one = |one: &Operator<'_>| {
        let is_quoted = one.quoted().is_some_and(|words| words.first().is_some_and(|word| is_mark(word)));
        is_quoted || is_mark(one.argument) && one.name.to_lowercase().contains("pragma")
    };
    operators(tokens, skipped).into_iter().filter(makes_one).map(|one| one.range).collect()
}

fn written_as_operator(range: SourceRange) -> Fault {
    let message = "`_Pragma` does not mark regions";
    Fault::new(
        UNPAIRED,
        message,
        range,
        "the region would be replaced as a whole, but the text does not show where it is",
    )
    .with_help("write `#pragma scop` and `#pragma endscop`, each on a line of its own")
}

fn misspelt(directive: &Directive, meant: &str) -> Fault {
    let message = format!("`#{}` does not mark a region", directive.words.join(" "));
    Fault::new(UNPAIRED, message, directive.range, "compilers ignore this line, and so would the translation")
        .with_help(format!("write `#pragma {meant}`"))
}

fn extra_words(directive: &Directive) -> Fault {
    let message = format!("`#pragma {}` takes no arguments", directive.words[1]);
    Fault::new(UNPAIRED, message, directive.range, "there is more on this line")
        .with_help("remove the rest of the line")
}

fn nested(directive: &Directive, outer: &Directive) -> Fault {
    let message = format!("`#pragma scop` inside the region that began on line {}", outer.range.line);
    Fault::new(UNPAIRED, message, directive.range, "regions do not nest")
        .with_help("end the first region with `#pragma endscop` before this line, or remove this line")
}

fn not_opened(directive: &Directive) -> Fault {
    Fault::new(
        UNPAIRED,
        "`#pragma endscop` without `#pragma scop`",
        directive.range,
        "no region is open here",
    )
    .with_help("write `#pragma scop` on a line before the loops, or remove this line")
}

fn not_closed(directive: &Directive) -> Fault {
    Fault::new(UNPAIRED, "the region is never closed", directive.range, "it begins here")
        .with_help("write `#pragma endscop` on a line after the last loop of the region")
}
