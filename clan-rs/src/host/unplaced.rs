//! Why the text cannot say which bytes an access touches, for people.

use scop::SourceRange;

use crate::c::ctree::{Expr, ExprKind, Tree, VariableId};
use crate::c::source::SourceText;
use crate::host::place::Term;

/// A reason why an access has no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unplaced {
    /// This expression in it is not made of variables and constants.
    Text(SourceRange),
    /// A loop with this condition does not count a variable between bounds that are made of variables and constants.
    Loop(SourceRange),
    /// The iterations of a counting loop do not touch one range.
    Scattered,
    /// This variable may change before the access.
    Changes(VariableId),
    /// This variable does not exist before the code.
    Declared(VariableId),
    /// A pointer on the way to it is in memory that may change, or that is read only if the access happens.
    Loaded,
}

impl Unplaced {
    /// Returns the reason as the end of a sentence, with a way out if there is one.
    pub fn words(self, source: &SourceText, tree: &Tree) -> String {
        match self {
            Self::Text(range) => {
                format!("`{}` is not made of variables and constants alone", source.slice(range))
            }
            Self::Loop(condition) => format!(
                "the loop with `{}` does not count up by one between variables and constants that stay as they are; copy \
                 the bound to a variable before the loop",
                source.slice(condition)
            ),
            Self::Scattered => "the iterations of the loop do not touch one range".to_owned(),
            Self::Changes(variable) => {
                format!("`{}` may change before they are used", tree.variable(variable).name)
            }
            Self::Declared(variable) => {
                format!("`{}` is declared only after that", tree.variable(variable).name)
            }
            Self::Loaded => "a pointer to them is read from memory; copy it to a variable first".to_owned(),
        }
    }
}

/// Returns the innermost part of an lvalue that keeps it from having a place: a subscript that is no term, or what its
/// address is computed from.
pub fn not_plain<'e>(tree: &Tree, expr: &'e Expr) -> &'e Expr {
    match &expr.kind {
        ExprKind::Subscript { index, .. } if Term::of(tree, index).is_none() => not_a_term(tree, index),
        ExprKind::Subscript { base, .. } => not_plain(tree, base.without_casts()),
        ExprKind::Member { base, .. } | ExprKind::AddressOf(base) => not_plain(tree, base),
        ExprKind::Binary(_, left, right) if expr.ctype.is_pointer_like() => {
            let (pointer, offset) = if left.ctype.is_pointer_like() { (left, right) } else { (right, left) };
            match Term::of(tree, offset) {
                None => not_a_term(tree, offset),
                Some(_) => not_plain(tree, pointer),
            }
        }
        _ => expr,
    }
}

/// Returns the innermost part of an integer that keeps it from being a term.
fn not_a_term<'e>(tree: &Tree, expr: &'e Expr) -> &'e Expr {
    match &expr.kind {
        ExprKind::Unary(_, operand) | ExprKind::Cast { operand, .. } => not_a_term(tree, operand),
        ExprKind::Binary(_, left, right) => {
            let parts = [left, right].map(|part| (part, Term::of(tree, part).is_none()));
            match parts {
                [(part, true), (_, false)] | [(_, false), (part, true)] => not_a_term(tree, part),
                _ => expr,
            }
        }
        _ => expr,
    }
}
