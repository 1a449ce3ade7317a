//! Transfers of arrays, each in its own form.

use scop::{ArrayId, Diagnostics};

use crate::code::frame::Frame;
use crate::code::stmt::Stmt;
use crate::host::extents::{copied_name, host_start, rows, slice_of};
use crate::host::operation::{Copy, CopyForm, HostOp};
use crate::host::{boxes, constant, packing, residency};
use crate::model::data::Datum;
use crate::model::facts::Facts;
use crate::model::members;

/// Transfers arrays at one place, all in one direction, packed arrays with one copy per contiguous piece of memory.
///
/// # Errors
/// Reports a bug if the document uses something that it does not define.
pub fn transfers(
    frame: &Frame<'_>,
    arrays: &[ArrayId],
    to_device: bool,
    facts: &Facts,
) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
    let mut block = Vec::new();
    for array in arrays {
        let datum = frame.view.datum(*array)?;
        if datum.packing().is_none() {
            block.extend(of_one(frame, datum, to_device, facts)?);
        }
    }
    block.extend(packing::transfers(frame, arrays, to_device)?);
    Ok(block)
}

/// Transfers a slice, or boxes of it, between host and device.
fn of_one(
    frame: &Frame<'_>,
    datum: &Datum<'_>,
    to_device: bool,
    facts: &Facts,
) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
    Ok(match datum.boxes() {
        _ if !datum.memory.is_global() => vec![constant::fill(frame, datum)?],
        _ if datum.resident.is_some() => vec![residency::transfer(frame, datum, to_device)?],
        Some(boxes) => boxes::copies(frame, datum, boxes, facts, to_device)?,
        None => vec![Stmt::Op(HostOp::Copy(copy(frame, datum, to_device)?))],
    })
}

/// Copies a slice between host and device.
fn copy(frame: &Frame<'_>, datum: &Datum<'_>, to_device: bool) -> Result<Copy, Diagnostics> {
    let array = datum.array.id;
    let device = frame.view.device_names(array)?.pointer.clone();
    let slice = slice_of(datum)?;
    let host = host_start(frame, datum, slice);
    let size = copied_name(frame, datum)?;
    frame.note(array, !to_device);
    let form = match members::of_structures(datum.array) {
        Some((structures, stride)) => {
            let (rows, width) = rows(frame, datum, slice, structures);
            let (host_pitch, device_pitch) = (stride.to_string(), width.clone());
            CopyForm::Rows { host_pitch, device_pitch, width, rows }
        }
        None => CopyForm::Whole(size),
    };
    Ok(Copy { host, device, to_device, form })
}
