//! Which part of each array is in the device's memory, and what is transferred.

use polyhedra::{PwAff, Result, Set, Simplify, Text, parameter_range, zero_without};
use scop::wish::Demand;
use scop::{Access, AccessKind, Array, DeviceArray, DeviceMemory, IslPwAff, IslSet};

use crate::counting::numbering::Numberer;
use crate::device::transfer_layout::{self, Transfers};
use crate::device::usage::{Moved, Usage, slice_of};
use place::kernel::elements::no_elements;
use place::wishes::Wishes;

/// Returns the arrays in the device's memory, and the host's temporaries.
pub fn device_arrays(
    usage: &Usage<'_>,
    transfers: Transfers<'_>,
    numberer: &Numberer<'_>,
) -> Result<Vec<DeviceArray>> {
    let mut arrays = Vec::new();
    for array in &usage.model.arrays {
        let may_stay = transfers.candidates.is_some_and(|candidates| candidates.reuse(array.id).is_some());
        if let Some(in_slices) = device_array(usage, array, transfers.wishes, may_stay)? {
            let choice = transfer_layout::choose(usage, &in_slices, array, transfers, numberer)?;
            arrays.push(choice.apply(in_slices)?);
        }
    }
    Ok(arrays)
}

fn device_array(
    usage: &Usage<'_>,
    array: &Array,
    wishes: &Wishes<'_>,
    may_stay: bool,
) -> Result<Option<DeviceArray>> {
    let kernel = usage.kernel_accesses(array.id)?;
    let host = usage.host_accesses(array.id)?;
    if kernel.is_empty() && (array.visible || host.is_empty()) {
        return Ok(None);
    }
    if is_argument(usage, array, !host.is_empty())? {
        return Ok(None);
    }
    let everyone: Vec<&Access> =
        if array.visible { kernel.clone() } else { kernel.iter().chain(&host).copied().collect() };
    let elements = usage.elements(array, &everyone)?;
    let mut placed =
        if array.visible { slice(usage, array, &elements, may_stay)? } else { whole(array, &elements)? };
    if array.visible {
        let moved = in_slices(usage, &placed, array, &elements)?;
        let Moved { copy_in, copy_out } = with_wished(usage, &placed, (array, &elements), wishes, moved)?;
        placed.copy_in = IslSet(copy_in.text()?);
        placed.copy_out = IslSet(copy_out.text()?);
    }
    placed.memory = usage.constants.get(&array.id).copied().unwrap_or_default();
    Ok(Some(placed))
}

/// True for a scalar that kernels only read. They get its value as an argument.
fn is_argument(usage: &Usage<'_>, array: &Array, is_on_host: bool) -> Result<bool> {
    if !array.is_scalar() || !(array.visible || is_on_host) {
        return Ok(false);
    }
    let in_kernels = usage.mapping.kernels.iter().flat_map(|kernel| &kernel.statements);
    let accesses = usage.accesses_of(in_kernels, array.id)?;
    Ok(accesses.iter().all(|access| access.kind == AccessKind::Read))
}

/// Returns the smallest slice of the outermost dimension that contains all elements.
fn slice(usage: &Usage<'_>, array: &Array, elements: &Set, may_stay: bool) -> Result<DeviceArray> {
    let inner = array.extents.iter().skip(1).filter_map(|extent| extent.value.clone()).collect();
    let (lower, extent) = match array.extents.len() {
        0 => (PwAff::parse("{ [(0)] }")?, PwAff::parse("{ [(1)] }")?),
        _ => parameter_range(elements, 0)?,
    };
    let extent = if may_stay && !usage.constants.contains_key(&array.id) {
        only_in_array(usage, array, &lower, extent, elements)?
    } else {
        extent
    };
    on_device(array, (text(&lower)?, text(&extent)?), inner, Vec::new())
}

