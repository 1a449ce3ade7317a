//! Which variables get one copy for each iteration of some loops.
//!
//! Values of a variable that do not outlive an iteration keep the iterations in order only because they share the
//! variable's memory:
//!
//! ```c
//! double s;
//! for (int i = 0; i < n; i++) {       for (int i = 0; i < n; i++) {
//!     s = 0;                              s[i] = 0;
//!     for (int j = 0; j < n; j++)   →     for (int j = 0; j < n; j++)
//!         s += a[i][j];                       s[i] += a[i][j];
//!     b[i] = s;                           b[i] = s[i];
//! }                                   }
//! ```
//!
//! This is correct if every read takes a value that was written with the same values of the iterators that become
//! subscripts, and if none of the values comes from before the region or is needed after it. Then the last write of
//! the element of the larger array before a read is the write whose value the read took before. These conditions do
//! not mention the order, so the flow dependences remain the same, whichever loops are chosen.
//!
//! The copies are local to the region, like variables that are declared in its loops. gpulocalizer turns them into
//! registers where it can; elsewhere they cost memory, so loops are chosen sparingly ([`Chooser::loops`]).

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use polyhedra::{DimType, Map, PwAff, Result, Text, UnionMap, maps_of};
use scop::{
    Access, AccessId, AccessKind, Array, Dependences, LoopId, Model, Statement, StatementId, shared_loops,
};

use crate::carried::carried;
use crate::dataflow::Flow;
use crate::live_ranges::{LiveRange, live_ranges, merged};

/// A dimension with at most this many elements is not counted.
const SMALL: i64 = 32;

/// Returns the live ranges that get separate arrays, each with the dimensions of its statements' domains that
/// become leading subscripts.
pub fn private(
    model: &Model,
    flows: &[Flow],
    dependences: &Dependences,
) -> Result<Vec<(LiveRange, Vec<usize>)>> {
    let mut candidates = Vec::new();
    for range in live_ranges(model, flows, &dependences.dead) {
        if stays_inside(&range, dependences) && is_expandable(&range, model)? {
            candidates.push(range);
        }
    }
    let chooser = Chooser::new(model, flows, dependences, &candidates)?;
    let mut chosen = Vec::new();
    for range in candidates {
        let loops = chooser.loops(&range)?;
        if !loops.is_empty() {
            chosen.push((range, loops));
        }
    }
    Ok(merged(chosen))
}

/// True if no value of a live range comes from before the region or is needed after it.
fn stays_inside(range: &LiveRange, dependences: &Dependences) -> bool {
    let mut live = dependences.live_in.iter().chain(&dependences.live_out);
    !live.any(|live| range.accesses.contains(&live.access))
}

/// True if the accesses of a live range can be rewritten and the size of a copy is known.
fn is_expandable(range: &LiveRange, model: &Model) -> Result<bool> {
    let array = model.array(range.array)?;
    let sized = array.extents.iter().skip(array.scope_depth as usize).all(|extent| extent.value.is_some());
    Ok(sized && accesses(range, model).all(|(_, access)| !access.indirect))
}

fn accesses<'a>(range: &'a LiveRange, model: &'a Model) -> impl Iterator<Item = (StatementId, &'a Access)> {
    let statements = model.statements.iter().filter(|statement| range.statements.contains(&statement.id));
    statements.flat_map(|statement| {
        let accesses = statement.accesses.iter().filter(|access| range.accesses.contains(&access.id));
        accesses.map(|access| (statement.id, access))
    })
}

/// The choice of loops.
struct Chooser<'a> {
    model: &'a Model,
    flows: &'a [Flow],
    /// The largest number of dimensions among the arrays that are not candidates.
    rank: usize,
    /// The loops that cannot be parallel for a statement, because they carry values between it and other statements
    /// of a cycle of dependences.
    sequential: BTreeMap<StatementId, BTreeSet<LoopId>>,
}

impl<'a> Chooser<'a> {
    fn new(
        model: &'a Model,
        flows: &'a [Flow],
        dependences: &Dependences,
        candidates: &[LiveRange],
    ) -> Result<Self> {
        let whole = |array: &&Array| !candidates.iter().any(|range| range.array == array.id);
        let rank = model.arrays.iter().filter(whole).map(rank).max().unwrap_or_default();
        let sequential =
            if candidates.is_empty() { BTreeMap::new() } else { sequential_loops(model, dependences)? };
        Ok(Self { model, flows, rank, sequential })
    }

