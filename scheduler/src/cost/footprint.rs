//! Which elements the accesses of a statement touch.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{Map, Result};
use scop::{Access, AccessId, AccessKind, ArrayId, Statement};

use super::divided::Division;
use super::geometry::{Geometry, Lanes};
use super::linear::{Row, change, rows};

/// The bytes of a sector, the unit in which the L1 cache asks for memory.
pub const SECTOR_BYTES: f64 = 32.0;
/// The bytes of a wavefront of shared memory.
const WAVEFRONT_BYTES: f64 = 128.0;
/// The threads of a warp.
pub const WARP: f64 = 32.0;

/// Accesses of a statement to an array that differ in constants alone, such as those of a stencil.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The array.
    pub array: ArrayId,
    /// The bytes of an element.
    pub bytes: f64,
    /// The subscripts of one of the accesses.
    pub subscripts: Vec<Row>,
    /// How far the constants of each subscript lie apart.
    pub spread: Vec<f64>,
    /// The loads.
    pub reads: f64,
    /// The stores.
    pub writes: f64,
    /// True if data select the elements.
    pub irregular: bool,
    /// True if the kernel writes none of the elements in the same launch, but others of the array.
    pub only_read: bool,
}

/// An array in a kernel, and whether it is about those of its elements that a launch only reads although it writes
/// others. The two kinds may be in different memories.
pub type Class = (ArrayId, bool);

impl Group {
    /// Returns the elements to which it belongs.
    pub fn class(&self) -> Class {
        (self.array, self.only_read)
    }

    /// Returns the pieces of memory of so many bytes that a request of a full warp touches. The lanes of a warp lie in
    /// rows of a block.
    pub fn pieces_of_request(&self, geometry: &Geometry, piece_bytes: f64) -> f64 {
        if self.irregular {
            return WARP;
        }
        let Lanes { along_x, rows } = geometry.lanes;
        let in_row = self.pieces(&geometry.lane, along_x, piece_bytes);
        in_row * self.pieces(&geometry.row, rows, piece_bytes)
    }

    /// Returns the pieces of memory in which some lanes have their elements, if they differ by a change of the
    /// iterators.
    fn pieces(&self, step: &[f64], lanes: f64, piece_bytes: f64) -> f64 {
        let moves: Vec<f64> = self.subscripts.iter().map(|subscript| change(subscript, step)).collect();
        let Some((last, outer)) = moves.split_last() else { return 1.0 };
        if outer.iter().any(|step| *step != 0.0) {
            return lanes;
        }
        (last.abs() * self.bytes * lanes / piece_bytes).clamp(1.0, lanes.max(1.0))
    }

    /// Returns the wavefronts of a request to shared memory: lanes with the same element share it, and others do not
    /// meet in a bank.
    pub fn wavefronts_of_request(&self, geometry: &Geometry) -> f64 {
        let Lanes { along_x, rows } = geometry.lanes;
        let distinct = |step: &[f64], lanes: f64| if self.is_fixed(step) { 1.0 } else { lanes };
        let elements = distinct(&geometry.lane, along_x) * distinct(&geometry.row, rows);
        (elements * self.bytes / WAVEFRONT_BYTES).max(1.0)
    }

    /// Returns the elements along each dimension if the iterators have these ranges.
    pub fn extents(&self, spans: &[f64]) -> Vec<f64> {
        let along = |(subscript, spread): (&Row, &f64)| {
            let moves = subscript.coefficients.iter().zip(spans);
            1.0 + spread + moves.map(|(coefficient, span)| coefficient.abs() * span).sum::<f64>()
        };
        self.subscripts.iter().zip(&self.spread).map(along).collect()
    }

    /// Returns the number of the iterators up to the last one on which the element depends.
    pub fn selecting_iterators(&self) -> usize {
        let last = |row: &Row| row.coefficients.iter().rposition(|coefficient| *coefficient != 0.0);
        self.subscripts.iter().filter_map(last).map(|last| last + 1).max().unwrap_or(0)
    }

