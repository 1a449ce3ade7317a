//! What the kernels and the host do with the arrays of a region.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{Map, Result, Set, Simplify, Text};
use scop::{
    Access, AccessId, AccessKind, Array, ArrayId, Dependences, DeviceArray, Mapping, Model, StatementId,
};

use place::kernel::elements::{live_elements, no_elements};
use place::memory::constant::Constants;

/// What the kernels and the host do with the arrays of a scop.
pub struct Usage<'a> {
    /// The scop's model.
    pub model: &'a Model,
    /// The scop's kernels and host statements.
    pub mapping: &'a Mapping,
    /// The dependences, and the values that are live before and after the region.
    pub dependences: &'a Dependences,
    /// The accesses whose values never leave a private buffer.
    pub contracted: BTreeSet<AccessId>,
    /// The arrays in constant memory.
    pub constants: &'a Constants,
    /// Elements that kernels copy into buffers without need. They must have values.
    pub read_without_need: BTreeMap<ArrayId, Set>,
}

impl<'a> Usage<'a> {
    /// Returns the accesses of kernels to an array that reach the device's memory.
    pub fn kernel_accesses(&self, array: ArrayId) -> Result<Vec<&'a Access>> {
        let in_kernels = self.mapping.kernels.iter().flat_map(|kernel| &kernel.statements);
        let statements: BTreeSet<_> = in_kernels.collect();
        let mut accesses = self.accesses_of(statements, array)?;
        accesses.retain(|access| !self.contracted.contains(&access.id));
        Ok(accesses)
    }

    /// Returns the accesses of host code to an array.
    pub fn host_accesses(&self, array: ArrayId) -> Result<Vec<&'a Access>> {
        self.accesses_of(self.mapping.host.iter().map(|host| &host.statement), array)
    }

    /// Returns the accesses of some statements to an array.
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

    /// Returns the parameters for which kernels touch an array.
    pub fn used_where(&self, array: ArrayId) -> Result<Set> {
        let array = self.model.array(array)?;
        Ok(self.elements(array, &self.kernel_accesses(array.id)?)?.params()?)
    }

    /// Returns the elements of an array that some accesses touch.
    pub fn elements(&self, array: &Array, accesses: &[&Access]) -> Result<Set> {
        let mut all = no_elements(array)?;
        for access in accesses {
            all = all.union(self.touched(access)?)?;
        }
        all.simplified()
    }

    fn touched(&self, access: &Access) -> Result<Set> {
        let relation = Map::parse(&access.relation.0)?;
        let domain = Set::parse(&self.model.owner(access.id)?.domain.0)?;
        let context = Set::parse(&self.model.context.0)?;
        Ok(relation.intersect_domain(domain)?.intersect_params(context)?.range()?)
    }

    /// Returns all elements of the slice that the device holds, for parameters for which kernels use any of them.
    pub fn in_slice(&self, placed: &DeviceArray) -> Result<Set> {
        let array = self.model.array(placed.array)?;
        slice_of(placed, array, &self.elements(array, &self.kernel_accesses(array.id)?)?)
    }

    /// Returns the elements that must be transferred for some accesses to an array. Elements that the accesses write
    /// and that are read after the region are copied out. Three kinds of elements are copied in: those whose values
    /// from before the region the accesses read, those that are copied out although the accesses may not write them,
    /// and those that kernels copy into buffers without need.
    pub fn needed(&self, array: &Array, accesses: &[&Access]) -> Result<Moved> {
        let copy_out = self.live_out(array, accesses)?;
        let untouched = copy_out.copy()?.subtract(self.certainly_written(array, accesses)?)?;
        let mut copy_in = self.live_in(array, accesses)?.union(untouched)?;
        if let Some(unneeded) = self.read_without_need.get(&array.id) {
            copy_in = copy_in.union(unneeded.copy()?)?;
        }
        Ok(Moved { copy_in: copy_in.simplified()?, copy_out })
    }

    /// Returns the elements whose values from before the region some accesses read.
    fn live_in(&self, array: &Array, accesses: &[&Access]) -> Result<Set> {
        live_elements(&self.dependences.live_in, accesses, array)
    }

    /// Returns the elements whose values some accesses write for the code after the region.
    fn live_out(&self, array: &Array, accesses: &[&Access]) -> Result<Set> {
        live_elements(&self.dependences.live_out, accesses, array)
    }

    /// Returns the elements that at least one of these accesses certainly writes.
    pub fn certainly_written(&self, array: &Array, accesses: &[&Access]) -> Result<Set> {
        let writes = accesses.iter().filter(|a| a.kind == AccessKind::Write && a.certainty.is_must());
        self.elements(array, &writes.copied().collect::<Vec<_>>())
    }
}

/// Returns all elements of a slice, for parameters for which some of `used` exist.
pub fn slice_of(placed: &DeviceArray, array: &Array, used: &Set) -> Result<Set> {
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
