//! Which residencies keep arrays on the device from one region to the next.

use std::collections::BTreeSet;

use scop::{Program, Region, Residency, ResidencyId, Scanned};

/// Returns the residencies of the arrays that gpulocalizer made resident.
///
/// # Errors
/// Returns an error if the document names an array that it does not contain.
pub fn active(program: &Program<Scanned>) -> polyhedra::Result<BTreeSet<ResidencyId>> {
    let mut active = BTreeSet::new();
    for scop in &program.scops {
        for device in scop.stage.placed.placement.device.iter().filter(|device| device.resident.is_some()) {
            let array = scop.model.array(device.array)?;
            active.extend(array.residency.into_iter().chain(array.copied_back_after));
        }
    }
    Ok(active)
}

/// Returns the active residencies that enclose a region.
pub fn around<'a>(
    program: &'a Program<Scanned>,
    active: &BTreeSet<ResidencyId>,
    region: &Region,
) -> Vec<&'a Residency> {
    let residencies = program.source.residencies.iter().filter(|residency| active.contains(&residency.id));
    residencies.filter(|residency| region.range.is_within(residency.range)).collect()
}

/// *Rewrite:* no array is resident, so each region transfers what it needs, whatever gpulocalizer decided.
pub fn transfer_in_each_region(program: &mut Program<Scanned>) {
    for scop in &mut program.scops {
        for device in &mut scop.stage.placed.placement.device {
            device.resident = None;
        }
    }
}

/// Returns the name of the function that ends a residency.
pub fn end_name(residency: &Residency) -> String {
    format!("{}_end", residency.name)
}
