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
//! subscripts, and if none of the values comes from before the region. Then the last write of the element of the
//! larger array before a read is the write whose value the read took before. These conditions do not mention the
//! order, so the flow dependences remain the same, whichever loops are chosen. Values that are needed after the
//! region are stored in the variable at the end ([`crate::last_values`]).
//!
//! The copies are local to the region, like variables that are declared in its loops. gpulocalizer turns them into
//! registers where it can; elsewhere they cost memory, so loops are chosen sparingly ([`Chooser::loops`]).

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{DimType, Map, Result, Text, UnionMap, maps_of};
use scop::{AccessId, AccessKind, Array, Model, Statement, shared_loops};

use crate::carried::carried;
use crate::found::Found;
use crate::last_copies::last_copies;
use crate::live_ranges::{LiveRange, live_ranges, merged};
use crate::sequential::{Sequential, sequential_loops};
use crate::sizes::{Sizes, rank};

/// Returns the live ranges that get separate arrays, each with the dimensions of its statements' domains that
/// become leading subscripts.
pub fn private(found: &Found<'_>) -> Result<Vec<(LiveRange, Vec<usize>)>> {
    let model = found.dataflow.model;
    let mut candidates = Vec::new();
    for range in live_ranges(model, found.flows, &found.dependences.dead) {
        if !range.begins_before(found.dependences) && is_expandable(&range, model) {
            candidates.extend(Candidate::new(range, found)?);
        }
    }
    let mut chosen = Vec::new();
    while !candidates.is_empty() {
        let chooser = Chooser::new(found, &candidates)?;
        let mut refused = BTreeMap::new();
        for (position, candidate) in candidates.iter().enumerate() {
            let loops = chooser.loops(candidate)?;
            if loops.is_empty() && chooser.would_free(candidate)? {
                refused.insert(position, rank(model.array(candidate.range.array)?));
            }
            if !loops.is_empty() {
                chosen.push((candidate.range.clone(), loops));
            }
        }
        // What keeps its memory stays in the way of others, but their copies may be as large as it is. So the largest
        // arrays are given up first.
        let Some(&largest) = refused.values().max() else { break };
        chosen.clear();
        let mut position = 0..;
        candidates.retain(|_| position.next().and_then(|position| refused.get(&position)) != Some(&largest));
    }
    Ok(merged(chosen))
}

/// True if the accesses of a live range can be rewritten.
fn is_expandable(range: &LiveRange, model: &Model) -> bool {
    range.uses(model).all(|(_, access)| !access.indirect)
}

/// A live range that may get copies.
struct Candidate {
    range: LiveRange,
    /// The loops over which it may be expanded, as positions among the loops around its statements.
    possible: Vec<usize>,
    /// True if values are needed after the region.
    lasts: bool,
}

impl Candidate {
    /// Returns the candidate, unless values are needed after the region and it is not known which copy has them.
    fn new(range: LiveRange, found: &Found<'_>) -> Result<Option<Self>> {
        let possible = possible(&range, found)?;
        let lasts = range.lasts(found.dependences);
        if lasts && (possible.is_empty() || last_copies(found, &range, &possible)?.is_none()) {
            return Ok(None);
        }
        Ok(Some(Self { range, possible, lasts }))
    }
}

/// Returns the loops that all statements of a live range share, that no flow of its values crosses, and whose
/// iterations use the same memory.
fn possible(range: &LiveRange, found: &Found<'_>) -> Result<Vec<usize>> {
    let model = found.dataflow.model;
    let Some(&first) = range.statements.first() else { return Ok(Vec::new()) };
    let first = model.statement(first)?;
    let others = model.statements_of(&range.statements)?;
    let shared = others.into_iter().map(|other| shared_loops(first, other)).min().unwrap_or_default();
    let mut possible: Vec<usize> = (0..shared).collect();
    for flow in found.flows.iter().filter(|flow| range.accesses.contains(&flow.source)) {
        let mut kept = Vec::new();
        for k in possible {
            if keeps(&flow.relation, k)? {
                kept.push(k);
            }
        }
        possible = kept;
    }
    if !model.array(range.array)?.extents.is_empty() && !possible.is_empty() {
        let reused = reused(range, model, shared)?;
        possible.retain(|k| reused.contains(k));
    }
    Ok(possible)
}

