//! V15: accesses to which candl-rs gave arrays of their own.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{DimType, Map, Result, Text};

use super::report::Report;
use super::texts::Parsed;
use crate::{Access, AccessId, Array, Expansions, Model};

/// Compares expansions with what clan-rs extracted.
pub fn check_expansions(extracted: &Model, expansions: &Expansions, parsed: &Parsed, report: &mut Report) {
    let accesses = extracted.statements.iter().flat_map(|statement| &statement.accesses);
    let accesses: BTreeMap<AccessId, &Access> = accesses.map(|access| (access.id, access)).collect();
    let mut next = extracted.arrays.len();
    let (mut arrays, mut expanded) = (BTreeMap::new(), BTreeSet::new());
    for array in &expansions.arrays {
        let is_new = array.id.index() == next;
        next += usize::from(is_new);
        let fits = is_new || array.id.index() < extracted.arrays.len();
        let once = arrays.insert(array.id, array).is_none();
        report
            .require(15, fits && once, || format!("the expansions have the array {} out of order", array.id));
        let is_own = !array.visible && array.expression.is_empty() && array.memory.is_empty();
        report
            .require(15, is_own, || format!("{} of the expansions is seen outside of the region", array.id));
    }
    for one in &expansions.accesses {
        let id = one.access;
        let once = expanded.insert(id);
        let (old, new) = (accesses.get(&id), arrays.get(&one.array));
        report.require(15, once && old.is_some() && new.is_some(), || {
            format!("{id} is expanded twice, or it or {} does not exist", one.array)
        });
        let Some((old, new)) = old.zip(new) else { continue };
        let Some(source) = extracted.arrays.get(old.array.index()) else { continue };
        report.require(15, is_like(new, source), || {
            format!("{} is not {} with more dimensions", new.id, source.id)
        });
        let what = format!("the expansion of {id}");
        let Some(relation) = parsed.texts.read::<Map>(&what, &one.relation.0, report) else { continue };
        let same = report.answer(15, &what, ends_alike(relation, &old.relation.0));
        report.require(15, same != Some(false), || format!("{what} has other subscripts than the source"));
    }
    for access in accesses.values() {
        let taken = arrays.contains_key(&access.array) && !expanded.contains(&access.id);
        report.require(15, !taken, || {
            format!("{} refers to {}, whose place is taken", access.id, access.array)
        });
    }
}

/// True if an array is another one with additional leading dimensions.
fn is_like(array: &Array, source: &Array) -> bool {
    array.element == source.element && array.extents.ends_with(&source.extents)
}

/// True if the last subscripts of a relation are those of another one.
fn ends_alike(relation: Map, source: &str) -> Result<bool> {
    let source = Map::parse(source)?;
    let more = relation.dim(DimType::Out)? - source.dim(DimType::Out)?;
    let Ok(more) = u32::try_from(more) else { return Ok(false) };
    let source = source.reset_tuple_id(DimType::Out)?;
    Ok(relation.project_out(DimType::Out, 0, more)?.reset_tuple_id(DimType::Out)?.is_equal(&source)?)
}
