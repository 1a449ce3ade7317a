//! Temporaries whose values go to the element that they become.
//!
//! ```c
//! for (int j = 0; j < i; j++) {              for (int j = 0; j < i; j++) {
//!     w = A[i][j];
//!     for (int k = 0; k < j; k++)                for (int k = 0; k < j; k++)
//!         w -= A[i][k] * A[k][j];       →            A[i][j] -= A[i][k] * A[k][j];
//!     A[i][j] = w / A[j][j];                     A[i][j] = A[i][j] / A[j][j];
//! }                                          }
//! ```
//!
//! Then no value waits in a variable of which each iteration needs one, and the updates of an element may be far from
//! each other: scheduler can run them in blocks. A temporary is in place if
//!
//! * in each iteration of the loops that its statements share, the last of these stores an element of an array, and
//!   all values of the temporary come from the same iteration;
//! * no other access uses this element from the first of these statements on until it is stored; the first one may
//!   read it.
//!
//! Statements that then copy an element to itself are left out. It pays off where updates read other elements of the
//! array; others are reductions, for which a register is the best place. So are updates of which the first one in each
//! iteration needs the element that the iteration before has just stored: they are one chain in every order.

use std::collections::BTreeSet;

use polyhedra::{DimType, Map, Result, Schedule, Set, Text, UnionMap};
use scop::{
    Access, AccessId, AccessKind, ArrayId, ExpandedAccess, ExprKind, IslMap, Model, Statement, StatementId,
    Step, shared_loops,
};

use crate::dataflow::Flow;
use crate::found::Found;
use crate::live_ranges::{LiveRange, live_ranges};
use crate::order::earlier;
use crate::private::keeps;

/// A temporary in the place of an element.
pub struct InPlace {
    /// Its uses.
    pub range: LiveRange,
    /// The array of the element.
    pub target: ArrayId,
    /// The element that each of the uses accesses instead.
    pub accesses: Vec<ExpandedAccess>,
    /// The statements that would copy the element to itself.
    pub omitted: Vec<StatementId>,
}

/// Returns the temporaries that can be in place, given the live ranges that get copies.
pub fn in_place(found: &Found<'_>, ranges: &[(LiveRange, Vec<usize>)]) -> Result<Vec<InPlace>> {
    let model = found.dataflow.model;
    let has_copies = |range: &LiveRange| {
        ranges.iter().any(|(other, _)| other != range && !other.accesses.is_disjoint(&range.accesses))
    };
    let mut all: Vec<(Stored<'_>, InPlace)> = Vec::new();
    let mut candidates = live_ranges(model, found.flows, &found.dependences.dead);
    // Several of them may share copies.
    candidates.retain(|range| !has_copies(range));
    for range in &candidates {
        let array = model.array(range.array)?;
        if array.extents.len() > array.scope_depth as usize
            || range.lasts(found.dependences)
            || range.begins_before(found.dependences)
        {
            continue;
        }
        for stored in Stored::all(found, range)? {
            let Some(own) = stored.in_place()? else { continue };
            let mut is_free = true;
            for (other, placed) in &all {
                is_free &= stored.is_apart(placed)? && other.is_apart(&own)?;
            }
            if is_free {
                all.push((stored, own));
                break;
            }
        }
    }
    Ok(all.into_iter().map(|(_, own)| own).collect())
}

/// A temporary whose last value in each iteration of some loops is stored in an element.
struct Stored<'a> {
    model: &'a Model,
    order: UnionMap,
    flows: &'a [Flow],
    dead: &'a [StatementId],
    range: &'a LiveRange,
    /// Its statements.
    statements: Vec<&'a Statement>,
    /// The one that stores the element, in each iteration of the loops that all share.
    store: &'a Statement,
    write: &'a Access,
}

impl<'a> Stored<'a> {
    /// Returns the ways in which a temporary may be stored.
    fn all(found: &Found<'a>, range: &'a LiveRange) -> Result<Vec<Self>> {
        let model = found.dataflow.model;
        let statements = model.statements_of(&range.statements)?;
        let Some(first) = statements.first() else { return Ok(Vec::new()) };
        let depth = statements.iter().map(|other| shared_loops(first, other)).min().unwrap_or_default();
        for flow in found.flows.iter().filter(|flow| range.accesses.contains(&flow.source)) {
            for position in 0..depth {
                if !keeps(&flow.relation, position)? {
                    return Ok(Vec::new());
                }
            }
        }
        let mut all = Vec::new();
        for store in statements.iter().copied().filter(|store| depth > 0 && store.depth() == depth) {
            let Some(write) = stored_by(model, store, range)? else { continue };
            let is_update = |statement: &&Statement| {
                let has_write = statement
                    .accesses
                    .iter()
                    .any(|access| access.kind == AccessKind::Write && range.accesses.contains(&access.id));
                let reads = |access: &Access| access.kind == AccessKind::Read && access.array == write.array;
                has_write && statement.depth() > depth && statement.accesses.iter().any(reads)
            };
            if statements.iter().any(is_update) {
                let order = Schedule::parse(&model.order.0)?.get_map()?;
                let (statements, dead) = (statements.clone(), &found.dependences.dead[..]);
                let flows = found.flows;
                all.push(Self { model, order, flows, dead, range, statements, store, write });
            }
        }
        Ok(all)
    }