/// Returns the extent of a slice. For parameters for which no element is used, it is zero if the slice could reach
/// beyond the array there. The slices of a resident array are compared with those of other regions, whether they are
/// used or not.
fn only_in_array(
    usage: &Usage<'_>,
    array: &Array,
    lower: &PwAff,
    extent: PwAff,
    elements: &Set,
) -> Result<PwAff> {
    let zero = PwAff::parse("{ [(0)] }")?;
    let defined = extent.copy()?.params()?.intersect(lower.copy()?.params()?)?;
    let mut inside = extent.copy()?.le_set(zero.copy()?)?;
    if let Some(length) = array.extents.first().and_then(|extent| extent.value.as_ref()) {
        let ends = lower.copy()?.add(extent.copy()?)?.le_set(PwAff::parse(&length.0)?)?;
        inside = inside.union(lower.copy()?.ge_set(zero.copy()?)?.intersect(ends)?)?;
    }
    let possible = Set::parse(&usage.model.context.0)?;
    let unused = possible.subtract(elements.copy()?.params()?)?;
    if unused.is_subset(&inside.intersect(defined)?)? {
        return Ok(extent);
    }
    zero_without(elements, extent)
}

/// Returns the bounding box of an array that is declared in the region.
fn whole(array: &Array, elements: &Set) -> Result<DeviceArray> {
    let zero = IslPwAff("{ [(0)] }".to_owned());
    let mut origin = Vec::new();
    let mut extents = Vec::new();
    for position in 0..array.extents.len() {
        let (lower, extent) = parameter_range(elements, position as u32)?;
        origin.push(text(&lower)?);
        extents.push(text(&extent)?);
    }
    if extents.is_empty() {
        extents.push(IslPwAff("{ [(1)] }".to_owned()));
    }
    let extent = extents.remove(0);
    on_device(array, (zero, extent), extents, origin)
}

/// Returns the elements that are transferred in each direction if whole slices are. If anything is copied back or
/// host code uses the array, elements that the kernels do not certainly write must be copied to the device; with host
/// code, so must all elements that kernels use.
fn in_slices(usage: &Usage<'_>, placed: &DeviceArray, array: &Array, elements: &Set) -> Result<Moved> {
    let kernel = usage.kernel_accesses(array.id)?;
    let has_host_code = !usage.host_accesses(array.id)?.is_empty();
    let Moved { mut copy_in, copy_out } = usage.needed(array, &kernel)?;
    if !copy_out.is_empty()? || has_host_code {
        let all = slice_of(placed, array, elements)?;
        copy_in = copy_in.union(all.subtract(usage.certainly_written(array, &kernel)?)?)?.simplified()?;
    }
    if has_host_code {
        copy_in = copy_in.union(elements.copy()?)?.simplified()?;
    }
    Ok(Moved { copy_in, copy_out })
}

/// Adds the copies of a whole slice that the user wishes. What kernels only read, which may be constant, is not copied
/// back. What no kernel certainly writes must be copied to the device
/// before it is copied back.
fn with_wished(
    usage: &Usage<'_>,
    placed: &DeviceArray,
    (array, elements): (&Array, &Set),
    wishes: &Wishes<'_>,
    moved: Moved,
) -> Result<Moved> {
    let Moved { mut copy_in, mut copy_out } = moved;
    let slice = slice_of(placed, array, elements)?;
    if wishes.copy_out(array) == Some(Demand::Always) && usage.is_written_by_kernels(array.id)? {
        let kernel = usage.kernel_accesses(array.id)?;
        let kept = slice.copy()?.subtract(usage.certainly_written(array, &kernel)?)?;
        copy_in = copy_in.union(kept)?.simplified()?;
        copy_out = copy_out.union(slice.copy()?)?.simplified()?;
    }
    if wishes.copy_in(array) == Some(Demand::Always) {
        copy_in = copy_in.union(slice)?.simplified()?;
    }
    Ok(Moved { copy_in, copy_out })
}

/// Returns a slice of an array of which nothing is transferred.
fn on_device(
    array: &Array,
    (lower, extent): (IslPwAff, IslPwAff),
    inner_extents: Vec<IslPwAff>,
    origin: Vec<IslPwAff>,
) -> Result<DeviceArray> {
    let nothing = IslSet(no_elements(array)?.text()?);
    Ok(DeviceArray {
        array: array.id,
        lower,
        extent,
        inner_extents,
        origin,
        numbering: None,
        numbered: None,
        boxes: None,
        parts: Vec::new(),
        memory: DeviceMemory::Global,
        resident: None,
        copy_in: nothing.clone(),
        copy_out: nothing,
        reason: String::new(),
    })
}

fn text(function: &PwAff) -> Result<IslPwAff> {
    Ok(IslPwAff(function.text()?))
}