/// Returns the loops whose iterations use the same memory for a live range.
fn reused(range: &LiveRange, model: &Model, shared: usize) -> Result<BTreeSet<usize>> {
    let (mut all, mut writes) = (UnionMap::parse("{ }")?, UnionMap::parse("{ }")?);
    for (statement, access) in range.uses(model) {
        let domain = polyhedra::Set::parse(&model.statement(statement)?.domain.0)?;
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

/// The choice of loops.
struct Chooser<'a> {
    model: &'a Model,
    /// The largest number of dimensions among the arrays that are not candidates.
    rank: usize,
    /// The loops that cannot be parallel for a statement, because they carry values between it and other statements
    /// of a cycle of dependences.
    sequential: Sequential,
    /// Those that cannot be parallel because they carry values, or because they reuse memory of which there are no
    /// copies. The latter are left out if no candidate depends on them.
    in_order: Sequential,
    sizes: Sizes<'a>,
}

impl<'a> Chooser<'a> {
    fn new(found: &Found<'a>, candidates: &[Candidate]) -> Result<Self> {
        let model = found.dataflow.model;
        let mut inside = candidates.iter().filter(|candidate| !candidate.lasts);
        let whole = |array: &&Array| !inside.clone().any(|candidate| candidate.range.array == array.id);
        let rank = model.arrays.iter().filter(whole).map(rank).max().unwrap_or_default();
        let expanded = |array: &Array| {
            let mut own = candidates.iter().filter(|candidate| candidate.range.array == array.id);
            own.any(|candidate| !candidate.possible.is_empty())
        };
        let others = model.arrays.iter().filter(|array| !expanded(array)).map(|array| array.id).collect();
        let flow = &found.dependences.flow;
        let is_needed = inside.any(|candidate| !candidate.possible.is_empty())
            || candidates.iter().any(|candidate| candidate.lasts);
        let sequential = if is_needed { sequential_loops(model, flow)? } else { Sequential::new() };
        let in_order = sequential.clone();
        let mut chooser = Self { model, rank, sequential, in_order, sizes: Sizes::new(model, others) };
        if chooser.has_costs(candidates)? {
            let kept = |access: AccessId| {
                !candidates.iter().any(|candidate| {
                    !candidate.possible.is_empty() && candidate.range.accesses.contains(&access)
                })
            };
            let reuse = found.dataflow.reuse(&found.dependences.dead, kept)?;
            chooser.in_order = sequential_loops(model, flow.iter().chain(&reuse))?;
        }
        Ok(chooser)
    }

    /// True if copies of a candidate cost more than registers, and would help if memory alone were in the way.
    fn has_costs(&self, candidates: &[Candidate]) -> Result<bool> {
        for candidate in candidates {
            let mut free = self.free(candidate, &self.sequential)?;
            if !self.is_cheap(candidate)? && free.next().is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the loops over which a live range is expanded, as positions among the loops around its statements.
    ///
    /// These are loops that could be parallel if memory were not reused. A scalar, which will become a register, is
    /// expanded over all of them. If no loop could be parallel, a scalar is expanded over as many of the innermost
    /// possible loops as the arrays of the region have dimensions. Then at least its memory does not restrict the
    /// order of the iterations: a wavefront may run through them, or another loop nest may compute the same in
    /// parallel.
    ///
    /// What costs more, arrays and everything of which values must be stored at the end, is expanded only over loops
    /// that become parallel by that: nothing but temporaries is in the way. Of these it is expanded over the
    /// outermost, and only over so many that the copies are not much larger than an array that the region works on
    /// ([`Sizes::allow`]).
    fn loops(&self, candidate: &Candidate) -> Result<Vec<usize>> {
        let possible = &candidate.possible;
        if self.is_cheap(candidate)? {
            let free: Vec<usize> = self.free(candidate, &self.sequential)?.collect();
            let last = possible.len().saturating_sub(self.rank.max(1));
            return Ok(if free.is_empty() { possible[last..].to_vec() } else { free });
        }
        let mut free: Vec<usize> = self.free(candidate, &self.in_order)?.collect();
        while !free.is_empty() && !self.sizes.allow(&candidate.range, &free)? {
            free.pop();
        }
        Ok(free)
    }

    /// True if the copies of a candidate will be registers, and nothing has to be stored at the end.
    fn is_cheap(&self, candidate: &Candidate) -> Result<bool> {
        Ok(!candidate.lasts && rank(self.model.array(candidate.range.array)?) == 0)
    }

    /// True if copies would make a loop parallel.
    fn would_free(&self, candidate: &Candidate) -> Result<bool> {
        Ok(!self.is_cheap(candidate)? && self.free(candidate, &self.in_order)?.next().is_some())
    }

    /// Returns those of the possible loops that do not have to be sequential.
    fn free<'c>(
        &'c self,
        candidate: &'c Candidate,
        order: &'c Sequential,
    ) -> Result<impl Iterator<Item = usize> + use<'c, 'a>> {
        let statements = self.model.statements_of(&candidate.range.statements)?;
        let is_free =
            move |k: &usize| !statements.iter().any(|statement| is_sequential(order, statement, *k));
        Ok(candidate.possible.iter().copied().filter(is_free))
    }
}

/// True if the loop at a position around a statement cannot be parallel.
fn is_sequential(order: &Sequential, statement: &Statement, position: usize) -> bool {
    let around = statement.loops.get(position).zip(order.get(&statement.id));
    around.is_some_and(|(around, sequential)| sequential.contains(around))
}

/// True if the two instances of each pair have the same value in a dimension.
pub fn keeps(pairs: &Map, position: usize) -> Result<bool> {
    let same = pairs.copy()?.equate(DimType::In, position as i32, DimType::Out, position as i32)?;
    Ok(pairs.is_subset(&same)?)
}
