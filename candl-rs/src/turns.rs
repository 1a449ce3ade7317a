//! Arrays that take turns instead of being copied.
//!
//! ```c
//!                                       X[0] = A; X[1] = A;            // as far as the loops read old values
//! for (int t = 0; t < T; t++) {         for (int t = 0; t < T; t++)
//!     for (int i = 1; i < n - 1; i++)       for (int i = 1; i < n - 1; i++)
//!         B[i] = f(A[i - 1], A[i + 1]);         X[(t + 1) % 2][i] = f(X[t % 2][i - 1], X[t % 2][i + 1]);
//!     for (int i = 1; i < n - 1; i++)   →
//!         A[i] = B[i];
//! }                                     A = X[T % 2]; B = X[T % 2];    // as far as the loops write them
//! ```
//!
//! A copying statement is omitted if
//!
//! * it is the only one that writes its target, and copies in each iteration of a loop exactly the elements of its
//!   source that this iteration writes, each to the same element;
//! * nothing reads a value of the source array from before the region;
//! * each access to one of the arrays reads only values of one iteration before the loop's current one, or only values
//!   of the current one, besides values from before the region.
//!
//! Then an iteration finds in one half what the iteration before left in the target, and writes to the other half. An
//! element that the loop never writes is made equal in both halves before it.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{DimType, Map, Result, Set, Simplify, Text};
use scop::{
    Access, AccessId, AccessKind, Array, ArrayId, Dependences, Expansions, ExprKind, Model, Statement,
    StatementId, Step,
};

use crate::dataflow::Flow;
use crate::kept::around;
use crate::live_ranges::LiveRange;

/// Two arrays that can take turns.
pub struct Turns {
    /// The array to which values are copied, and the one from which they come.
    pub target: ArrayId,
    pub source: ArrayId,
    /// The statement that copies.
    pub copying: StatementId,
    /// The position of the loop that takes turns among the loops around each statement.
    pub depth: usize,
    /// The half that each access uses in an even iteration.
    pub halves: BTreeMap<AccessId, i64>,
}

impl Turns {
    /// Returns the half that an access uses in an iteration: `{ S0[t, i] -> [(t + 1) mod 2] }`.
    pub fn half_of(&self, statement: &Statement, half: i64) -> Result<Map> {
        let names = polyhedra::numbered("i", statement.depth());
        let iterator = names.get(self.depth).ok_or_else(|| polyhedra::Error::bug("no loop takes turns"))?;
        Map::parse(&format!(
            "{{ {}[{}] -> [h] : h = ({iterator} + {half}) mod 2 }}",
            statement.id,
            names.join(", ")
        ))
    }

    /// Returns the writes of one of the arrays in the source as a live range.
    pub fn writes(&self, model: &Model, array: ArrayId) -> LiveRange {
        let mut range = LiveRange { array, accesses: BTreeSet::new(), statements: BTreeSet::new() };
        for statement in &model.statements {
            for access in &statement.accesses {
                let is_own = self.halves.contains_key(&access.id) || statement.id == self.copying;
                if access.kind == AccessKind::Write && access.array == array && is_own {
                    range.accesses.insert(access.id);
                    range.statements.insert(statement.id);
                }
            }
        }
        range
    }

    /// Returns the elements of the target that must have their values from before the region in one of the halves, and
    /// perhaps more. For the second half, they are usually a border.
    pub fn old_elements(&self, model: &Model, dependences: &Dependences, half: i64) -> Result<Option<Set>> {
        let Some(own) = self.live_in(model, dependences, half)? else { return Ok(None) };
        Ok(Some(around(model.array(self.target)?, own, 0)?))
    }

    fn live_in(&self, model: &Model, dependences: &Dependences, half: i64) -> Result<Option<Set>> {
        let mut all = None;
        for live in &dependences.live_in {
            let Some(own) = self.halves.get(&live.access) else { continue };
            let statement = model.owner(live.access)?;
            let wanted = self.half_of(statement, *own)?;
            let instances = wanted.intersect_range(Set::parse(&format!("{{ [{half}] }}"))?)?.domain()?;
            let elements = Map::parse(&live.relation.0)?.intersect_domain(instances)?.range()?;
            all = polyhedra::add(all, elements.reset_tuple_id()?)?;
        }
        let all = all.map(|all| all.simplified()).transpose()?;
        match all {
            Some(all) if all.is_empty()? => Ok(None),
            all => Ok(all),
        }
    }
}

