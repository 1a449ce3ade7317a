//! Which part of which array is in the device's memory, and what crosses the bus.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{Map, PwAff, Result, Set, Simplify, Text, UnionSet, parameter_range, zero_without};
use scop::{
    Access, AccessId, AccessKind, Array, ArrayId, Dependences, DeviceArray, DeviceMemory, IslPwAff, IslSet,
    LiveAccess, Mapping, Model, StatementId,
};

use crate::counting::numbering::Numberer;
use crate::device::transfer_layout::{self, Transfers};
use crate::kernel::view::names;
use crate::memory::constant::Constants;

/// What the kernels and the host do with the arrays of a scop.
pub struct Usage<'a> {
    /// The scop.
    pub model: &'a Model,
    /// Its kernels and host statements.
    pub mapping: &'a Mapping,
    /// What is live at its borders.
    pub dependences: &'a Dependences,
    /// The accesses that never leave a private buffer.
    pub contracted: BTreeSet<AccessId>,
    /// The arrays in constant memory.
    pub constants: &'a Constants,
    /// What kernels copy into buffers without need, so that it must have values.
    pub read_without_need: BTreeMap<ArrayId, Set>,
}

impl<'a> Usage<'a> {
    /// The accesses of kernels to an array that reach the device's memory.
    pub fn kernel_accesses(&self, array: ArrayId) -> Result<Vec<&'a Access>> {
        let in_kernels = self.mapping.kernels.iter().flat_map(|kernel| &kernel.statements);
        let statements: BTreeSet<_> = in_kernels.collect();
        let mut accesses = self.accesses_of(statements, array)?;
        accesses.retain(|access| !self.contracted.contains(&access.id));
        Ok(accesses)
    }

    /// The accesses of host code to an array.
    pub fn host_accesses(&self, array: ArrayId) -> Result<Vec<&'a Access>> {
        self.accesses_of(self.mapping.host.iter().map(|host| &host.statement), array)
    }

    /// The accesses of some statements to an array.
    pub fn accesses_of<'i>(
        &self,
        statements: impl IntoIterator<Item = &'i StatementId>,
        array: ArrayId,
    ) -> Result<Vec<&'a Access>> {
        let accesses =
            self.model.statements_of(statements)?.into_iter().flat_map(|statement| &statement.accesses);
        Ok(accesses.filter(|access| access.array == array).collect())
    }

    /// True if a kernel writes elements of an array in the device's memory.
    pub fn is_written_by_kernels(&self, array: ArrayId) -> Result<bool> {
        Ok(self.kernel_accesses(array)?.iter().any(|access| access.kind == AccessKind::Write))
    }

    /// The parameters for which kernels touch an array.
    pub fn used_where(&self, array: ArrayId) -> Result<Set> {
        let array = self.model.array(array)?;
        Ok(self.elements(array, &self.kernel_accesses(array.id)?)?.params()?)
    }

    /// The arrays in the device's memory, and the host's temporaries.
    pub fn device_arrays(
        &self,
        transfers: Transfers<'_>,
        numberer: &Numberer<'_>,
    ) -> Result<Vec<DeviceArray>> {
        let mut arrays = Vec::new();
        for array in &self.model.arrays {
            if let Some(in_slices) = self.device_array(array)? {
                arrays.push(transfer_layout::choose(self, in_slices, array, transfers, numberer)?);
            }
        }
        Ok(arrays)
    }

    fn device_array(&self, array: &Array) -> Result<Option<DeviceArray>> {
        let kernel = self.kernel_accesses(array.id)?;
        let host = self.host_accesses(array.id)?;
        if kernel.is_empty() && (array.visible || host.is_empty()) {
            return Ok(None);
        }
        if array.is_scalar() && array.visible && self.is_never_written(array.id) {
            return Ok(None);
        }
        let everyone: Vec<&Access> =
            if array.visible { kernel.clone() } else { kernel.iter().chain(&host).copied().collect() };
        let elements = self.elements(array, &everyone)?;
        let mut placed =
            if array.visible { self.slice(array, &elements)? } else { self.whole(array, &elements)? };
        if array.visible {
            let Moved { copy_in, copy_out } = self.in_slices(&placed, array, &elements)?;
            placed.copy_in = IslSet(copy_in.text()?);
            placed.copy_out = IslSet(copy_out.text()?);
        }
        placed.memory = self.constants.get(&array.id).copied().unwrap_or_default();
        Ok(Some(placed))
    }

    fn is_never_written(&self, array: ArrayId) -> bool {
        let mut accesses = self.model.statements.iter().flat_map(|statement| &statement.accesses);
        !accesses.any(|access| access.array == array && access.kind == AccessKind::Write)
    }

    /// The elements of an array that some accesses touch.
    pub fn elements(&self, array: &Array, accesses: &[&Access]) -> Result<Set> {
        let mut all = no_elements(array)?;
        for access in accesses {
            all = all.union(self.touched(access)?)?;
        }
        all.simplified()
    }

    fn touched(&self, access: &Access) -> Result<Set> {
        let relation = Map::parse(&access.relation.0)?;
        let owner = self.model.statements.iter().find(|statement| statement.access(access.id).is_some());
        let domain = Set::parse(owner.map_or("{ }", |statement| statement.domain.0.as_str()))?;
        let context = Set::parse(&self.model.context.0)?;
        Ok(relation.intersect_domain(domain)?.intersect_params(context)?.range()?)
    }

    /// The smallest slice of the outermost dimension that holds all elements.
    fn slice(&self, array: &Array, elements: &Set) -> Result<DeviceArray> {
        let inner = array.extents.iter().skip(1).filter_map(|extent| extent.value.clone()).collect();
        let (lower, extent) = match array.extents.len() {
            0 => (PwAff::parse("{ [(0)] }")?, PwAff::parse("{ [(1)] }")?),
            _ => parameter_range(elements, 0)?,
        };
        let extent = if array.stay.is_some() && !self.constants.contains_key(&array.id) {
            self.only_in_array(array, &lower, extent, elements)?
        } else {
            extent
        };
        on_device(array, (text(&lower)?, text(&extent)?), inner, Vec::new())
    }

    /// The extent of a slice that is used for some parameters; zero for others, if the slice may reach beyond the array
    /// there. What stays on the device is compared with the slices of other regions, used or not.
    fn only_in_array(&self, array: &Array, lower: &PwAff, extent: PwAff, elements: &Set) -> Result<PwAff> {
        let zero = PwAff::parse("{ [(0)] }")?;
        let defined = extent.copy()?.params()?.intersect(lower.copy()?.params()?)?;
        let mut inside = extent.copy()?.le_set(zero.copy()?)?;
        if let Some(length) = array.extents.first().and_then(|extent| extent.value.as_ref()) {
            let ends = lower.copy()?.add(extent.copy()?)?.le_set(PwAff::parse(&length.0)?)?;
            inside = inside.union(lower.copy()?.ge_set(zero.copy()?)?.intersect(ends)?)?;
        }
        let possible = Set::parse(&self.model.context.0)?;
        let unused = possible.subtract(elements.copy()?.params()?)?;
        if unused.is_subset(&inside.intersect(defined)?)? {
            return Ok(extent);
        }
        zero_without(elements, extent)
    }

    /// The bounding box of an array that is declared in the region.
    fn whole(&self, array: &Array, elements: &Set) -> Result<DeviceArray> {
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

    /// What is transferred if the whole slice is, each way: all of it that the kernels do not certainly write must go
    /// there if anything comes back.
    fn in_slices(&self, placed: &DeviceArray, array: &Array, elements: &Set) -> Result<Moved> {
        let kernel = self.kernel_accesses(array.id)?;
        let has_host_code = !self.host_accesses(array.id)?.is_empty();
        let Moved { mut copy_in, copy_out } = self.needed(array, &kernel)?;
        if !copy_out.is_empty()? || has_host_code {
            let all = slice_of(placed, array, elements)?;
            copy_in = copy_in.union(all.subtract(self.certainly_written(array, &kernel)?)?)?.simplified()?;
        }
        if has_host_code {
            copy_in = copy_in.union(elements.copy()?)?.simplified()?;
        }
        Ok(Moved { copy_in, copy_out })
    }

    /// All elements of the slice that the device holds, where kernels use any of them.
    pub fn in_slice(&self, placed: &DeviceArray) -> Result<Set> {
        let array = self.model.array(placed.array)?;
        slice_of(placed, array, &self.elements(array, &self.kernel_accesses(array.id)?)?)
    }

    /// What must be transferred: the values from before the region that some accesses read, and those for behind it
    /// that they write. Of the latter go there as well what they may leave as it is, and of the array what kernels read
    /// without need.
    pub fn needed(&self, array: &Array, accesses: &[&Access]) -> Result<Moved> {
        let copy_out = self.live_out(array, accesses)?;
        let untouched = copy_out.copy()?.subtract(self.certainly_written(array, accesses)?)?;
        let mut copy_in = self.live_in(array, accesses)?.union(untouched)?;
        if let Some(unneeded) = self.read_without_need.get(&array.id) {
            copy_in = copy_in.union(unneeded.copy()?)?;
        }
        Ok(Moved { copy_in: copy_in.simplified()?, copy_out })
    }

    /// The elements with values from before the region that some accesses read.
    fn live_in(&self, array: &Array, accesses: &[&Access]) -> Result<Set> {
        live_elements(&self.dependences.live_in, accesses, array)
    }

    /// The elements with values for behind the region that some accesses write.
    fn live_out(&self, array: &Array, accesses: &[&Access]) -> Result<Set> {
        live_elements(&self.dependences.live_out, accesses, array)
    }

    /// The elements that some of these accesses certainly writes.
    pub fn certainly_written(&self, array: &Array, accesses: &[&Access]) -> Result<Set> {
        let writes = accesses.iter().filter(|a| a.kind == AccessKind::Write && a.certainty.is_must());
        self.elements(array, &writes.copied().collect::<Vec<_>>())
    }
}

