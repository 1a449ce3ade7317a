//! Regions that are found in code without marks.
//!
//! *before → after*: the functions of a file become the longest sequences of statements that can be translated, each
//! beginning and ending with a loop. Outer loops are tried first. If a loop is refused, the loops inside it are
//! tried, and a warning says why it is left as it is.

use scop::{Diagnostic, Severity, SourceRange};

use crate::c::clang::Token;
use crate::c::ctree::{Stmt, StmtKind, Tree, Unsupported};
use crate::c::source::SourceText;
use crate::directives::c2cuda::claims;
use crate::directives::directive::{Directive, directives};
use crate::errors::{Fault, Faults, LEFT_ALONE, MISPLACED, NO_REGION};
use crate::regions::marked::{MarkedRegion, check_directives, check_includes};

/// A function that returns why a region cannot be translated; nothing if it can be.
pub type Attempt<'a, 't> = dyn FnMut(&MarkedRegion<'t>) -> Vec<Diagnostic> + 'a;

/// Returns the unmarked regions of a file in the order of the text, and warnings that say why other loops are left
/// alone.
pub fn find<'t>(
    tree: &'t Tree,
    source: &'t SourceText,
    tokens: &[Token],
    skipped: &[(u32, u32)],
    marked: &[MarkedRegion<'t>],
    attempt: &mut Attempt<'_, 't>,
) -> (Vec<MarkedRegion<'t>>, Vec<Diagnostic>) {
    let marked = marked.iter().map(|region| region.range).collect();
    let directives = directives(tokens, skipped, source);
    let mut search = Search {
        tree,
        source,
        directives,
        marked,
        attempt,
        function: 0,
        found: Vec::new(),
        said: Vec::new(),
    };
    for (number, function) in tree.functions.iter().enumerate() {
        search.function = number;
        search.block(&[&function.body], &mut Vec::new());
    }
    (search.found, search.said)
}

struct Search<'a, 'b, 't> {
    tree: &'t Tree,
    source: &'t SourceText,
    directives: Vec<Directive>,
    marked: Vec<SourceRange>,
    attempt: &'a mut Attempt<'b, 't>,
    function: usize,
    found: Vec<MarkedRegion<'t>>,
    said: Vec<Diagnostic>,
}

