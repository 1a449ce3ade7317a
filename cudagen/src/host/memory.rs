//! The memory of a host function: sizes, allocations, deallocations.

use scop::Diagnostics;
use scop::c_text::Dialect;

use crate::code::element::number_of_all;
use crate::code::frame::Frame;
use crate::code::stmt::Stmt;
use crate::host::extents::{bytes, bytes_from_zero, on_device, size_name, up_to_last_element};
use crate::host::operation::{HostOp, Pointer};
use crate::host::{constant, packing, residency};
use crate::model::data::{Datum, HostForm};
use crate::model::members;

/// Declares the sizes of the slices.
///
/// # Errors
/// Reports a bug if the document uses something that it does not define.
pub fn sizes(frame: &Frame<'_>, may_be_unused: bool) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
    let size =
        |name: &str, bytes: String| Stmt::Op(HostOp::Size { name: name.to_owned(), bytes, may_be_unused });
    let mut block = Vec::new();
    for (datum, slice, names) in on_device(frame)? {
        if datum.array.is_scalar() {
            continue;
        }
        if datum.packing().is_some() {
            let (element, count) = (datum.array.element, number_of_all(frame, datum)?);
            let element = Dialect::Cxx.type_name(element);
            block.push(size(&names.bytes, format!("sizeof({element}) * {count}")));
            continue;
        }
        block.push(size(&names.bytes, bytes(frame, datum, slice)));
        if let Some(copied) = up_to_last_element(frame, datum, &names.bytes)
            && members::of_structures(datum.array).is_none()
        {
            block.push(size(&names.copied, copied));
        }
    }
    Ok(block)
}

/// Declares the device pointers and allocates memory for them, and for arrays and scalars local to the region.
///
/// # Errors
/// Reports a bug if the document uses something that it does not define.
pub fn allocate(frame: &Frame<'_>) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
    let mut block = residency::reserve(frame)?;
    for (datum, _, names) in on_device(frame)?.into_iter().filter(|(datum, ..)| datum.packing().is_none()) {
        block.push(if datum.resident.is_some() {
            residency::pointer(frame, datum, &names.pointer)?
        } else {
            Stmt::Op(HostOp::Allocate {
                pointer: Pointer { ctype: datum.array.element, name: names.pointer.clone() },
                bytes: size_name(frame, datum)?,
                makes_room: frame.view.residency.is_some(),
            })
        });
    }
    block.extend(packing::allocate(frame)?);
    block.extend(constant::declare(frame)?);
    block.extend(frame.view.data.values().filter_map(|datum| own_memory(frame, datum)));
    Ok(block)
}

/// Allocates host memory for an array or scalar local to the region.
fn own_memory(frame: &Frame<'_>, datum: &Datum<'_>) -> Option<Stmt<HostOp>> {
    let (name, ctype) = (datum.array.name.clone(), datum.array.element);
    match (datum.host, &datum.slice) {
        (HostForm::Local, _) => {
            let text = format!("{} {name};", Dialect::Cxx.type_name(ctype));
            Some(Stmt::Declare { name, text })
        }
        (HostForm::Heap, Some(slice)) => Some(Stmt::Op(HostOp::AllocateOnHost {
            pointer: Pointer { ctype, name },
            bytes: bytes_from_zero(frame, datum, slice),
        })),
        _ => None,
    }
}

/// Frees all this memory.
///
/// # Errors
/// Reports a bug if the document uses something that it does not define.
pub fn free(frame: &Frame<'_>) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
    let mut block = Vec::new();
    for (datum, _, names) in on_device(frame)? {
        if datum.packing().is_none() && datum.resident.is_none() {
            block.push(Stmt::Op(HostOp::Free(names.pointer.clone())));
        }
    }
    block.extend(packing::free(frame)?);
    block.extend(residency::done(frame));
    block.extend(constant::release(frame)?);
    let heap = frame.view.data.values().filter(|datum| datum.host == HostForm::Heap);
    block.extend(heap.map(|datum| Stmt::Op(packing::free_on_host(frame, &datum.array.name))));
    Ok(block)
}
