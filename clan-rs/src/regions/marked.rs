//! Where the marked regions are.
//!
//! *before → after*: pairs of directives `#pragma scop … #pragma endscop` become the lists of statements between
//! them. A region must consist of whole statements of one block, because it is replaced as a whole.

use scop::{Diagnostic, SourceRange};

use crate::c::clang::Token;
use crate::c::ctree::{ExprKind, Stmt, StmtKind, Tree, Unnamed, Unsupported};
use crate::c::source::SourceText;
use crate::directives::c2cuda::{self, LoopClaim, claims, is_ours};
use crate::directives::data::{self, DataDirective};
use crate::directives::directive::{Directive, directives};
use crate::directives::leading;
use crate::directives::marks::{self, Pair};
use crate::errors::{DIRECTIVE, Fault, Faults, IGNORED_DIRECTIVE, IN_HEADER, MISPLACED, NO_REGION, UNPAIRED};

/// Help for a file without marked regions.
const HOW_TO_MARK: &str = "write `#pragma scop` on a line before the loops to translate, and `#pragma endscop` on a line after them";

/// Help for regions in headers.
const MOVE_HERE: &str = "move the function with the region to this file, or to one that is translated by itself, and declare it in the header";

/// A marked region.
#[derive(Debug, Clone)]
pub struct MarkedRegion<'t> {
    /// The position in the tree of the function around it.
    pub function: usize,
    /// From the `#` of the first directive, or of pragmas before it that belong to the first loop, to the end of the
    /// line of the second directive.
    pub range: SourceRange,
    /// The first directive; messages point at it.
    pub opening: SourceRange,
    /// Its statements.
    pub statements: Vec<&'t Stmt>,
    /// The claims about its loops.
    pub claims: Vec<LoopClaim>,
}

/// Returns the regions in the order of the text, and warnings about directives in them.
pub fn find<'t>(
    tree: &'t Tree,
    source: &SourceText,
    tokens: &[Token],
    skipped: &[(u32, u32)],
    faults: &mut Faults,
) -> (Vec<MarkedRegion<'t>>, Vec<Diagnostic>) {
    let directives = directives(tokens, skipped, source);
    let pairs = marks::pairs(&directives, tokens, skipped, faults);
    let is_between = |first: &Directive, second: &Directive| {
        let after = tokens.partition_point(|token| token.range.start < first.range.end);
        let between = tokens[after..].iter().take_while(|token| token.range.start < second.range.start);
        let is_skipped = |at: u32| skipped.iter().any(|&(from, to)| from < at && at < to);
        between.into_iter().any(|token| !is_skipped(token.range.start))
    };
    let mut warnings = marks::perhaps_meant(&directives);
    let mut regions = Vec::new();
    for pair in &pairs {
        let opening = directives.iter().position(|directive| *directive == pair.opening).unwrap_or(0);
        let first = leading::beginning(&directives, opening, is_between);
        leading::check(&directives[first..opening], faults);
        let start = directives.get(first).map_or(pair.opening.range, |directive| directive.range);
        let range = SourceRange { end: pair.closing.range.start, ..start };
        check_directives(range, pair.closing.range, &directives, faults, &mut warnings);
        let region = place(pair, start, tree, source)
            .map(|region| MarkedRegion { claims: claims(region.range, &directives), ..region });
        let region = region.and_then(|region| check_includes(tree, &region, &directives).map(|()| region));
        regions.extend(faults.accept(region));
    }
    (regions, warnings)
}

/// Returns the faults of directives of c2cuda outside of the regions that no other pass reads: misspelt ones, and those
/// that are no directives.
pub fn misspelt(source: &SourceText, tokens: &[Token], skipped: &[(u32, u32)]) -> Vec<Fault> {
    let all = directives(tokens, skipped, source);
    let misspelt = all.iter().filter_map(c2cuda::misspelt);
    misspelt.chain(c2cuda::written_as_operators(tokens, skipped)).collect()
}

