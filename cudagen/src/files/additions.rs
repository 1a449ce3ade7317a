//! Calls that are added to code outside of regions.
//!
//! | position | before | after |
//! |---|---|---|
//! | `statement` | `f(); s;`, on a line of its own if the statement begins a line | `s; f();`, if it ends one |
//! | `alone` | `{ f(); s; }` | `{ s; f(); }` |
//! | `expression` | `(f(), e)` | impossible |

use std::cmp::Reverse;

use scop::ast::tree::has_kernels;
use scop::touched::touched;
use scop::{Diagnostic, Diagnostics, HostAction, Position, Program, Scanned, SourceRange, Stage};

use crate::files::edits::{Edit, Form, Rank};
use crate::files::text::{
    first_line, indentation_of_last_line, inner_margin, is_idle, last_line, margin, newline,
};
use crate::files::tokens::after_semicolon;
use crate::host::calls::HostCalls;
use crate::host::residency::of_original;

/// Calls at one place of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addition {
    /// The code at which they stand.
    pub range: SourceRange,
    /// How they can be added there.
    pub position: Position,
    /// True if the code is a region, which may begin and end with directives.
    pub is_region: bool,
    /// The calls before the code, without semicolons, in the order of execution.
    pub before: Vec<String>,
    /// The calls after the code.
    pub after: Vec<String>,
}

/// Returns the calls of a program's plan, and those before regions that stay on the host.
///
/// # Errors
/// Reports a bug if an action names memory of unknown length.
pub fn planned(program: &Program<Scanned>, calls: &mut HostCalls) -> Result<Vec<Addition>, Diagnostics> {
    let Some(plan) = &program.residency else { return Ok(Vec::new()) };
    let mut additions: Vec<Addition> = Vec::new();
    let regions = &program.source.regions;
    for HostAction { range, position, after, op, .. } in &plan.actions {
        let is_region = regions.iter().any(|region| region.range == *range);
        let same = additions.iter().position(|one| (one.range, one.position) == (*range, *position));
        let at = same.unwrap_or(additions.len());
        if same.is_none() {
            additions.push(Addition::new(*range, *position, is_region));
        }
        let list = if *after { &mut additions[at].after } else { &mut additions[at].before };
        list.push(calls.action(op, plan)?);
    }
    for (scop, region) in program.scops.iter().zip(regions) {
        // The plan has the calls for regions that scheduler left to the host.
        if !has_kernels(&scop.stage.ast.body) && !scop.stage.stays_on_host() {
            let before = calls.before_original(&of_original(&touched(&scop.model, plan)));
            if !before.is_empty() {
                additions.push(Addition { before, ..Addition::new(region.range, Position::Alone, true) });
            }
        }
    }
    Ok(additions)
}

/// Returns the changes of the source that add calls. Of two additions for the same code, the first one is outside.
///
/// # Errors
/// Reports a bug if calls cannot be added at a place.
pub fn edits(source: &[u8], additions: &[Addition]) -> Result<Vec<Edit>, Diagnostics> {
    let mut sorted: Vec<&Addition> = additions.iter().collect();
    sorted.sort_by_key(|addition| (addition.range.start, Reverse(addition.range.end), level(addition)));
    let mut edits = Vec::new();
    for (depth, addition) in sorted.into_iter().enumerate() {
        edits.extend(addition.edits(source, depth)?);
    }
    Ok(edits)
}

/// The order of additions for the same code: an expression may be all of a statement.
fn level(addition: &Addition) -> u8 {
    match addition.position {
        Position::Statement => 0,
        Position::Alone => 1,
        Position::Expression | Position::Fixed => 2,
    }
}

impl Addition {
    fn new(range: SourceRange, position: Position, is_region: bool) -> Self {
        Self { range, position, is_region, before: Vec::new(), after: Vec::new() }
    }

    /// Returns the changes that add the calls; `depth` is larger for code further inside.
    fn edits(&self, source: &[u8], depth: usize) -> Result<Vec<Edit>, Diagnostics> {
        let code = Code::of(source, self, depth)?;
        let has_directives = self.is_region && code.margin.is_some();
        Ok(match self.position {
            Position::Statement => {
                let before = (!self.before.is_empty()).then(|| code.before(&self.before));
                let after = (!self.after.is_empty()).then(|| code.after(&self.after));
                before.into_iter().chain(after).collect()
            }
            Position::Alone if has_directives => code.in_braces(&self.before, &self.after),
            Position::Alone => {
                let opening = code.inline_before(format!("{{ {}", statements(&self.before, " ")));
                let closing = code.inline_at(code.end(), format!(" {}}}", statements(&self.after, " ")));
                vec![opening, closing]
            }
            Position::Expression if self.after.is_empty() => {
                let opening = code.inline_before(format!("({}, ", self.before.join(", ")));
                vec![opening, code.inline_at(code.start + code.text.len(), ")".to_owned())]
            }
            Position::Expression | Position::Fixed => {
                let line = self.range.line;
                let what = format!("the residency plan adds a call in line {line}, where none can be added");
                return Err(Diagnostic::bug("cudagen", what).into());
            }
        })
    }
}

