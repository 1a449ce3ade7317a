//! Elements that data choose and that a kernel only updates, in any order: those of histograms.

use std::collections::{BTreeMap, BTreeSet};

use gpu::target::COMMON_SHARED_MEMORY;
use polyhedra::{DimType, Map, Result, Text, integer};
use scop::{Access, AccessId, ArrayId, Dependences, Model, StatementId};

/// Returns the accesses of such updates in a kernel, with the number of elements of their array; nothing instead of the
/// number if a block has no room for sums of its own.
pub fn bins(
    model: &Model,
    dependences: &Dependences,
    statements: &BTreeSet<StatementId>,
) -> Result<BTreeMap<AccessId, Option<u64>>> {
    let own: Vec<_> =
        dependences.relaxed().filter(|reduction| statements.contains(&reduction.statement)).collect();
    let arrays: BTreeSet<ArrayId> = own
        .iter()
        .filter_map(|reduction| model.access(reduction.write).ok())
        .map(|write| write.array)
        .collect();
    let mut found = BTreeMap::new();
    for array in arrays {
        let mut operators = BTreeSet::new();
        let (mut updates, mut all) = (Vec::new(), Some(1));
        let inside = model.statements.iter().filter(|statement| statements.contains(&statement.id));
        for access in inside.flat_map(|statement| &statement.accesses).filter(|access| access.array == array)
        {
            let of = own.iter().find(|reduction| reduction.updates_by(access.id) && access.indirect);
            operators.insert(of.map(|reduction| reduction.operator));
            updates.extend(of.map(|_| access.id));
            all = elements(access)?.zip(all).map(|(one, others)| u64::max(one, others));
        }
        let is_one = operators.len() == 1 && !operators.contains(&None);
        let array = model.array(array)?;
        let elements = all.filter(|elements: &u64| {
            let bytes = elements.saturating_mul(array.element.size().into());
            is_one && array.visible && (1..=COMMON_SHARED_MEMORY).contains(&bytes)
        });
        found.extend(updates.into_iter().map(|update| (update, elements)));
    }
    Ok(found)
}

/// Returns the number of elements that an access may update, if it is constant and they are those of a box.
fn elements(access: &Access) -> Result<Option<u64>> {
    let touched = Map::parse(&access.relation.0)?.range()?;
    let mut all = 1_u64;
    for dimension in 0..touched.dim(DimType::Set)? {
        let (least, most) =
            (touched.copy()?.dim_min_val(dimension)?, touched.copy()?.dim_max_val(dimension)?);
        let Some((0, most)) = integer(&least).ok().zip(integer(&most).ok()) else { return Ok(None) };
        let Ok(most) = u64::try_from(most) else { return Ok(None) };
        all = all.saturating_mul(most.saturating_add(1));
    }
    Ok(Some(all))
}
