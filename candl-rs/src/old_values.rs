//! Which arrays get a copy of old values.
//!
//! A read of a value from before a nest keeps the nest's iterations in order only because one of them overwrites the
//! value:
//!
//! ```c
//!                                          for (int x = 1; x < n; x++)
//!                                              a_[x] = a[x];
//! for (int i = 0; i < n - 1; i++)    →     for (int i = 0; i < n - 1; i++)
//!     a[i] = f(a[i], a[i + 1]);                a[i] = f(a[i], a_[i + 1]);
//! ```
//!
//! If the nest is inside of other loops, each of their iterations fills the copy again.
//!
//! An access can be redirected if no value that it reads was written in the same run of the nest. The outermost such
//! nest is chosen, because it has the most iterations that need not wait. Only certain accesses to one known element
//! are redirected, and all iterations of an access or none, since the instances of an access use one array.

use std::collections::BTreeSet;

use polyhedra::{DimType, Map, Result, Text};
use scop::{
    Access, AccessId, AccessKind, ArrayId, Dependence, Dependences, Expansions, LoopId, Model, Statement,
    StatementId,
};

use crate::dataflow::Flow;
use crate::sequential::{Sequential, sequential_loops};

/// Reads of old values of an array, in one nest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldReads {
    /// The array.
    pub array: ArrayId,
    /// The outermost loop of the nest.
    pub nest: LoopId,
    /// The number of loops around the nest.
    pub depth: usize,
    /// The reads.
    pub reads: BTreeSet<AccessId>,
}

/// Returns the groups of reads of which copies would let loops be parallel; none if they would free no loop.
///
/// The model has the `expansions`, and the dependences are of this model.
pub fn old_values(
    model: &Model,
    expansions: &Expansions,
    flows: &[Flow],
    dependences: &Dependences,
) -> Result<Vec<OldReads>> {
    let mut groups: Vec<OldReads> = Vec::new();
    for (statement, access) in candidates(model, expansions, dependences)? {
        let Some((nest, depth)) = nest_of(model, statement, access, flows)? else { continue };
        let broken = Broken { model, nest, depth };
        let mut waits = false;
        for anti in dependences.anti.iter().filter(|anti| anti.source == access.id) {
            waits |= broken.keeps_in_order(anti)?;
        }
        if !waits {
            continue;
        }
        let own = |group: &&mut OldReads| group.array == access.array && group.nest == nest;
        match groups.iter_mut().find(own) {
            Some(group) => {
                group.reads.insert(access.id);
            }
            None => {
                groups.push(OldReads { array: access.array, nest, depth, reads: BTreeSet::from([access.id]) })
            }
        }
    }
    needed(groups, model, dependences)
}

/// Leaves out the groups that free no loop together with the others.
fn needed(mut groups: Vec<OldReads>, model: &Model, dependences: &Dependences) -> Result<Vec<OldReads>> {
    if groups.is_empty() {
        return Ok(groups);
    }
    let best = in_order_without(&groups, model, dependences)?;
    if best == in_order_without(&[], model, dependences)? {
        return Ok(Vec::new());
    }
    let mut position = 0;
    while position < groups.len() {
        let left_out = groups.remove(position);
        if in_order_without(&groups, model, dependences)? != best {
            groups.insert(position, left_out);
            position += 1;
        }
    }
    Ok(groups)
}

/// Returns the loops that cannot be parallel if old values are read from copies.
fn in_order_without(groups: &[OldReads], model: &Model, dependences: &Dependences) -> Result<Sequential> {
    let mut kept: Vec<&Dependence> = dependences.flow.iter().chain(&dependences.output).collect();
    for anti in &dependences.anti {
        let group = groups.iter().find(|group| group.reads.contains(&anti.source));
        let goes = match group {
            Some(group) => Broken { model, nest: group.nest, depth: group.depth }.keeps_in_order(anti)?,
            None => false,
        };
        if !goes {
            kept.push(anti);
        }
    }
    sequential_loops(model, kept)
}

/// Returns the reads that could use a copy.
fn candidates<'m>(
    model: &'m Model,
    expansions: &Expansions,
    dependences: &Dependences,
) -> Result<Vec<(&'m Statement, &'m Access)>> {
    let added: BTreeSet<StatementId> = expansions.added().iter().map(|statement| statement.id).collect();
    let is_expanded = |access: &Access| expansions.arrays.iter().any(|array| array.id == access.array);
    let mut found = Vec::new();
    for statement in &model.statements {
        if added.contains(&statement.id) || dependences.dead.contains(&statement.id) {
            continue;
        }
        for access in &statement.accesses {
            let is_read = access.kind == AccessKind::Read && access.certainty.is_must() && !access.indirect;
            if !is_read || is_expanded(access) || model.array(access.array)?.extents.is_empty() {
                continue;
            }
            if Map::parse(&access.relation.0)?.is_single_valued()? {
                found.push((statement, access));
            }
        }
    }
    Ok(found)
}

/// Returns the outermost loop around an access in whose runs no value is written that the access reads in the same run,
/// with the number of loops around it.
fn nest_of(
    model: &Model,
    statement: &Statement,
    access: &Access,
    flows: &[Flow],
) -> Result<Option<(LoopId, usize)>> {
    for (depth, &nest) in statement.loops.iter().enumerate() {
        let mut is_old = true;
        for flow in flows.iter().filter(|flow| flow.sink == access.id) {
            is_old &= !model.owner(flow.source)?.loops.contains(&nest)
                || in_same_run(flow.relation.copy()?, depth)?.is_empty()?;
        }
        if is_old {
            return Ok(Some((nest, depth)));
        }
    }
    Ok(None)
}

/// Keeps the pairs of instances that agree in their outermost loops.
fn in_same_run(pairs: Map, depth: usize) -> Result<Map> {
    (0..depth as i32)
        .try_fold(pairs, |pairs, outer| Ok(pairs.equate(DimType::In, outer, DimType::Out, outer)?))
}

/// Dependences that copies break.
struct Broken<'a> {
    model: &'a Model,
    nest: LoopId,
    depth: usize,
}

impl Broken<'_> {
    /// True if an anti dependence goes between iterations of loops of one run of the nest.
    fn keeps_in_order(&self, anti: &Dependence) -> Result<bool> {
        let (source, sink) = (self.model.owner(anti.source)?, self.model.owner(anti.sink)?);
        if !sink.loops.contains(&self.nest) {
            return Ok(false);
        }
        let pairs = in_same_run(Map::parse(&anti.relation.0)?, self.depth)?;
        let shared = scop::shared_loops(source, sink);
        let together = in_same_run(pairs.copy()?, shared)?;
        Ok(!pairs.is_subset(&together)?)
    }
}