/// Returns the faults of claims that are in none of the regions.
pub fn claims_without_region(
    source: &SourceText,
    tokens: &[Token],
    skipped: &[(u32, u32)],
    regions: &[MarkedRegion<'_>],
) -> Vec<Fault> {
    let regions: Vec<_> = regions.iter().map(|region| region.range).collect();
    c2cuda::without_region(&directives(tokens, skipped, source), &regions)
}

/// Returns the directives that hold memory on the device while host code runs.
pub fn data(
    source: &SourceText,
    tokens: &[Token],
    skipped: &[(u32, u32)],
    regions: &[MarkedRegion<'_>],
    faults: &mut Faults,
) -> Vec<DataDirective> {
    let regions: Vec<_> = regions.iter().map(|region| region.range).collect();
    data::find(&directives(tokens, skipped, source), &regions, faults)
}

/// Removes the regions that cannot be replaced and returns the reasons, each with the line of its region. Faults that
/// make it doubtful where regions are remain faults of the file.
pub fn leave_faulty(regions: &mut Vec<MarkedRegion<'_>>, faults: &mut Faults) -> Vec<(u32, Fault)> {
    let reasons = faults.take_if(|fault| fault.code != UNPAIRED);
    let place = |fault: &Fault| fault.0.place.as_ref().map(|place| place.range);
    let is_faulty = |region: &MarkedRegion<'_>| {
        reasons.iter().filter_map(place).any(|range| range.is_within(region.range))
    };
    let line_of = |fault: &Fault| {
        let range = place(fault)?;
        let region = regions.iter().find(|region| range.is_within(region.range));
        Some(region.map_or(range.line, |region| region.range.line))
    };
    let lines: Vec<u32> = reasons.iter().map(|fault| line_of(fault).unwrap_or(1)).collect();
    regions.retain(|region| !is_faulty(region));
    lines.into_iter().zip(reasons).collect()
}

/// Returns the fault of a file in which no region is marked.
pub fn no_region(tree: &Tree) -> Fault {
    let message = "no region of this file is marked for translation";
    let fault = Diagnostic::error(NO_REGION, message);
    Fault(Box::new(match tree.marked_in_headers.first() {
        Some((path, mark)) => {
            fault.at(path, *mark, "regions of included files are not translated").with_help(MOVE_HERE)
        }
        None => fault.with_help(HOW_TO_MARK),
    }))
}

/// Returns the warning about a region in a header when other regions are translated.
pub fn in_header((path, mark): &(String, SourceRange)) -> Diagnostic {
    Diagnostic::warning(IN_HEADER, "a region of an included file is not translated")
        .at(path, *mark, "left as it is")
        .with_help(MOVE_HERE)
}

/// Checks the directives in a region. The region is replaced as a whole, so the effects of its directives on the text
/// after it would be lost. Conditional compilation is harmless if it begins and ends in the region; a message that it
/// does not points at `end`.
pub fn check_directives(
    region: SourceRange,
    end: SourceRange,
    directives: &[Directive],
    faults: &mut Faults,
    warnings: &mut Vec<Diagnostic>,
) {
    let inside = |d: &&Directive| d.range.start >= region.start && d.range.start < region.end;
    let mut depth = 0u32;
    for directive in directives.iter().filter(inside) {
        match directive.words.first().map(String::as_str) {
            Some("if" | "ifdef" | "ifndef") => depth += 1,
            Some("else" | "elif" | "elifdef" | "elifndef") if depth > 0 => {}
            Some("endif") if depth > 0 => depth -= 1,
            Some("else" | "elif" | "elifdef" | "elifndef" | "endif" | "define" | "undef" | "include") => {
                faults.push(directive_inside(directive));
            }
            Some("pragma") if is_ours(directive) => {
                c2cuda::in_region(directive).into_iter().for_each(|fault| faults.push(fault))
            }
            Some("pragma") if !directive.is(&["pragma", "scop"]) => warnings.push(ignored(directive)),
            _ => {}
        }
    }
    if depth > 0 {
        let message = "a conditional begins in this region and ends after it";
        faults.push(
            Fault::new(DIRECTIVE, message, end, "the region ends here")
                .with_help("put the whole `#if … #endif` inside the region or outside"),
        );
    }
}

/// Refuses regions of functions that include a file in their bodies: the order of the included code and the code of
/// this file is not known.
pub fn check_includes(tree: &Tree, region: &MarkedRegion<'_>, directives: &[Directive]) -> Result<(), Fault> {
    let body = tree.functions[region.function].body.range;
    let is_inside = |directive: &&Directive| {
        contains(body, directive.range.start)
            && ["include", "import"].iter().any(|word| directive.starts_with(&[word]))
    };
    let Some(include) = directives.iter().find(is_inside) else { return Ok(()) };
    let name = &tree.functions[region.function].shown;
    let message = format!("the function `{name}`, in which this region is, includes a file");
    Err(Fault::new(DIRECTIVE, message, region.opening, "the region begins here").with_help(format!(
        "move `#include` on line {} out of the function, or the loops to a function of their own",
        include.range.line
    )))
}

fn directive_inside(directive: &Directive) -> Fault {
    let message = format!("`#{}` inside a region", directive.words[0]);
    Fault::new(DIRECTIVE, message, directive.range, "the region is replaced as a whole, and this with it")
        .with_help("move the directive before the region")
}

fn ignored(directive: &Directive) -> Diagnostic {
    let message = format!("`#{}` has no effect in a region", directive.words.join(" "));
    Diagnostic::warning(IGNORED_DIRECTIVE, message).at("", directive.range, "this is ignored")
}

/// Returns the region of a pair of directives; its text begins with `beginning`.
fn place<'t>(
    pair: &Pair,
    beginning: SourceRange,
    tree: &'t Tree,
    source: &SourceText,
) -> Result<MarkedRegion<'t>, Fault> {
    let (start, end) = (pair.opening.range.start, pair.closing.range.start);
    let function = function_at(tree, start).ok_or_else(|| outside(&pair.opening))?;
    if function_at(tree, end) != Some(function) {
        return Err(crosses(pair, "function"));
    }
    let body = &tree.functions[function].body;
    let (first, last) = (statement_at(body, start), statement_at(body, end));
    let (StmtKind::Compound(statements), StmtKind::Compound(_)) = (&first.kind, &last.kind) else {
        return Err(mid_statement(tree, pair, first, last));
    };
    if !std::ptr::eq(first, last) {
        return Err(crosses(pair, "block"));
    }
    Ok(MarkedRegion {
        function,
        range: SourceRange { end: source.end_of_directive(pair.closing.range.end), ..beginning },
        opening: pair.opening.range,
        statements: statements.iter().filter(|s| s.range.start > start && s.range.end <= end).collect(),
        claims: Vec::new(),
    })
}

