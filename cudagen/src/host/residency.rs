//! Arrays that stay on the device from one region to the next.
//!
//! Each thread of the host has a list of the pieces of memory that the device holds for it, by their addresses on the
//! host. A region takes the piece that has its slice, or adds one; what it needs is copied if it is not there, and
//! what it wrote is noted. After the last region of a residency the C source calls a function that copies back what is
//! newer on the device, and frees it.
//!
//! Different names of the same memory find the same piece. Regions of a residency that transfer an array in another way,
//! or read it on the host, copy its pieces back first, and so does a function that declines, because the original
//! region then runs on the host.

use scop::{Array, Diagnostic, Diagnostics};

use crate::code::frame::Frame;
use crate::code::stmt::Stmt;
use crate::host::extents::{host_start, range, slice_of};
use crate::host::operation::{HostOp, Pointer, ResidencyOp};
use crate::model::data::{Datum, HostForm};

/// What comes before the device pointers of a region in a residency.
///
/// # Errors
/// The document uses what it does not define.
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

/// Declares the device pointer of an array that stays.
///
/// # Errors
/// The device holds nothing of it.
pub fn pointer(frame: &Frame<'_>, datum: &Datum<'_>, name: &str) -> Result<Stmt<HostOp>, Diagnostics> {
    let start = host_start(frame, datum, slice_of(datum)?);
    frame.note(datum.array.id, false);
    let pointer = Pointer { ctype: datum.array.element, name: name.to_owned() };
    Ok(op(ResidencyOp::Find { pointer, start }))
}

/// What stands in the place of a transfer.
///
/// # Errors
/// The device holds nothing of the array.
pub fn transfer(frame: &Frame<'_>, datum: &Datum<'_>, to_device: bool) -> Result<Stmt<HostOp>, Diagnostics> {
    let start = host_start(frame, datum, slice_of(datum)?);
    frame.note(datum.array.id, !to_device);
    Ok(op(match to_device {
        true => ResidencyOp::Needs { start },
        false => ResidencyOp::Wrote { start, back_after: back_after(datum.array) },
    }))
}

/// After which residency what a region wrote is copied back; -1 for after the region.
fn back_after(array: &Array) -> i64 {
    let residency = if array.read_between { array.copied_back_after } else { array.residency };
    residency.map_or(-1, |residency| residency.0.into())
}

/// The end of a region.
pub fn done(frame: &Frame<'_>) -> Option<Stmt<HostOp>> {
    let any = frame.view.data.values().any(|datum| datum.residency.is_some());
    any.then_some(op(ResidencyOp::Done))
}

fn op(op: ResidencyOp) -> Stmt<HostOp> {
    Stmt::Op(HostOp::Residency(op))
}