fn statements(calls: &[String], space: &str) -> String {
    calls.iter().map(|call| format!("{call};{space}")).collect()
}

/// Code at which calls are added.
struct Code<'a> {
    source: &'a [u8],
    start: usize,
    text: &'a [u8],
    is_region: bool,
    depth: usize,
    /// The blanks before it, if nothing else precedes it on its line.
    margin: Option<&'a [u8]>,
    /// The indentation of its line.
    indent: &'a [u8],
    newline: &'static [u8],
}

impl<'a> Code<'a> {
    fn of(source: &'a [u8], addition: &Addition, depth: usize) -> Result<Self, Diagnostics> {
        let (start, end) = (addition.range.start as usize, addition.range.end as usize);
        let (Some(before), Some(text)) = (source.get(..start), source.get(start..end)) else {
            return Err(
                Diagnostic::bug("cudagen", "the residency plan adds calls outside of the source").into()
            );
        };
        let indent = indentation_of_last_line(before);
        let is_region = addition.is_region;
        Ok(Self {
            source,
            start,
            text: if is_region { text.strip_suffix(b"\r").unwrap_or(text) } else { text },
            is_region,
            depth,
            margin: margin(before),
            indent: if indent.is_empty() && is_region { inner_margin(text) } else { indent },
            newline: newline(source).as_bytes(),
        })
    }

    /// Returns where the statement ends, with its semicolon.
    fn end(&self) -> usize {
        let end = self.start + self.text.len();
        let is_complete =
            self.text.ends_with(b";") || last_line(self.text).trim_ascii_start().starts_with(b"#");
        if is_complete { end } else { end + after_semicolon(&self.source[end..]).unwrap_or(0) }
    }

    fn edit(&self, at: usize, text: Vec<u8>, form: Form, rank: Rank) -> Edit {
        Edit { start: at, end: at, text, form, rank }
    }

    fn inline_before(&self, text: String) -> Edit {
        self.edit(self.start, text.into_bytes(), Form::Inline, Rank::Before(self.depth))
    }

    fn inline_at(&self, at: usize, text: String) -> Edit {
        self.edit(at, text.into_bytes(), Form::Inline, Rank::After(usize::MAX - self.depth))
    }

    /// Adds calls before a statement.
    fn before(&self, calls: &[String]) -> Edit {
        match self.margin {
            Some(margin) => {
                let at = self.above_pragmas(self.start - margin.len());
                let text = self.lines(calls, self.indent).join(self.newline);
                self.edit(at, text, Form::LinesBefore, Rank::Before(self.depth))
            }
            None => self.inline_before(statements(calls, " ")),
        }
    }

    /// Adds calls after a statement.
    fn after(&self, calls: &[String]) -> Edit {
        let end = self.end();
        let rest = first_line(&self.source[end..]);
        if !is_idle(rest) {
            return self.inline_at(end, format!(" {}", statements(calls, " ").trim_end()));
        }
        let lines = [vec![Vec::new()], self.lines(calls, self.indent)].concat();
        let rank = Rank::After(usize::MAX - self.depth);
        self.edit(end + rest.len(), lines.join(self.newline), Form::LinesAfter, rank)
    }

    /// Puts a region that begins a line in braces, with calls in it.
    fn in_braces(&self, before: &[String], after: &[String]) -> Vec<Edit> {
        let (margin, end) = (self.margin.unwrap_or_default(), self.start + self.text.len());
        let inner = [self.indent, b"    "].concat();
        let brace = |brace: &[u8]| vec![[self.indent, brace].concat()];
        let opening = [brace(b"{"), self.lines(before, &inner)].concat();
        let closing = [vec![Vec::new()], self.lines(after, &inner), brace(b"}")].concat();
        let (opening, closing) = (opening.join(self.newline), closing.join(self.newline));
        vec![
            self.edit(self.start - margin.len(), opening, Form::LinesBefore, Rank::Before(self.depth)),
            self.edit(end, closing, Form::LinesAfter, Rank::After(usize::MAX - self.depth)),
        ]
    }

    fn lines(&self, calls: &[String], indent: &[u8]) -> Vec<Vec<u8>> {
        calls.iter().map(|call| [indent, call.as_bytes(), b";"].concat()).collect()
    }

    /// Returns the start of the first of the pragmas directly before a line, which may belong to the statement there.
    fn above_pragmas(&self, line: usize) -> usize {
        let Some(above) = self.source[..line].strip_suffix(b"\n").filter(|_| !self.is_region) else {
            return line;
        };
        let text = last_line(above);
        let mut words = text.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let is_pragma = text.trim_ascii_start().starts_with(b"#") && words.next() == Some(b"pragma");
        let belongs =
            is_pragma && !words.next().is_some_and(|word| [&b"endscop"[..], b"STDC"].contains(&word));
        if belongs { self.above_pragmas(above.len() - text.len()) } else { line }
    }
}
