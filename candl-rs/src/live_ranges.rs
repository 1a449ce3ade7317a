//! Live ranges of arrays.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::unionfind::UnionFind;
use scop::{Access, AccessId, ArrayId, Dependences, Model, Statement, StatementId, Step};

use crate::dataflow::Flow;

/// Accesses to one array that exchange values only with each other, so that they could use a separate array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveRange {
    /// The array.
    pub array: ArrayId,
    /// The accesses, in ascending order.
    pub accesses: BTreeSet<AccessId>,
    /// Their statements.
    pub statements: BTreeSet<StatementId>,
}

impl LiveRange {
    /// Returns the accesses, with their statements.
    pub fn uses<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = (StatementId, &'a Access)> {
        let statements = model.statements.iter().filter(|statement| self.statements.contains(&statement.id));
        statements.flat_map(|statement| {
            let accesses = statement.accesses.iter().filter(|access| self.accesses.contains(&access.id));
            accesses.map(|access| (statement.id, access))
        })
    }

    /// True if values come from before the region.
    pub fn begins_before(&self, dependences: &Dependences) -> bool {
        dependences.live_in.iter().any(|live| self.accesses.contains(&live.access))
    }

    /// True if values are needed after the region.
    pub fn lasts(&self, dependences: &Dependences) -> bool {
        dependences.live_out.iter().any(|live| self.accesses.contains(&live.access))
    }
}

/// Returns the live ranges of all arrays, sorted by their first access.
pub fn live_ranges(model: &Model, flows: &[Flow], dead: &[StatementId]) -> Vec<LiveRange> {
    let accesses = model.statements.iter().map(|statement| statement.accesses.len()).sum();
    let mut same = UnionFind::<usize>::new(accesses);
    for flow in flows {
        same.union(flow.source.index(), flow.sink.index());
    }
    model.statements.iter().for_each(|statement| unite_in_control(statement, &mut same));
    let mut ranges: BTreeMap<usize, LiveRange> = BTreeMap::new();
    for statement in model.statements.iter().filter(|statement| !dead.contains(&statement.id)) {
        for access in &statement.accesses {
            let array = access.array;
            let new = || LiveRange { array, accesses: BTreeSet::new(), statements: BTreeSet::new() };
            let range = ranges.entry(same.find(access.id.index())).or_insert_with(new);
            range.accesses.insert(access.id);
            range.statements.insert(statement.id);
        }
    }
    let mut ranges: Vec<LiveRange> = ranges.into_values().collect();
    ranges.sort_by(|one, other| one.accesses.cmp(&other.accesses));
    ranges
}

/// Unites the accesses to each array in control that depends on data, where order and flow are unknown.
fn unite_in_control(statement: &Statement, same: &mut UnionFind<usize>) {
    if !statement
        .body
        .iter()
        .any(|step| matches!(step, Step::If { .. } | Step::For { .. } | Step::While { .. }))
    {
        return;
    }
    let mut first = BTreeMap::new();
    for access in &statement.accesses {
        let first = *first.entry(access.array).or_insert(access.id);
        same.union(first.index(), access.id.index());
    }
}

/// Merges live ranges of one array that share a statement and have equal second components: fewer variables are
/// easier to read.
pub fn merged<T: PartialEq>(ranges: Vec<(LiveRange, T)>) -> Vec<(LiveRange, T)> {
    let mut merged: Vec<(LiveRange, T)> = Vec::new();
    for (mut range, kind) in ranges {
        let belongs = |known: &(LiveRange, T)| {
            known.0.array == range.array
                && known.1 == kind
                && !known.0.statements.is_disjoint(&range.statements)
        };
        let (same, others): (Vec<_>, Vec<_>) = merged.into_iter().partition(belongs);
        merged = others;
        for (other, _) in same {
            range.accesses.extend(other.accesses);
            range.statements.extend(other.statements);
        }
        merged.push((range, kind));
    }
    merged.sort_by(|one, other| one.0.accesses.cmp(&other.0.accesses));
    merged
}