    /// Returns what the accesses use in place; nothing if something else may use an element in between.
    fn in_place(&self) -> Result<Option<InPlace>> {
        let element = self.element()?;
        if !element.is_single_valued()? || !self.is_last()? || self.is_chain()? {
            return Ok(None);
        }
        let first = self.first()?;
        for statement in self.model.statements.iter().filter(|one| !self.dead.contains(&one.id)) {
            let own = |access: &&Access| access.array == self.write.array && access.id != self.write.id;
            for access in statement.accesses.iter().filter(own) {
                let is_first = access.kind == AccessKind::Read && first == Some(statement.id);
                if !self.is_free_of(statement, &Map::parse(&access.relation.0)?, is_first)? {
                    return Ok(None);
                }
            }
        }
        let mut accesses = Vec::new();
        for statement in &self.statements {
            let relation = IslMap(self.run_of(statement)?.apply_range(element.copy()?)?.text()?);
            for access in statement.accesses.iter().filter(|access| self.range.accesses.contains(&access.id))
            {
                let relation = relation.clone();
                accesses.push(ExpandedAccess { access: access.id, array: self.write.array, relation });
            }
        }
        let mut omitted = Vec::new();
        for statement in &self.statements {
            if self.copies_to_itself(statement)? {
                omitted.push(statement.id);
            }
        }
        let (range, target) = (self.range.clone(), self.write.array);
        Ok(Some(InPlace { range, target, accesses, omitted }))
    }