fn contains(range: SourceRange, offset: u32) -> bool {
    range.start < offset && offset < range.end
}

fn function_at(tree: &Tree, offset: u32) -> Option<usize> {
    tree.functions.iter().position(|function| contains(function.body.range, offset))
}

/// Returns the innermost statement around `offset`.
fn statement_at(stmt: &Stmt, offset: u32) -> &Stmt {
    let inner = stmt.parts().into_iter().find(|part| contains(part.range, offset));
    inner.map_or(stmt, |part| statement_at(part, offset))
}

fn outside(directive: &Directive) -> Fault {
    Fault::new(MISPLACED, "this region is not inside a function", directive.range, "the region begins here")
        .with_help("mark loops in the body of a function; the body must be in this file")
}

fn crosses(pair: &Pair, what: &str) -> Fault {
    let message = format!("this region begins in one {what} and ends in another");
    let label = format!("the region begins on line {}", pair.opening.range.line);
    Fault::new(MISPLACED, message, pair.closing.range, label)
        .with_help(format!("put `#pragma scop` and `#pragma endscop` into the same {what}"))
}

fn after_label(pair: &Pair, label: &Stmt) -> Fault {
    let message = format!("this region begins in the middle of the statement on line {}", label.range.line);
    Fault::new(MISPLACED, message, pair.opening.range, "the label makes both of them one statement")
        .with_help("write `;` after the colon of the label")
}

/// Returns the kind of expression, with statements in it, that a place is in the middle of, if there is one.
fn expression_around<'t>(tree: &'t Tree, stmt: &'t Stmt, offset: u32) -> Option<&'t Unnamed> {
    let mut found = None;
    for expr in stmt.expressions(tree) {
        expr.walk(&mut |inner| {
            if let ExprKind::Other { what, .. } = &inner.kind
                && contains(inner.range, offset)
            {
                found = Some(what);
            }
        });
    }
    found
}

fn in_expression(pair: &Pair, what: &Unnamed) -> Fault {
    let message = format!("this region is in {}", what.words());
    Fault::new(MISPLACED, message, pair.opening.range, "the region begins here")
        .with_help("move the loops to a function of their own, and call that here")
}

fn mid_statement(tree: &Tree, pair: &Pair, first: &Stmt, last: &Stmt) -> Fault {
    if matches!(first.kind, StmtKind::Other { what: Unsupported::Label(_), .. }) {
        return after_label(pair, first);
    }
    if let Some(what) = expression_around(tree, first, pair.opening.range.start) {
        return in_expression(pair, what);
    }
    let (directive, word) = if matches!(first.kind, StmtKind::Compound(_)) {
        (&pair.closing, "ends")
    } else {
        (&pair.opening, "begins")
    };
    let inner = if word == "ends" { last } else { first };
    let message = format!("this region {word} in the middle of the statement on line {}", inner.range.line);
    Fault::new(MISPLACED, message, directive.range, "a region consists of whole statements").with_help(
        "move the directive between two statements, or put braces around the body of the loop that it is in",
    )
}