impl<'t> Search<'_, '_, 't> {
    /// Searches statements that follow one another; `around` are the statements around them.
    fn block(&mut self, statements: &[&'t Stmt], around: &mut Vec<&'t Stmt>) {
        let mut position = 0;
        while let Some(&stmt) = statements.get(position) {
            if self.is_candidate(stmt) {
                match self.longest(statements, position, around) {
                    Ok((region, end)) => {
                        self.found.push(region);
                        position = end;
                        continue;
                    }
                    Err(why) => self.leave(stmt, &why),
                }
            }
            self.enter(stmt, around);
            position += 1;
        }
    }

    /// True for a statement that contains a loop and overlaps no marked region. A block, such as the body of a
    /// function, is never taken as a whole: its statements are candidates.
    fn is_candidate(&self, stmt: &Stmt) -> bool {
        let is_block = matches!(stmt.kind, StmtKind::Compound(_));
        !is_block && has_loop(stmt) && !self.marked.iter().any(|&range| overlap(range, stmt.range))
    }

    fn enter(&mut self, stmt: &'t Stmt, around: &mut Vec<&'t Stmt>) {
        if self.is_inside_marked(stmt) || !has_loop(stmt) {
            return;
        }
        if self.is_parallel(stmt) {
            return self.leave_parallel(stmt);
        }
        around.push(stmt);
        match &stmt.kind {
            StmtKind::Compound(parts) => self.block(&parts.iter().collect::<Vec<_>>(), around),
            _ => stmt.parts().into_iter().for_each(|part| self.block(&[part], around)),
        }
        around.pop();
    }

    fn is_inside_marked(&self, stmt: &Stmt) -> bool {
        self.marked.iter().any(|range| range.start <= stmt.range.start && stmt.range.end <= range.end)
    }

    /// Returns the longest region that begins with a statement, and the position after it.
    fn longest(
        &mut self,
        statements: &[&'t Stmt],
        start: usize,
        around: &[&'t Stmt],
    ) -> Result<(MarkedRegion<'t>, usize), Vec<Diagnostic>> {
        let mut best = self.translatable(statements, start..start + 1, around)?;
        let mut end = start + 1;
        for (next, stmt) in statements.iter().enumerate().skip(start + 1) {
            if !self.is_candidate(stmt) {
                if self.marked.iter().any(|&range| overlap(range, stmt.range)) {
                    break;
                }
                continue;
            }
            match self.translatable(statements, start..next + 1, around) {
                Ok(longer) => (best, end) = (longer, next + 1),
                Err(_) => break,
            }
        }
        Ok((best, end))
    }

    fn translatable(
        &mut self,
        statements: &[&'t Stmt],
        part: std::ops::Range<usize>,
        around: &[&'t Stmt],
    ) -> Result<MarkedRegion<'t>, Vec<Diagnostic>> {
        let region = self.region(statements, part, around).map_err(|fault| vec![*fault.0])?;
        let why = (self.attempt)(&region);
        if why.is_empty() { Ok(region) } else { Err(why) }
    }

    /// Returns the region of some statements. The text that is replaced must be exactly the text of the statements,
    /// even if macros are used. Pragmas before the first statement belong to it.
    fn region(
        &self,
        statements: &[&'t Stmt],
        part: std::ops::Range<usize>,
        around: &[&'t Stmt],
    ) -> Result<MarkedRegion<'t>, Fault> {
        let chosen = &statements[part.clone()];
        let whole = self.source.whole_statements(chosen[0].range, chosen[chosen.len() - 1].range);
        let before = part.start.checked_sub(1).map(|position| statements[position].range);
        let following = statements.get(part.end).map(|stmt| stmt.range);
        let apart = before.is_none_or(|range| range.end <= whole.start)
            && following.is_none_or(|range| whole.end <= range.start)
            && around.iter().all(|outer| self.is_whole_part(whole, outer))
            && !self.marked.iter().any(|&range| overlap(range, whole));
        if !apart {
            return Err(in_macro(chosen[0].range));
        }
        let floor =
            before.map(|range| range.end).or(around.last().map(|outer| floor_in(outer, whole))).unwrap_or(0);
        let start = self.first_pragma(floor, whole.start).unwrap_or(whole.start);
        let range = self.source.range(start, whole.end);
        let mut faults = Faults::default();
        check_directives(range, chosen[0].range, &self.directives, &mut faults, &mut Vec::new());
        if let Some(fault) = faults.into_diagnostics("").into_iter().next() {
            return Err(Fault(Box::new(fault)));
        }
        let opening = chosen[0].range;
        let region = MarkedRegion {
            function: self.function,
            range,
            opening,
            statements: chosen.to_vec(),
            claims: claims(range, &self.directives),
        };
        check_includes(self.tree, &region, &self.directives)?;
        Ok(region)
    }

    /// True if a text is only the text of a part of `outer`, a statement around it. A macro may also contain text of
    /// `outer` itself: its beginning, the brace or condition at its end, or its `else`.
    fn is_whole_part(&self, whole: SourceRange, outer: &Stmt) -> bool {
        let ends_after = match &outer.kind {
            StmtKind::Compound(_) | StmtKind::While { after: true, .. } => whole.end < outer.range.end,
            _ => whole.end <= outer.range.end + 1,
        };
        let keeps_else = match &outer.kind {
            StmtKind::If { then, otherwise: Some(otherwise), .. } => {
                let in_then = whole.start < then.range.end;
                let (start, end) =
                    if in_then { (whole.end, otherwise.range.start) } else { (then.range.end, whole.start) };
                start < end && has_else(&self.source.slice(SourceRange { start, end, ..whole }))
            }
            _ => true,
        };
        outer.range.start < whole.start && ends_after && keeps_else
    }

    /// Returns where the first pragma between two places begins; marks of regions do not count.
    fn first_pragma(&self, from: u32, to: u32) -> Option<u32> {
        let marks =
            |d: &&Directive| d.starts_with(&["pragma", "scop"]) || d.starts_with(&["pragma", "endscop"]);
        let between = self.directives.iter().filter(|d| from <= d.range.start && d.range.start < to);
        let mut pragmas = between.filter(|d| d.starts_with(&["pragma"]) && !marks(d));
        pragmas.next().map(|directive| directive.range.start)
    }

    /// True for a statement that OpenMP or OpenACC executes in several threads: its parts must stay where they are.
    fn is_parallel(&self, stmt: &Stmt) -> bool {
        let before = self.directives.iter().rev().find(|d| d.range.start < stmt.range.start);
        before.is_some_and(|directive| {
            let gap = self.source.slice(SourceRange {
                start: directive.range.end,
                end: stmt.range.start,
                ..stmt.range
            });
            let parallel =
                directive.starts_with(&["pragma", "omp"]) || directive.starts_with(&["pragma", "acc"]);
            parallel && gap.trim().is_empty()
        })
    }

    /// Reports why the loops in a parallel block are left as they are. If the statement itself is a loop, that has
    /// been reported.
    fn leave_parallel(&mut self, stmt: &Stmt) {
        if is_loop(stmt) {
            return;
        }
        let mut loops = Vec::new();
        stmt.walk(&mut |inner| loops.extend(is_loop(inner).then_some(inner.range)));
        let mut end = 0;
        for range in loops {
            if range.start >= end {
                end = range.end;
                let message = "OpenMP or OpenACC executes the code around it in several threads";
                let why = Diagnostic::error(LEFT_ALONE, message).at("", range, "this loop").with_help(
                    "remove the directive around it, or mark a region around the whole parallel block",
                );
                self.said.push(left_alone(range.line, &[why]));
            }
        }
    }

    /// Reports why a loop is left as it is.
    fn leave(&mut self, stmt: &Stmt, why: &[Diagnostic]) {
        if is_loop(stmt) {
            self.said.push(left_alone(stmt.range.line, why));
        }
    }
}

fn left_alone(line: u32, why: &[Diagnostic]) -> Diagnostic {
    let more = match why.len() {
        0 | 1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    let first = why.first().cloned().unwrap_or_else(|| Diagnostic::error(LEFT_ALONE, "it is not understood"));
    let message = format!("the loop on line {line} is left as it is: {}{more}", first.message);
    Diagnostic { severity: Severity::Warning, code: LEFT_ALONE.to_owned(), message, ..first }
}

fn overlap(one: SourceRange, other: SourceRange) -> bool {
    one.start < other.end && other.start < one.end
}

/// Returns where the text begins that precedes a part of `outer` and belongs to no other part: for an `else` branch,
/// after the first branch.
fn floor_in(outer: &Stmt, part: SourceRange) -> u32 {
    let ends = outer.parts().into_iter().map(|other| other.range.end);
    ends.filter(|&end| end <= part.start).max().unwrap_or(outer.range.start)
}

fn has_else(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "else")
}

fn is_loop(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::Other { what: Unsupported::Loop(_) | Unsupported::Range, .. }
    )
}

fn has_loop(stmt: &Stmt) -> bool {
    let mut found = false;
    stmt.walk(&mut |inner| found |= is_loop(inner));
    found
}

/// Returns the fault of a file in which no loop can be translated.
pub fn nothing_found() -> Fault {
    let message = "no loop of this file can be translated";
    Fault(Box::new(Diagnostic::error(NO_REGION, message).with_help("the warnings give the reasons")))
}

fn in_macro(range: SourceRange) -> Fault {
    Fault::new(MISPLACED, "a macro contains more than this loop", range, "this comes from a macro")
        .with_help("write the loop out, or mark a region around the whole use of the macro")
}