    /// Returns the loops over which a live range is expanded, as positions among the loops around its statements.
    ///
    /// These are loops that could be parallel if memory were not reused. A scalar, which will become a register, is
    /// expanded over all of them. An array is expanded over the outermost ones, and only over so many that it has
    /// no more dimensions than the arrays that the region works on. If no loop could be parallel, a scalar is
    /// expanded over that number of the innermost possible loops. Then at least its memory does not restrict the
    /// order of the iterations: a wavefront may run through them, or another loop nest may compute the same in
    /// parallel.
    fn loops(&self, range: &LiveRange) -> Result<Vec<usize>> {
        let array = self.model.array(range.array)?;
        let possible = self.possible(range, array)?;
        let statements = self.model.statements_of(&range.statements)?;
        let free = possible.iter().copied().filter(|&k| self.is_free(&statements, k));
        let free: Vec<usize> = free.collect();
        let own = rank(array);
        let affordable = if own == 0 { self.rank.max(1) } else { self.rank.saturating_sub(own) };
        Ok(match (own, free.is_empty()) {
            (0, false) => free,
            (0, true) => possible[possible.len().saturating_sub(affordable)..].to_vec(),
            _ => free.into_iter().take(affordable).collect(),
        })
    }

    /// Returns the loops that all statements of a live range share, that no flow of its values crosses, and whose
    /// iterations use the same memory.
    fn possible(&self, range: &LiveRange, array: &Array) -> Result<Vec<usize>> {
        let Some(&first) = range.statements.first() else { return Ok(Vec::new()) };
        let first = self.model.statement(first)?;
        let others = self.model.statements_of(&range.statements)?;
        let shared = others.into_iter().map(|other| shared_loops(first, other)).min().unwrap_or_default();
        let mut possible: Vec<usize> = (0..shared).collect();
        for flow in self.flows.iter().filter(|flow| range.accesses.contains(&flow.source)) {
            let mut kept = Vec::new();
            for k in possible {
                if keeps(&flow.relation, k)? {
                    kept.push(k);
                }
            }
            possible = kept;
        }
        if !array.extents.is_empty() && !possible.is_empty() {
            let reused = self.reused(range, shared)?;
            possible.retain(|k| reused.contains(k));
        }
        Ok(possible)
    }

    /// Returns the loops whose iterations use the same memory for a live range.
    fn reused(&self, range: &LiveRange, shared: usize) -> Result<BTreeSet<usize>> {
        let (mut all, mut writes) = (UnionMap::parse("{ }")?, UnionMap::parse("{ }")?);
        for (statement, access) in accesses(range, self.model) {
            let domain = polyhedra::Set::parse(&self.model.statement(statement)?.domain.0)?;
            let relation = Map::parse(&access.relation.0)?.intersect_domain(domain)?;
            all = all.union(UnionMap::from_map(relation.copy()?)?)?;
            if access.kind == AccessKind::Write {
                writes = writes.union(UnionMap::from_map(relation)?)?;
            }
        }
        let mut reused = BTreeSet::new();
        for pairs in maps_of(&writes.apply_range(all.reverse()?)?)? {
            reused.extend(carried(pairs, shared)?);
        }
        Ok(reused)
    }

    fn is_free(&self, statements: &[&Statement], position: usize) -> bool {
        !statements.iter().any(|statement| {
            let around = statement.loops.get(position);
            let sequential = self.sequential.get(&statement.id);
            around.zip(sequential).is_some_and(|(around, sequential)| sequential.contains(around))
        })
    }
}

/// True if the two instances of each pair have the same value in a dimension.
fn keeps(pairs: &Map, position: usize) -> Result<bool> {
    let same = pairs.copy()?.equate(DimType::In, position as i32, DimType::Out, position as i32)?;
    Ok(pairs.is_subset(&same)?)
}

/// Returns the number of dimensions of an array that are not small.
fn rank(array: &Array) -> usize {
    let is_small = |text: &str| {
        let value = PwAff::parse(text).and_then(|value| Ok(value.max_val()?.cmp_si(SMALL)? <= 0));
        value.unwrap_or(false)
    };
    let extents = array.extents.iter().skip(array.scope_depth as usize);
    extents.filter(|extent| !extent.value.as_ref().is_some_and(|value| is_small(&value.0))).count()
}

/// Returns for each statement the loops that carry values between the statements of its cycle of flow dependences.
fn sequential_loops(
    model: &Model,
    dependences: &Dependences,
) -> Result<BTreeMap<StatementId, BTreeSet<LoopId>>> {
    let owners = model.owners();
    let ends = |source: AccessId, sink: AccessId| Some((*owners.get(&source)?, *owners.get(&sink)?));
    let edges = dependences.flow.iter().filter_map(|flow| ends(flow.source, flow.sink));
    let graph = DiGraphMap::<StatementId, ()>::from_edges(edges);
    let mut sequential = BTreeMap::new();
    for cycle in tarjan_scc(&graph) {
        let members: BTreeSet<StatementId> = cycle.into_iter().collect();
        let mut carrying = BTreeSet::new();
        for flow in &dependences.flow {
            let Some((source, sink)) = ends(flow.source, flow.sink) else { continue };
            if members.contains(&source) && members.contains(&sink) {
                let (source, sink) = (model.statement(source)?, model.statement(sink)?);
                let positions = carried(Map::parse(&flow.relation.0)?, shared_loops(source, sink))?;
                carrying.extend(positions.into_iter().filter_map(|k| source.loops.get(k)).copied());
            }
        }
        sequential.extend(members.into_iter().map(|statement| (statement, carrying.clone())));
    }
    Ok(sequential)
}
