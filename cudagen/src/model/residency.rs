//! Which memory stays on the device from one region to the next.

use std::collections::BTreeSet;

use scop::ast::tree::has_kernels;
use scop::{Program, Scanned};

/// *Rewrite:* no array is resident, so each region transfers what it needs, whatever gpulocalizer decided.
pub fn transfer_in_each_region(program: &mut Program<Scanned>) {
    program.residency = None;
    for scop in &mut program.scops {
        for device in &mut scop.stage.placed.placement.device {
            device.resident = None;
        }
    }
}

/// True if there is a plan, and an array of a region with kernels is resident, or other files may put its memory on the
/// device.
pub fn is_planned(program: &Program<Scanned>) -> bool {
    let with_kernels = program.scops.iter().filter(|scop| has_kernels(&scop.stage.ast.body));
    let mut devices = with_kernels.flat_map(|scop| &scop.stage.placed.placement.device);
    let Some(plan) = &program.residency else { return false };
    plan.classes.iter().any(|class| class.foreign) || devices.any(|device| device.resident.is_some())
}

/// True if code that the document does not contain may call a function that reads or writes memory that stays on the
/// device outside of intervals. Such code may run when the program ends.
pub fn is_used_by_callbacks(program: &Program<Scanned>) -> bool {
    let Some(plan) = &program.residency else { return false };
    let unbounded: BTreeSet<_> =
        plan.classes.iter().filter(|class| !class.bounded).flat_map(|class| &class.memory).collect();
    let callbacks = program.used_by_callbacks();
    callbacks.iter().any(|(_, memory)| memory.iter().any(|one| unbounded.contains(one)))
}
