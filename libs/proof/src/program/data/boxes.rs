//! Checks that boxes and parts that are transferred are on the device, and that what comes back has a value there.

use std::collections::BTreeMap;

use polyhedra::{Map, Result, Set, Text};
use scop::{Access, AccessKind, ArrayId, Diagnostic};

use super::facts::Facts;
use super::newer::packed_elements;
use super::transfers::{boxed, parts, transfers, whole_slice};

/// Returns, for each array that is transferred in boxes, the elements that the transfers in one direction move.
pub fn transferred(facts: &Facts<'_>, to_device: bool) -> Result<BTreeMap<ArrayId, Set>> {
    let mut all = BTreeMap::new();
    for slice in facts.slices {
        let Some(boxes) = &slice.boxes else { continue };
        let array = facts.sections.model.array(slice.array)?;
        let boxes = if to_device { &boxes.to_device } else { &boxes.from_device };
        let elements = boxed(facts.sections.model, array, boxes)?;
        let mut executed = Set::empty(elements.copy()?.params()?.get_space()?)?;
        for transfer in transfers(&facts.walked.leaves, array.id, to_device) {
            executed = executed.union(transfer.domain.copy()?.params()?)?;
        }
        all.insert(array.id, elements.intersect_params(executed)?);
    }
    Ok(all)
}

/// Returns, for each array whose elements are numbered, the elements that its packing or unpacking loops move,
/// counted from the array's origin.
pub fn packed(facts: &Facts<'_>, to_device: bool) -> Result<BTreeMap<ArrayId, Set>> {
    let (model, kernels) = (facts.sections.model, facts.sections.kernels);
    let mut all = BTreeMap::new();
    for slice in facts.slices {
        let Some(packing) = &slice.packing else { continue };
        let loops = if to_device { &packing.to_device } else { &packing.from_device };
        all.insert(slice.array, packed_elements(model, kernels, loops, model.array(slice.array)?)?);
    }
    Ok(all)
}

/// Checks that what is transferred in boxes is on the device, and that what comes back was transferred there or
/// certainly written there.
pub fn check(facts: &Facts<'_>) -> Result<Vec<Diagnostic>> {
    let (to_device, mut from_device) = (transferred(facts, true)?, transferred(facts, false)?);
    let mut messages = Vec::new();
    for (array, elements) in to_device.iter().chain(&from_device) {
        let outside = elements.copy()?.subtract(slice(facts, *array, elements)?)?;
        messages.extend(facts.about("E0215", *array, outside, "is transferred but is not on the device")?);
    }
    for (array, there) in to_device {
        let Some(back) = from_device.remove(&array) else { continue };
        from_device.insert(array, back.subtract(there)?);
    }
    let executed = facts.executed().filter(|executed| executed.leaf.launch.is_some());
    for statement in executed.map(|executed| executed.statement) {
        let certain = |access: &&Access| access.kind == AccessKind::Write && access.certainty.is_must();
        for access in statement.accesses.iter().filter(certain) {
            let Some(back) = from_device.remove(&access.array) else { continue };
            let domain = Set::parse(&statement.domain.0)?;
            let written = Map::parse(&access.relation.0)?.intersect_domain(domain)?.range()?;
            from_device.insert(access.array, back.subtract(written)?);
        }
    }
    for (array, never_there) in from_device {
        let words = "is copied back from the device but has no value there";
        messages.extend(facts.about("E0216", array, never_there, words)?);
    }
    Ok(messages)
}

/// Returns the slice of an array that the device holds, in the space of some of its elements.
fn slice(facts: &Facts<'_>, array: ArrayId, like: &Set) -> Result<Set> {
    let Some(slice) = facts.slices.iter().find(|slice| slice.array == array) else {
        return Ok(Set::empty(like.get_space()?)?);
    };
    let array = facts.sections.model.array(array)?;
    boxed(facts.sections.model, array, &[whole_slice(slice)])
}

/// Checks that parts that are transferred are on the device.
pub fn check_parts(facts: &Facts<'_>) -> Result<Vec<Diagnostic>> {
    let mut messages = Vec::new();
    for part in parts(&facts.walked.leaves) {
        let Some(slice) = facts.slices.iter().find(|slice| slice.array == part.array) else { continue };
        if part.outside(slice)?.is_some() {
            let name = &facts.sections.model.array(part.array)?.name;
            let words = format!("a part of `{name}` that is transferred is not on the device");
            messages.push(Diagnostic::error("E0215", words));
        }
    }
    Ok(messages)
}
