//! The statements of a kernel, each with its instances and accesses, and the arrays that the kernel writes.

use std::collections::{BTreeMap, BTreeSet};

use gpu::place::Uses;
use scop::Arithmetic;

use super::changes::{Changes, agree};
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
    /// Those of which a thread accesses other elements while a loop accesses one again and again: the kernel would have
    /// to know that they are others to keep it in a register.
    pub several: BTreeSet<Class>,
    /// Those of which one block uses some elements in steps, and what it does with them.
    pub of_one_block: BTreeMap<Class, OneBlock>,
}

/// What a block that runs in steps does with the elements of an array. Its copy of them may be in shared memory, where
/// all threads find what others have written in the steps before.
pub struct OneBlock {
    pub uses: Uses,
    /// The sectors in which the elements are.
    pub sectors: f64,
}

impl OneBlock {
    fn of(class: Class, parts: &[Part], geometries: &[Geometry]) -> Option<Self> {
        let mut all: Option<(&Group, Vec<f64>)> = None;
        let mut accesses = 0.0;
        for (part, geometry) in parts.iter().zip(geometries) {
            geometry.in_steps?;
            for group in part.groups.iter().filter(|group| group.class() == class) {
                if group.irregular {
                    return None;
                }
                accesses += (group.reads + group.writes) * geometry.staged.points;
                let own = group.extents(&geometry.tile_spans);
                all = Some(match all {
                    None => (group, own),
                    Some((first, others)) => {
                        (first, others.iter().zip(&own).map(|(one, other)| one.max(*other)).collect())
                    }
                });
            }
        }
        let (group, extents) = all?;
        let uses = Uses {
            elements: extents.iter().product::<f64>().round() as u64,
            accesses: accesses.round() as u64,
            are_shared: true,
            for_others: false,
            are_written: true,
            are_scattered: false,
        };
        Some(Self { uses, sectors: group.sectors(&extents) })
    }
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
                let own = group.changes(&geometry.parallel);
                if !known.iter().any(|known| agree(known, &own)) {
                    known.push(own);
                }
            }
        }
        let is_mixed = |array: &&Class| {
            changes.get(array).is_some_and(|changes| changes.len() > 1 || changes.contains(&None))
        };
        let mixed: BTreeSet<Class> = all.iter().filter(is_mixed).copied().collect();
        let one_block = |class: &Class| Some((*class, OneBlock::of(*class, parts, geometries)?));
        let of_one_block = mixed.iter().filter_map(one_block).collect();
        let several = all.iter().filter(|class| are_several(**class, parts, geometries)).copied().collect();
        Self { all, mixed, several, of_one_block }
    }

    /// True if other threads access the elements of a group. The element of a shared sum is read and written once.
    pub fn is_mixed(&self, group: &Group, geometry: &Geometry) -> bool {
        let is_sum = geometry.updates.is_some_and(|updates| updates > 1.0) && group.writes > 0.0;
        self.mixed.contains(&group.class()) && !is_sum
    }
}

/// True if a statement accesses one element of an array again and again in an innermost loop of a thread, and others one
/// after another.
fn are_several(class: Class, parts: &[Part], geometries: &[Geometry]) -> bool {
    parts.iter().zip(geometries).any(|(part, geometry)| {
        let Some((innermost, _)) = geometry.thread_loops.last() else { return false };
        let groups = || part.groups.iter().filter(|group| group.class() == class);
        groups().any(|group| group.is_fixed(innermost)) && groups().any(|group| !group.is_fixed(innermost))
    })
}
