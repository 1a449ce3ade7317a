//! Which copy of a variable has the value that code after the region reads.
//!
//! The write whose value an element has in the end is known from the dataflow of the source ([`crate::live::Ends`]),
//! and with it the copy to which that write goes. Each element must certainly be written, and one function must give
//! the copy.

use std::collections::BTreeMap;

use polyhedra::{Map, PwMultiAff, Result, Set, Simplify, Text, UnionSet, maps_of};
use scop::{Model, Statement, StatementId};

use crate::accesses::{leading, tag};
use crate::found::Found;
use crate::live::Ends;
use crate::live_ranges::LiveRange;

/// Elements of a variable that have their last value from one statement.
pub struct LastCopies {
    /// The statement.
    pub writer: StatementId,
    /// The copy that has the value of each element: `{ A0[j] -> [n - 1] }`.
    pub copies: Map,
}

/// Returns for each element of which code after the region may read a value of a live range the copy that has it, if
/// the live range gets copies for each iteration of some loops. No element is in two entries: if two statements may
/// have written it, it is in the entry of the later one. Returns nothing if the copy of an element is unknown.
pub fn last_copies(found: &Found<'_>, range: &LiveRange, loops: &[usize]) -> Result<Option<Vec<LastCopies>>> {
    let model = found.dataflow.model;
    last_copies_in(model, found.ends, range, |written, writer| leading(written, writer.depth(), loops))
}

/// Does the same for copies of another kind: `copy_of` returns the copy that an instance writes, given what a statement
/// writes.
pub fn last_copies_in(
    model: &Model,
    ends: &Ends,
    range: &LiveRange,
    copy_of: impl Fn(&Map, &Statement) -> Result<Map>,
) -> Result<Option<Vec<LastCopies>>> {
    let context = Set::parse(&model.context.0)?;
    let mut of_writers: BTreeMap<StatementId, Map> = BTreeMap::new();
    let mut doubtful = ends.uncertain.copy()?;
    for map in maps_of(&ends.writes)? {
        let access = tag(map.copy()?.domain()?)?;
        let written = map.domain_factor_domain()?;
        if range.accesses.contains(&access) {
            let writer = model.owner(access)?;
            let copy = copy_of(&written, writer)?;
            let mut copies = written.reverse()?.apply_range(copy)?;
            if let Some(known) = of_writers.remove(&writer.id) {
                copies = copies.union(known)?;
            }
            of_writers.insert(writer.id, copies);
        } else {
            doubtful = doubtful.union(UnionSet::from_set(written.range()?)?)?;
        }
    }
    let mut last = Vec::new();
    let mut all: Option<Map> = None;
    for (writer, copies) in of_writers.into_iter().rev() {
        let elements = copies.copy()?.domain()?;
        let own = match &all {
            Some(all) => copies.copy()?.subtract_domain(all.copy()?.domain()?)?,
            None => copies.copy()?,
        };
        all = polyhedra::add(all, copies)?;
        if !UnionSet::from_set(elements)?.is_disjoint(&doubtful)? {
            return Ok(None);
        }
        if !own.is_empty()? {
            let copies = own.simplified()?.gist_params(context.copy()?)?;
            last.push(LastCopies { writer, copies });
        }
    }
    if !all.map_or(Ok(false), |all| all.is_single_valued())? {
        return Ok(None);
    }
    for LastCopies { copies, .. } in &last {
        if !is_function(copies)? {
            return Ok(None);
        }
    }
    last.reverse();
    Ok(Some(last))
}

/// True if one expression gives the copy of every element. isl cannot write some single-valued relations as functions
/// at all.
fn is_function(copies: &Map) -> Result<bool> {
    let pieces = || -> Result<i32> {
        let elements = copies.copy()?.domain()?;
        let function = PwMultiAff::from_map(copies.copy()?.gist_domain(elements)?)?;
        Ok(function.simplified()?.n_piece()?)
    };
    match pieces() {
        Err(error) if !error.is_limit() => Ok(false),
        pieces => Ok(pieces? <= 1),
    }
}
