//! How much memory copies of an array may take.

use std::collections::BTreeSet;

use polyhedra::{DimType, Map, PwAff, Result, Set, Text, add, parameter_range};
use scop::{Access, Array, ArrayId, Model, Statement};

use crate::live_ranges::LiveRange;

/// A dimension with at most this many elements is not counted.
const SMALL: i64 = 32;

/// Each extent of the copies may be this many times the extent of the other array.
const TIMES: i64 = 2;

/// The sizes of what a region uses.
pub struct Sizes<'a> {
    model: &'a Model,
    /// The arrays that have no copies.
    others: Vec<ArrayId>,
}

impl<'a> Sizes<'a> {
    /// Prepares the comparison with some arrays.
    pub fn new(model: &'a Model, others: Vec<ArrayId>) -> Self {
        Self { model, others }
    }

    /// True if the copies of a live range, one for each iteration of some loops, are provably not much larger than an
    /// array that has no copies.
    ///
    /// Compared are the boxes around what the region uses: each extent of the copies must be at most [`TIMES`] an
    /// extent of the other array, a different one for each. Extents of few elements are not counted.
    pub fn allow(&self, range: &LiveRange, loops: &[usize]) -> Result<bool> {
        let mut wanted = Vec::new();
        for &k in loops {
            wanted.push(self.iterations(range, k)?);
        }
        let mut used = None;
        for (statement, access) in range.uses(self.model) {
            used = add(used, elements(self.model.statement(statement)?, access)?)?;
        }
        let Some(used) = used else { return Ok(false) };
        let Some(own) = self.extents(&used)? else { return Ok(false) };
        wanted.extend(own);
        let when = self.known(used)?.params()?;
        let mut large = Vec::new();
        for extent in wanted {
            if !is_small(&extent)? {
                large.push(extent);
            }
        }
        for &array in &self.others {
            let used = self.used(array)?;
            let given = used.map(|used| self.extents(&used)).transpose()?.flatten();
            if given.map(|given| match_all(&large, &given, &when)).transpose()?.unwrap_or_default() {
                return Ok(true);
            }
        }
        Ok(large.is_empty())
    }

    /// Returns the number of iterations of a loop around the statements of a live range.
    fn iterations(&self, range: &LiveRange, position: usize) -> Result<PwAff> {
        let mut values = None;
        for statement in self.model.statements_of(&range.statements)? {
            let domain = self.known(Set::parse(&statement.domain.0)?)?;
            let (depth, position) = (statement.depth() as u32, position as u32);
            let domain = domain.project_out(DimType::Set, position + 1, depth - position - 1)?;
            values = add(values, domain.project_out(DimType::Set, 0, position)?.reset_tuple_id()?)?;
        }
        let values = values.ok_or_else(|| polyhedra::Error::bug("a live range without statements"))?;
        Ok(parameter_range(&values, 0)?.1)
    }

    /// Returns the elements of an array that the region uses.
    fn used(&self, array: ArrayId) -> Result<Option<Set>> {
        let mut used = None;
        for statement in &self.model.statements {
            for access in statement.accesses.iter().filter(|access| access.array == array) {
                used = add(used, elements(statement, access)?)?;
            }
        }
        Ok(used)
    }

    /// Returns the extents of the box around some elements, if there is one: an element that the program computes
    /// may be anywhere in an array of unknown size.
    fn extents(&self, used: &Set) -> Result<Option<Vec<PwAff>>> {
        let used = self.known(used.copy()?)?;
        let dimensions = used.dim(DimType::Set)? as u32;
        for position in 0..dimensions {
            let others = used.copy()?.project_out(DimType::Set, position + 1, dimensions - position - 1)?;
            if !others.project_out(DimType::Set, 0, position)?.dim_is_bounded(DimType::Set, 0)? {
                return Ok(None);
            }
        }
        (0..dimensions)
            .map(|position| Ok(parameter_range(&used, position)?.1))
            .collect::<Result<_>>()
            .map(Some)
    }

    fn known(&self, set: Set) -> Result<Set> {
        Ok(set.intersect_params(Set::parse(&self.model.context.0)?)?)
    }
}

fn elements(statement: &Statement, access: &Access) -> Result<Set> {
    let domain = Set::parse(&statement.domain.0)?;
    Ok(Map::parse(&access.relation.0)?.intersect_domain(domain)?.range()?)
}

/// True if each of the extents wanted is at most [`TIMES`] another one of those given, for some parameters.
fn match_all(wanted: &[PwAff], given: &[PwAff], when: &Set) -> Result<bool> {
    let mut fits = Vec::new();
    for extent in wanted {
        let mut partners = BTreeSet::new();
        for (position, other) in given.iter().enumerate() {
            if is_at_most(extent, other, when)? {
                partners.insert(position);
            }
        }
        fits.push(partners);
    }
    Ok(are_matched(&fits, &mut BTreeSet::new()))
}

fn is_at_most(extent: &PwAff, other: &PwAff, when: &Set) -> Result<bool> {
    let times = PwAff::parse(&format!("{{ [({TIMES})] }}"))?;
    let greater = extent.copy()?.gt_set(other.copy()?.mul(times)?)?;
    Ok(greater.intersect_params(when.copy()?)?.is_empty()?)
}

/// True if each set has a number that no other set has to take.
fn are_matched(sets: &[BTreeSet<usize>], taken: &mut BTreeSet<usize>) -> bool {
    let Some((first, rest)) = sets.split_first() else { return true };
    for &number in first {
        if taken.insert(number) {
            if are_matched(rest, taken) {
                return true;
            }
            taken.remove(&number);
        }
    }
    false
}

/// True if a number of elements need not be counted.
fn is_small(elements: &PwAff) -> Result<bool> {
    Ok(elements.copy()?.max_val()?.cmp_si(SMALL)? <= 0)
}

/// Returns the number of dimensions of an array that are not small.
pub fn rank(array: &Array) -> usize {
    let is_small = |text: &str| PwAff::parse(text).and_then(|value| is_small(&value)).unwrap_or(false);
    let extents = array.extents.iter().skip(array.scope_depth as usize);
    extents.filter(|extent| !extent.value.as_ref().is_some_and(|value| is_small(&value.0))).count()
}
