//! Why the text cannot say which bytes an access touches, for people.

use scop::SourceRange;

use crate::c::ctree::{Expr, ExprKind, Tree, VariableId};
use crate::c::source::SourceText;
use crate::host::place::Term;
use crate::host::pointers::Pointers;

/// A reason why an access has no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unplaced {
    /// This expression in it is not made of variables and constants.
    Text(SourceRange),
    /// A loop does not count.
    Loop(Uncounted),
    /// A loop with this condition changes its bounds, or its variable, elsewhere than in its step.
    Disturbed(SourceRange),
    /// The iterations of a counting loop do not touch one range.
    Scattered,
    /// This variable may change before the access.
    Changes(VariableId),
    /// This variable does not exist before the code.
    Declared(VariableId),
    /// A pointer on the way to it is in memory that may change, or that is read only if the access happens.
    Loaded,
}

/// What keeps a loop from counting up by one, between bounds that are known before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uncounted {
    /// This first part of its header does not set one variable to a term.
    Start(SourceRange),
    /// This condition does not compare the variable with a bound.
    Condition(SourceRange),
    /// This bound is not made of variables and constants.
    Bound(SourceRange),
    /// The variable and the bounds that this condition compares have types that may not be compared as numbers.
    Types(SourceRange),
    /// This step does not only count the variable up by one.
    Step(SourceRange),
}

impl Unplaced {
    /// Returns the reason as the end of a sentence, with a way out if there is one.
    pub fn words(self, source: &SourceText, tree: &Tree) -> String {
        match self {
            Self::Text(range) => {
                let text = source.slice(range);
                format!("`{text}` is not made of variables and constants alone; copy it to a variable first")
            }
            Self::Loop(why) => why.words(source),
            Self::Disturbed(condition) => format!(
                "the loop with `{}` may change its bound or its variable in its body; copy the bound to a variable \
                 before the loop, and change the variable only in its step",
                source.slice(condition)
            ),
            Self::Scattered => format!("the iterations of the loop do not touch one range; {FUNCTION}"),
            Self::Changes(variable) => {
                format!(
                    "`{}` may change before they are used; let a loop count it up by one to a bound, or {FUNCTION}",
                    tree.variable(variable).name
                )
            }
            Self::Declared(variable) => {
                format!("`{}` is declared only after that; {FUNCTION}", tree.variable(variable).name)
            }
            Self::Loaded => {
                format!(
                    "a pointer to them is read from memory; copy it to a variable before the loop, or {FUNCTION}"
                )
            }
        }
    }
}

/// What helps if a place is known only in an iteration of a loop: calls for what a function touches are in that
/// function.
const FUNCTION: &str = "move what uses them into a function that gets their address as an argument";

impl Uncounted {
    fn words(self, source: &SourceText) -> String {
        match self {
            Self::Start(range) => format!(
                "the loop begins with `{}`, which does not set one variable; set the variable there that the loop \
                 counts",
                source.slice(range).trim_end_matches(';')
            ),
            Self::Condition(range) => format!(
                "the condition `{}` of the loop does not compare what the loop counts with a bound; use `<` or `<=`",
                source.slice(range)
            ),
            Self::Bound(range) => format!(
                "the bound `{}` of the loop is not made of variables and constants alone; copy it to a variable before \
                 the loop",
                source.slice(range)
            ),
            Self::Types(range) => format!(
                "the loop with `{}` compares numbers of types that may wrap around; give its variable and its bounds \
                 one type, `int`, `long` or `size_t`",
                source.slice(range)
            ),
            Self::Step(range) => format!(
                "the step `{}` of the loop does not just add one to what the loop counts; let the loop count up \
                 by one, and compute the rest from that, as in `u[10 * k]`",
                source.slice(range)
            ),
        }
    }
}

/// Returns the innermost part of an lvalue that keeps it from having a place: a subscript that is no term, or what its
/// address is computed from.
pub fn not_plain<'e>(pointers: &Pointers, expr: &'e Expr) -> &'e Expr {
    match &expr.kind {
        ExprKind::Subscript { index, .. } if Term::of(pointers, index).is_none() => {
            not_a_term(pointers, index)
        }
        ExprKind::Subscript { base, .. } => not_plain(pointers, base.without_casts()),
        ExprKind::Member { base, .. } | ExprKind::AddressOf(base) => not_plain(pointers, base),
        ExprKind::Binary(_, left, right) if expr.ctype.is_pointer_like() => {
            let (pointer, offset) = if left.ctype.is_pointer_like() { (left, right) } else { (right, left) };
            match Term::of(pointers, offset) {
                None => not_a_term(pointers, offset),
                Some(_) => not_plain(pointers, pointer),
            }
        }
        _ => expr,
    }
}

/// Returns the innermost part of an integer that keeps it from being a term.
fn not_a_term<'e>(pointers: &Pointers, expr: &'e Expr) -> &'e Expr {
    match &expr.kind {
        ExprKind::Unary(_, operand) | ExprKind::Cast { operand, .. } => not_a_term(pointers, operand),
        ExprKind::Binary(_, left, right) => {
            let parts = [left, right].map(|part| (part, Term::of(pointers, part).is_none()));
            match parts {
                [(part, true), (_, false)] | [(_, false), (part, true)] => not_a_term(pointers, part),
                _ => expr,
            }
        }
        _ => expr,
    }
}
