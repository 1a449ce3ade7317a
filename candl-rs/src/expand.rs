//! Separate arrays for live ranges.

use std::collections::BTreeSet;

use polyhedra::{DimType, Map, Result, Text};
use scop::{Array, ArrayId, ExpandedAccess, Expansions, Extent, IslMap, Model, Statement, Storage, names};

use crate::accesses::leading;
use crate::found::Found;
use crate::last_copies::last_copies;
use crate::last_values::{Stored, last_values};
use crate::live_ranges::LiveRange;

/// Gives each live range an array that is local to the region, with the iterators of some loops as leading
/// subscripts.
///
/// For example, a scalar `A3` that is accessed by `{ S0[i, j, k] -> A3[] }` becomes `{ S0[i, j, k] -> A3[i, j] }`
/// for the loops 0 and 1.
///
/// If all accesses to an array belong to the given live ranges, and no last values are stored in it, the first of
/// these ranges keeps the array's number. The others become new arrays after the existing ones.
pub fn expand(found: &Found<'_>, ranges: &[(LiveRange, Vec<usize>)]) -> Result<Expansions> {
    let model = found.dataflow.model;
    let mut taken = taken_names(model);
    let mut expansions = Expansions::default();
    let mut next = model.arrays.len() as u32;
    let mut last = Vec::new();
    for (range, loops) in ranges {
        last.push(if range.lasts(found.dependences) { last_copies(found, range, loops)? } else { None });
    }
    let stores = |array: ArrayId| {
        ranges.iter().zip(&last).any(|((range, _), last)| range.array == array && last.is_some())
    };
    for (range, loops) in ranges {
        let old = model.array(range.array)?;
        let mut array = expanded(old, loops.len());
        if stores(old.id) || !is_whole(range, ranges, model) {
            array.id = ArrayId(next);
            array.name = names::unused(&old.name, &mut taken);
            next += 1;
        }
        for statement in &model.statements {
            redirect(statement, range, array.id, loops, &mut expansions.accesses)?;
        }
        expansions.arrays.push(array);
    }
    let mut stored = Vec::new();
    for (((range, _), copies), last) in ranges.iter().zip(&expansions.arrays).zip(last) {
        stored.extend(last.into_iter().flatten().map(|last| Stored { range, copies, last }));
    }
    if let Some((last, order)) = last_values(model, &stored, &mut taken)? {
        (expansions.last_values, expansions.order) = (Some(last), Some(order));
    }
    Ok(expansions)
}

/// True for the first live range of an array if the live ranges contain all accesses to the array.
fn is_whole(range: &LiveRange, ranges: &[(LiveRange, Vec<usize>)], model: &Model) -> bool {
    let of_array = || ranges.iter().map(|(range, _)| range).filter(|other| other.array == range.array);
    let mut accesses = model.statements.iter().flat_map(|statement| &statement.accesses);
    of_array().next() == Some(range)
        && accesses.all(|access| {
            access.array != range.array || of_array().any(|other| other.accesses.contains(&access.id))
        })
}

/// Returns the array of a live range: a copy of the source's array with additional leading dimensions.
pub fn expanded(old: &Array, dimensions: usize) -> Array {
    let leading = (0..dimensions).map(|_| Extent { c: None, value: None });
    let extents: Vec<Extent> = leading.chain(old.extents.iter().cloned()).collect();
    Array {
        storage: if old.extents.is_empty() { Storage::Scalar } else { Storage::Contiguous },
        extents,
        scope_depth: old.scope_depth + dimensions as u32,
        expression: String::new(),
        constant: false,
        may_alias: false,
        restrict: false,
        visible: false,
        dead_after: false,
        concurrent: false,
        expansion_of: is_object(old).then(|| old.expression.clone()),
        memory: Vec::new(),
        ..old.clone()
    }
}

/// True if the expression of an array names the variable that holds its elements.
fn is_object(array: &Array) -> bool {
    array.visible && !array.may_alias && !array.restrict && !matches!(array.storage, Storage::Member { .. })
}

fn redirect(
    statement: &Statement,
    range: &LiveRange,
    array: ArrayId,
    loops: &[usize],
    expanded: &mut Vec<ExpandedAccess>,
) -> Result<()> {
    let iterators = statement.depth();
    for access in statement.accesses.iter().filter(|access| range.accesses.contains(&access.id)) {
        let subscripts = Map::parse(&access.relation.0)?;
        let leading = leading(&subscripts, iterators, loops)?;
        let relation =
            leading.flat_range_product(subscripts)?.set_tuple_name(DimType::Out, &array.to_string())?;
        expanded.push(ExpandedAccess { access: access.id, array, relation: IslMap(relation.text()?) });
    }
    Ok(())
}

/// Returns the names that generated code may use for a region.
pub fn taken_names(model: &Model) -> BTreeSet<String> {
    let parameters = model.parameters.iter().map(|parameter| parameter.name.clone());
    let arrays = model.arrays.iter().map(|array| array.name.clone());
    let mut taken: BTreeSet<String> = parameters.chain(arrays).collect();
    for step in model.statements.iter().flat_map(|statement| &statement.body) {
        step.walk(&mut |step| {
            taken.extend(step.defined_name().map(str::to_owned));
        });
    }
    taken
}
