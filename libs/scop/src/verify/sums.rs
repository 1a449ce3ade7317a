//! V22: sums that the threads of a warp share.

use super::report::Report;
use crate::{
    Axis, Dependences, Freedom, Kernel, Mapping, Memory, Model, Placement, Reduction, can_be_in_order,
    can_be_partial, is_exact,
};

/// The threads of a warp.
const WARP: u32 = 32;

/// Checks that the order of updates is free for the reason that is given.
pub fn check_freedom(model: &Model, dependences: &Dependences, report: &mut Report) {
    for reduction in &dependences.reductions {
        let Some(statement) = model.statements.get(reduction.statement.index()) else { continue };
        let is_free = match reduction.free {
            None => true,
            Some(Freedom::Exact) => is_exact(statement, reduction),
            Some(Freedom::Permitted) => can_be_partial(statement, reduction),
        };
        report.require(22, is_free, || {
            format!("the order of the updates of {} is not free", reduction.statement)
        });
    }
}

/// Checks that threads share only sums of their kernel whose order is free or which they can do in order, and that they
/// are those of a warp.
pub fn check_shared(model: &Model, dependences: &Dependences, mapping: &Mapping, report: &mut Report) {
    for kernel in mapping.kernels.iter().filter(|kernel| !kernel.shared_sums.is_empty()) {
        let along_x = kernel.block.iter().find(|dimension| dimension.axis == Axis::X);
        report.require(22, along_x.is_some_and(|dimension| dimension.size == WARP), || {
            format!("the threads of {} along x share a sum, but are not those of a warp", kernel.id)
        });
        for &sum in &kernel.shared_sums {
            let mut own = dependences.reductions.iter().filter(|reduction| reduction.statement == sum);
            let can_be = |one: &Reduction| {
                let mut statements = model.statements.iter().filter(|statement| statement.id == sum);
                let mut in_order =
                    || statements.next().is_some_and(|statement| can_be_in_order(statement, one));
                !one.relaxed && (one.free.is_some() || in_order())
            };
            let is_sound = own.next().is_some_and(can_be) && own.next().is_none();
            report.require(22, is_sound && kernel.statements.contains(&sum), || {
                format!("{} shares the updates of {sum}, which threads cannot share", kernel.id)
            });
        }
    }
}

/// Checks that the buffers of shared sums are registers of the accesses that update an element.
pub fn check_partial(
    dependences: &Dependences,
    mapping: &Mapping,
    placement: &Placement,
    report: &mut Report,
) {
    for (kernel, placed) in mapping.kernels.iter().zip(&placement.kernels) {
        let sums = || shared(dependences, kernel);
        for buffer in &placed.buffers {
            let Some(operator) = buffer.partial else { continue };
            let is_own = |reduction: &&Reduction| {
                reduction.operator == operator
                    && buffer.in_order == reduction.free.is_none()
                    && reduction.accesses().all(|access| buffer.accesses.contains(&access))
                    && buffer.accesses.iter().all(|access| reduction.updates_by(*access))
            };
            let is_register = buffer.memory == Memory::Private && buffer.sizes.is_empty();
            report.require(22, is_register && sums().any(|one| is_own(&one)), || {
                format!("{} is for a sum that the threads of {} do not share", buffer.id, kernel.id)
            });
        }
        for reduction in sums() {
            let mut own = placed.buffers.iter().filter(|buffer| buffer.partial.is_some());
            report.require(22, own.any(|buffer| buffer.accesses.contains(&reduction.write)), || {
                format!("the threads of {} share a sum, but have no values of their own", kernel.id)
            });
        }
    }
}

fn shared<'a>(dependences: &'a Dependences, kernel: &'a Kernel) -> impl Iterator<Item = &'a Reduction> {
    dependences.reductions.iter().filter(|reduction| kernel.shared_sums.contains(&reduction.statement))
}
