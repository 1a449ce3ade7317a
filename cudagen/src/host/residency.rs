//! Arrays that remain on the device from one region to the next.
//!
//! Each host thread has a list of the pieces of memory that the device holds for it, by their addresses on the host.
//! A region uses the piece that contains its slice, or adds one. Data that the region needs is copied if it is not on
//! the device yet, and data that it wrote is noted. After the last region of a residency, the C source calls a
//! function that copies back what is newer on the device and frees the piece.
//!
//! Different names of the same memory find the same piece. A region of a residency that transfers an array in another
//! way, or uses it on the host, first copies its pieces back. So does a function that declines, because the original
//! region then runs on the host.

use scop::{Array, Diagnostic, Diagnostics};

use crate::code::frame::Frame;
use crate::code::stmt::Stmt;
use crate::host::extents::{host_start, range, slice_of};
use crate::host::operation::{HostOp, Pointer, ResidencyOp};
use crate::model::data::{Datum, HostForm};

/// Returns the operations before the device pointers of a region in a residency are declared.
///
/// # Errors
/// Reports a bug if the document uses something that it does not define.
pub fn reserve(frame: &Frame<'_>) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
    if !frame.view.in_residency {
        return Ok(Vec::new());
    }
    let of_caller = frame.view.data.values().filter(|datum| datum.host == HostForm::Pointer);
    let (resident, others): (Vec<_>, Vec<_>) = of_caller.partition(|datum| datum.residency.is_some());
    let mut block = Vec::new();
    for datum in others {
        block.push(op(ResidencyOp::Release(range(frame, datum)?)));
    }
    for datum in resident {
        let residency =
            datum.residency.ok_or_else(|| Diagnostic::bug("cudagen", "a residency was expected"))?;
        block.push(op(ResidencyOp::Reserve { residency: residency.0, range: range(frame, datum)? }));
    }
    Ok(block)
}

/// Declares the device pointer of a resident array.
///
/// # Errors
/// Reports a bug if the device holds nothing of the array.
pub fn pointer(frame: &Frame<'_>, datum: &Datum<'_>, name: &str) -> Result<Stmt<HostOp>, Diagnostics> {
    let start = host_start(frame, datum, slice_of(datum)?);
    frame.note(datum.array.id, false);
    let pointer = Pointer { ctype: datum.array.element, name: name.to_owned() };
    Ok(op(ResidencyOp::Find { pointer, start }))
}

/// Returns the operation that replaces a transfer of a resident array.
///
/// # Errors
/// Reports a bug if the device holds nothing of the array.
pub fn transfer(frame: &Frame<'_>, datum: &Datum<'_>, to_device: bool) -> Result<Stmt<HostOp>, Diagnostics> {
    let start = host_start(frame, datum, slice_of(datum)?);
    frame.note(datum.array.id, !to_device);
    Ok(op(match to_device {
        true => ResidencyOp::Needs { start },
        false => ResidencyOp::Wrote { start, back_after: back_after(datum.array) },
    }))
}

/// Returns the residency at whose end an array that the region wrote is copied back; -1 for the end of the region.
fn back_after(array: &Array) -> i64 {
    let residency = if array.read_between { array.copied_back_after } else { array.residency };
    residency.map_or(-1, |residency| residency.0.into())
}

/// Marks the end of a region that has resident arrays.
pub fn done(frame: &Frame<'_>) -> Option<Stmt<HostOp>> {
    let any = frame.view.data.values().any(|datum| datum.residency.is_some());
    any.then_some(op(ResidencyOp::Done))
}

fn op(op: ResidencyOp) -> Stmt<HostOp> {
    Stmt::Op(HostOp::Residency(op))
}
