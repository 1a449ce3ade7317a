//! Straight-line code: which simple statements become one.
//!
//! *before → after*: `double t = a[i]; b[i] = t; c[i] = 0;` becomes two pieces, `{ double t = a[i]; b[i] = t; }` and
//! `c[i] = 0;`. A scalar whose every use is in the straight-line code around its declaration is a register of one
//! piece, and causes no dependences; all other variables are memory, and every statement is a piece of its own.

use std::collections::BTreeSet;
use std::ops::Range;

use scop::SourceRange;

use crate::c::assignments::{effects, is_assignment, is_effect, is_plain};
use crate::c::ctree::{Expr, ExprKind, Lifetime, Stmt, StmtKind, Tree, TypeKind, VariableId};
use crate::c::facts::Facts;
use crate::regions::opaque::Opaque;
use crate::variables::environment::Environment;

/// A simple statement, or a part of a declaration.
#[derive(Debug, Clone, Copy)]
pub enum Item<'t> {
    /// An assignment, `++` or `--`; or a part of a comma expression.
    Assignment(&'t Expr),
    /// The declaration of a variable, and where it stands.
    Declaration(VariableId, SourceRange),
    /// Control that depends on data.
    Nested(&'t Stmt),
    /// A condition on data that is kept for the statements below it.
    Flag(FlagId, &'t Expr),
    /// An iterator gets the value that its loops leave, and where the first of them stands.
    FinalValue(VariableId, SourceRange),
}

/// A condition that is kept in a variable of the translation's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FlagId(pub u32);

/// A condition on data around a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard {
    /// The condition.
    pub flag: FlagId,
    /// Whether it must hold or fail.
    pub holds: bool,
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
    /// It does something only where all of these allow it.
    pub guards: Vec<Guard>,
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
            Self::Assignment(expr) | Self::Flag(_, expr) => expr.range,
            Self::Declaration(_, range) | Self::FinalValue(_, range) => *range,
            Self::Nested(stmt) => stmt.range,
        }
    }
}

impl<'t> Run<'t> {
    /// The run that keeps a condition.
    pub fn of_flag(flag: FlagId, condition: &'t Expr) -> Self {
        Self {
            items: vec![Item::Flag(flag, condition)],
            registers: BTreeSet::new(),
            ends: (condition.range, condition.range),
            guards: Vec::new(),
        }
    }

    /// The run that leaves the final value of an iterator.
    pub fn of_final_value(iterator: VariableId, range: SourceRange) -> Self {
        Self {
            items: vec![Item::FinalValue(iterator, range)],
            registers: BTreeSet::new(),
            ends: (range, range),
            guards: Vec::new(),
        }
    }

    /// The variables that it changes or declares with a value.
    pub fn changed(&self, tree: &Tree) -> BTreeSet<VariableId> {
        let mut changed = BTreeSet::new();
        for item in &self.items {
            match item {
                Item::Assignment(expr) => changed.extend(Facts::of_exprs([*expr]).writes.into_keys()),
                Item::Nested(stmt) => changed.extend(Facts::of(tree, [*stmt]).writes.into_keys()),
                Item::Declaration(id, _) => changed.extend([*id]),
                Item::Flag(..) | Item::FinalValue(..) => {}
            }
        }
        changed
    }

    /// True unless it certainly does nothing but compute values of registers that nobody uses. Whatever else there
    /// is, calls and control above all, must become steps or be refused.
    pub fn has_effect(&self, tree: &Tree) -> bool {
        self.items.iter().any(|item| match item {
            Item::Assignment(expr) => {
                !is_assignment(expr) || changes_memory(expr, &self.registers) || !is_plain(expr)
            }
            Item::Declaration(id, _) => {
                let initial = &tree.variable(*id).initial;
                !self.registers.contains(id) || initial.as_ref().is_some_and(|initial| !is_plain(initial))
            }
            Item::Flag(..) | Item::Nested(_) | Item::FinalValue(..) => true,
        })
    }
}

/// True if an expression assigns to anything but the variables in `own`.
fn changes_memory(expr: &Expr, own: &BTreeSet<VariableId>) -> bool {
    let mut changes = false;
    expr.walk(&mut |inner| {
        if let ExprKind::Assign { target, .. } | ExprKind::Increment { target, .. } = &inner.kind {
            changes |= target.as_variable().is_none_or(|id| !own.contains(&id));
        }
    });
    changes
}

