//! `#pragma scop … #pragma endscop`: region marks.

use scop::SourceRange;

use crate::c::clang::Token;
use crate::directives::directive::Directive;
use crate::errors::{Fault, Faults, UNPAIRED};

/// The words that mark a region.
const OPENING: &str = "scop";
const CLOSING: &str = "endscop";

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
    for range in operators(tokens, skipped) {
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
    let second_is_scop = second.is_some_and(|word| strsim::levenshtein(&word, OPENING) <= 1);
    match first.as_str() {
        "end" | "stop" | "close" if second_is_scop => Some(CLOSING),
        "begin" | "start" | "open" if second_is_scop => Some(OPENING),
        first if strsim::levenshtein(first, CLOSING) <= 2 => Some(CLOSING),
        first if strsim::levenshtein(first, OPENING) <= 1 => Some(OPENING),
        _ => None,
    }
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
fn operators(tokens: &[Token], skipped: &[(u32, u32)]) -> Vec<SourceRange> {
    let mut found = Vec::new();
    for four in tokens.windows(4) {
        let [operator, open, word, close] = four else { continue };
        let is_skipped =
            skipped.iter().any(|&(from, to)| from <= operator.range.start && operator.range.end <= to);
        let in_parentheses = open.text == "(" && close.text == ")" && !is_skipped;
        let is_operator = operator.text == "_Pragma" && is_mark_in_quotes(&word.text);
        let makes_one = [OPENING, CLOSING].contains(&word.text.as_str())
            && operator.text.to_lowercase().contains("pragma");
        if in_parentheses && (is_operator || makes_one) {
            found.push(SourceRange { end: close.range.end, ..operator.range });
        }
    }
    found
}

fn is_mark_in_quotes(literal: &str) -> bool {
    let inside = literal.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let first = inside.and_then(|text| text.split_whitespace().next());
    first.is_some_and(|word| [OPENING, CLOSING].contains(&word))
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