/// Returns the arrays that can take turns, of which no array is in two entries.
pub fn turns(
    model: &Model,
    expansions: &Expansions,
    flows: &[Flow],
    dependences: &Dependences,
) -> Result<Vec<Turns>> {
    let mut found: Vec<Turns> = Vec::new();
    for statement in &model.statements {
        let is_added = expansions.added().iter().any(|added| added.id == statement.id);
        if is_added || dependences.dead.contains(&statement.id) {
            continue;
        }
        let Some((write, read)) = copied(model, statement)? else { continue };
        let arrays = [write.array, read.array];
        let is_taken = |array: &ArrayId| {
            expansions.arrays.iter().any(|expanded| expanded.id == *array)
                || found.iter().any(|turns| [turns.target, turns.source].contains(array))
        };
        if arrays.iter().any(is_taken) {
            continue;
        }
        let region = Region { model, flows, dependences };
        for depth in 0..statement.depth() {
            if let Some(turns) = region.turns(statement, (write, read), depth)? {
                found.push(turns);
                break;
            }
        }
    }
    Ok(found)
}

/// Returns the accesses of a statement that copies an element of an array to the same element of another one.
fn copied<'m>(model: &'m Model, statement: &'m Statement) -> Result<Option<(&'m Access, &'m Access)>> {
    let [Step::Assign { access, value, .. }] = &statement.body[..] else { return Ok(None) };
    let ExprKind::Read { access: taken, .. } = &value.kind else { return Ok(None) };
    let (Some(write), Some(read)) = (statement.access(*access), statement.access(*taken)) else {
        return Ok(None);
    };
    let [to, from] = [model.array(write.array)?, model.array(read.array)?];
    let are_certain = [write, read].iter().all(|access| access.certainty.is_must() && !access.indirect);
    let are_alike = to.id != from.id
        && to.element == from.element
        && value.ctype == from.element
        && to.extents == from.extents
        && is_whole(to)
        && is_whole(from);
    if !are_certain || !are_alike || statement.accesses.len() != 2 {
        return Ok(None);
    }
    let [written, taken] = [Map::parse(&write.relation.0)?, Map::parse(&read.relation.0)?];
    let same = written.reset_tuple_id(DimType::Out)?.is_equal(&taken.reset_tuple_id(DimType::Out)?)?;
    Ok(same.then_some((write, read)))
}

/// True for an array from outside the region with at least one dimension.
fn is_whole(array: &Array) -> bool {
    !array.extents.is_empty() && array.scope_depth == 0 && !array.concurrent
}

struct Region<'a> {
    model: &'a Model,
    flows: &'a [Flow],
    dependences: &'a Dependences,
}