/// The entries of some statements; blocks within blocks make no difference, as variables are known by more than
/// their names.
pub fn flatten<'t>(opaque: &Opaque, statements: &[&'t Stmt]) -> Vec<Entry<'t>> {
    let mut entries = Vec::new();
    for stmt in statements {
        match &stmt.kind {
            StmtKind::Compound(parts) => entries.extend(flatten(opaque, &parts.iter().collect::<Vec<_>>())),
            StmtKind::Empty => {}
            StmtKind::Declaration(ids) => {
                entries.extend(ids.iter().map(|&id| Entry::Simple(Item::Declaration(id, stmt.range))));
            }
            StmtKind::Expression(expr) if is_nothing(expr) => {}
            StmtKind::Expression(expr) if is_effect(expr) => {
                let effects = effects(expr).into_iter().filter(|effect| !is_nothing(effect));
                entries.extend(effects.map(|effect| Entry::Simple(Item::Assignment(effect))));
            }
            _ if opaque.contains(stmt) => entries.push(Entry::Simple(Item::Nested(stmt))),
            _ => entries.push(Entry::Control(stmt)),
        }
    }
    entries
}

/// True for `(void)0` and its like, as macros leave them behind.
fn is_nothing(expr: &Expr) -> bool {
    let ExprKind::Cast { operand, .. } = &expr.kind else { return false };
    let leaf = operand.without_casts();
    let plain = matches!(
        leaf.kind,
        ExprKind::Integer(_) | ExprKind::Floating(_) | ExprKind::Imaginary(_) | ExprKind::Variable(_)
    );
    plain && is_plain(leaf) && matches!(&expr.ctype.kind, TypeKind::Other(name) if name == "void")
}

/// Groups the entries of a block into runs. Where a condition on data is kept around them, variables get a value when
/// they are declared, so that they always have one.
pub fn group<'t>(environment: &Environment, entries: &[Entry<'t>], guarded: bool) -> Vec<Group<'t>> {
    let kept: Vec<Entry> = entries.iter().copied().filter(|entry| !is_silent(environment, entry)).collect();
    let spans = spans(environment, &kept);
    let mut groups = Vec::new();
    let mut position = 0;
    while position < kept.len() {
        let end = end_of_group(&spans, position);
        groups.extend(match kept[position] {
            Entry::Control(stmt) => Some(Group::Control(stmt)),
            Entry::Simple(_) => {
                run(environment, &kept[position..end], &spans, position..end, guarded).map(Group::Run)
            }
        });
        position = end;
    }
    groups
}

/// The declaration of an alias does nothing.
pub fn is_silent(environment: &Environment, entry: &Entry) -> bool {
    matches!(entry, Entry::Simple(Item::Declaration(id, _)) if environment.aliases.contains(id))
}

/// True if a variable may be a temporary of a statement.
pub fn may_be_register(environment: &Environment, id: VariableId) -> bool {
    let variable = environment.tree.variable(id);
    variable.arithmetic().is_some() && variable.lifetime == Lifetime::Automatic && !variable.ctype.volatile
}

/// From the declaration of a register to just after its last use.
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
        Entry::Control(stmt) | Entry::Simple(Item::Nested(stmt)) => Facts::of(environment.tree, [*stmt]),
        Entry::Simple(Item::Assignment(expr) | Item::Flag(_, expr)) => Facts::of_exprs([*expr]),
        Entry::Simple(Item::FinalValue(..)) => Facts::default(),
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
    guarded: bool,
) -> Option<Run<'t>> {
    let inside = spans.iter().filter(|span| place.contains(&span.start));
    let registers: BTreeSet<VariableId> = inside.map(|span| span.variable).collect();
    let items = entries.iter().filter_map(|entry| match entry {
        Entry::Simple(item) if !is_bare(environment, item, &registers, guarded) => Some(*item),
        _ => None,
    });
    let items: Vec<Item> = items.collect();
    let ends = (items.first()?.range(), items.last()?.range());
    Some(Run { ends, items, registers, guards: Vec::new() })
}

/// A declaration that neither gives a value nor makes a register.
fn is_bare(environment: &Environment, item: &Item, registers: &BTreeSet<VariableId>, guarded: bool) -> bool {
    match item {
        Item::Declaration(id, _) => {
            let variable = environment.tree.variable(*id);
            let starts_empty = guarded && variable.arithmetic().is_some();
            !registers.contains(id) && variable.initial.is_none() && !starts_empty
        }
        Item::Assignment(_) | Item::Nested(_) | Item::Flag(..) | Item::FinalValue(..) => false,
    }
}
