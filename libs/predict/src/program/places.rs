//! Where the accesses of a leaf go.

use std::collections::{BTreeMap, BTreeSet};

use scop::ast::{AccessPlace, ArraySlice, AstExpr, AstOp};
use scop::{
    AccessKind, ArrayId, Buffer, BufferId, DeviceMemory, Diagnostic, Diagnostics, KernelId, Layout, Scanned,
    Scop, Statement,
};

use super::{ArraySize, failed, undefined};
use crate::expression::{Compiled, Scope};

/// The memory of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Memory {
    /// Global memory, with the position of the array among those of the loop program.
    Global(usize),
    /// Constant memory, with the same.
    Constant(usize),
    /// Shared memory, with the first byte of the buffer and the number of its bytes.
    Shared(u64, u64),
}

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It loads.
    Load,
    /// It stores.
    Store,
    /// It updates an element by an atomic operation.
    Atomic,
}

/// An access to memory.
#[derive(Debug)]
pub struct Place {
    /// The memory.
    pub memory: Memory,
    /// What it does.
    pub kind: Kind,
    /// The element's position; nothing if only data determine it.
    pub position: Option<Compiled>,
    /// The bytes of an element.
    pub bytes: u64,
}

/// Finds the memory of accesses.
pub struct Places<'a> {
    scop: &'a Scop<Scanned>,
    /// The slices, by array, with their positions.
    slices: BTreeMap<ArrayId, (usize, &'a ArraySlice)>,
    /// The buffers of all kernels, each with its first byte in the shared memory of a block.
    buffers: BTreeMap<BufferId, (&'a Buffer, u64)>,
    /// The arrays in constant memory.
    constant: BTreeSet<ArrayId>,
}

impl<'a> Places<'a> {
    /// Collects what a scop has.
    pub fn new(scop: &'a Scop<Scanned>) -> Self {
        let slices = scop.stage.ast.arrays.iter().enumerate();
        let placement = &scop.stage.placed.placement;
        let constant = placement.device.iter().filter(|array| array.memory != DeviceMemory::Global);
        let mut places = Self {
            scop,
            slices: slices.map(|(number, slice)| (slice.array, (number, slice))).collect(),
            buffers: BTreeMap::new(),
            constant: constant.map(|array| array.array).collect(),
        };
        for kernel in &placement.kernels {
            let mut next = 0;
            for buffer in &kernel.buffers {
                places.buffers.insert(buffer.id, (buffer, next));
                if buffer.memory == scop::Memory::Shared {
                    let bytes = buffer.elements() * places.element_bytes(buffer.array);
                    next = (next + bytes).next_multiple_of(LARGEST_ELEMENT);
                }
            }
        }
        places
    }

    /// Returns the sizes of the arrays.
    ///
    /// # Errors
    /// Returns a name that is not defined.
    pub fn sizes(&self, scope: &Scope) -> Result<Vec<ArraySize>, String> {
        let of = |slice: &ArraySlice| {
            let extents = match &slice.packing {
                Some(packing) => vec![packing.count.clone()],
                None => std::iter::once(&slice.extent).chain(&slice.inner_extents).cloned().collect(),
            };
            let element_bytes = self.element_bytes(slice.array);
            Ok(ArraySize { extents: scope.compile_all(&extents)?, element_bytes })
        };
        self.scop.stage.ast.arrays.iter().map(of).collect()
    }

    fn element_bytes(&self, array: ArrayId) -> u64 {
        self.scop.model.array(array).map_or(1, |array| u64::from(array.element.size()))
    }

    /// Returns the accesses of a statement's instance to memory, in order: what it reads, then what it writes. A
    /// scalar that is only read is an argument of the kernel, and registers are not memory.
    ///
    /// # Errors
    /// Reports a bug if the document names what it does not define.
    pub fn of_instance(
        &self,
        statement: &Statement,
        accesses: &[AccessPlace],
        scope: &Scope,
    ) -> Result<Vec<Place>, Diagnostics> {
        let dependences = self.scop.stage.placed.scheduled.ordered.respected();
        let mut places = Vec::new();
        for wanted in [AccessKind::Read, AccessKind::Write] {
            for place in accesses {
                let access = self.scop.model.access(place.access).map_err(|error| failed(&error))?;
                if access.kind != wanted || statement.access(access.id).is_none() {
                    continue;
                }
                let kind = match (dependences.relaxed_by(access.id), wanted) {
                    (Some(_), AccessKind::Read) => continue,
                    (Some(_), AccessKind::Write) => Kind::Atomic,
                    (None, AccessKind::Read) => Kind::Load,
                    (None, AccessKind::Write) => Kind::Store,
                };
                let is_indirect = access.indirect;
                let index = (!is_indirect).then_some(&place.index[..]);
                places.extend(match place.buffer {
                    Some(buffer) => self.in_buffer(buffer, kind, index, scope)?,
                    None => self.in_array(access.array, kind, index, scope)?,
                });
            }
        }
        Ok(places)
    }

    /// Returns the accesses of a copy between an array and a buffer.
    ///
    /// # Errors
    /// As [`Self::of_instance`].
    pub fn of_copy(
        &self,
        kernel: KernelId,
        id: BufferId,
        into_buffer: bool,
        (element, place): (&[AstExpr], &[AstExpr]),
        scope: &Scope,
    ) -> Result<Vec<Place>, Diagnostics> {
        let (buffer, _) = self
            .buffer(id)
            .ok_or_else(|| Diagnostic::bug(crate::NAME, format!("kernel {kernel} has no buffer {id}")))?;
        let array_kind = match (into_buffer, buffer.has_block_sums()) {
            (true, true) => None,
            (true, false) => Some(Kind::Load),
            (false, true) => Some(Kind::Atomic),
            (false, false) => Some(Kind::Store),
        };
        let array = match array_kind {
            Some(kind) => self.in_array(buffer.array, kind, Some(element), scope)?,
            None => None,
        };
        let kind = if into_buffer { Kind::Store } else { Kind::Load };
        let buffer = self.in_buffer(id, kind, Some(place), scope)?;
        let both = if into_buffer { [array, buffer] } else { [buffer, array] };
        Ok(both.into_iter().flatten().collect())
    }

    /// Returns a buffer that has the values of a sum that threads share.
    pub fn partial(&self, id: BufferId) -> Option<&'a Buffer> {
        let buffer = self.buffer(id).map(|(buffer, _)| buffer);
        buffer.filter(|buffer| buffer.partial.is_some() && !buffer.has_block_sums())
    }

    /// Returns what a thread loads and stores to combine a shared sum with an element.
    pub fn of_combination(
        &self,
        id: BufferId,
        element: &[AstExpr],
        scope: &Scope,
    ) -> Result<Vec<Place>, Diagnostics> {
        let (buffer, _) = self
            .buffer(id)
            .ok_or_else(|| Diagnostic::bug(crate::NAME, format!("there is no buffer {id}")))?;
        let place = |kind| self.in_array(buffer.array, kind, Some(element), scope);
        Ok([place(Kind::Load)?, place(Kind::Store)?].into_iter().flatten().collect())
    }

    fn buffer(&self, id: BufferId) -> Option<(&'a Buffer, u64)> {
        self.buffers.get(&id).copied()
    }

    fn in_buffer(
        &self,
        id: BufferId,
        kind: Kind,
        index: Option<&[AstExpr]>,
        scope: &Scope,
    ) -> Result<Option<Place>, Diagnostics> {
        let (buffer, first_byte) = self
            .buffer(id)
            .ok_or_else(|| Diagnostic::bug(crate::NAME, format!("there is no buffer {id}")))?;
        if buffer.memory == scop::Memory::Private {
            return Ok(None);
        }
        let padding = match buffer.layout {
            Layout::Box { padding } | Layout::Ring { padding } => padding,
            // Elements are numbered in the order of the box.
            Layout::Dense { .. } => 0,
        };
        let mut sizes: Vec<AstExpr> =
            buffer.sizes.iter().skip(1).map(|size| AstExpr::Int(i64::from(*size))).collect();
        if let (Some(AstExpr::Int(row)), true) = (sizes.last_mut(), padding > 0) {
            *row += i64::from(padding);
        }
        let compiled = |index| scope.compile(&row_major(index, &sizes)).map_err(undefined);
        let position = index.map(compiled).transpose()?;
        let bytes = self.element_bytes(buffer.array);
        let memory = Memory::Shared(first_byte, buffer.elements() * bytes);
        Ok(Some(Place { memory, kind, position, bytes }))
    }

    /// Returns the access to an element of an array; of an unknown element without an index.
    fn in_array(
        &self,
        array: ArrayId,
        kind: Kind,
        index: Option<&[AstExpr]>,
        scope: &Scope,
    ) -> Result<Option<Place>, Diagnostics> {
        let Some(&(number, slice)) = self.slices.get(&array) else { return Ok(None) };
        let memory =
            if self.constant.contains(&array) { Memory::Constant(number) } else { Memory::Global(number) };
        let position =
            index.map(|index| scope.compile(&position(slice, index)).map_err(undefined)).transpose()?;
        Ok(Some(Place { memory, kind, position, bytes: self.element_bytes(array) }))
    }
}

