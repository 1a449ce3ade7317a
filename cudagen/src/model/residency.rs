//! Where arrays stay on the device from one region to the next.

use std::collections::BTreeSet;

use scop::{Program, Region, Scanned, Stay, StayId};

/// The stays in which an array stays.
///
/// # Errors
/// The document names an array that it does not have.
pub fn active(program: &Program<Scanned>) -> polyhedra::Result<BTreeSet<StayId>> {
    let mut active = BTreeSet::new();
    for scop in &program.scops {
        for device in scop.stage.placed.placement.device.iter().filter(|device| device.stays) {
            let array = scop.model.array(device.array)?;
            active.extend(array.stay.into_iter().chain(array.home));
        }
    }
    Ok(active)
}

/// The stays around a region, of those in which an array stays.
pub fn around<'a>(
    program: &'a Program<Scanned>,
    active: &BTreeSet<StayId>,
    region: &Region,
) -> Vec<&'a Stay> {
    let stays = program.source.stays.iter().filter(|stay| active.contains(&stay.id));
    stays.filter(|stay| region.range.is_within(stay.range)).collect()
}

/// *Rewrite:* each region transfers what it needs itself, however gpulocalizer has it.
pub fn transfer_in_each_region(program: &mut Program<Scanned>) {
    for scop in &mut program.scops {
        for device in &mut scop.stage.placed.placement.device {
            device.stays = false;
        }
    }
}

/// The name of the function that ends a stay.
pub fn end_name(stay: &Stay) -> String {
    format!("{}_end", stay.name)
}
