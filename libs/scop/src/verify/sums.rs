//! V22: sums that the threads of a warp share, or of which each block has a part.

use super::report::Report;
use crate::{
    Access, Axis, Buffer, Dependences, Freedom, Kernel, Mapping, Memory, Model, Placement, Reduction,
    ReductionOp, can_be_in_order, can_be_partial, is_exact,
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

/// Checks that the buffers of shared sums are registers of the accesses that update an element, or that they are in
/// shared memory and for all accesses of a kernel that update elements chosen by data.
pub fn check_partial(
    model: &Model,
    dependences: &Dependences,
    mapping: &Mapping,
    placement: &Placement,
    report: &mut Report,
) {
    for (kernel, placed) in mapping.kernels.iter().zip(&placement.kernels) {
        let sums = || shared(dependences, kernel);
        for buffer in &placed.buffers {
            let Some(operator) = buffer.partial else { continue };
            if buffer.has_block_sums() {
                check_block_sums((model, dependences), kernel, (buffer, operator), report);
                continue;
            }
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
            let mut own =
                placed.buffers.iter().filter(|buffer| buffer.partial.is_some() && !buffer.has_block_sums());
            report.require(22, own.any(|buffer| buffer.accesses.contains(&reduction.write)), || {
                format!("the threads of {} share a sum, but have no values of their own", kernel.id)
            });
        }
    }
}

/// Checks that a buffer with the sums of a block is for updates in any order, by its operator, of elements that data
/// choose, that it is for all accesses of the kernel to the array, and that its places lie as the elements do.
fn check_block_sums(
    (model, dependences): (&Model, &Dependences),
    kernel: &Kernel,
    (buffer, operator): (&Buffer, ReductionOp),
    report: &mut Report,
) {
    let statements = model.statements.iter().filter(|statement| kernel.statements.contains(&statement.id));
    let mut accesses =
        statements.flat_map(|statement| &statement.accesses).filter(|access| access.array == buffer.array);
    let is_update = |access: &Access| {
        let of = dependences.relaxed().find(|reduction| reduction.updates_by(access.id));
        access.indirect && of.is_some_and(|reduction| reduction.operator == operator)
    };
    let are_updates = accesses.all(|access| is_update(access) && buffer.accesses.contains(&access.id));
    report.require(22, are_updates && !buffer.in_order && buffer.layout.is_plain(), || {
        format!(
            "{} has sums of a block into elements that other accesses of {} use as well",
            buffer.id, kernel.id
        )
    });
}

fn shared<'a>(dependences: &'a Dependences, kernel: &'a Kernel) -> impl Iterator<Item = &'a Reduction> {
    dependences.reductions.iter().filter(|reduction| kernel.shared_sums.contains(&reduction.statement))
}
