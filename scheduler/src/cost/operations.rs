//! The arithmetic of a statement, as far as an estimate needs it.

use std::collections::{BTreeMap, BTreeSet};

use scop::{AccessId, Arithmetic, Operation, Passing, Statement, carried, ways_to_result};

use super::footprint::{Class, Group};
use super::geometry::Geometry;

/// An operation of a statement: what it counts as, and the groups of accesses that it depends on; nothing if it depends
/// on other values as well.
#[derive(Debug, Clone, PartialEq)]
pub struct Computed {
    pub arithmetic: Arithmetic,
    pub groups: Option<Vec<usize>>,
}

/// The accesses of a statement, and how its instances lie in threads.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// The groups of accesses.
    pub groups: &'a [Group],
    /// For each group that is read, the operations from there to what the statement stores.
    pub ways: &'a [(usize, Arithmetic)],
    /// The instances.
    pub geometry: &'a Geometry,
}

/// Returns the operations of a statement.
pub fn operations(statement: &Statement, group_of: &BTreeMap<AccessId, usize>) -> Vec<Computed> {
    let computed = |Operation { arithmetic, reads }| {
        let groups = reads.and_then(|reads: Vec<AccessId>| {
            reads.iter().map(|read| group_of.get(read).copied()).collect::<Option<Vec<usize>>>()
        });
        Computed { arithmetic, groups }
    };
    Arithmetic::operations(statement).into_iter().map(computed).collect()
}

/// Returns for each group that a statement reads the operations from there to what it stores.
pub fn ways(statement: &Statement, group_of: &BTreeMap<AccessId, usize>) -> Vec<(usize, Arithmetic)> {
    let ways = ways_to_result(statement).into_iter();
    ways.filter_map(|(access, way)| Some((*group_of.get(&access)?, way))).collect()
}

/// Returns for each part of a kernel the operations that wait, in its innermost loop, for the iteration before. Parts
/// with the same number of an innermost loop are in the same one.
pub fn carried_in_loops(parts: &[Reading<'_>], innermost: &[Option<u64>]) -> Vec<Arithmetic> {
    let passing = |part: &Reading<'_>| {
        let is_same = |group: &Group| {
            part.geometry.innermost.as_ref().is_some_and(|innermost| group.is_fixed(&innermost.change))
        };
        let reads = part.ways.iter().map(|(group, way)| (&part.groups[*group], way));
        let writes = part.groups.iter().filter(|group| group.writes > 0.0 && is_same(group));
        Passing {
            reads: reads
                .filter(|(group, _)| is_same(group) && !group.only_read)
                .map(|(group, way)| (group.array, *way))
                .collect(),
            writes: writes.map(|group| group.array).collect(),
        }
    };
    let mut all = vec![Arithmetic::default(); parts.len()];
    let numbers: BTreeSet<u64> = innermost.iter().copied().flatten().collect();
    for number in numbers {
        let own: Vec<usize> = (0..parts.len()).filter(|&part| innermost[part] == Some(number)).collect();
        let body: Vec<Passing> = own.iter().map(|&part| passing(&parts[part])).collect();
        for (part, carried) in own.into_iter().zip(carried(&body)) {
            all[part] = carried;
        }
    }
    all
}

/// Returns the mean arithmetic of an execution: single and double precision, and the library. The loops over the points
/// of a register tile are unrolled, and what has the same operands in several of them is computed once.
pub fn arithmetic(operations: &[Computed], reading: Reading<'_>, written: &BTreeSet<Class>) -> [f64; 3] {
    let mut all = [0.0; 3];
    for Computed { arithmetic, groups } in operations {
        let groups: Option<Vec<&Group>> =
            groups.as_ref().map(|groups| groups.iter().map(|group| &reading.groups[*group]).collect());
        let is_fixed = |change: &[f64]| {
            groups.as_ref().is_some_and(|groups| {
                groups.iter().all(|group| !written.contains(&group.class()) && group.is_fixed(change))
            })
        };
        let fixed = reading.geometry.register_loops.iter().filter(|(change, _)| is_fixed(change));
        let times: f64 = fixed.map(|(_, points)| points).product();
        let Arithmetic { fp32, fp64, library } = *arithmetic;
        for (sum, number) in all.iter_mut().zip([fp32, fp64, library]) {
            *sum += number as f64 / times;
        }
    }
    all
}
