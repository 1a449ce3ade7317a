//! Which part of which array is in the device's memory, and what crosses the bus.

use std::collections::BTreeSet;

use polyhedra::{Map, PwAff, Result, Set, Simplify, Text, UnionSet, parameter_range};
use scop::{
    Access, AccessId, AccessKind, Array, ArrayId, Dependences, DeviceArray, DeviceMemory, IslPwAff, IslSet,
    LiveAccess, Mapping, Model, StatementId,
};

use crate::kernel_view::names;
use crate::linearised;
use crate::numbering::Numberer;
use crate::options::Transfer;

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
    /// The arrays of which kernels copy more to shared memory than they need, so that all of it must be defined.
    pub read_in_boxes: BTreeSet<ArrayId>,
}

impl<'a> Usage<'a> {
    /// The accesses of kernels to an array that reach the device's memory.
    pub fn kernel_accesses(&self, array: ArrayId) -> Vec<&'a Access> {
        let statements = self.mapping.kernels.iter().flat_map(|kernel| &kernel.statements);
        statements
            .filter_map(|id| self.model.statements.get(id.index()))
            .flat_map(|statement| &statement.accesses)
            .filter(|access| access.array == array && !self.contracted.contains(&access.id))
            .collect()
    }

    /// The accesses of host code to an array.
    pub fn host_accesses(&self, array: ArrayId) -> Vec<&'a Access> {
        let statements: Vec<StatementId> = self.mapping.host.iter().map(|host| host.statement).collect();
        self.accesses_of(&statements, array)
    }

    /// The accesses of some statements to an array.
    pub fn accesses_of(&self, statements: &[StatementId], array: ArrayId) -> Vec<&'a Access> {
        statements
            .iter()
            .filter_map(|id| self.model.statements.get(id.index()))
            .flat_map(|statement| &statement.accesses)
            .filter(|access| access.array == array)
            .collect()
    }

    /// True if a kernel writes elements of an array in the device's memory.
    pub fn is_written_by_kernels(&self, array: ArrayId) -> bool {
        self.kernel_accesses(array).iter().any(|access| access.kind == AccessKind::Write)
    }

    /// The parameters for which kernels touch an array.
    pub fn used_where(&self, array: ArrayId) -> Result<Set> {
        let Some(array) = self.model.arrays.get(array.index()) else { return Set::parse("{ : false }") };
        Ok(self.elements(array, &self.kernel_accesses(array.id))?.params()?)
    }

    /// The arrays in the device's memory, and the host's temporaries.
    pub fn device_arrays(&self, transfer: Transfer, numberer: &mut Numberer) -> Result<Vec<DeviceArray>> {
        let mut arrays = Vec::new();
        for array in &self.model.arrays {
            if let Some(in_slices) = self.device_array(array)? {
                arrays.push(linearised::choose(self, in_slices, array, transfer, numberer)?);
            }
        }
        Ok(arrays)
    }

    fn device_array(&self, array: &Array) -> Result<Option<DeviceArray>> {
        let kernel = self.kernel_accesses(array.id);
        let host = self.host_accesses(array.id);
        if kernel.is_empty() && (array.visible || host.is_empty()) {
            return Ok(None);
        }
        if array.is_scalar() && array.visible && self.is_never_written(array.id) {
            return Ok(None);
        }
        let everyone: Vec<&Access> =
            if array.visible { kernel.clone() } else { kernel.iter().chain(&host).copied().collect() };
        let elements = self.elements(array, &everyone)?;
        let slice = if array.visible { self.slice(array, &elements)? } else { self.whole(array, &elements)? };
        let (copy_in, copy_out) = self.transfers(array, &kernel, &host, &slice, &elements)?;
        Ok(Some(DeviceArray {
            array: array.id,
            lower: slice.lower,
            extent: slice.extent,
            inner_extents: slice.inner,
            origin: slice.origin,
            numbering: None,
            numbered: None,
            memory: DeviceMemory::Global,
            copy_in: IslSet(copy_in.text()?),
            copy_out: IslSet(copy_out.text()?),
            reason: String::new(),
        }))
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
    fn slice(&self, array: &Array, elements: &Set) -> Result<Slice> {
        let inner = array.extents.iter().skip(1).filter_map(|extent| extent.value.clone()).collect();
        let (lower, extent) = match array.extents.len() {
            0 => (PwAff::parse("{ [(0)] }")?, PwAff::parse("{ [(1)] }")?),
            _ => parameter_range(elements, 0)?,
        };
        Ok(Slice { lower: text(&lower)?, extent: text(&extent)?, inner, origin: Vec::new() })
    }

    /// The bounding box of an array that is declared in the region.
    fn whole(&self, array: &Array, elements: &Set) -> Result<Slice> {
        let zero = IslPwAff("{ [(0)] }".to_owned());
        let mut origin = Vec::new();
        let mut extents = Vec::new();
        for position in 0..array.extents.len() {
            let (lower, extent) = parameter_range(elements, position as u32)?;
            origin.push(text(&lower)?);
            extents.push(text(&extent)?);
        }
        if extents.is_empty() {
            let one = IslPwAff("{ [(1)] }".to_owned());
            return Ok(Slice { lower: zero, extent: one, inner: Vec::new(), origin });
        }
        let extent = extents.remove(0);
        Ok(Slice { lower: zero, extent, inner: extents, origin })
    }

    /// The elements to bring to the device before the region and back after it.
    ///
    /// What comes back is the whole slice, so all of it that the kernels do not certainly write must go there as well.
    fn transfers(
        &self,
        array: &Array,
        kernel: &[&Access],
        host: &[&Access],
        slice: &Slice,
        elements: &Set,
    ) -> Result<(Set, Set)> {
        if !array.visible {
            return Ok((no_elements(array)?, no_elements(array)?));
        }
        let copy_out = self.live_out(array, kernel)?;
        let mut copy_in = self.live_in(array, kernel)?;
        if !copy_out.is_empty()? || !host.is_empty() {
            let all = slice_elements(array, slice)?.intersect_params(elements.copy()?.params()?)?;
            copy_in = copy_in.union(all.subtract(self.certainly_written(array, kernel)?)?)?.simplified()?;
        }
        if !host.is_empty() || self.read_in_boxes.contains(&array.id) {
            copy_in = copy_in.union(elements.copy()?)?.simplified()?;
        }
        Ok((copy_in, copy_out))
    }

    /// The elements with values from before the region that some accesses read.
    pub fn live_in(&self, array: &Array, accesses: &[&Access]) -> Result<Set> {
        live_elements(&self.dependences.live_in, accesses, array)
    }

    /// The elements with values for behind the region that some accesses write.
    pub fn live_out(&self, array: &Array, accesses: &[&Access]) -> Result<Set> {
        live_elements(&self.dependences.live_out, accesses, array)
    }

    /// The elements that some of these accesses certainly writes.
    pub fn certainly_written(&self, array: &Array, accesses: &[&Access]) -> Result<Set> {
        let writes = accesses.iter().filter(|a| a.kind == AccessKind::Write && a.certainty.is_must());
        self.elements(array, &writes.copied().collect::<Vec<_>>())
    }
}

