//! Straight-line code: which simple statements become one.
//!
//! *before → after*: `double t = a[i]; b[i] = t; c[i] = 0;` becomes two pieces, `{ double t = a[i]; b[i] = t; }` and `c[i] = 0;`.
//! A scalar whose every use is in the straight-line code around its declaration is a register of one piece, and causes
//! no dependences; all other variables are memory, and every statement is a piece of its own.

use std::collections::BTreeSet;
use std::ops::Range;

use scop::SourceRange;

use crate::ctree::{Expr, ExprKind, Lifetime, Stmt, StmtKind, VariableId};
use crate::environment::Environment;
use crate::facts::Facts;

/// A simple statement, or a part of a declaration.
#[derive(Debug, Clone, Copy)]
pub enum Item<'t> {
    /// An assignment, `++` or `--`.
    Assignment(&'t Expr),
    /// The declaration of a variable, and where it stands.
    Declaration(VariableId, SourceRange),
}

/// An entry of a block, in the order of the text.
#[derive(Debug, Clone, Copy)]
pub enum Entry<'t> {
    /// Straight-line code.
    Simple(Item<'t>),
    /// Anything else.
    Control(&'t Stmt),
}

/// Straight-line code that becomes one statement.
#[derive(Debug, Clone)]
pub struct Run<'t> {
    /// Its parts.
    pub items: Vec<Item<'t>>,
    /// The variables that live in registers.
    pub registers: BTreeSet<VariableId>,
    /// Where its first and its last entry stand.
    pub ends: (SourceRange, SourceRange),
}

/// A run, or what stands between runs.
#[derive(Debug, Clone)]
pub enum Group<'t> {
    /// Straight-line code.
    Run(Run<'t>),
    /// Anything else.
    Control(&'t Stmt),
}

impl Item<'_> {
    /// Where it stands.
    pub fn range(&self) -> SourceRange {
        match self {
            Self::Assignment(expr) => expr.range,
            Self::Declaration(_, range) => *range,
        }
    }
}

impl Run<'_> {
    /// True if it changes memory. (A register that no assignment to memory uses is dead.)
    pub fn has_effect(&self) -> bool {
        self.items.iter().any(|item| match item {
            Item::Assignment(expr) => assigned_variable(expr).is_none_or(|id| !self.registers.contains(&id)),
            Item::Declaration(id, _) => !self.registers.contains(id),
        })
    }
}

/// The variable that an assignment changes, if it is no element of an array.
pub fn assigned_variable(expr: &Expr) -> Option<VariableId> {
    match &expr.kind {
        ExprKind::Assign { target, .. } | ExprKind::Increment { target, .. } => target.as_variable(),
        _ => None,
    }
}

/// The entries of some statements; blocks within blocks make no difference, as variables are known by more than
/// their names.
pub fn flatten<'t>(statements: &[&'t Stmt]) -> Vec<Entry<'t>> {
    let mut entries = Vec::new();
    for stmt in statements {
        match &stmt.kind {
            StmtKind::Compound(parts) => entries.extend(flatten(&parts.iter().collect::<Vec<_>>())),
            StmtKind::Empty => {}
            StmtKind::Declaration(ids) => {
                entries.extend(ids.iter().map(|&id| Entry::Simple(Item::Declaration(id, stmt.range))));
            }
            StmtKind::Expression(expr) if is_assignment(expr) => {
                entries.push(Entry::Simple(Item::Assignment(expr)));
            }
            _ => entries.push(Entry::Control(stmt)),
        }
    }
    entries
}

/// True for `=`, `op=`, `++` and `--`.
pub fn is_assignment(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Assign { .. } | ExprKind::Increment { .. })
}

/// Groups the entries of a block into runs.
pub fn group<'t>(environment: &Environment, entries: &[Entry<'t>]) -> Vec<Group<'t>> {
    let kept: Vec<Entry> = entries.iter().copied().filter(|entry| !is_silent(environment, entry)).collect();
    let spans = spans(environment, &kept);
    let mut groups = Vec::new();
    let mut position = 0;
    while position < kept.len() {
        let end = end_of_group(&spans, position);
        groups.extend(match kept[position] {
            Entry::Control(stmt) => Some(Group::Control(stmt)),
            Entry::Simple(_) => run(environment, &kept[position..end], &spans, position..end).map(Group::Run),
        });
        position = end;
    }
    groups
}

/// The declaration of an alias does nothing.
fn is_silent(environment: &Environment, entry: &Entry) -> bool {
    matches!(entry, Entry::Simple(Item::Declaration(id, _)) if environment.aliases.contains(id))
}

fn may_be_register(environment: &Environment, id: VariableId) -> bool {
    let variable = environment.tree.variable(id);
    variable.arithmetic().is_some() && variable.lifetime == Lifetime::Automatic && !variable.ctype.volatile
}

/// From the declaration of a register to behind its last use.
#[derive(Debug, Clone, Copy)]
struct Span {
    variable: VariableId,
    start: usize,
    end: usize,
}

fn spans(environment: &Environment, entries: &[Entry]) -> Vec<Span> {
    let facts: Vec<Facts> = entries.iter().map(|entry| facts_of(environment, entry)).collect();
    let declarations = entries.iter().enumerate().filter_map(|(k, entry)| match entry {
        Entry::Simple(Item::Declaration(id, _)) if may_be_register(environment, *id) => Some((k, *id)),
        _ => None,
    });
    declarations
        .filter_map(|(start, variable)| {
            let last = facts.iter().rposition(|f| f.uses.contains_key(&variable)).unwrap_or(start).max(start);
            let straight = entries[start..=last].iter().all(|entry| matches!(entry, Entry::Simple(_)));
            straight.then_some(Span { variable, start, end: last + 1 })
        })
        .collect()
}

fn facts_of(environment: &Environment, entry: &Entry) -> Facts {
    match entry {
        Entry::Control(stmt) => Facts::of(environment.tree, [*stmt]),
        Entry::Simple(Item::Assignment(expr)) => Facts::of_exprs([*expr]),
        Entry::Simple(Item::Declaration(id, _)) => {
            let variable = environment.tree.variable(*id);
            Facts::of_exprs(variable.lengths.iter().flatten().chain(&variable.initial))
        }
    }
}

/// Overlapping spans are one run.
fn end_of_group(spans: &[Span], start: usize) -> usize {
    let mut end = start + 1;
    while let Some(span) = spans.iter().find(|span| span.start >= start && span.start < end && span.end > end)
    {
        end = span.end;
    }
    end
}

/// Nothing if the entries only declare memory without giving it a value.
fn run<'t>(
    environment: &Environment,
    entries: &[Entry<'t>],
    spans: &[Span],
    place: Range<usize>,
) -> Option<Run<'t>> {
    let inside = spans.iter().filter(|span| place.contains(&span.start));
    let registers: BTreeSet<VariableId> = inside.map(|span| span.variable).collect();
    let items = entries.iter().filter_map(|entry| match entry {
        Entry::Simple(item) if !is_bare(environment, item, &registers) => Some(*item),
        _ => None,
    });
    let items: Vec<Item> = items.collect();
    Some(Run { ends: (items.first()?.range(), items.last()?.range()), items, registers })
}

/// A declaration that neither gives a value nor makes a register.
fn is_bare(environment: &Environment, item: &Item, registers: &BTreeSet<VariableId>) -> bool {
    match item {
        Item::Declaration(id, _) => {
            !registers.contains(id) && environment.tree.variable(*id).initial.is_none()
        }
        Item::Assignment(_) => false,
    }
}
