//! What is transferred of an array around host code between kernels: the box around the elements that this code uses.
//!
//! Between two pieces of host code, the device has the last value of each element. The elements that the host uses
//! are copied from the device before the host code, and those that it writes are copied to the device after it
//! (PoCC-GPU, section 5.1: only the elements that are used are moved).

use std::collections::BTreeSet;

use polyhedra::{
    DimType, Map, PwAff, PwMultiAff, Result, ScheduleNode, Set, Simplify, Text, UnionMap, Val, context,
};
use scop::{Access, AccessKind, Array, DeviceArray, ElementBox, IslPwAff, StatementId, Storage};

use crate::device::transfer_layout::MOST_DIMENSIONS;
use crate::device::usage::Usage;
use place::kernel::view::names;

/// The most cases of a function of a box. A function with more cases is slower to evaluate and read than a slice is
/// to move.
const MOST_CASES: i32 = 2;

/// A box for each iteration of the surrounding loops in which anything is transferred: `{ [h0] -> A0[x] }`.
pub struct Part {
    /// The iterations.
    pub iterations: Set,
    /// The box.
    pub elements: ElementBox<IslPwAff>,
    /// The elements of the box, for each iteration.
    pub covered: Map,
}

/// The parts of an array that are transferred around host code; nothing for a direction in which nothing is needed.
pub struct Parts {
    /// The part that is copied from the device before the host code.
    pub from_device: Option<Part>,
    /// The part that is copied to the device after the host code.
    pub to_device: Option<Part>,
}

/// Returns the parts of an array that the host code at a node needs, or nothing if slices are transferred around it
/// instead.
pub fn parts(
    node: &ScheduleNode,
    here: &BTreeSet<StatementId>,
    usage: &Usage<'_>,
    placed: &DeviceArray,
) -> Result<Option<Parts>> {
    let array = usage.model.array(placed.array)?;
    if !is_plain(array, placed) {
        return Ok(None);
    }
    let accesses = usage.accesses_of(here, array.id)?;
    if accesses.iter().any(|access| access.indirect) {
        return Ok(None);
    }
    let is_write = |access: &&&Access| access.kind == AccessKind::Write;
    let writes: Vec<&Access> = accesses.iter().filter(is_write).copied().collect();
    let mut written = touched(node, array, &writes)?;
    // An element that is certainly written needs no earlier value. If the array is declared in the region, it may
    // have none.
    let needs_value = |access: &&&Access| array.visible || !is_write(access) || !access.certainty.is_must();
    let needing: Vec<&Access> = accesses.iter().filter(needs_value).copied().collect();
    let mut used = touched(node, array, &needing)?;
    if array.visible {
        let universe = Set::universe(used.copy()?.range()?.get_space()?)?;
        let slice = placed.slice(array.extents.len()).part_of(universe)?;
        written = written.intersect_range(slice.copy()?)?.simplified()?;
        used = used.intersect_range(slice)?;
    }
    let Some(to_device) = part(&written, array, placed)? else { return Ok(None) };
    // Elements between those that the host writes are also copied to the device, so the host needs their values.
    if let Some(to_device) = &to_device {
        used = used.union(to_device.covered.copy()?.subtract(written)?)?;
    }
    let kernels: Vec<&Access> = usage.kernel_accesses(array.id)?;
    let kernels: Vec<&Access> = kernels.iter().filter(is_write).copied().collect();
    let computed = usage.elements(array, &kernels)?;
    let used = used.intersect_range(computed)?.simplified()?;
    let Some(from_device) = part(&used, array, placed)? else { return Ok(None) };
    Ok(Some(Parts { from_device, to_device }))
}

/// True if slices of an array are transferred and boxes of it could be.
fn is_plain(array: &Array, placed: &DeviceArray) -> bool {
    let in_slices = placed.numbering.is_none() && placed.boxes.is_none();
    let whole_rows = array.declares_rows() && !matches!(array.storage, Storage::Member { .. });
    in_slices
        && (whole_rows || !array.visible)
        && placed.resident.is_none()
        && placed.memory.is_global()
        && (1..=MOST_DIMENSIONS).contains(&array.extents.len())
}

/// Returns the elements that accesses of the statements at a node touch, for each iteration of the surrounding loops:
/// `{ [h0] -> A0[x] }`.
fn touched(node: &ScheduleNode, array: &Array, accesses: &[&Access]) -> Result<Map> {
    let outer = names("h", node.get_schedule_depth()? as u32);
    let element = names("x", array.extents.len() as u32);
    let mut all = Map::parse(&format!("{{ [{outer}] -> {}[{element}] : false }}", array.id))?;
    let iterations = node.get_prefix_schedule_union_map()?.intersect_domain(node.get_domain()?)?.reverse()?;
    for access in accesses {
        let relation = UnionMap::parse(&access.relation.0)?;
        let found = iterations.copy()?.apply_range(relation)?.extract_map(all.get_space()?)?;
        all = all.union(found)?;
    }
    all.simplified()
}

/// Returns the box around some elements, for each iteration in which there are any. The inner `None` means that there
/// are none. The outer `None` means that a function has too many cases, or that the box of an array declared in the
/// region contains other elements, which may have no values.
fn part(elements: &Map, array: &Array, placed: &DeviceArray) -> Result<Option<Option<Part>>> {
    if elements.is_empty()? {
        return Ok(Some(None));
    }
    let iterations = elements.copy()?.domain()?.simplified()?;
    let one = Val::int_from_si(context(), 1)?;
    let mut covered = Map::universe(elements.get_space()?)?.intersect_domain(iterations.copy()?)?;
    let mut found = ElementBox { lower: Vec::new(), extent: Vec::new() };
    for position in 0..elements.dim(DimType::Out)? {
        let first = elements.copy()?.dim_min(position)?.simplified()?;
        let last = elements.copy()?.dim_max(position)?.simplified()?;
        covered = covered.intersect(between(elements, position, &first, &last)?)?;
        let extent = last.sub(first.copy()?)?.add_constant_val(one.copy()?)?.simplified()?;
        let lower = match placed.origin.get(position as usize) {
            Some(origin) => {
                let origin = PwAff::parse(&origin.0)?.insert_domain(iterations.get_space()?)?;
                first.sub(origin)?.simplified()?
            }
            None => first,
        };
        for (function, list) in [(lower, &mut found.lower), (extent, &mut found.extent)] {
            let function: PwAff = function.gist(iterations.copy()?)?.floor()?;
            if function.n_piece()? > MOST_CASES {
                return Ok(None);
            }
            list.push(IslPwAff(function.text()?));
        }
    }
    let covered = covered.simplified()?;
    if !array.visible && !covered.is_subset(elements)? {
        return Ok(None);
    }
    Ok(Some(Some(Part { iterations, elements: found, covered })))
}

/// Returns the pairs of an iteration and an element one of whose subscripts is between two functions of the
/// iteration.
fn between(like: &Map, position: i32, first: &PwAff, last: &PwAff) -> Result<Map> {
    let universe = Map::universe(like.get_space()?)?;
    let subscript = PwMultiAff::from_map(universe.copy()?.range_map()?)?.get_at(position)?;
    let iteration = PwMultiAff::from_map(universe.domain_map()?)?;
    let first = first.copy()?.pullback_pw_multi_aff(iteration.copy()?)?;
    let last = last.copy()?.pullback_pw_multi_aff(iteration)?;
    let (not_below, not_above) = (subscript.copy()?.ge_set(first)?, subscript.le_set(last)?);
    Ok(not_below.intersect(not_above)?.unwrap()?)
}