impl Region<'_> {
    /// Returns how the arrays of a copying statement take turns with the iterations of the loop at a position around
    /// it; nothing if they cannot.
    fn turns(
        &self,
        copying: &Statement,
        (write, read): (&Access, &Access),
        depth: usize,
    ) -> Result<Option<Turns>> {
        let (target, source) = (write.array, read.array);
        // The halves would keep what another iteration of an outer loop left in them.
        if depth > 0 {
            return Ok(None);
        }
        let nest = copying.loops[depth];
        let mut halves = BTreeMap::new();
        for statement in self.alive() {
            let own: Vec<&Access> =
                statement.accesses.iter().filter(|access| [target, source].contains(&access.array)).collect();
            if own.is_empty() || statement.id == copying.id {
                continue;
            }
            if statement.loops.get(depth) != Some(&nest) {
                return Ok(None);
            }
            for access in own {
                let is_function = !access.indirect && Map::parse(&access.relation.0)?.is_single_valued()?;
                if !is_function {
                    return Ok(None);
                }
                let half = match access.kind {
                    AccessKind::Write if access.array == target || !access.certainty.is_must() => None,
                    AccessKind::Write => Some(1),
                    AccessKind::Read => {
                        self.half(access, depth)?.filter(|half| *half == 0 || !self.begins_before(access))
                    }
                };
                let Some(half) = half else { return Ok(None) };
                halves.insert(access.id, half);
            }
        }
        let is_sound = halves.values().any(|half| *half == 1)
            && !self.is_live_in(source)
            && self.comes_from_same_iteration(copying, read, depth)?
            && self.copies_all(copying, (write, source), depth)?;
        Ok(is_sound.then_some(Turns { target, source, copying: copying.id, depth, halves }))
    }

    fn alive(&self) -> impl Iterator<Item = &Statement> {
        self.model.statements.iter().filter(|statement| !self.dependences.dead.contains(&statement.id))
    }

    /// Returns the half that a read uses in an even iteration: 0 if its values come from the iteration before, 1 if
    /// they come from the same; nothing if they come from both or others. Values from before the region are in both
    /// halves.
    fn half(&self, access: &Access, depth: usize) -> Result<Option<i64>> {
        let mut half = None;
        for flow in self.flows.iter().filter(|flow| flow.sink == access.id) {
            let own = match (
                self.has_distance(&flow.relation, depth, 0)?,
                self.has_distance(&flow.relation, depth, 1)?,
            ) {
                (true, false) => 1,
                (false, true) => 0,
                _ => return Ok(None),
            };
            if half.is_some_and(|half| half != own) {
                return Ok(None);
            }
            half = Some(own);
        }
        Ok(Some(half.unwrap_or(0)))
    }

    /// True if the second instance of each pair is so many iterations of a loop after the first.
    fn has_distance(&self, pairs: &Map, depth: usize, distance: i64) -> Result<bool> {
        let names = |side: DimType, stem: &str| -> Result<Vec<String>> {
            Ok(polyhedra::numbered(stem, pairs.dim(side)? as usize))
        };
        let (from, to) = (names(DimType::In, "i")?, names(DimType::Out, "o")?);
        let (Some(first), Some(second)) = (from.get(depth), to.get(depth)) else { return Ok(false) };
        let text = format!(
            "{{ {}[{}] -> {}[{}] : {second} = {first} + {distance} }}",
            pairs.get_tuple_name(DimType::In)?,
            from.join(", "),
            pairs.get_tuple_name(DimType::Out)?,
            to.join(", "),
        );
        Ok(pairs.is_subset(&Map::parse(&text)?)?)
    }

    /// True if an access reads values from before the region.
    fn begins_before(&self, access: &Access) -> bool {
        self.dependences.live_in.iter().any(|live| live.access == access.id)
    }

    /// True if a value of the source array comes from before the region.
    fn is_live_in(&self, source: ArrayId) -> bool {
        let of_source = |id: AccessId| self.model.access(id).is_ok_and(|access| access.array == source);
        self.dependences.live_in.iter().any(|live| of_source(live.access))
    }

    /// True if what is copied was written in the same iteration of a loop.
    fn comes_from_same_iteration(&self, copying: &Statement, read: &Access, depth: usize) -> Result<bool> {
        let mut open = Set::parse(&copying.domain.0)?.intersect_params(Set::parse(&self.model.context.0)?)?;
        for flow in self.flows.iter().filter(|flow| flow.sink == read.id) {
            if !self.has_distance(&flow.relation, depth, 0)? {
                return Ok(false);
            }
            open = open.subtract(flow.relation.copy()?.range()?)?;
        }
        Ok(open.is_empty()?)
    }

    /// True if each iteration of a loop copies all elements that it writes in the source array.
    fn copies_all(
        &self,
        copying: &Statement,
        (write, source): (&Access, ArrayId),
        depth: usize,
    ) -> Result<bool> {
        let copied = in_each_iteration(copying, write, depth)?;
        for statement in self.alive() {
            let own = |access: &&Access| access.kind == AccessKind::Write && access.array == source;
            for access in statement.accesses.iter().filter(own) {
                let written = in_each_iteration(statement, access, depth)?;
                let context = Set::parse(&self.model.context.0)?;
                if !written.intersect_params(context)?.is_subset(&copied)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// Returns the elements that an access uses in each iteration of a loop: `{ [t, x] }`.
fn in_each_iteration(statement: &Statement, access: &Access, depth: usize) -> Result<Set> {
    let relation = Map::parse(&access.relation.0)?.intersect_domain(Set::parse(&statement.domain.0)?)?;
    let run = crate::accesses::leading(&relation, statement.depth(), &[depth])?;
    run.flat_range_product(relation)?.range()?.reset_tuple_id()?.simplified()
}