/// The slice of an array as the document says it.
struct Slice {
    lower: IslPwAff,
    extent: IslPwAff,
    inner: Vec<IslPwAff>,
    origin: Vec<IslPwAff>,
}

fn no_elements(array: &Array) -> Result<Set> {
    Set::parse(&format!("{{ {}[{}] : false }}", array.id, names("x", array.extents.len() as u32)))
}

fn text(function: &PwAff) -> Result<IslPwAff> {
    Ok(IslPwAff(function.text()?))
}

fn live_elements(live: &[LiveAccess], accesses: &[&Access], array: &Array) -> Result<Set> {
    let mut all = no_elements(array)?;
    for item in live.iter().filter(|item| accesses.iter().any(|access| access.id == item.access)) {
        let space = all.get_space()?;
        all = all.union(UnionSet::parse(&item.elements.0)?.extract_set(space)?)?;
    }
    all.simplified()
}

/// `{ A0[x0, x1] : lower <= x0 < lower + extent and 0 <= x1 < extent1 }`
fn slice_elements(array: &Array, slice: &Slice) -> Result<Set> {
    let mut all = Set::parse(&format!("{{ {}[{}] }}", array.id, names("x", array.extents.len() as u32)))?;
    if array.extents.is_empty() {
        return Ok(all);
    }
    let lower = PwAff::parse(&slice.lower.0)?;
    let upper = lower.copy()?.add(PwAff::parse(&slice.extent.0)?)?;
    all = polyhedra::bounded(all, 0, lower, upper)?;
    for (position, extent) in slice.inner.iter().enumerate() {
        all = polyhedra::bounded(
            all,
            position as u32 + 1,
            PwAff::parse("{ [(0)] }")?,
            PwAff::parse(&extent.0)?,
        )?;
    }
    Ok(all)
}
