//! What is transferred between host and device, and where: before and after the region, and around host code between
//! kernels.

use std::collections::BTreeMap;

use polyhedra::{Result, ScheduleNode, ScheduleNodeType, Set, Text};
use scop::{AccessKind, ArrayId, DeviceArray, ElementBox, IslPwAff, mark};

use crate::device::host_races::Overwritten;
use crate::device::parts::{Part, Parts, parts};
use crate::device::usage::Usage;

/// The transfers of a region.
#[derive(Default)]
pub struct Plan {
    /// The transfers around the region as a whole, one array after the other.
    pub around_region: Vec<Transfer>,
    /// The transfers around each piece of host code, in the order of the marks `host` in the tree.
    pub around_host_code: Vec<Vec<Transfer>>,
    /// The parts of arrays that are transferred around host code. The name of a transfer contains the position of its
    /// part.
    pub parts: BTreeMap<ArrayId, Vec<ElementBox<IslPwAff>>>,
    /// The arrays of which elements are copied back that must not be.
    pub overwritten: Overwritten,
}

impl Plan {
    /// *Rewrite:* arrays without parts → the same with the parts of the plan.
    pub fn give_parts(&self, arrays: &mut [DeviceArray]) {
        for array in arrays {
            array.parts = self.parts.get(&array.array).cloned().unwrap_or_default();
        }
    }
}

/// One transfer of an array.
pub struct Transfer {
    /// Its name in the tree, such as `to_device_A0` or `from_device_A0_1`.
    pub name: String,
    /// The side of the region, or of the host code, on which it happens.
    pub side: Side,
    /// When it happens.
    pub condition: Condition,
}

/// A side of a region or of host code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Before it.
    Before,
    /// After it.
    After,
}

/// When a transfer happens.
pub enum Condition {
    /// In these iterations of the surrounding loops: `{ [h0] : … }`.
    Iterations(Set),
    /// In every iteration, for these parameters.
    Parameters(Set),
}

/// Decides on the transfers around the region of this tree and around host code in it.
///
/// # Errors
/// Returns isl's error if an isl operation fails.
pub fn plan(root: &ScheduleNode, usage: &Usage<'_>, arrays: &[DeviceArray]) -> Result<Plan> {
    let mut plan = Plan::default();
    if usage.mapping.kernels.is_empty() {
        return Ok(plan);
    }
    around_host_code(root, usage, arrays, &mut plan)?;
    for array in arrays {
        if is_needed(&array.copy_in.0)? {
            plan.around_region.push(whole(mark::to_device(array.array), Side::Before, usage, array)?);
        }
        if is_needed(&array.copy_out.0)? {
            plan.overwritten.note_whole(usage, array)?;
            plan.around_region.push(whole(mark::from_device(array.array), Side::After, usage, array)?);
        }
    }
    Ok(plan)
}

fn is_needed(elements: &str) -> Result<bool> {
    Ok(!Set::parse(elements)?.is_empty()?)
}

fn around_host_code(
    node: &ScheduleNode,
    usage: &Usage<'_>,
    arrays: &[DeviceArray],
    plan: &mut Plan,
) -> Result<()> {
    if is_host_mark(node)? {
        let transfers = around(node, usage, arrays, plan)?;
        plan.around_host_code.push(transfers);
        return Ok(());
    }
    for position in 0..node.n_children()? {
        around_host_code(&node.get_child(position)?, usage, arrays, plan)?;
    }
    Ok(())
}

/// True for the mark of host code between kernels.
///
/// # Errors
/// Returns isl's error if an isl operation fails.
pub fn is_host_mark(node: &ScheduleNode) -> Result<bool> {
    Ok(node.get_type()? == ScheduleNodeType::Mark && node.mark_get_id()?.get_name()? == mark::HOST)
}

/// Decides on the transfers around a piece of host code. Adds their parts, and the arrays that they overwrite, to the
/// plan.
fn around(
    node: &ScheduleNode,
    usage: &Usage<'_>,
    arrays: &[DeviceArray],
    plan: &mut Plan,
) -> Result<Vec<Transfer>> {
    let mut transfers = Vec::new();
    let here = mark::statements_at(node)?;
    for array in arrays {
        let host = usage.accesses_of(&here, array.array)?;
        if host.is_empty() {
            continue;
        }
        let (from, to) = (mark::from_device(array.array), mark::to_device(array.array));
        if let Some(Parts { from_device, to_device }) = parts(node, &here, usage, array)? {
            if let Some(part) = from_device {
                plan.overwritten.note(usage, array.array, &part.covered.copy()?.range()?)?;
                transfers.push(of_part(
                    &from,
                    Side::Before,
                    plan.parts.entry(array.array).or_default(),
                    part,
                ));
            }
            if let Some(part) = to_device {
                transfers.push(of_part(&to, Side::After, plan.parts.entry(array.array).or_default(), part));
            }
            continue;
        }
        if usage.is_written_by_kernels(array.array)? {
            plan.overwritten.note_whole(usage, array)?;
            transfers.push(whole(from, Side::Before, usage, array)?);
        }
        if host.iter().any(|access| access.kind == AccessKind::Write) {
            transfers.push(whole(to, Side::After, usage, array)?);
        }
    }
    Ok(transfers)
}

/// Adds a part to the array's parts and returns its transfer.
fn of_part(whole: &str, side: Side, parts: &mut Vec<ElementBox<IslPwAff>>, part: Part) -> Transfer {
    let name = mark::part(whole, parts.len());
    parts.push(part.elements);
    Transfer { name, side, condition: Condition::Iterations(part.iterations) }
}

/// Returns the transfer of an array in its own layout, for parameters for which kernels use the array.
fn whole(name: String, side: Side, usage: &Usage<'_>, array: &DeviceArray) -> Result<Transfer> {
    Ok(Transfer { name, side, condition: Condition::Parameters(usage.used_where(array.array)?) })
}