/// The size of the largest element, on which buffers are aligned.
const LARGEST_ELEMENT: u64 = 16;

/// Returns the position of an element in the slice of its array.
fn position(slice: &ArraySlice, index: &[AstExpr]) -> AstExpr {
    if let Some(packing) = &slice.packing {
        let value = |name: &str| {
            let position = packing.subscripts.iter().position(|subscript| subscript == name)?;
            index.get(position).cloned()
        };
        return packing.position.with_values(&value);
    }
    let Some((first, rest)) = index.split_first() else { return AstExpr::Int(0) };
    let first = AstExpr::Op(AstOp::Sub, vec![first.clone(), slice.lower.clone()]);
    let index: Vec<_> = std::iter::once(first).chain(rest.iter().cloned()).collect();
    row_major(&index, &slice.inner_extents)
}

/// Returns the position of an element in row-major order, given the sizes of all dimensions but the first.
fn row_major(index: &[AstExpr], inner: &[AstExpr]) -> AstExpr {
    let Some((first, rest)) = index.split_first() else { return AstExpr::Int(0) };
    rest.iter().zip(inner).fold(first.clone(), |position, (next, size)| {
        let rows = AstExpr::Op(AstOp::Mul, vec![position, size.clone()]);
        AstExpr::Op(AstOp::Add, vec![rows, next.clone()])
    })
}
