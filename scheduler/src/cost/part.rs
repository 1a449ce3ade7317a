//! The statements of a kernel, each with its instances and accesses, and the arrays that the kernel writes.

use std::collections::{BTreeMap, BTreeSet};

use scop::Arithmetic;

use super::footprint::{Class, Group};
use super::geometry::{Geometry, Nest};
use super::operations::{Computed, Reading};

/// The instances of a statement in a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub nest: Nest,
    pub groups: Vec<Group>,
    pub operations: Vec<Computed>,
    /// For each group that is read, the operations from there to what the statement stores.
    pub ways: Vec<(usize, Arithmetic)>,
    pub divides_loops: bool,
}

impl Part {
    /// Returns the accesses of the statement, if its instances lie in threads in this way.
    pub fn reading<'a>(&'a self, geometry: &'a Geometry) -> Reading<'a> {
        Reading { groups: &self.groups, ways: &self.ways, geometry }
    }
}

/// The arrays that a kernel writes, as far as it writes them.
pub struct WrittenArrays {
    pub all: BTreeSet<Class>,
    /// Those whose elements belong to several threads: not all accesses move in the same way with the parallel members.
    /// No thread can keep such an element in a register.
    pub mixed: BTreeSet<Class>,
}

pub fn written(parts: &[Part]) -> BTreeSet<Class> {
    let groups = parts.iter().flat_map(|part| &part.groups);
    groups.filter(|group| group.writes > 0.0).map(Group::class).collect()
}

impl WrittenArrays {
    pub fn new(parts: &[Part], geometries: &[Geometry]) -> Self {
        let mut changes: BTreeMap<Class, Vec<Changes>> = BTreeMap::new();
        let all = written(parts);
        for (part, geometry) in parts.iter().zip(geometries) {
            for group in &part.groups {
                let known = changes.entry(group.class()).or_default();
                let own = group.changes(geometry);
                if !known.iter().any(|known| agree(known, &own)) {
                    known.push(own);
                }
            }
        }
        let is_mixed = |array: &&Class| {
            changes.get(array).is_some_and(|changes| changes.len() > 1 || changes.contains(&None))
        };
        let mixed = all.iter().filter(is_mixed).copied().collect();
        Self { all, mixed }
    }

    /// True if other threads access the elements of a group. The element of a shared sum is read and written once.
    pub fn is_mixed(&self, group: &Group, geometry: &Geometry) -> bool {
        let is_sum = geometry.updates.is_some_and(|updates| updates > 1.0) && group.writes > 0.0;
        self.mixed.contains(&group.class()) && !is_sum
    }
}

/// How an element changes with each parallel member.
type Changes = Option<Vec<Option<Vec<f64>>>>;

/// True if two accesses of different statements move alike with the members along which both move.
fn agree(one: &Changes, other: &Changes) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return one == other };
    one.iter().zip(other).all(|(one, other)| one.is_none() || other.is_none() || one == other)
}