/// All elements of a slice, where some elements are used.
fn slice_of(placed: &DeviceArray, array: &Array, used: &Set) -> Result<Set> {
    let all = Set::universe(no_elements(array)?.get_space()?)?;
    Ok(placed.slice(array.extents.len()).part_of(all)?.intersect_params(used.copy()?.params()?)?)
}

/// The elements of an array that are transferred.
pub struct Moved {
    /// To the device before the region.
    pub copy_in: Set,
    /// From the device after it.
    pub copy_out: Set,
}

/// A slice of an array, of which nothing is transferred.
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
        stays: false,
        copy_in: nothing.clone(),
        copy_out: nothing,
        reason: String::new(),
    })
}

fn no_elements(array: &Array) -> Result<Set> {
    Set::parse(&format!("{{ {}[{}] : false }}", array.id, names("x", array.extents.len() as u32)))
}

fn text(function: &PwAff) -> Result<IslPwAff> {
    Ok(IslPwAff(function.text()?))
}

pub fn live_elements(live: &[LiveAccess], accesses: &[&Access], array: &Array) -> Result<Set> {
    let mut all = no_elements(array)?;
    for item in live.iter().filter(|item| accesses.iter().any(|access| access.id == item.access)) {
        let space = all.get_space()?;
        all = all.union(UnionSet::parse(&item.elements.0)?.extract_set(space)?)?;
    }
    all.simplified()
}