    /// True if another temporary in place leaves the elements alone.
    fn is_apart(&self, other: &InPlace) -> Result<bool> {
        if other.target != self.write.array {
            return Ok(true);
        }
        for expanded in &other.accesses {
            let owner = self.model.owner(expanded.access)?;
            if !self.is_free_of(owner, &Map::parse(&expanded.relation.0)?, false)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the element of each iteration: `{ [t] -> A0[x] }`.
    fn element(&self) -> Result<Map> {
        Ok(Map::parse(&self.write.relation.0)?.reset_tuple_id(DimType::In)?)
    }

    /// Returns the iteration of an instance: `{ S1[t, k] -> [t] }`.
    fn run_of(&self, statement: &Statement) -> Result<Map> {
        let names = polyhedra::numbered("i", statement.depth());
        let run = names[..self.store.depth()].join(", ");
        Map::parse(&format!("{{ {}[{}] -> [{run}] }}", statement.id, names.join(", ")))
    }

    fn instances(&self, statement: &Statement) -> Result<Set> {
        let context = Set::parse(&self.model.context.0)?;
        Ok(Set::parse(&statement.domain.0)?.intersect_params(context)?)
    }

    /// Returns the pairs of instances in one iteration, the second of them of another statement of the temporary.
    fn in_one_run(&self, first: &Statement, second: &Statement) -> Result<Map> {
        let pairs = self.run_of(first)?.apply_range(self.run_of(second)?.reverse()?)?;
        Ok(pairs.intersect_domain(self.instances(first)?)?.intersect_range(self.instances(second)?)?)
    }

    /// True if the element is stored in each iteration that uses the temporary, after all other uses.
    fn is_last(&self) -> Result<bool> {
        let stored = self.instances(self.store)?.apply(self.run_of(self.store)?)?;
        for statement in self.statements.iter().filter(|one| one.id != self.store.id) {
            let used = self.instances(statement)?.apply(self.run_of(statement)?)?;
            let pairs = self.in_one_run(statement, self.store)?;
            if !used.is_subset(&stored)? || !pairs.is_subset(&self.earlier(&pairs)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// True if the first update of each iteration reads the element that the iteration before stores.
    fn is_chain(&self) -> Result<bool> {
        let stores = self.in_other_runs()?;
        let between = stores.copy()?.apply_range(stores.copy()?)?;
        let next = stores.subtract(between)?;
        for update in self.statements.iter().filter(|one| one.depth() > self.store.depth()) {
            let pairs = self.in_one_run(update, update)?;
            let later = self.earlier(&pairs)?.range()?;
            let first = self.instances(update)?.subtract(later)?;
            let of_next = next.copy()?.apply_range(self.in_one_run(self.store, update)?)?;
            for flow in self.flows.iter().filter(|flow| flow.source == self.write.id) {
                if update.access(flow.sink).is_some() {
                    let direct = flow.relation.copy()?.intersect(of_next.copy()?)?.range()?;
                    if first.is_subset(&direct)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Returns the instances that store an element, and those that do later.
    fn in_other_runs(&self) -> Result<Map> {
        let stored = self.instances(self.store)?;
        self.earlier(&Map::from_domain_and_range(stored.copy()?, stored)?)
    }

    /// Returns the statement that comes before all others in each iteration, and only sets the temporary.
    fn first(&self) -> Result<Option<StatementId>> {
        let sets = |statement: &&&Statement| {
            let mut own = statement.accesses.iter().filter(|access| self.range.accesses.contains(&access.id));
            let is_write = own.next().is_some_and(|access| access.kind == AccessKind::Write);
            statement.depth() == self.store.depth() && is_write && own.next().is_none() && is_plain(statement)
        };
        for first in self.statements.iter().filter(sets) {
            let mut is_first = true;
            for other in self.statements.iter().filter(|other| other.id != first.id) {
                let pairs = self.in_one_run(first, other)?;
                is_first &= pairs.is_subset(&self.earlier(&pairs)?)?;
            }
            if is_first {
                return Ok(Some(first.id));
            }
        }
        Ok(None)
    }

    /// True if no instance of a statement accesses the element of an iteration from its first use of the temporary on
    /// until it is stored. The instance that is that first use itself may, if it `is_first`.
    fn is_free_of(&self, statement: &Statement, relation: &Map, is_first: bool) -> Result<bool> {
        let used = relation.copy()?.intersect_domain(self.instances(statement)?)?;
        let stored = self.run_of(self.store)?.apply_range(self.element()?)?;
        let stored = stored.intersect_domain(self.instances(self.store)?)?;
        let pairs = used.apply_range(stored.reverse()?)?;
        let later = self.earlier(&pairs.copy()?.reverse()?)?.reverse()?;
        let open = pairs.subtract(later)?;
        if open.is_empty()? {
            return Ok(true);
        }
        for other in &self.statements {
            let mut pairs = open.copy()?.apply_range(self.in_one_run(self.store, other)?)?;
            if is_first && other.id == statement.id {
                pairs = pairs.copy()?.subtract(Map::identity(pairs.get_space()?)?)?;
            }
            if !pairs.is_subset(&self.earlier(&pairs)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn earlier(&self, pairs: &Map) -> Result<Map> {
        earlier(&self.order, pairs)
    }

    /// True if a statement would copy the element to itself.
    fn copies_to_itself(&self, statement: &Statement) -> Result<bool> {
        let [Step::Assign { access, value, .. }] = &statement.body[..] else { return Ok(false) };
        let ExprKind::Read { access: read, .. } = &value.kind else { return Ok(false) };
        let is_own = |id: &AccessId| self.range.accesses.contains(id);
        let other = match (is_own(access), is_own(read)) {
            (true, false) => statement.access(*read),
            (false, true) => statement.access(*access),
            _ => None,
        };
        let Some(other) = other.filter(|other| other.array == self.write.array) else { return Ok(false) };
        let element = self.model.array(self.write.array)?.element;
        let is_plain = value.ctype == element && statement.accesses.len() == 2 && !other.indirect;
        let wanted = self.run_of(statement)?.apply_range(self.element()?)?;
        let instances = self.instances(statement)?;
        let used = Map::parse(&other.relation.0)?.intersect_domain(instances.copy()?)?;
        Ok(is_plain && other.certainty.is_must() && used.is_equal(&wanted.intersect_domain(instances)?)?)
    }
}

/// Returns the access by which a statement stores what it computes from a temporary.
fn stored_by<'a>(model: &'a Model, store: &'a Statement, range: &LiveRange) -> Result<Option<&'a Access>> {
    let [Step::Assign { access, compound: None, .. }] = &store.body[..] else { return Ok(None) };
    let of_range = store.accesses.iter().filter(|access| range.accesses.contains(&access.id));
    let kinds: BTreeSet<bool> = of_range.map(|access| access.kind == AccessKind::Read).collect();
    let Some(write) = store.access(*access).filter(|_| kinds == BTreeSet::from([true])) else {
        return Ok(None);
    };
    let array = model.array(write.array)?;
    let is_sound = write.array != range.array
        && is_plain(store)
        && array.element == model.array(range.array)?.element
        && array.scope_depth == 0
        && !array.concurrent
        && !array.constant;
    Ok(is_sound.then_some(write))
}

/// True if a statement always writes one known element.
fn is_plain(statement: &Statement) -> bool {
    let mut writes = statement.accesses.iter().filter(|access| access.kind == AccessKind::Write);
    let write = writes.next().filter(|write| write.certainty.is_must() && !write.indirect);
    write.is_some() && writes.next().is_none() && matches!(&statement.body[..], [Step::Assign { .. }])
}
