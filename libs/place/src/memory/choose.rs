//! Chooses the memory that serves each array in each kernel.

use std::collections::BTreeSet;

use polyhedra::{Result, ScheduleNode, within};
use scop::wish::MemoryKind;
use scop::{Array, ArrayId, BufferId, Dependences, Kernel, Mapping, Model};

use crate::counting::Counting;
use crate::index::arrange::Arranger;
use crate::kernel::view::{KernelView, arrays_of, kernel_node};
use crate::memory::buffers::Buffers;
use crate::memory::constant::Constants;
use crate::memory::{block_sums, coherent, operands, partial, private, shared, temporary};
use crate::wishes::Wishes;

/// A limit on isl operations for finding elements that a kernel reads and does not write.
const OPERATIONS: u64 = 200_000;

/// Chooses the buffers of kernels.
pub struct Chooser<'a> {
    /// The region's model.
    pub model: &'a Model,
    /// The region's dependences.
    pub dependences: &'a Dependences,
    /// The user's wishes.
    pub wishes: &'a Wishes<'a>,
    /// Counts the elements of dense layouts.
    pub counting: &'a Counting,
    /// The arrays in constant memory.
    pub constants: &'a Constants,
}

impl Chooser<'_> {
    /// Chooses the buffers of each kernel. A block may have `shared_memory` bytes of shared memory.
    ///
    /// # Errors
    /// Returns an error if an isl operation fails or a tree lacks a mark.
    pub fn choose_all(
        &self,
        mapping: &Mapping,
        root: &ScheduleNode,
        shared_memory: u64,
    ) -> Result<Vec<Buffers>> {
        let mut chosen = Vec::new();
        let mut next = BufferId(0);
        for kernel in &mapping.kernels {
            let node = kernel_node(root.copy()?, kernel)?;
            let limit = self.wishes.shared_memory(kernel.id);
            let mut buffers = self.choose(kernel, &node, limit.unwrap_or(shared_memory), next)?;
            if limit.is_some() {
                let unlimited = self.choose(kernel, &node, shared_memory, next)?;
                buffers.without_limit = Some(unlimited.shared_bytes());
            }
            next = BufferId(next.0 + (buffers.private.len() + buffers.shared.len()) as u32);
            chosen.push(buffers);
        }
        Ok(chosen)
    }

    /// Chooses a memory for each array of a kernel that is not in constant memory: registers if each element belongs
    /// to one thread, or else shared memory if elements are reused and `budget` bytes suffice.
    fn choose(
        &self,
        kernel: &Kernel,
        node: &ScheduleNode,
        mut budget: u64,
        first: BufferId,
    ) -> Result<Buffers> {
        let view = KernelView::new(self.model, kernel, node)?;
        let mut buffers =
            Buffers { private: Vec::new(), shared: Vec::new(), counted: Vec::new(), without_limit: None };
        let mut next = first;
        let mut atomic = self.atomic(kernel)?;
        for &array in &atomic {
            let array = self.model.array(array)?;
            let sums = match self.wishes.allows(kernel.id, array, MemoryKind::Shared) {
                true => {
                    let limits = (budget, self.wishes.staging(kernel.id, array));
                    let counted = &mut buffers.counted;
                    block_sums::block_sums(&view, self.dependences, array, next, limits, counted)?
                }
                false => None,
            };
            if let Some(sums) = sums {
                budget -= sums.bytes;
                buffers.shared.push(sums);
                next = BufferId(next.0 + 1);
            }
        }
        for &statement in &kernel.shared_sums {
            let partial = partial::partial_buffer(&view, self.dependences, statement, next)?;
            atomic.insert(partial.buffer.array);
            buffers.private.push(partial);
            next = BufferId(next.0 + 1);
        }
        let elsewhere = |array: &ArrayId| !self.constants.contains_key(array) && !atomic.contains(array);
        for array in arrays_of(self.model, kernel)?.into_iter().filter(elsewhere) {
            let array = self.model.array(array)?;
            let classes = match within(OPERATIONS, || view.written_and_read(array.id))?.flatten() {
                Some(classes) => classes.map(Some).into(),
                None => vec![None],
            };
            for class in classes {
                view.limit_to(class);
                let before = buffers.private.len() + buffers.shared.len();
                self.choose_for(&view, array, (&mut budget, next), &mut buffers)?;
                next = BufferId(next.0 + (buffers.private.len() + buffers.shared.len() - before) as u32);
            }
            view.limit_to(None);
        }
        Ok(buffers)
    }

    /// Chooses a memory for the accesses to an array that are in question.
    fn choose_for(
        &self,
        view: &KernelView<'_>,
        array: &Array,
        (budget, mut next): (&mut u64, BufferId),
        buffers: &mut Buffers,
    ) -> Result<()> {
        let kernel = view.kernel;
        let mut served = BTreeSet::new();
        if self.wishes.allows(kernel.id, array, MemoryKind::Private) {
            let private = match private::private_buffer(view, self.dependences, array, next)? {
                None => temporary::temporary(view, self.dependences, array, next)?,
                found => found,
            };
            if let Some(private) = private {
                buffers.private.push(private);
                return Ok(());
            }
            let operands = operands::operand_buffers(view, array, next)?;
            served = operands::served(&operands);
            next = BufferId(next.0 + operands.len() as u32);
            buffers.private.extend(operands);
        }
        if !self.wishes.allows(kernel.id, array, MemoryKind::Shared) {
            return Ok(());
        }
        let staging = self.wishes.staging(kernel.id, array);
        let choice = self.wishes.layout(kernel.id, array);
        let ahead = kernel.ahead && view.tile_depth > view.block_depth;
        let arranger = Arranger { counting: self.counting, choice, ahead };
        let counted = &mut buffers.counted;
        let coherent =
            coherent::coherent_buffer(view, self.dependences, array, &arranger, next, *budget, counted)?;
        let limits = (*budget, staging);
        let mut read_only = shared::shared_buffers(view, array, &served, &arranger, next, limits, counted)?;
        // A box may have more elements than are read.
        for position in (0..read_only.len()).rev() {
            if view.writes_any(array.id, &read_only[position].copy_in)? {
                read_only.truncate(position);
            }
        }
        for shared in coherent.into_iter().chain(read_only) {
            *budget -= shared.bytes;
            buffers.shared.push(shared);
        }
        Ok(())
    }

    /// Returns the arrays that threads of a kernel update by atomic operations, all of which have to reach the same
    /// memory.
    fn atomic(&self, kernel: &Kernel) -> Result<BTreeSet<ArrayId>> {
        let own =
            self.dependences.relaxed().filter(|reduction| kernel.statements.contains(&reduction.statement));
        own.map(|reduction| Ok(self.model.access(reduction.write)?.array)).collect()
    }
}
