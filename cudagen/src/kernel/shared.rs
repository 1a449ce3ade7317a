//! The shared memory of a kernel.
//!
//! A block may declare 48 KiB. GPUs since 2017 grant more to a kernel that requests it at its launch. Then all shared
//! memory is one array without a size, and the buffers are parts of it.

use scop::{Buffer, Diagnostic, Diagnostics, Layout, Memory};

use crate::code::frame::Uses;
use crate::code::stmt::Stmt;
use crate::kernel::program::{Declared, KernelOp};
use crate::model::view::{NamedBuffer, View};

/// The number of bytes that a block may declare.
const STATIC_BYTES: u64 = 49_152;
/// The largest number of bytes that any GPU grants a block (compute capability 9.0).
const MOST_BYTES: u64 = 232_448;
/// The alignment of a buffer in bytes: a multiple of the size of every type.
const ALIGNMENT: u64 = 16;

/// The buffers of a kernel in shared memory, with their offsets in bytes.
pub struct SharedMemory<'a> {
    buffers: Vec<(&'a NamedBuffer<'a>, u64)>,
    bytes: u64,
}

impl<'a> SharedMemory<'a> {
    /// Collects the shared buffers that a kernel uses.
    ///
    /// # Errors
    /// Returns `E0606` if they need more shared memory than any GPU has.
    pub fn of(view: &'a View<'a>, name: &str, uses: &Uses) -> Result<Self, Diagnostics> {
        let mut shared = Self { buffers: Vec::new(), bytes: 0 };
        let mut declared = 0u64;
        for id in &uses.buffers {
            let named = view.buffer(*id)?;
            if named.buffer.memory != Memory::Shared {
                continue;
            }
            let element = u64::from(view.element_of(named)?.size());
            let bytes = named.buffer.elements().saturating_mul(element);
            let start = shared.bytes.checked_next_multiple_of(ALIGNMENT).unwrap_or(u64::MAX);
            shared.buffers.push((named, start));
            shared.bytes = start.saturating_add(bytes);
            declared = declared.saturating_add(bytes);
        }
        if declared <= STATIC_BYTES {
            shared.bytes = declared;
        }
        if shared.bytes <= MOST_BYTES {
            return Ok(shared);
        }
        let bytes = shared.bytes;
        let message =
            format!("{name} needs {bytes} bytes of shared memory, but no GPU has more than {MOST_BYTES}");
        let help = "give gpulocalizer a smaller `--shared-memory`, or scheduler smaller tiles";
        Err(Diagnostic::error("E0606", message).with_help(help).into())
    }

    /// Returns the bytes that the launch has to request; 0 if the kernel declares its shared memory.
    pub fn dynamic_bytes(&self) -> u64 {
        if self.bytes > STATIC_BYTES { self.bytes } else { 0 }
    }

    /// Declares the array whose size the launch gives, and the buffers as its parts. Returns nothing if the kernel
    /// declares its shared memory.
    ///
    /// # Errors
    /// Reports a bug if the array of a buffer is missing.
    pub fn parts(&self, view: &View<'_>) -> Result<Vec<Stmt<KernelOp>>, Diagnostics> {
        if self.dynamic_bytes() == 0 {
            return Ok(Vec::new());
        }
        let all = view.names.clone().fresh("shared_memory");
        let mut block = vec![Stmt::Op(KernelOp::SharedMemory { name: all.clone(), alignment: ALIGNMENT })];
        for (named, start) in &self.buffers {
            let buffer = declared(view, named)?;
            block.push(Stmt::Op(KernelOp::Part { buffer, all: all.clone(), start: *start }));
        }
        Ok(block)
    }
}

/// Returns the declaration of a buffer, such as `__shared__ double shared_A[16][33];`.
///
/// # Errors
/// Reports a bug if the array of the buffer is missing.
pub fn declaration(view: &View<'_>, named: &NamedBuffer<'_>) -> Result<Stmt<KernelOp>, Diagnostics> {
    let buffer = declared(view, named)?;
    Ok(Stmt::Op(match named.buffer.memory {
        Memory::Shared => KernelOp::Shared(buffer),
        Memory::Private => KernelOp::Private(buffer),
    }))
}

fn declared(view: &View<'_>, named: &NamedBuffer<'_>) -> Result<Declared, Diagnostics> {
    let (ctype, name) = (view.element_of(named)?, named.name.clone());
    Ok(Declared { ctype, name, extents: extents(named.buffer) })
}

/// Returns the extents of a buffer in memory.
fn extents(buffer: &Buffer) -> Vec<u32> {
    let mut sizes = buffer.sizes.clone();
    match (&buffer.layout, sizes.last_mut()) {
        (Layout::Dense { elements, .. }, _) => return vec![*elements],
        (Layout::Box { padding } | Layout::Ring { padding }, Some(last)) => {
            *last = last.saturating_add(*padding);
        }
        (_, None) => {}
    }
    sizes
}