    /// Returns the sectors of such elements. Accesses beside those of a tile are in sectors beside those of its rows.
    pub fn sectors(&self, extents: &[f64]) -> f64 {
        let Some((last, outer)) = extents.split_last() else { return 1.0 };
        let beside = self.spread.last().map_or(0.0, |spread| spread.min(*last - 1.0));
        let row = ((last - beside) * self.bytes / SECTOR_BYTES).max(1.0);
        let sides = (beside * self.bytes / SECTOR_BYTES).max(beside.min(2.0));
        outer.iter().product::<f64>() * (row + sides)
    }

    /// Returns how the element changes with each parallel member, and nothing for a member that has one value for the
    /// statement; nothing at all if data select the element.
    pub fn changes(&self, geometry: &Geometry) -> Option<Vec<Option<Vec<f64>>>> {
        let along = |member: &Option<Vec<f64>>| {
            let member = member.as_ref()?;
            Some(self.subscripts.iter().map(|row| change(row, member)).collect())
        };
        (!self.irregular).then(|| geometry.parallel.iter().map(along).collect())
    }

    /// True if a thread reads one element again and again.
    pub fn is_operand(&self, geometry: &Geometry) -> bool {
        let loops = || geometry.thread_loops.iter().chain(&geometry.register_loops);
        let times: f64 = loops().map(|(_, iterations)| iterations).product();
        times > 1.0
            && self.spread.iter().all(|spread| *spread == 0.0)
            && loops().all(|(change, _)| self.is_fixed(change))
    }

    /// True if the group is one element, with these subscripts.
    pub fn is_one(&self, subscripts: &[Row]) -> bool {
        !self.irregular && self.spread.iter().all(|spread| *spread == 0.0) && self.subscripts == subscripts
    }

    /// True if the element is the same after a change of the iterators.
    pub fn is_fixed(&self, iterators: &[f64]) -> bool {
        !self.irregular && self.subscripts.iter().all(|subscript| change(subscript, iterators) == 0.0)
    }
}

/// Returns the groups of a statement's accesses, and the position of the group of each access. `relation_of` gives the
/// relation of an access for given parameters.
pub fn groups(
    statement: &Statement,
    bytes_of: &dyn Fn(ArrayId) -> f64,
    relation_of: &dyn Fn(&Access) -> Result<Map>,
    only_read: &BTreeSet<AccessId>,
    division: &Division,
) -> Result<(Vec<Group>, BTreeMap<AccessId, usize>)> {
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of = BTreeMap::new();
    for access in &statement.accesses {
        let relation = relation_of(access)?;
        let mut found = Vec::new();
        for (subscript, row) in rows(&relation)?.into_iter().enumerate() {
            found.push(match row {
                Some(row) => Some(division.row(row)),
                None => division.subscript(&relation, subscript)?,
            });
        }
        let irregular = access.indirect || found.iter().any(Option::is_none);
        let subscripts: Vec<Row> = found.into_iter().flatten().collect();
        let (reads, writes) = match access.kind {
            AccessKind::Read => (1.0, 0.0),
            AccessKind::Write => (0.0, 1.0),
        };
        let only_read = only_read.contains(&access.id);
        let same = groups.iter().position(|group| {
            group.class() == (access.array, only_read)
                && group.irregular == irregular
                && group.subscripts.len() == subscripts.len()
                && group.subscripts.iter().zip(&subscripts).all(|(one, other)| {
                    one.coefficients == other.coefficients && one.alternating == other.alternating
                })
        });
        group_of.insert(access.id, same.unwrap_or(groups.len()));
        match same.and_then(|same| groups.get_mut(same)) {
            Some(group) => {
                for ((own, other), spread) in group.subscripts.iter().zip(&subscripts).zip(&mut group.spread)
                {
                    *spread = spread.max(own.distance(other));
                }
                // What is read twice is loaded once.
                let is_new = group.spread.iter().any(|spread| *spread > 0.0) || group.reads == 0.0;
                group.reads += if is_new { reads } else { 0.0 };
                group.writes += writes;
            }
            None => groups.push(Group {
                array: access.array,
                bytes: bytes_of(access.array),
                spread: vec![0.0; subscripts.len()],
                subscripts,
                reads,
                writes,
                irregular,
                only_read,
            }),
        }
    }
    Ok((groups, group_of))
}
