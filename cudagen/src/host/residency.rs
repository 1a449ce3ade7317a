//! Memory that stays on the device from one region to the next.
//!
//! A generated program has a table of this memory, by addresses on the host (`print/cxx/runtime/residency.rs`). A
//! region of a program with resident arrays does the following:
//!
//! 1. Before all else that touches memory, arrays that are not resident, but may be a part of what the device holds,
//!    become valid on the host ([`ResidencyOp::Reads`], [`ResidencyOp::Writes`]).
//! 2. It reserves the slices of its resident arrays, all at once, and asks where the device holds them.
//! 3. Transfers to the device copy what is newer on the host; transfers back only note what is newer on the device.
//! 4. At its end it no longer holds the slices. They stay unless unknown code may touch them.
//!
//! Different names of the same memory find the same copy. Before a function declines, what the original code may use
//! becomes valid on the host.

use scop::touched::{Classes, Touched, classes_of, touched};
use scop::{ClassId, Diagnostic, Diagnostics};

use crate::code::frame::Frame;
use crate::code::stmt::Stmt;
use crate::host::extents::{host_start, range, slice_of};
use crate::host::operation::{HostOp, Pointer, ResidencyOp, ResidentSlice};
use crate::model::data::{Datum, HostForm};
use crate::model::view::View;

/// Returns the operations before the device pointers of a region are declared.
///
/// # Errors
/// Reports a bug if the document uses something that it does not define.
pub fn reserve(frame: &Frame<'_>) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
    let Some(plan) = frame.view.residency else { return Ok(Vec::new()) };
    let of_caller = frame.view.data.values().filter(|datum| datum.host == HostForm::Pointer);
    let mut block = Vec::new();
    for datum in of_caller {
        if datum.resident.is_none() && !classes_of(datum.array, plan).is_empty() {
            let range = range(frame, datum)?;
            block.push(op(if datum.written {
                ResidencyOp::Writes(range)
            } else {
                ResidencyOp::Reads(range)
            }));
        }
    }
    let slices: Vec<ResidentSlice> =
        resident(frame.view).map(|one| slice(frame, one)).collect::<Result<_, _>>()?;
    if !slices.is_empty() {
        block.push(op(ResidencyOp::Reserve { variable: frame.view.resident.clone(), slices }));
    }
    Ok(block)
}

/// Returns the resident arrays of a region, each with its class.
fn resident<'v>(view: &'v View<'_>) -> impl Iterator<Item = (&'v Datum<'v>, ClassId)> {
    view.data.values().filter_map(|datum| Some((datum, datum.resident?)))
}

fn slice(frame: &Frame<'_>, (datum, class): (&Datum<'_>, ClassId)) -> Result<ResidentSlice, Diagnostics> {
    let classes = frame.view.residency.iter().flat_map(|plan| &plan.classes);
    let planned = classes.into_iter().find(|one| one.id == class).ok_or_else(|| {
        Diagnostic::bug("cudagen", format!("the document has no class {class} of memory on the device"))
    })?;
    frame.note(datum.array.id, false);
    let range = range(frame, datum)?;
    Ok(ResidentSlice { range, class, bounded: planned.bounded, announced: planned.announced })
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
    frame.note(datum.array.id, !to_device);
    let range = range(frame, datum)?;
    Ok(op(if to_device { ResidencyOp::Needs(range) } else { ResidencyOp::Wrote(range) }))
}

/// Marks the end of a region that has resident arrays.
pub fn done(frame: &Frame<'_>) -> Option<Stmt<HostOp>> {
    let any = resident(frame.view).next().is_some();
    any.then(|| op(ResidencyOp::Done { variable: frame.view.resident.clone() }))
}

/// Returns what the original code of a region needs before it runs on the host.
pub fn before_original(view: &View<'_>) -> Vec<ResidencyOp> {
    view.residency.map_or_else(Vec::new, |plan| of_original(&touched(view.model, plan)))
}

/// Returns what code needs that touches these classes of memory.
pub fn of_original(touched: &Touched) -> Vec<ResidencyOp> {
    match (&touched.written, &touched.read) {
        (Classes::All, _) => vec![ResidencyOp::WritesClass(None)],
        (Classes::Some(written), Classes::All) => {
            let writes = written.iter().map(|class| ResidencyOp::WritesClass(Some(*class)));
            writes.chain([ResidencyOp::ReadsClass(None)]).collect()
        }
        (Classes::Some(written), Classes::Some(read)) => {
            let writes = written.iter().map(|class| ResidencyOp::WritesClass(Some(*class)));
            writes
                .chain(read.difference(written).map(|class| ResidencyOp::ReadsClass(Some(*class))))
                .collect()
        }
    }
}

fn op(op: ResidencyOp) -> Stmt<HostOp> {
    Stmt::Op(HostOp::Residency(op))
}
