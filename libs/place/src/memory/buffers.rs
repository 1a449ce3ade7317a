//! The buffers of kernels, and what follows from them for the arrays whose elements they hold.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{Result, Set};
use scop::{AccessId, ArrayId, BufferId, Kernel, KernelPlacement, Mapping, Model, UnlikePrice};

use crate::memory::counted::Counted;
use crate::memory::private::PrivateBuffer;
use crate::memory::shared::SharedBuffer;

/// The buffers of one kernel.
pub struct Buffers {
    /// The buffers in registers.
    pub private: Vec<PrivateBuffer>,
    /// The buffers in shared memory.
    pub shared: Vec<SharedBuffer>,
    /// What was counted of arrays in order to decide whether copies in shared memory pay.
    pub counted: Vec<Counted>,
    /// The shared memory that a block would have without wishes for less, in bytes, if there is such a wish.
    pub without_limit: Option<u64>,
}

impl Buffers {
    /// Returns the accesses of private buffers without copies, which never reach the array in this kernel.
    fn contracted(&self) -> Result<BTreeSet<AccessId>> {
        let mut found = BTreeSet::new();
        for private in &self.private {
            if private.copy_in.is_empty()? && private.copy_out.is_empty()? {
                found.extend(&private.buffer.accesses);
            }
        }
        Ok(found)
    }

    /// Returns the elements that are copied in without need, with their arrays.
    fn unneeded(&self) -> impl Iterator<Item = (ArrayId, &Set)> {
        let private = self.private.iter().map(|private| (private.buffer.array, &private.unneeded));
        let shared = self.shared.iter().map(|shared| (shared.buffer.array, &shared.unneeded));
        private.chain(shared).filter_map(|(array, unneeded)| Some((array, unneeded.as_ref()?)))
    }

    /// Returns the shared memory of a block, in bytes.
    pub fn shared_bytes(&self) -> u64 {
        self.shared.iter().map(|shared| shared.bytes).sum()
    }

    /// Returns the buffers that keep elements from one step of a loop over tiles to the next.
    pub fn retaining(&self) -> Vec<BufferId> {
        self.shared.iter().filter(|shared| shared.retains).map(|shared| shared.buffer.id).collect()
    }

    /// Converts the buffers to their form in the document.
    pub fn finish(self, kernel: &Kernel, unlike_price: Vec<UnlikePrice>) -> KernelPlacement {
        let shared_bytes = self.shared_bytes();
        let private = self.private.into_iter().map(|private| private.buffer);
        let mut buffers: Vec<_> =
            private.chain(self.shared.into_iter().map(|shared| shared.buffer)).collect();
        buffers.sort_by_key(|buffer| buffer.id);
        KernelPlacement { kernel: kernel.id, buffers, shared_bytes, unlike_price }
    }
}

/// Returns the accesses that do not reach the array in any kernel that executes them. `chosen` is in the order of the
/// kernels.
pub fn contracted(model: &Model, mapping: &Mapping, chosen: &[Buffers]) -> Result<BTreeSet<AccessId>> {
    let (mut somewhere, mut reaching) = (BTreeSet::new(), BTreeSet::new());
    for (kernel, buffers) in mapping.kernels.iter().zip(chosen) {
        let contracted = buffers.contracted()?;
        let accesses = model.statements_of(&kernel.statements)?.into_iter().flat_map(|one| &one.accesses);
        reaching.extend(accesses.map(|access| access.id).filter(|id| !contracted.contains(id)));
        somewhere.extend(contracted);
    }
    Ok(&somewhere - &reaching)
}

/// Returns the elements of each array that kernels copy into buffers without need.
pub fn read_without_need(chosen: &[Buffers]) -> Result<BTreeMap<ArrayId, Set>> {
    let mut all: BTreeMap<ArrayId, Set> = BTreeMap::new();
    for (array, unneeded) in chosen.iter().flat_map(Buffers::unneeded) {
        let others = all.remove(&array).map_or_else(|| unneeded.copy(), Ok)?;
        all.insert(array, others.union(unneeded.copy()?)?);
    }
    Ok(all)
}
