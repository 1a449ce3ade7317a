//! `--verify`: the rewritten source runs every region twice, in C and then on the device, and compares the results.
//!
//! ```text
//! const int verified = f_verify(0, n, A);      saves what the region may write
//! #pragma scop … #pragma endscop               the original
//! if (verified) {
//!     f_verify(1, n, A);                       saves what it wrote, and restores the state before it
//!     f(n, A);                                 the translation
//!     f_verify(2, n, A);                       compares, and poisons
//!     i = -1515870811;                         an iterator that the translation does not deliver
//! }
//! ```
//!
//! Both runs use the same data, so the first difference is a difference of this region. Everything that the region's
//! text may write is compared, whether the translation delivers it or not. Values that are dead after the region
//! cannot be compared, because the translation need not compute them. They are poisoned: if something reads them
//! after all, the program's output shows it, and the values of the C run do not hide it. Objects that the translation
//! replaces by copies are poisoned in the user's file, where their names are valid.

use scop::ast::ArraySlice;
use scop::c_text::Dialect;
use scop::{Array, CType, Diagnostics};

use crate::code::frame::Frame;
use crate::code::stmt::Stmt;
use crate::host::checks::Checks;
use crate::host::extents::{bytes, bytes_to, copied_name, host_start, rows};
use crate::host::memory;
use crate::host::operation::{ComparedRange, HostOp};
use crate::host::program::{Interface, Verification};
use crate::model::data::{self, Datum, HostForm};
use crate::model::{footprint, members};

/// Returns the comparing function of a region; `declared` are the declarations before its checks.
///
/// # Errors
///
/// Returns isl's error if an isl operation fails; reports a bug if the document uses something that it does not
/// define.
pub fn of(
    frame: &Frame<'_>,
    interface: &Interface,
    declared: &[Stmt<HostOp>],
    checks: &Checks,
) -> Result<Verification, Diagnostics> {
    let view = frame.view;
    let mut body = declared.to_vec();
    body.extend(memory::sizes(frame, true)?);
    body.extend(checks.memory.iter().cloned());
    let region = format!("{}_region", interface.verification());
    body.push(Stmt::Op(HostOp::BeginComparison { region: region.clone() }));
    for range in ranges(frame)? {
        body.push(Stmt::Op(HostOp::Compare { region: region.clone(), range: Box::new(range) }));
    }
    body.push(Stmt::line("return 1;"));
    Ok(Verification { place: format!("{}:{}", view.file(), view.region.range.line), body })
}

/// Returns each range of memory that the region may write.
fn ranges(frame: &Frame<'_>) -> Result<Vec<ComparedRange>, Diagnostics> {
    let view = frame.view;
    let fault = |error| {
        Diagnostics::from(view.source.failure("cudagen", &view.model.name, Some(view.region), &error))
    };
    let mut found = Vec::new();
    let on_host = data::used_on_host(view.model, &view.body).map_err(fault)?;
    for datum in view.data.values() {
        if !datum.written || datum.host != HostForm::Pointer {
            continue;
        }
        if datum.array.is_scalar() {
            let size = format!("sizeof({})", Dialect::Cxx.type_name(datum.array.element));
            found.push(range(frame, datum, None, &size));
            continue;
        }
        if let (true, Some(slice)) = (datum.on_device, &datum.slice) {
            let size = copied_name(frame, datum)?;
            found.push(range(frame, datum, Some(slice), &size));
        }
        if !datum.on_device || on_host.contains(&datum.array.id) {
            found.extend(used_by_host(frame, datum).map_err(fault)?);
        }
    }
    Ok(found)
}

/// Returns what instances may touch of an array, whether the device holds the array or not.
fn used_by_host(frame: &Frame<'_>, datum: &Datum<'_>) -> polyhedra::Result<Option<ComparedRange>> {
    let (model, array) = (frame.view.model, datum.array);
    let Some(slice) = footprint::touched(model, array, datum.inner_extents())? else { return Ok(None) };
    let mut size = bytes(frame, datum, &slice);
    if !array.declares_rows() {
        let last = footprint::last_touched(model, array)?;
        size = format!("({})", bytes_to(frame, datum, &last, &size));
    }
    Ok(Some(range(frame, datum, Some(&slice), &size)))
}

fn range(frame: &Frame<'_>, datum: &Datum<'_>, slice: Option<&ArraySlice>, bytes: &str) -> ComparedRange {
    let array = datum.array;
    let (rows, width, stride) = match (members::of_structures(array), slice) {
        (Some((structures, stride)), Some(slice)) => {
            let (rows, width) = rows(frame, datum, slice, structures);
            (rows, width, stride.to_string())
        }
        _ => ("1".to_owned(), bytes.to_owned(), "0".to_owned()),
    };
    // If the parameters imply that nothing is written, the pointer may be null.
    let rows = match array.may_alias || array.restrict {
        true => format!("{} == NULL ? 0 : {rows}", array.name),
        false => rows,
    };
    let extents: Vec<String> = slice.map_or_else(Vec::new, |slice| written_extents(frame, array, slice));
    let structures = members::of_structures(array).map_or(0, |(structures, _)| structures);
    let (before, member) =
        array.expression.rsplit_once(&"[0]".repeat(structures)).unwrap_or((&array.expression, ""));
    ComparedRange {
        array: before.to_owned(),
        member: member.to_owned(),
        start: slice.map_or_else(|| array.name.clone(), |slice| host_start(frame, datum, slice)),
        rows,
        width,
        stride,
        is_dead: array.dead_after,
        kind: kind(array.element),
        element: array.element,
        dimensions: if slice.is_some() { extents.len() + 1 } else { 0 },
        structures,
        first: slice.map_or_else(|| "0".to_owned(), |slice| frame.index(&slice.lower).text),
        extents,
    }
}

/// Returns the extents of the inner dimensions that the source declares; it computes other subscripts itself.
fn written_extents(frame: &Frame<'_>, array: &Array, slice: &ArraySlice) -> Vec<String> {
    let inner = array.extents.iter().skip(1).zip(&slice.inner_extents);
    inner.filter(|(extent, _)| extent.c.is_some()).map(|(_, value)| frame.index(value).text).collect()
}

/// Returns how the values of a type are printed: complex, floating-point, signed or unsigned.
fn kind(ctype: CType) -> char {
    match ctype {
        _ if ctype.is_complex() => 'c',
        _ if !ctype.is_integer() => 'f',
        _ if ctype.is_unsigned() => 'u',
        _ => 'i',
    }
}
