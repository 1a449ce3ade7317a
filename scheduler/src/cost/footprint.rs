//! Which elements the accesses of a statement touch.

use std::collections::{BTreeMap, BTreeSet};

use gpu::place::Uses;
use polyhedra::{Map, Result};
use scop::{Access, AccessId, AccessKind, ArrayId, Statement};

use super::changes::Changes;
use super::divided::Division;
use super::geometry::{AlongMember, Geometry, Lanes};
use super::linear::{Row, change, rows};
use super::places::Places;

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
    /// The least constant of each subscript, over that of the one above.
    pub least: Vec<f64>,
    /// How far the constants of each subscript lie apart.
    pub spread: Vec<f64>,
    /// The elements of the array along each dimension; infinite where that is unknown.
    pub lengths: Vec<f64>,
    /// The loads.
    pub reads: f64,
    /// The stores.
    pub writes: f64,
    /// True if data select the elements.
    pub irregular: bool,
    /// The bytes of the array; infinite if they are unknown.
    pub array_bytes: f64,
    /// If data select the elements, and the kernel only updates them in any order: their number, if blocks may have
    /// sums of their own.
    pub bins: Option<Option<u64>>,
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
            return distinct(WARP, self.array_bytes / piece_bytes);
        }
        let Lanes { along_x, rows } = geometry.lanes;
        let in_row = self.pieces(&geometry.lane, along_x, piece_bytes);
        in_row * self.pieces(&geometry.row, rows, piece_bytes)
    }

    /// Adds an access whose subscripts differ from the others in constants alone.
    fn spread_to(&mut self, subscripts: &[Row]) {
        for (dimension, (own, other)) in self.subscripts.iter().zip(subscripts).enumerate() {
            let (least, spread) = (self.least[dimension], self.spread[dimension]);
            let constant = other.constant - own.constant;
            self.least[dimension] = least.min(constant);
            let spread = spread.max(least + spread - constant).max(constant - least);
            self.spread[dimension] = spread.max(own.distance(other).min(1.0));
        }
    }

    /// Returns the pieces of memory in which some lanes have their elements, if they differ by a change of the
    /// iterators.
    fn pieces(&self, step: &[f64], lanes: f64, piece_bytes: f64) -> f64 {
        let mut apart = 0.0;
        let mut stride = 1.0;
        for (dimension, subscript) in self.subscripts.iter().enumerate().rev() {
            let moved = change(subscript, step);
            if moved != 0.0 {
                apart += moved * stride;
            }
            stride *= self.lengths.get(dimension).copied().unwrap_or(f64::INFINITY);
        }
        (f64::abs(apart) * self.bytes * lanes / piece_bytes).clamp(1.0, lanes.max(1.0))
    }

    /// Returns the wavefronts of a request to shared memory: lanes with the same element share it, and others do not
    /// meet in a bank.
    pub fn wavefronts_of_request(&self, geometry: &Geometry) -> f64 {
        if self.irregular {
            return CONFLICTS;
        }
        let Lanes { along_x, rows } = geometry.lanes;
        let distinct = |step: &[f64], lanes: f64| if self.is_fixed(step) { 1.0 } else { lanes };
        let elements = distinct(&geometry.lane, along_x) * distinct(&geometry.row, rows);
        (elements * self.bytes / WAVEFRONT_BYTES).max(1.0)
    }

    /// Returns what a tile of a block does with its own sums into the elements, if it may have some.
    pub fn own_sums(&self, geometry: &Geometry) -> Option<Uses> {
        Some(Uses {
            elements: self.bins??,
            accesses: (self.writes * geometry.staged.points).round() as u64,
            are_shared: true,
            for_others: false,
            are_written: true,
            are_scattered: false,
        })
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

    /// Returns the sectors of such elements. Accesses beside those of a tile are in sectors beside those of its rows. Rows
    /// of which all elements are touched, such as the fields of records, lie side by side.
    pub fn sectors(&self, extents: &[f64]) -> f64 {
        let Some((last, mut outer)) = extents.split_last() else { return 1.0 };
        let mut beside = self.spread.last().map_or(0.0, |spread| spread.min(*last - 1.0));
        let mut last = *last;
        while let Some((next, others)) = outer.split_last()
            && last >= self.lengths.get(others.len() + 1).copied().unwrap_or(f64::INFINITY)
        {
            let whole = self.spread.get(others.len()).map_or(0.0, |spread| spread.min(next - 1.0));
            (last, beside, outer) = (last * next, last * whole, others);
        }
        let row = ((last - beside) * self.bytes / SECTOR_BYTES).max(1.0);
        let sides = (beside * self.bytes / SECTOR_BYTES).max(beside.min(2.0));
        outer.iter().product::<f64>() * (row + sides)
    }

    /// Returns how the element changes with steps of the iterators; nothing at all if data select the element.
    pub fn changes(&self, steps: &[Option<AlongMember>]) -> Changes {
        let along = |step: &Option<AlongMember>| {
            let AlongMember { change: iterators, moved } = step.as_ref()?;
            let change = self.subscripts.iter().map(|row| change(row, iterators)).collect();
            Some(AlongMember { change, moved: moved.clone() })
        };
        (!self.irregular).then(|| steps.iter().map(along).collect())
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

/// The lanes of a warp that meet in the same bank, on average, if data select the elements: the fullest of 32 banks has
/// 3.5 of 32 elements.
const CONFLICTS: f64 = 3.5;

/// Returns how many of some pieces a number of lanes touch on average, if each touches any of them.
fn distinct(lanes: f64, pieces: f64) -> f64 {
    let pieces = pieces.max(1.0);
    if pieces.is_finite() { pieces * (1.0 - (1.0 - 1.0 / pieces).powf(lanes)) } else { lanes }
}

/// Returns the groups of a statement's accesses, and the position of the group of each access. `relation_of` gives the
/// relation of an access for given parameters.
pub fn groups(
    statement: &Statement,
    places: &Places,
    relation_of: &dyn Fn(&Access) -> Result<Map>,
    (only_read, bins): (&BTreeSet<AccessId>, &BTreeMap<AccessId, Option<u64>>),
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
        let bins = bins.get(&access.id).copied();
        let (reads, writes) = match access.kind {
            // An atomic operation reads and writes.
            AccessKind::Read if bins.is_some() => (0.0, 0.0),
            AccessKind::Read => (1.0, 0.0),
            AccessKind::Write => (0.0, 1.0),
        };
        let only_read = only_read.contains(&access.id);
        let same = groups.iter().position(|group| {
            group.class() == (access.array, only_read)
                && group.bins == bins
                && group.irregular == irregular
                && group.subscripts.len() == subscripts.len()
                && group.subscripts.iter().zip(&subscripts).all(|(one, other)| {
                    one.coefficients == other.coefficients && one.alternating == other.alternating
                })
        });
        group_of.insert(access.id, same.unwrap_or(groups.len()));
        match same.and_then(|same| groups.get_mut(same)) {
            Some(group) => {
                group.spread_to(&subscripts);
                // What is read twice is loaded once.
                let is_new = group.spread.iter().any(|spread| *spread > 0.0) || group.reads == 0.0;
                group.reads += if is_new { reads } else { 0.0 };
                group.writes += writes;
            }
            None => groups.push(Group {
                array: access.array,
                bytes: places.bytes(access.array),
                least: vec![0.0; subscripts.len()],
                array_bytes: places.array_bytes(access.array),
                bins,
                spread: vec![0.0; subscripts.len()],
                lengths: places.lengths(access.array),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(coefficients: &[f64], constant: f64) -> Row {
        Row { coefficients: coefficients.to_vec(), constant, alternating: None }
    }

    fn group(subscripts: Vec<Row>, lengths: &[f64]) -> Group {
        let zeros = vec![0.0; subscripts.len()];
        Group {
            array: ArrayId(0),
            bytes: 4.0,
            least: zeros.clone(),
            spread: zeros,
            lengths: lengths.to_vec(),
            subscripts,
            reads: 1.0,
            writes: 0.0,
            irregular: false,
            array_bytes: f64::INFINITY,
            bins: None,
            only_read: false,
        }
    }

    /// `A[i]`, `A[i - 1]` and `A[i + 1]` lie two apart, whichever comes first.
    #[test]
    fn constants_lie_as_far_apart_as_the_outermost() {
        for constants in [[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]] {
            let mut group = group(vec![row(&[1.0], constants[0])], &[100.0]);
            constants[1..].iter().for_each(|constant| group.spread_to(&[row(&[1.0], *constant)]));
            assert_eq!(group.spread, [2.0], "{constants:?}");
        }
    }

    /// All four fields of 32 records are 512 bytes side by side; one field is in as many sectors as two fields.
    #[test]
    fn records_lie_side_by_side() {
        let mut fields = group(vec![row(&[1.0], 0.0), row(&[0.0], 0.0)], &[1000.0, 4.0]);
        fields.spread_to(&[row(&[1.0], 0.0), row(&[0.0], 3.0)]);
        assert_eq!(fields.sectors(&[32.0, 4.0]), 16.0);
        assert_eq!(fields.pieces(&[1.0], 32.0, SECTOR_BYTES), 16.0);
        let long = group(vec![row(&[1.0, 0.0], 0.0), row(&[0.0, 1.0], 0.0)], &[1000.0, 1000.0]);
        assert_eq!(long.sectors(&[32.0, 8.0]), 32.0);
        assert_eq!(long.pieces(&[1.0, 0.0], 32.0, SECTOR_BYTES), 32.0);
    }
}
