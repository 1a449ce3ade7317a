//! What statements of a kernel leave in registers and in shared memory for others.

use std::collections::BTreeMap;

use super::changes::{Changes, agree};
use super::footprint::{Class, Group};
use super::geometry::Geometry;
use super::linear::Row;
use super::part::{Part, WrittenArrays};
use super::traffic::{Traffic, kept};

/// What statements that were estimated before leave for others.
pub struct Known {
    /// The innermost loop around the last statement.
    innermost: Option<u64>,
    /// The values that it has in registers.
    loaded: Vec<(Class, Vec<Row>)>,
    /// What is copied to shared memory.
    staged: Vec<(Group, Changes)>,
    /// What is loaded into the L1 cache: one element, and how it changes with all loops.
    cached: Vec<(Group, Changes)>,
    /// The arrays of which a thread keeps an element in a register through loops.
    pub in_registers: BTreeMap<Class, InRegister>,
}

/// An element that a thread keeps in a register while loops run.
pub struct InRegister {
    /// True if a statement sets it before it is read.
    is_set: bool,
    is_loaded: bool,
    is_stored: bool,
}

impl InRegister {
    /// Leaves of the accesses of a statement what is not done in a register: one load in front of the loops, and one
    /// store after them. Statements without loops, such as the one that sets a sum to zero, have the value in it.
    pub fn of_loops(&mut self, traffic: &mut Traffic) {
        if traffic.kept <= 1.0 || self.is_set || self.is_loaded {
            traffic.reads = 0.0;
        }
        if traffic.kept <= 1.0 || self.is_stored {
            traffic.writes = 0.0;
        }
        self.is_loaded |= traffic.reads > 0.0;
        self.is_stored |= traffic.writes > 0.0;
    }
}

impl Known {
    pub fn new(parts: &[Part], geometries: &[Geometry], written: &WrittenArrays) -> Self {
        let mut in_registers: BTreeMap<Class, InRegister> = BTreeMap::new();
        let groups = || {
            let all = parts.iter().zip(geometries);
            all.flat_map(|(part, geometry)| part.groups.iter().map(move |group| (group, geometry)))
        };
        for (group, geometry) in groups().filter(|(group, _)| written.all.contains(&group.class())) {
            if kept(group, geometry, written) > 1.0 {
                let new = InRegister { is_set: false, is_loaded: false, is_stored: false };
                in_registers.entry(group.class()).or_insert(new);
            }
        }
        for (group, geometry) in groups() {
            if let Some(own) = in_registers.get_mut(&group.class()) {
                own.is_set |= group.reads == 0.0 && kept(group, geometry, written) <= 1.0;
            }
        }
        Self { innermost: None, loaded: Vec::new(), staged: Vec::new(), cached: Vec::new(), in_registers }
    }

    /// True if what a group reads is not copied to shared memory yet. From now on it is.
    pub fn stage(&mut self, group: &Group, geometry: &Geometry, written: &WrittenArrays) -> bool {
        // All accesses to elements of one block find them in one buffer.
        let is_of_block = |other: &Group| {
            other.class() == group.class() && written.of_one_block.contains_key(&group.class())
        };
        let known = self.staged.iter().any(|(other, _)| is_of_block(other));
        !known && is_new(&mut self.staged, group, geometry)
    }

    /// True if another statement has loaded the elements of a group into the L1 cache, at the same points of all loops.
    /// From now on they are there.
    pub fn caches(&mut self, group: &Group, geometry: &Geometry) -> bool {
        !is_new(&mut self.cached, group, geometry)
    }

    /// Comes to a statement in a loop.
    pub fn enter(&mut self, innermost: Option<u64>) {
        if self.innermost != innermost {
            self.loaded.clear();
            self.innermost = innermost;
        }
    }

    /// Comes to a statement at other points of the loops: it finds nothing in registers.
    pub fn leave_iteration(&mut self) {
        self.loaded.clear();
    }

    /// True if what a group reads is in a register: another statement of the same iteration has loaded or stored it.
    pub fn has(&self, group: &Group) -> bool {
        self.loaded.iter().any(|(array, element)| *array == group.class() && group.is_one(element))
    }

    /// After a statement, what it has loaded is known, unless it stores to memory, which may have changed all else.
    pub fn load_and_store(&mut self, groups: &[Group], shares_sum: bool) {
        let stores = |group: &Group| {
            group.writes > 0.0 && !shares_sum && !self.in_registers.contains_key(&group.class())
        };
        let stores_any = groups.iter().any(stores);
        let known = groups.iter().filter(|group| !stores_any || stores(group));
        let known: Vec<_> = known.map(|group| (group.class(), group.subscripts.clone())).collect();
        if stores_any {
            self.loaded.clear();
        }
        self.loaded.extend(known);
    }
}

/// True if none of some groups has the elements of another one, at the same points of all loops. From now on one has.
fn is_new(known: &mut Vec<(Group, Changes)>, group: &Group, geometry: &Geometry) -> bool {
    let changes = group.changes(&geometry.loops);
    let is_near = |(one, other): (&Row, &Row)| one.constant == other.constant;
    let is_same = |(other, of_other): &(Group, Changes)| {
        other.class() == group.class()
            && other.subscripts.iter().zip(&group.subscripts).all(is_near)
            && agree(of_other, &changes)
    };
    let is_new = group.irregular || !known.iter().any(is_same);
    if is_new {
        known.push((group.clone(), changes));
    }
    is_new
}
