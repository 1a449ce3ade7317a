//! Where calls can be added to the text.

use std::collections::HashSet;

use scop::{Position, SourceRange};

use crate::c::ctree::{Expr, ExprKind, Stmt, Tree};
use crate::c::source::SourceText;

/// The place of a macro's use.
pub type MacroUse = (u32, u32);

/// Returns where calls can be added to an expression with this text: nowhere, if its first or last token comes from a
/// macro, unless that is a constant or a macro that makes nothing else.
pub fn of_expression(
    source: &SourceText,
    expr: &Expr,
    range: SourceRange,
    makes_only: &dyn Fn(MacroUse) -> bool,
) -> Position {
    let fits = |&(start, end): &(u32, u32)| {
        let around_start = start <= range.start && range.start < end;
        let around_end = start < range.end && range.end <= end;
        let is_part = range.start <= start && end <= range.end && (start, end) != (range.start, range.end);
        let is_constant = || {
            let edge = if around_start { first(expr) } else { last(expr) };
            let is_literal = matches!(edge.kind, ExprKind::Integer(_) | ExprKind::Floating(_));
            is_literal && (edge.range.start, edge.range.end) == (start, end)
        };
        let is_inside = range.start <= start && end <= range.end;
        !around_start && !around_end || is_part && is_constant() || is_inside && makes_only((start, end))
    };
    let is_written = range.start < range.end && source.macro_uses.iter().all(fits);
    if is_written { Position::Expression } else { Position::Fixed }
}

/// Returns where calls can be added to a statement in a list of statements between two others, or at an end of the
/// list. A macro that gives the whole beginning of the statement, and nothing of the others, may stay.
pub fn in_block(
    source: &SourceText,
    block: SourceRange,
    statement: SourceRange,
    (before, after): (Option<SourceRange>, Option<SourceRange>),
) -> Position {
    let starts_alone = |&(start, end): &(u32, u32)| {
        let contains_start = start <= statement.start && statement.start < end;
        let is_apart = before.is_none_or(|before| before.end <= start)
            && after.is_none_or(|after| end <= after.start)
            && block.start < start
            && end <= block.end;
        !contains_start || start == statement.start && is_apart
    };
    let is_in_order = before.is_none_or(|before| before.end <= statement.start)
        && after.is_none_or(|after| statement.end <= after.start)
        && block.start < statement.start
        && statement.end <= block.end
        && statement.start < statement.end;
    let from = before.map_or(block.start, |before| before.end);
    let is_free = is_in_order && !follows_pragma(source, from, statement.start);
    if is_free && source.macro_uses.iter().all(starts_alone) { Position::Statement } else { Position::Fixed }
}

/// Returns where calls can be added to the only statement in a larger one. A macro at its beginning may stay if it
/// makes nothing else.
pub fn alone(
    source: &SourceText,
    around: SourceRange,
    statement: SourceRange,
    makes_only: &dyn Fn(MacroUse) -> bool,
) -> Position {
    let touches = |&(start, end): &MacroUse| {
        let is_part = end < statement.end || source.next_byte(end) == Some(b';');
        let is_own = start == statement.start && end <= statement.end && is_part && makes_only((start, end));
        let contains_start = start <= statement.start && statement.start < end;
        contains_start && !is_own || start < statement.end && statement.end < end
    };
    let is_inside =
        around.start < statement.start && statement.end <= around.end && statement.start < statement.end;
    // A directive before the statement belongs to it, and nothing may stand between them.
    let is_free = is_inside && {
        let gap = source.slice(source.range(around.start, statement.start));
        !gap.contains('#') && !follows_pragma(source, around.start, statement.start)
    };
    if is_free && !source.macro_uses.iter().any(touches) { Position::Alone } else { Position::Fixed }
}

/// True if a macro in a function makes nothing but a part of a statement or expression, from its first token on: all
/// others are apart from the macro, or begin before it and have the statement in them.
pub fn makes_only(tree: &Tree, body: &Stmt, piece: Piece<'_>, (start, end): MacroUse) -> bool {
    let mut inside = HashSet::new();
    let whole = match piece {
        Piece::Stmt(stmt) => {
            stmt.walk(&mut |part| {
                inside.insert(std::ptr::from_ref(part).cast::<()>());
            });
            stmt.walk_expressions(tree, &mut |part| {
                inside.insert(std::ptr::from_ref(part).cast());
            });
            stmt.range
        }
        Piece::Expr(expr) => {
            expr.walk(&mut |part| {
                inside.insert(std::ptr::from_ref(part).cast());
            });
            expr.range
        }
    };
    let is_apart = |range: SourceRange| range.end <= start || end <= range.start;
    let is_around = |range: SourceRange| range.start < start && whole.end <= range.end;
    let fits = |part: *const (), range| inside.contains(&part) || is_apart(range) || is_around(range);
    let mut all_fit = true;
    body.walk(&mut |stmt| all_fit &= fits(std::ptr::from_ref(stmt).cast(), stmt.range));
    body.walk_expressions(tree, &mut |expr| all_fit &= fits(std::ptr::from_ref(expr).cast(), expr.range));
    all_fit
}

/// A part of a function.
#[derive(Clone, Copy)]
pub enum Piece<'t> {
    /// A statement.
    Stmt(&'t Stmt),
    /// An expression.
    Expr(&'t Expr),
}

/// True if a `_Pragma`, or a macro that may be one, may belong to the statement at an offset; the text before it begins
/// at `from`.
fn follows_pragma(source: &SourceText, from: u32, statement: u32) -> bool {
    let text = |start: u32| source.slice(source.range(start, statement));
    let is_directly_before =
        |&(_, end): &(u32, u32)| from <= end && end <= statement && text(end).trim().is_empty();
    text(from).contains("_Pragma") || source.macro_uses.iter().any(is_directly_before)
}

fn first(expr: &Expr) -> &Expr {
    let mut parts = expr.parts().into_iter();
    parts.find(|part| part.range.start == expr.range.start).map_or(expr, first)
}

fn last(expr: &Expr) -> &Expr {
    let parts = expr.parts().into_iter().rev();
    let mut parts = parts.filter(|part| part.range.end == expr.range.end);
    parts.next().map_or(expr, last)
}
