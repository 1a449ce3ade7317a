//! Live ranges.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::unionfind::UnionFind;
use scop::{AccessId, ArrayId, Model, Statement, StatementId, Step};

use crate::dataflow::Flow;

/// Accesses to one array that pass values to each other and to no others: what a web writes may as well stand in an
/// array of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Web {
    /// The array.
    pub array: ArrayId,
    /// The accesses, in ascending order.
    pub accesses: BTreeSet<AccessId>,
    /// Their statements.
    pub statements: BTreeSet<StatementId>,
}

/// The webs of all arrays, by their first access.
pub fn webs(model: &Model, flows: &[Flow], dead: &[StatementId]) -> Vec<Web> {
    let accesses = model.statements.iter().map(|statement| statement.accesses.len()).sum();
    let mut same = UnionFind::<usize>::new(accesses);
    for flow in flows {
        same.union(flow.source.index(), flow.sink.index());
    }
    model.statements.iter().for_each(|statement| unite_in_control(statement, &mut same));
    let mut webs: BTreeMap<usize, Web> = BTreeMap::new();
    for statement in model.statements.iter().filter(|statement| !dead.contains(&statement.id)) {
        for access in &statement.accesses {
            let array = access.array;
            let new = || Web { array, accesses: BTreeSet::new(), statements: BTreeSet::new() };
            let web = webs.entry(same.find(access.id.index())).or_insert_with(new);
            web.accesses.insert(access.id);
            web.statements.insert(statement.id);
        }
    }
    let mut webs: Vec<Web> = webs.into_values().collect();
    webs.sort_by(|one, other| one.accesses.cmp(&other.accesses));
    webs
}

/// The order inside of control that depends on data is not known, so neither is who passes what to whom.
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

/// Webs that share a statement as one, if `alike` says so: fewer variables are easier to read.
pub fn merged<T: PartialEq>(webs: Vec<(Web, T)>) -> Vec<(Web, T)> {
    let mut merged: Vec<(Web, T)> = Vec::new();
    for (mut web, kind) in webs {
        let belongs = |known: &(Web, T)| {
            known.0.array == web.array && known.1 == kind && !known.0.statements.is_disjoint(&web.statements)
        };
        let (same, others): (Vec<_>, Vec<_>) = merged.into_iter().partition(belongs);
        merged = others;
        for (other, _) in same {
            web.accesses.extend(other.accesses);
            web.statements.extend(other.statements);
        }
        merged.push((web, kind));
    }
    merged.sort_by(|one, other| one.0.accesses.cmp(&other.0.accesses));
    merged
}
