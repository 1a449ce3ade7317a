//! Small arrays that kernels only read: constant memory.
//!
//! If all threads of a warp read the same element, constant memory delivers it as fast as a register; different
//! elements are delivered one after the other. Kernel arguments are in constant memory. `__constant__` variables have
//! more room, but only one value at a time for all threads of the host, which wait for each other.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{
    Map, MultiPwAff, PwAff, PwMultiAff, Result, ScheduleNode, Set, Text, constant_value, parameter_range,
};
use scop::{AccessKind, Array, ArrayId, DeviceMemory, Mapping, Model, Storage};

use crate::kernel::view::{KernelView, kernel_node, names};
use crate::kernel::warps::requests;
use crate::wishes::{Constant, Wishes};

/// The arrays of a region that are in constant memory, each with its form.
pub type Constants = BTreeMap<ArrayId, DeviceMemory>;

/// The arrays of a region together may take one half of the bytes of a kernel's arguments, and one array a quarter,
/// because arguments are copied at each launch.
const SHARE_OF_ALL: u64 = 2;
const SHARE_OF_ONE: u64 = 4;

/// The largest alignment of an element, so that arrays fit one after the other.
const ALIGNMENT: u64 = 16;

/// The constant memory that is left for further arrays, in bytes.
struct Room {
    /// The most that one array may take of the arguments.
    per_array: u64,
    /// The part of the arguments that is left for all arrays together.
    all_arrays: u64,
    /// The part of the variables that is left.
    variables: u64,
}

impl Room {
    /// Takes the room that an array needs. Variables are filled for each run of a region, so an array that may be
    /// resident does not become one.
    fn take(&mut self, bytes: u64, may_be_resident: bool) -> Option<DeviceMemory> {
        let bytes = bytes.next_multiple_of(ALIGNMENT);
        if bytes <= self.per_array && bytes <= self.all_arrays {
            self.all_arrays -= bytes;
            return Some(DeviceMemory::Argument);
        }
        if bytes <= self.variables && !may_be_resident {
            self.variables -= bytes;
            return Some(DeviceMemory::Constant);
        }
        None
    }
}

/// Chooses the arrays in constant memory. `argument_bytes` is the largest size of a kernel's arguments;
/// the arrays `resident` may be resident on the device between regions. Arrays for which the user asks for
/// constant memory come first, even if warps read different elements.
///
/// # Errors
/// Returns an error if an isl operation fails or a tree lacks a mark.
pub fn constants(
    model: &Model,
    mapping: &Mapping,
    root: &ScheduleNode,
    argument_bytes: u64,
    (resident, wishes): (&BTreeSet<ArrayId>, &Wishes<'_>),
) -> Result<Constants> {
    let mut chosen = Constants::new();
    let variables = DeviceMemory::Constant.most_bytes().unwrap_or_default();
    let (all_arrays, per_array) = (argument_bytes / SHARE_OF_ALL, argument_bytes / SHARE_OF_ONE);
    let mut room = Room { per_array, all_arrays, variables };
    let mut read_only = Vec::new();
    for array in model.arrays.iter().filter(|array| is_read_only(model, array)) {
        let wish = wishes.constant(mapping, array);
        if wish == Constant::Forbidden {
            continue;
        }
        let bytes = constant_bytes(model, mapping, array)?;
        if let Some(bytes) = bytes.filter(|bytes| (1..=variables).contains(bytes)) {
            read_only.push((array, bytes, wish == Constant::Wanted));
        }
    }
    if read_only.is_empty() {
        return Ok(chosen);
    }
    let views = mapping
        .kernels
        .iter()
        .map(|kernel| KernelView::new(model, kernel, &kernel_node(root.copy()?, kernel)?));
    let views = views.collect::<Result<Vec<_>>>()?;
    read_only.sort_by_key(|(.., wanted)| !wanted);
    for (array, bytes, wanted) in read_only {
        let mut uniform = true;
        for view in views.iter().filter(|_| !wanted) {
            uniform = uniform && is_uniform(view, array)?;
        }
        if let Some(memory) = uniform.then(|| room.take(bytes, resident.contains(&array.id))).flatten() {
            chosen.insert(array.id, memory);
        }
    }
    Ok(chosen)
}

/// True for an array of the caller that has known rows, that the region does not write, and whose subscripts do not
/// depend on data.
fn is_read_only(model: &Model, array: &Array) -> bool {
    let accesses = model.statements.iter().flat_map(|statement| &statement.accesses);
    let mut own = accesses.filter(|access| access.array == array.id).peekable();
    array.visible
        && !array.is_scalar()
        && array.declares_rows()
        && !matches!(array.storage, Storage::Member { .. })
        && own.peek().is_some()
        && own.all(|access| access.kind == AccessKind::Read && !access.indirect)
}

/// Returns the size of the slice that kernels use, in bytes, if its size and its place are constant.
fn constant_bytes(model: &Model, mapping: &Mapping, array: &Array) -> Result<Option<u64>> {
    let context = Set::parse(&model.context.0)?;
    let mut used =
        Set::parse(&format!("{{ {}[{}] : false }}", array.id, names("x", array.extents.len() as u32)))?;
    let statements: BTreeSet<_> = mapping.kernels.iter().flat_map(|kernel| &kernel.statements).collect();
    for statement in model.statements_of(statements)? {
        let domain = Set::parse(&statement.domain.0)?.intersect_params(context.copy()?)?;
        for access in statement.accesses.iter().filter(|access| access.array == array.id) {
            let touched = Map::parse(&access.relation.0)?.intersect_domain(domain.copy()?)?.range()?;
            used = used.union(touched)?;
        }
    }
    if used.is_empty()? {
        return Ok(None);
    }
    let (lower, extent) = parameter_range(&used, 0)?;
    let inner = array.extents.iter().skip(1).filter_map(|extent| extent.value.as_ref());
    let mut extents = vec![extent];
    for extent in inner {
        extents.push(PwAff::parse(&extent.0)?);
    }
    let mut bytes = constant_value(lower)?.and(Some(u64::from(array.element.size())));
    for extent in extents {
        let extent = constant_value(extent)?.and_then(|extent| u64::try_from(extent).ok());
        bytes = bytes.zip(extent).and_then(|(bytes, extent)| bytes.checked_mul(extent));
    }
    Ok(bytes)
}

/// True if all lanes of a warp read the same element at a time.
fn is_uniform(view: &KernelView<'_>, array: &Array) -> Result<bool> {
    if view.kernel.block.is_empty() {
        return Ok(true);
    }
    let (outer, element) = (names("h", view.tile_depth), names("x", array.extents.len() as u32));
    let place = format!("{{ [[{outer}] -> {}[{element}]] -> [{element}] }}", array.id);
    let place = MultiPwAff::from_pw_multi_aff(PwMultiAff::parse(&place)?)?;
    let accesses: Vec<_> = view.accesses(array.id).collect();
    Ok(requests(view, &accesses, &place)?.iter().all(|request| {
        let mut places = request.lanes.iter().flatten();
        let first = places.next();
        places.all(|place| Some(place) == first)
    }))
}

/// Explains why an array is in this memory.
pub fn reason(memory: DeviceMemory) -> &'static str {
    match memory {
        DeviceMemory::Global => "",
        DeviceMemory::Argument => {
            "an argument, in constant memory: all threads of a warp read one element at a time"
        }
        DeviceMemory::Constant => {
            "in constant memory: all threads of a warp read one element at a time, and it is too large for an argument"
        }
    }
}
